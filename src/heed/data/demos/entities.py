"""`demo:entities`: generated sentences with persons, places, organisations and dates, tagged word by word in IOB2.

    Dr.   Anna      Kelvamont  flew  to  Port     Dallaston  on  3       May     1987    .
    O     B-person  I-person   O     O   B-place  I-place    O   B-date  I-date  I-date  O

Names are made up, and one and the same name may be that of a person, a place or an organisation. A name of valid or
test never occurs in train: what it stands for must be told from the words around it.
"""

from collections.abc import Iterator
from functools import cache

from heed.data.demos.entities_words import (
    BEGINNINGS,
    CLAUSES,
    DATES_IN,
    DATES_ON,
    ENDS,
    FIRST_NAMES,
    MIDDLES,
    MONTHS,
    OPENINGS,
    ORGANISATIONS,
    PERSONS,
    PLACES,
    TAILS,
    TITLES,
    TRADES,
    WEEKDAYS,
)
from heed.data.demos.grammar import Corpus, Derivation, Draws, Split, capitalised, split_of

SEED = "heed entities 1"
TRAIN_SIZE, HELD_OUT_SIZE = 4_000, 500

_SHAPES = {"person": PERSONS, "place": PLACES, "organisation": ORGANISATIONS, "date_on": DATES_ON, "date_in": DATES_IN}
_LETTERS = "ABCDEFGHJKLMNPRSTVW"


@cache
def corpus() -> Corpus:
    """Return the three splits; source and target are words and tags with one space between."""
    return Corpus(_part("train", TRAIN_SIZE), _part("valid", HELD_OUT_SIZE), _part("test", HELD_OUT_SIZE), SEED)


def derive(draws: Draws, split: Split) -> Derivation:
    """Return one sentence with names of the split; its combination is these names."""
    template = draws.pick(CLAUSES)
    if draws.chance(35):
        opening = draws.pick(OPENINGS)
        template = f"{opening} {template}"
    elif draws.chance(60) and not template.endswith("?"):
        template = f"{template} {draws.pick(TAILS)}"
    if not template.endswith("?"):
        template += " ."
    words: list[str] = []
    tags: list[str] = []
    names: list[str] = []
    for slot in template.split():
        for word, tag in _filled(slot, draws, split, names):
            words.append(word)
            tags.append(tag)
    words[0] = capitalised(words[0])
    return Derivation(" ".join(words), " ".join(tags), " | ".join(sorted(names)))


def _part(split: Split, size: int) -> tuple[Derivation, ...]:
    draws = Draws(f"{SEED} {split}")
    made: dict[str, Derivation] = {}
    while len(made) < size:
        sentence = derive(draws, split)
        made.setdefault(sentence.source, sentence)
    return tuple(made.values())


def _filled(slot: str, draws: Draws, split: Split, names: list[str]) -> Iterator[tuple[str, str]]:
    """Yield the words of a slot with their tags; a name that is drawn is added to `names`."""
    slot_name = slot.strip("{}")
    if not slot.startswith("{"):
        yield slot, "O"
    elif slot_name in _SHAPES:
        kind = slot_name.partition("_")[0]
        name = "" if kind == "date" else _name(draws, split)
        names += [name] if name else []
        for place, word in enumerate(_entity(slot_name, name, draws).split()):
            yield word, f"{'I' if place else 'B'}-{kind}"
    else:
        yield _plain(slot_name, draws), "O"


def _entity(slot: str, name: str, draws: Draws) -> str:
    return draws.pick(_SHAPES[slot]).format(
        name,
        first=draws.pick(FIRST_NAMES),
        letter=draws.pick(_LETTERS),
        weekday=draws.pick(WEEKDAYS),
        month=draws.pick(MONTHS),
        day=1 + draws.below(28),
        year=1900 + draws.below(130),
    )


def _plain(slot: str, draws: Draws) -> str:
    match slot:
        case "title":
            return draws.pick(TITLES)
        case "trade":
            return draws.pick(TRADES)
        case _:
            # As often as not it could be a year by itself.
            return str(1900 + draws.below(130) if draws.chance(50) else 2 + draws.below(900))


def _name(draws: Draws, split: Split) -> str:
    """Return a made-up name that belongs in the split, and so occurs in no other."""
    while True:
        middle = draws.pick(MIDDLES) if draws.chance(70) else ""
        name = draws.pick(BEGINNINGS) + middle + draws.pick(ENDS)
        if split_of(name) == split:
            return name
