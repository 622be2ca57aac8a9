"""Tags of words and the entities that they stand for, in the schemes that files use.

| word        | IOB1  | IOB2  | IOBES | BILOU |                                                          |
|-------------|-------|-------|-------|-------|----------------------------------------------------------|
| Mr.         | O     | O     | O     | O     | outside of all entities                                  |
| Ada         | I-PER | B-PER | B-PER | B-PER | IOB2 begins each entity with B                           |
| Lovelace    | I-PER | I-PER | E-PER | L-PER | IOBES ends it with E, BILOU with L                       |
| Charles     | B-PER | B-PER | S-PER | U-PER | IOB1 uses B only right after another entity of the kind  |

IOB2 is what the rest of the project works with. Entities are read as `conlleval` reads them: an I without a beginning
begins one, so that every sequence that a model may say has a meaning; of the sequences that are in order, each way back
to tags gives the same tags again, and that is how `find_fault` finds what a file has wrong.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, assert_never

from heed.files.quoting import quote

EntityScheme = Literal["IOB1", "IOB2", "IOBES", "BILOU"]
SCHEMES: tuple[EntityScheme, ...] = ("IOB2", "IOB1", "IOBES", "BILOU")  # the commonest first

OUTSIDE = "O"
_TAG = re.compile(r"([BIELSU])-(.+)")
_LIKE_IOBES = {"L": "E", "U": "S"}  # what BILOU calls last and unit


@dataclass(frozen=True, slots=True)
class Span:
    """An entity: words `start` up to, not including, `end`."""

    start: int
    end: int
    kind: str


@dataclass(frozen=True, slots=True)
class Fault:
    """The first tag of a sentence that is not in order."""

    place: int  # of the word, counted from 0
    reason: str  # such as "I-PER after O is not IOB2 (B-PER would be)"


def is_entity_tag(tag: str) -> bool:
    """Tell whether a tag says where in an entity of which kind a word stands."""
    return _TAG.fullmatch(tag) is not None


def find_scheme(sentences: Iterable[Sequence[str]]) -> EntityScheme | None:
    """Return the scheme that fits most of the sentences; None where tags are plain labels, such as parts of speech.

    Without a single entity there is nothing to tell by, and it is IOB2.
    """
    fits = dict.fromkeys(SCHEMES, 0)
    plain = entities = 0
    for tags in sentences:
        labels = [tag for tag in tags if tag != OUTSIDE]
        marked = sum(map(is_entity_tag, labels))
        entities, plain = entities + marked, plain + len(labels) - marked
        if labels and marked == len(labels):
            for scheme in SCHEMES:
                fits[scheme] += find_fault(tags, scheme) is None
    # A few tags that are out of order are mistakes to be told, not a file of plain labels.
    if plain > entities:
        return None
    return max(SCHEMES, key=lambda scheme: fits[scheme])


def find_fault(tags: Sequence[str], scheme: EntityScheme) -> Fault | None:
    """Return the first tag that the scheme does not have, or does not have there."""
    for place, tag in enumerate(tags):
        if tag != OUTSIDE and not is_entity_tag(tag):
            return Fault(place, f"the tag {quote(tag)} is neither O nor one of {scheme}, such as {_usual(scheme)}")
    orderly = tags_of(spans_of(tags), len(tags), scheme)
    for place, (tag, right) in enumerate(zip(tags, orderly, strict=True)):
        if tag != right:
            found = f"{_shown(tag)} {_between(tags, place, scheme)}"
            return Fault(place, f"{found} is not {scheme} ({_shown(right)} would be)")
    return None


def spans_of(tags: Sequence[str]) -> tuple[Span, ...]:
    """Return the entities of a sentence, in their order; tags of all schemes are understood."""
    spans: list[Span] = []
    start, kind, last = 0, "", OUTSIDE
    for place, tag in enumerate([*tags, OUTSIDE]):
        letter, next_kind = _parts(tag)
        goes_on = letter in "IE" and last in "BI" and next_kind == kind
        if last != OUTSIDE and not goes_on:
            spans.append(Span(start, place, kind))
        if letter != OUTSIDE and not goes_on:
            start, kind = place, next_kind
        last = letter
    return tuple(spans)


def tags_of(spans: Sequence[Span], words: int, scheme: EntityScheme = "IOB2") -> tuple[str, ...]:
    """Return the tags of a sentence of so many words; `spans` are in order and do not overlap."""
    tags = [OUTSIDE] * words
    before: Span | None = None
    for span in spans:
        touches = before is not None and before.end == span.start and before.kind == span.kind
        letters = _letters(span.end - span.start, touches, scheme)
        tags[span.start : span.end] = [f"{letter}-{span.kind}" for letter in letters]
        before = span
    return tuple(tags)


def to_iob2(tags: Sequence[str]) -> tuple[str, ...]:
    """Return the same entities in IOB2."""
    return tags_of(spans_of(tags), len(tags))


def kinds_of(sentences: Iterable[Sequence[str]]) -> Iterator[str]:
    """Yield the kind of every entity, as often as it occurs."""
    for tags in sentences:
        yield from (span.kind for span in spans_of(tags))


def _parts(tag: str) -> tuple[str, str]:
    """Return letter and kind, the letters of BILOU as IOBES has them; a tag that is none is outside."""
    found = _TAG.fullmatch(tag)
    if found is None:
        return OUTSIDE, ""
    letter, kind = found.groups()
    return _LIKE_IOBES.get(letter, letter), kind


def _letters(length: int, touches: bool, scheme: EntityScheme) -> str:
    match scheme:
        case "IOB1":
            return ("B" if touches else "I") + "I" * (length - 1)
        case "IOB2":
            return "B" + "I" * (length - 1)
        case "IOBES":
            return "S" if length == 1 else "B" + "I" * (length - 2) + "E"
        case "BILOU":
            return "U" if length == 1 else "B" + "I" * (length - 2) + "L"
        case _:
            assert_never(scheme)


def _usual(scheme: EntityScheme) -> str:
    return f"{_letters(2, False, scheme)[0]}-PER"


def _between(tags: Sequence[str], place: int, scheme: EntityScheme) -> str:
    before = f"after {_shown(tags[place - 1])}" if place else "at the beginning"
    if scheme in ("IOB1", "IOB2"):
        return before
    after = f"before {_shown(tags[place + 1])}" if place + 1 < len(tags) else "at the end"
    return f"{before} and {after}"


def _shown(tag: str) -> str:
    return tag if tag.isprintable() and len(tag) <= 60 else quote(tag)
