"""The frames of the French-English grammar: which verb takes which subjects, complements, tenses and times."""

from dataclasses import dataclass
from functools import cache

from heed.data.demos import french_english_verbs as verbs
from heed.data.demos import french_english_words as words
from heed.data.demos.english_forms import BE as TO_BE
from heed.data.demos.english_forms import EnglishVerb
from heed.data.demos.french_english_complements import AGES, LIKED, SUPPORTS, at, gifts, there, to, visited, weather
from heed.data.demos.french_english_phrases import (
    SINGULAR,
    Complement,
    Rows,
    fixed,
    people,
    professions,
    pronouns,
    states,
    things,
)
from heed.data.demos.french_forms import FrenchVerb
from heed.data.demos.grammar import Weighted, weigh

ACTION = ("present",) * 6 + ("past",) * 4 + ("going",) * 2 + ("want", "can", "must", "like")
FUTURE_ACTION = (*ACTION, "future", "future")
EVENT = ("present", "past", "going")
STATE = ("present", "present", "imperfect", "future")
FEELING = ("present", "present", "imperfect")
PRESENT = ("present",)


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One use of a verb. Tenses that are named twice are drawn twice as often."""

    verb: FrenchVerb
    english: EnglishVerb
    complements: Rows
    particle: str = ""  # the "for" of "look for"
    subjects: str = "person"
    tenses: tuple[str, ...] = ACTION
    scale: str = "hour"  # which times suit it; "" takes none
    frequent: bool = True  # whether "often" suits it
    with_place: bool = False  # whether "in the park" may be added
    may_end: bool = True  # whether "no longer" suits it
    has_reason: bool = True  # whether one can ask why


@cache
def complements_for(frame: Frame, owner: str) -> Weighted[Complement]:
    """Return the complements that a subject may take, given the possessive that points back to it."""
    return weigh(row for row in frame.complements if row[0].owner in ("", owner))


_ENGLISH = verbs.ENGLISH
_DEGREES = (("", ""), ("", ""), ("très", "very"), ("trop", "too"))
_EVERY = ("the", "a", "this", "own")
_DISHES = things(words.DISHES, ("some", "the"))
# Each with how often it is drawn.
FRAMES: Weighted[Frame] = weigh(
    [
        (
            Frame(
                verbs.EAT, _ENGLISH["eat"], things(words.FOOD, (*_EVERY, "two", "three")) + _DISHES * 4, with_place=True
            ),
            8,
        ),
        (Frame(verbs.DRINK, _ENGLISH["drink"], things(words.DRINKS, ("some", "the")), with_place=True), 5),
        (
            Frame(verbs.READ, _ENGLISH["read"], things(words.READINGS, _EVERY, words.BOOK_ADJECTIVES), with_place=True),
            5,
        ),
        (
            Frame(
                verbs.WRITE, _ENGLISH["write"], things(words.READINGS[:2], ("a", "this", "two"), words.BOOK_ADJECTIVES)
            ),
            3,
        ),
        (
            Frame(verbs.WATCH, _ENGLISH["watch"], things(words.SHOWS, ("the", "a", "this"), words.BOOK_ADJECTIVES[:2])),
            4,
        ),
        (
            Frame(
                verbs.BUY,
                _ENGLISH["buy"],
                things(words.GOODS + words.CLOTHES, ("the", "a", "this", "two", "three"), words.THING_ADJECTIVES)
                + things(words.READINGS[::2] + words.FOOD, ("the", "a", "three", "four"))
                + _DISHES,
            ),
            7,
        ),
        (
            Frame(
                verbs.BUY,
                _ENGLISH["buy"],
                things(words.ESTATE, ("the", "a", "this", "two"), words.THING_ADJECTIVES),
                scale="season",
                frequent=False,
            ),
            3,
        ),
        (Frame(verbs.WEAR, _ENGLISH["wear"], things(words.CLOTHES, _EVERY, words.THING_ADJECTIVES, SINGULAR)), 4),
        (Frame(verbs.OPEN, _ENGLISH["open"], things(words.OPENINGS, ("the", "this", "own"))), 3),
        (Frame(verbs.GIVE, _ENGLISH["give"], gifts()), 5),
        (
            Frame(
                verbs.SEEK,
                _ENGLISH["look"],
                things(words.GOODS[:2] + words.CLOTHES + words.READINGS, ("the", "own"), (), SINGULAR)
                + people()
                + pronouns(),
                particle="for",
            ),
            5,
        ),
        (Frame(verbs.SEE, _ENGLISH["see"], people() + pronouns() + things(words.ANIMALS, ("the", "a", "two"))), 5),
        (Frame(verbs.WAIT, _ENGLISH["wait"], people() + pronouns(), particle="for"), 4),
        (Frame(verbs.HELP, _ENGLISH["help"], people() + pronouns()), 5),
        (Frame(verbs.LOVE, _ENGLISH["love"], people() + pronouns(), tenses=PRESENT, scale="", frequent=False), 4),
        (Frame(verbs.LOVE, _ENGLISH["like"], LIKED, tenses=PRESENT, scale="", frequent=False), 6),
        (
            Frame(
                verbs.KNOW,
                _ENGLISH["know"],
                people() + pronouns() + visited(),
                tenses=PRESENT,
                scale="",
                frequent=False,
            ),
            4,
        ),
        (
            Frame(
                verbs.VISIT,
                _ENGLISH["visit"],
                visited(),
                tenses=FUTURE_ACTION,
                scale="season",
            ),
            14,
        ),
        (Frame(verbs.GO, _ENGLISH["go"], to(words.LANDS), tenses=FUTURE_ACTION, scale="season"), 6),
        (Frame(verbs.GO, _ENGLISH["go"], to(words.BUILDINGS), tenses=FUTURE_ACTION), 5),
        (
            Frame(
                verbs.COME,
                _ENGLISH["come"],
                [(fixed(place.french_from, place.english, place.head), 1) for place in words.LANDS],
                particle="from",
                tenses=PRESENT,
                scale="",
                frequent=False,
                may_end=False,
            ),
            3,
        ),
        (Frame(verbs.ARRIVE, _ENGLISH["arrive"], at(words.BUILDINGS[:2], words.BUILDINGS[3:]), tenses=EVENT), 3),
        (Frame(verbs.ARRIVE, _ENGLISH["arrive"], at(words.LANDS), tenses=EVENT, scale="season"), 2),
        (
            Frame(
                verbs.LEAVE,
                _ENGLISH["leave"],
                [(fixed(f"pour {place.french}", f"for {place.english}", place.head), 1) for place in words.LANDS],
                scale="season",
            ),
            3,
        ),
        (Frame(verbs.STAY, _ENGLISH["stay"], at(words.BUILDINGS) + at((words.HOME,)) * 3), 4),
        (Frame(verbs.TRAVEL, _ENGLISH["travel"], at(words.COUNTRIES), scale="season"), 4),
        (Frame(verbs.LIVE, _ENGLISH["live"], at(words.LANDS), tenses=PRESENT, scale="", frequent=False), 4),
        (Frame(verbs.WORK, _ENGLISH["work"], at(words.BUILDINGS) + at((words.HOME,)) * 2), 5),
        (Frame(verbs.SLEEP, _ENGLISH["sleep"], at((words.HOME,), words.SLEEPING_PLACES)), 5),
        (
            Frame(
                verbs.PLAY,
                _ENGLISH["play"],
                [(fixed(french, english), 1) for french, english in words.GAMES],
                with_place=True,
            ),
            5,
        ),
        (
            Frame(
                verbs.LEARN,
                _ENGLISH["learn"],
                [(fixed(f"le {french}", english, french), 1) for french, english in words.LANGUAGES],
                scale="season",
            ),
            4,
        ),
        (
            Frame(
                verbs.SPEAK,
                _ENGLISH["speak"],
                [(fixed(french, english), 1) for french, english in words.LANGUAGES],
                tenses=("present", "present", "can", "want", "like"),
                scale="",
                with_place=True,
            ),
            4,
        ),
        (
            Frame(
                verbs.BE,
                TO_BE,
                states(words.MOODS[:5], _DEGREES) + states(words.MOODS[5:], _DEGREES[:1]) * 4,
                tenses=STATE,
                scale="day",
            ),
            7,
        ),
        (Frame(verbs.BE, TO_BE, states(words.TRAITS, _DEGREES), tenses=FEELING, scale="", frequent=False), 4),
        (Frame(verbs.BE, TO_BE, professions(), tenses=STATE, scale="", frequent=False), 3),
        (Frame(verbs.BE, TO_BE, at(words.BUILDINGS, (words.HOME,)), tenses=STATE), 3),
        (
            Frame(
                verbs.HAVE,
                _ENGLISH["have"],
                things(words.ESTATE[:3] + words.ANIMALS[:2], ("a", "two", "three"), words.COLOURS),
                tenses=FEELING,
                scale="",
                frequent=False,
            ),
            5,
        ),
        (
            Frame(
                verbs.HAVE,
                _ENGLISH["have"],
                things(words.FAMILY[:2], ("a",), (), SINGULAR) + things(words.FAMILY[:2], ("two", "three")),
                tenses=PRESENT,
                scale="",
                frequent=False,
                may_end=False,
            ),
            2,
        ),
        (
            Frame(
                verbs.HAVE,
                TO_BE,
                [(fixed("faim", "hungry"), 1), (fixed("soif", "thirsty"), 1), (fixed("froid", "cold"), 1)],
                tenses=FEELING,
                scale="day",
            ),
            4,
        ),
        (
            Frame(
                verbs.HAVE, TO_BE, AGES, subjects="young", tenses=FEELING, scale="", frequent=False, has_reason=False
            ),
            3,
        ),
        (
            Frame(
                verbs.BE,
                TO_BE,
                states(words.LASTING_LOOKS, (("", ""),)),
                subjects="thing",
                tenses=FEELING,
                scale="",
                frequent=False,
            ),
            4,
        ),
        (
            Frame(
                verbs.BE,
                TO_BE,
                [(fixed(*support), 1) for support in SUPPORTS],
                subjects="thing",
                tenses=FEELING,
                scale="",
                frequent=False,
            ),
            2,
        ),
        (
            Frame(
                verbs.HAVE,
                TO_BE,
                there(plural=False),
                subjects="there",
                tenses=FEELING,
                scale="",
                frequent=False,
                has_reason=False,
            ),
            2,
        ),
        (
            Frame(
                verbs.HAVE,
                TO_BE,
                there(plural=True),
                subjects="there",
                tenses=FEELING,
                scale="",
                frequent=False,
                has_reason=False,
            ),
            2,
        ),
        (Frame(verbs.RAIN, _ENGLISH["rain"], at(words.LANDS), subjects="weather", tenses=EVENT, scale="season"), 3),
        (Frame(verbs.MAKE, TO_BE, weather(), subjects="weather", tenses=FEELING, scale="season"), 2),
        (
            Frame(
                verbs.EAT,
                _ENGLISH["eat"],
                things(words.DISHES[:2], ("some", "the")) + things(words.FOOD[:1], ("the", "a")),
                subjects="animal",
                tenses=("present", "past", "want"),
            ),
            2,
        ),
        (
            Frame(
                verbs.DRINK,
                _ENGLISH["drink"],
                things(words.DRINKS[:2], ("some", "the")),
                subjects="animal",
                tenses=("present", "past", "want"),
            ),
            2,
        ),
        (
            Frame(
                verbs.SLEEP,
                _ENGLISH["sleep"],
                at((words.HOME,), words.SLEEPING_PLACES[2:3]),
                subjects="animal",
                tenses=("present", "past", "can"),
            ),
            2,
        ),
    ]
)
