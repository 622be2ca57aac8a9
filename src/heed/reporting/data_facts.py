"""What a run knows of its data: how much of it there was, what its model could not read, and what was left out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from heed.reporting.numbers import count_of, number_of, share_of
from heed.runs.strict_json import JSON

MOST = 100  # facts of one kind; a run has a handful
LONGEST = 2_000  # characters of a fact
PARTS = ("train", "valid", "test")
FINGERPRINT = "fingerprint"
# Counts of what was left out, and how each is told.
_LEFT_OUT = {
    "empty": "examples with an empty text were left out",
    "empty_pairs": "pairs with an empty side were left out",
    "cut_words": "words beyond the longest sentence were cut off and have no tag to learn from",
    "lost_answers": "answers were lost because no window of the paragraph holds them",
}
_ORDER = ("records", "documents", "sentences", "sequences", "tokens", "unknown", "cut")  # of the counts of a part
_READ_APART = {*PARTS, "origin", "note", "masking", "pairs", "files", "left_out"}


@dataclass(frozen=True)
class Part:
    """One part of the data, such as that to train on."""

    name: str
    counts: Mapping[str, int]
    fingerprint: str | None  # a digest of all texts in order


@dataclass(frozen=True)
class Reading:
    """Tokens of the training data as the model meets them."""

    name: str
    tokens: int
    unknown: int
    cut: int


@dataclass(frozen=True)
class MaskingFacts:
    """What hiding words did in practice when a BERT was pre-trained; shares are from 0 to 1."""

    sequences: int
    tokens: int
    chosen: float  # of the tokens
    masked: float  # of the chosen ones
    replaced: float
    kept: float
    follows: float | None  # of the pairs


@dataclass(frozen=True)
class PairFacts:
    """How well the pairs of a pre-training are told apart without reading them; shares are from 0 to 1."""

    pairs: int
    by_length: float
    by_first_token: float
    by_last_token: float


@dataclass(frozen=True)
class DataFacts:
    """All that is known of the data of a run."""

    origin: str = ""
    note: str = ""
    files: Mapping[str, Sequence[str]] | None = None  # by part, as the settings name them
    parts: tuple[Part, ...] = ()
    readings: tuple[Reading, ...] = ()
    counted: bool = False  # what could not be read or was left out
    left_out: tuple[str, ...] = ()  # sentences; none where it was counted: there was nothing
    others: Mapping[str, str] | None = None
    digests: Mapping[str, str] | None = None  # SHA-256 of the files of an imported model
    masking: MaskingFacts | None = None
    pairs: PairFacts | None = None


def data_facts(facts: Mapping[str, JSON], settings: Mapping[str, JSON]) -> DataFacts:
    """Return what `data.json` and the settings say of the data; what is of another shape is passed over."""
    parts = tuple(_part(name, facts[name]) for name in PARTS if isinstance(facts.get(name), Mapping))
    readings = (*_readings(facts), *(each for part in parts for each in _part_reading(part)))
    return DataFacts(
        origin=_text(facts.get("origin")),
        note=_text(facts.get("note")),
        files=_files(settings),
        parts=parts,
        readings=readings,
        counted=bool(readings) or any(name in facts for name in ("left_out", *_LEFT_OUT)),
        left_out=(*_unread(readings), *_counted_out(facts)),
        others={name: str(facts[name])[:LONGEST] for name in list(facts)[:MOST] if _is_other(name, facts[name])},
        digests={name: _text(value) for name, value in list(_mapping(facts.get("files")).items())[:MOST]},
        masking=_masking(_mapping(facts.get("masking"))),
        pairs=_pairs(_mapping(facts.get("pairs"))),
    )


def _part(name: str, value: JSON) -> Part:
    found = _mapping(value)
    names = sorted(found, key=lambda each: _ORDER.index(each) if each in _ORDER else len(_ORDER))
    counts = {each: count for each in names[:MOST] if (count := count_of(found[each])) is not None}
    return Part(name, counts, _text(found.get(FINGERPRINT)) or None)


def _readings(facts: Mapping[str, JSON]) -> list[Reading]:
    found = {name: _mapping(value) for name, value in facts.items() if name not in _READ_APART}
    return [
        _reading("training tokens" if name == "tokens" else name.replace("_", " "), value)
        for name, value in found.items()
        if count_of(value.get("tokens"))
    ]


def _part_reading(part: Part) -> list[Reading]:
    return [_reading(f"tokens of {part.name}", part.counts)] if "tokens" in part.counts else []


def _reading(name: str, counts: Mapping[str, JSON]) -> Reading:
    tokens, unknown, cut = (count_of(counts.get(each)) or 0 for each in ("tokens", "unknown", "cut"))
    return Reading(name, tokens, unknown, cut)


def _unread(readings: Sequence[Reading]) -> list[str]:
    told = []
    for each in readings:
        for count, what in ((each.unknown, "are not in the vocabulary"), (each.cut, "were cut off as too long")):
            if count:
                told.append(f"{count:,} of {each.tokens:,} {each.name} ({share_of(count, each.tokens)}) {what}.")
    return told


def _counted_out(facts: Mapping[str, JSON]) -> list[str]:
    told = [f"{count:,} {said}." for name, said in _LEFT_OUT.items() if (count := count_of(facts.get(name)))]
    for part, value in _mapping(facts.get("left_out")).items():
        if count := count_of(value):
            told.append(f"{count:,} pictures of {part} could not be read and were left out.")
    return told


def _masking(values: Mapping[str, JSON]) -> MaskingFacts | None:
    sequences, tokens = count_of(values.get("sequences")), count_of(values.get("tokens"))
    chosen, masked, replaced, kept = (number_of(values.get(name)) for name in ("chosen", "masked", "replaced", "kept"))
    if sequences is None or tokens is None or chosen is None or masked is None or replaced is None or kept is None:
        return None
    return MaskingFacts(sequences, tokens, chosen, masked, replaced, kept, number_of(values.get("follows")))


def _pairs(values: Mapping[str, JSON]) -> PairFacts | None:
    pairs = count_of(values.get("pairs"))
    length, first, last = (number_of(values.get(f"by_{name}")) for name in ("length", "first_token", "last_token"))
    if pairs is None or length is None or first is None or last is None:
        return None
    return PairFacts(pairs, length, first, last)


def _files(settings: Mapping[str, JSON]) -> dict[str, Sequence[str]]:
    data = _mapping(settings.get("data"))
    named = {part: data.get(part) for part in PARTS}
    return {part: [str(name) for name in names] for part, names in named.items() if isinstance(names, list) and names}


def _is_other(name: str, value: JSON) -> bool:
    return name not in _READ_APART | set(_LEFT_OUT) and isinstance(value, int | float | str)


def _mapping(value: JSON) -> Mapping[str, JSON]:
    return value if isinstance(value, Mapping) else {}


def _text(value: JSON) -> str:
    return value[:LONGEST] if isinstance(value, str) else ""
