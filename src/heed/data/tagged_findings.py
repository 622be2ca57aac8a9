"""The sentences of a report on tagged words: what each number means, and what to do about it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from heed.data.findings import MANY_DUPLICATES, Finding, at, inflated
from heed.data.leaks import NAMES
from heed.data.tagged_repeats import TaggedLeak, TaggedRepeats
from heed.files.quoting import first_of, quote

FEW = 20  # entities of a kind in train; fewer teach next to nothing
SHOWN = 5  # kinds in one sentence


@dataclass(frozen=True)
class KindCount:
    """How many entities of a kind, or words with a plain label, each split has."""

    kind: str
    train: int
    valid: int
    test: int
    longest: int  # words of the longest entity in train; 1 for plain labels
    unseen_share: float | None  # of the entities of valid, those whose words never are such an entity in train


def about_tagged_leak(leak: TaggedLeak) -> Iterator[Finding]:
    """Say how much of a split was seen before."""
    if not leak.sentences:
        return
    share = f"{leak.sentences:,} of the {leak.size:,} {NAMES[leak.split]} sentences ({leak.sentences / leak.size:.2%})"
    other = f" ({leak.other_tags:,} with other tags)" if leak.other_tags else ""
    yield inflated(leak, f"{share} also occur in {{earlier}}{other}{at(leak.examples)}", leak.sentences)


def about_tagged_repeats(repeats: TaggedRepeats, train: int) -> Iterator[Finding]:
    """Say what stands twice in train, and what is tagged in two ways."""
    if repeats.duplicates:
        many = repeats.duplicates > MANY_DUPLICATES * train
        share = f"{repeats.duplicates:,} sentence(s) of train ({repeats.duplicates / train:.2%})"
        yield Finding("warning" if many else "note", f"{share} stand there more than once.")
    if repeats.conflicts:
        shown = "; ".join(
            f"of {quote(each.word, 30)}, {each.first} says {quote(each.first_tag, 30)}, "
            f"{each.second} says {quote(each.second_tag, 30)}"
            for each in repeats.conflict_examples[:3]
        )
        more = "; …" if repeats.conflicts > 3 else ""
        yield Finding(
            "warning",
            f"{repeats.conflicts:,} sentence(s) of train are tagged in several ways ({shown}{more}). Decide on one.",
        )


def about_kinds(kinds: Sequence[KindCount], counts: Mapping[str, int], noun: str) -> Iterator[Finding]:
    """Say which kinds are too rare to be learnt, unknown to train, or absent from a split; `noun` names the counted."""
    few = [kind for kind in kinds if 0 < kind.train < FEW]
    if few:
        shown = first_of([f"{quote(kind.kind, 30)}: {kind.train}" for kind in few], SHOWN)
        yield Finding("warning", f"{len(few):,} kind(s) have fewer than {FEW} {noun} in train ({shown}). Add more.")
    for split in ("valid", "test"):
        if not counts[split]:
            continue
        unknown = [quote(kind.kind, 30) for kind in kinds if getattr(kind, split) and not kind.train]
        if unknown:
            yield Finding(
                "warning",
                f"{split} has {len(unknown):,} kind(s) that train never has ({first_of(unknown, SHOWN)}): no model "
                f"finds them.",
            )
        absent = [quote(kind.kind, 30) for kind in kinds if kind.train and not getattr(kind, split)]
        if absent:
            yield Finding(
                "note", f"{split} has none of {len(absent):,} kind(s) ({first_of(absent, SHOWN)}): they go unjudged."
            )


def about_empty_sentences(without: int, train: int) -> Iterator[Finding]:
    """Say how many training sentences have no entity, where these are most of them."""
    if without > train / 2:
        yield Finding("note", f"{without:,} sentences of train ({without / train:.1%}) have no entity at all.")
