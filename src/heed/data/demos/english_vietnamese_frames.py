"""The frames of the English-Vietnamese grammar: which verb takes which subjects, complements, tenses and times."""

from dataclasses import dataclass
from functools import cache
from typing import Literal

from heed.data.demos import english_vietnamese_words as words
from heed.data.demos.english_forms import BE, EnglishVerb
from heed.data.demos.english_vietnamese_complements import (
    AGES,
    COLOURED,
    LIKED,
    at,
    degrees,
    gifts,
    in_lands,
    professions,
    there,
    weather,
)
from heed.data.demos.english_vietnamese_phrases import Complement, Rows, owned, people, plain, things
from heed.data.demos.grammar import Weighted, weigh

# How the verb behaves in Vietnamese. An act takes đã, đang, sẽ; a state ("mệt", "ở nhà") no đã beside a past time;
# "là" is denied and asked with "phải"; "có" is not said twice in a question.
Behaviour = Literal["act", "state", "là", "có"]

ACTION = (
    ("present",) * 5
    + ("past",) * 4
    + ("future",) * 3
    + ("progressive",) * 2
    + ("perfect", "want", "would", "can", "must", "should", "need", "like")
)
MOVEMENT = tuple(tense for tense in ACTION if tense != "progressive")
STATE = ("present", "present", "past", "future")
PRESENT = ("present",)
TRADE = tuple(tense for tense in ACTION if tense != "like")
WISH = ("want", "would", "can", "should", "need", "future")
WEATHER = ("progressive", "past", "future")


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One use of a verb. Tenses that are named twice are drawn twice as often."""

    english: EnglishVerb
    vietnamese: str
    complements: Rows
    particle: str = ""  # the "for" of "wait for"
    subjects: str = "person"
    tenses: tuple[str, ...] = ACTION
    scale: str = "hour"  # which times suit it; "" takes none
    adverbs: tuple[tuple[str, str], ...] = words.ADVERBS
    with_place: bool = False  # whether "in the park" may be added
    behaviour: Behaviour = "act"
    askable: bool = True


@cache
def complements_for(frame: Frame, owner: str) -> Weighted[Complement]:
    """Return the complements that a subject may take, given the possessive that points back to it."""
    return weigh(
        row for row in frame.complements if row[0].owner in ("", owner) and (row[0].other_owner or "none") != owner
    )


_VERBS = words.VERBS
_ALL = ("the", "a", "this", "that", "the (many)", "these", "own")
# Each with how often it is drawn.
FRAMES: Weighted[Frame] = weigh(
    [
        (
            Frame(
                _VERBS["eat"],
                "ăn",
                plain(words.MASS_FOOD, 40) + things(words.FRUIT, ("the", "a", "any", "two", "three")),
                with_place=True,
            ),
            8,
        ),
        (
            Frame(_VERBS["drink"], "uống", plain(words.DRINKS, 20) + things(words.CUPS, ("a", "two")), with_place=True),
            6,
        ),
        (Frame(_VERBS["read"], "đọc", things(words.READINGS, (*_ALL, "any"), words.INTEREST), with_place=True), 6),
        (
            Frame(
                _VERBS["write"], "viết", things(words.READINGS[::2], ("a", "this", "two", "own"), words.INTEREST[1:])
            ),
            3,
        ),
        (
            Frame(
                _VERBS["buy"],
                "mua",
                things(
                    words.GOODS + words.CLOTHES,
                    ("the", "a", "this", "those", "two", "many"),
                    (*words.COLOURS, *words.WORTH, *words.LOOKS),
                ),
                tenses=TRADE,
            ),
            7,
        ),
        (
            Frame(
                _VERBS["buy"],
                "mua",
                things(words.ESTATE, ("the", "a", "that", "two"), (*words.WORTH, *words.LOOKS)),
                tenses=TRADE,
                scale="season",
                adverbs=(),
            ),
            3,
        ),
        (
            Frame(
                _VERBS["sell"],
                "bán",
                things(
                    words.ESTATE + words.GOODS[:1] + words.GOODS[5:6],
                    ("the", "this", "own", "other"),
                    (*words.WORTH, *words.LOOKS),
                ),
                tenses=TRADE,
                scale="season",
                adverbs=(),
            ),
            4,
        ),
        (
            Frame(
                _VERBS["wear"],
                "mặc",
                things(words.CLOTHES, ("the", "a", "this", "own"), (*words.COLOURS, *words.WORTH[:2])),
            ),
            4,
        ),
        (
            Frame(
                _VERBS["watch"],
                "xem",
                things(words.MOVIES, ("a", "the", "this", "these", "any", "two", "many"), words.INTEREST),
            ),
            4,
        ),
        (
            Frame(
                _VERBS["sing"],
                "hát",
                things(words.SONGS, ("a", "the", "this", "that", "two", "many", "some"), words.INTEREST),
            ),
            3,
        ),
        (Frame(_VERBS["cook"], "nấu", plain(words.MEALS + words.MASS_FOOD[::4]), with_place=True), 4),
        (Frame(_VERBS["give"], "tặng", gifts(), adverbs=()), 4),
        (Frame(_VERBS["love"], "yêu", people(), tenses=PRESENT, scale="", adverbs=words.ALSO_STILL), 5),
        (Frame(_VERBS["like"], "thích", LIKED, tenses=PRESENT, scale="", adverbs=words.ALSO_STILL), 8),
        (Frame(_VERBS["know"], "biết", people(), tenses=PRESENT, scale="", adverbs=()), 4),
        (
            Frame(
                _VERBS["miss"],
                "nhớ",
                people(),
                tenses=("present", "present", "future"),
                scale="",
                adverbs=words.ALSO_STILL,
            ),
            3,
        ),
        (Frame(_VERBS["help"], "giúp", people()), 5),
        (Frame(_VERBS["meet"], "gặp", people(), with_place=True, tenses=MOVEMENT), 5),
        (
            Frame(
                _VERBS["see"],
                "nhìn thấy",
                people() + things(words.ANIMALS, ("the", "a", "two", "many"), words.COLOURS[:2]),
                tenses=("past", "past", "present", "can"),
            ),
            4,
        ),
        (Frame(_VERBS["wait"], "đợi", people(), particle="for", with_place=True), 5),
        (
            Frame(
                _VERBS["visit"], "thăm", plain(words.LANDS, 24) + owned(words.FAMILY), tenses=MOVEMENT, scale="season"
            ),
            7,
        ),
        (Frame(_VERBS["go"], "đi", plain(words.LANDS), particle="to", tenses=MOVEMENT, scale="season"), 5),
        (
            Frame(
                _VERBS["go"],
                "đi đến",
                [(Complement(english, vietnamese, english), 1) for _, english, vietnamese in words.BUILDINGS],
                particle="to",
            ),
            5,
        ),
        (Frame(_VERBS["travel"], "đi du lịch", plain(words.LANDS), particle="to", tenses=MOVEMENT, scale="season"), 4),
        (
            Frame(
                _VERBS["live"],
                "sống",
                in_lands(),
                tenses=("present", "present", "want", "would", "like", "can"),
                scale="",
                adverbs=words.ALSO_STILL,
            ),
            4,
        ),
        (Frame(_VERBS["work"], "làm việc", at(words.WORKPLACES)), 5),
        (Frame(_VERBS["study"], "học", at(words.STUDY_PLACES)), 4),
        (Frame(_VERBS["sleep"], "ngủ", at(words.SLEEPING_PLACES)), 3),
        (Frame(_VERBS["learn"], "học", plain(words.LANGUAGES), scale="season", with_place=True), 5),
        (Frame(_VERBS["teach"], "dạy", plain(words.LANGUAGES), scale="season", with_place=True), 3),
        (
            Frame(
                _VERBS["speak"],
                "nói",
                plain(words.LANGUAGES),
                tenses=("present", "present", "can", "can", "want", "should", "like"),
                scale="",
                with_place=True,
            ),
            5,
        ),
        (Frame(_VERBS["play"], "chơi", plain(words.GAMES), with_place=True), 6),
        (
            Frame(
                _VERBS["improve"],
                "cải thiện",
                owned(words.SKILLS),
                tenses=(*WISH, *WISH, "past", "must"),
                scale="season",
                adverbs=(),
            ),
            6,
        ),
        (Frame(_VERBS["become"], "trở thành", professions(), tenses=WISH, scale="", adverbs=()), 3),
        (Frame(BE, "là", professions(), tenses=PRESENT, scale="", behaviour="là", adverbs=words.ALSO_STILL), 4),
        (
            Frame(BE, "", degrees(words.MOODS), tenses=STATE, scale="day", behaviour="state", adverbs=words.ALSO_STILL),
            6,
        ),
        (Frame(BE, "", degrees(words.TRAITS), tenses=PRESENT, scale="", behaviour="state", adverbs=()), 4),
        (
            Frame(BE, "", at(words.BUILDINGS), tenses=STATE, scale="day", behaviour="state", adverbs=words.ALSO_STILL),
            4,
        ),
        (
            Frame(
                BE,
                "",
                plain(AGES),
                tenses=PRESENT,
                scale="",
                behaviour="state",
                adverbs=(),
                subjects="young",
                askable=False,
            ),
            2,
        ),
        (
            Frame(
                BE,
                "",
                degrees((*words.LOOKS, *words.WORTH)),
                subjects="thing",
                tenses=PRESENT,
                scale="",
                behaviour="state",
                adverbs=(),
            ),
            5,
        ),
        (Frame(BE, "có", plain(COLOURED), subjects="thing", tenses=PRESENT, scale="", behaviour="có", adverbs=()), 4),
        (
            Frame(
                _VERBS["have"],
                "có",
                things(
                    words.ESTATE + words.GOODS + words.ANIMALS,
                    ("a", "two", "three", "many", "some"),
                    (*words.COLOURS, *words.LOOKS[:2]),
                ),
                tenses=PRESENT,
                scale="",
                behaviour="có",
                adverbs=words.ALSO_STILL,
            ),
            6,
        ),
        (
            Frame(
                BE, "có", there(("a",)), subjects="there (one)", tenses=PRESENT, scale="", behaviour="có", adverbs=()
            ),
            2,
        ),
        (
            Frame(
                BE,
                "có",
                there(("two", "three", "four", "many", "some")),
                subjects="there (many)",
                tenses=PRESENT,
                scale="",
                behaviour="có",
                adverbs=(),
            ),
            3,
        ),
        (Frame(_VERBS["rain"], "mưa", in_lands(), subjects="weather", tenses=WEATHER, scale="season", adverbs=()), 2),
        (
            Frame(
                BE,
                "",
                weather(),
                subjects="weather",
                tenses=("present",),
                scale="season",
                behaviour="state",
                adverbs=words.ALSO_STILL,
            ),
            2,
        ),
        (
            Frame(
                _VERBS["eat"],
                "ăn",
                plain(words.MASS_FOOD[:4]),
                subjects="animal",
                tenses=("present", "past", "progressive", "want"),
            ),
            3,
        ),
        (
            Frame(
                _VERBS["drink"],
                "uống",
                plain(words.DRINKS[::3]),
                subjects="animal",
                tenses=("present", "past", "progressive", "want"),
            ),
            2,
        ),
        (
            Frame(
                _VERBS["sleep"],
                "ngủ",
                plain(words.OUTSIDE + words.CONTAINERS[2:]),
                subjects="animal",
                tenses=("present", "past", "progressive", "can"),
            ),
            3,
        ),
    ]
)
