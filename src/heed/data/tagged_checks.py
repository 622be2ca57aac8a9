"""`check_tagged`: what is wrong or odd in tagged sentences, before a minute of training is spent on them.

The report is numbers that go to JSON through `dataclasses.asdict`, and `findings`, the same in sentences.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from heed.data.characters import CharacterFault, find_faults
from heed.data.entity_tags import EntityScheme, Span, spans_of
from heed.data.findings import Finding, about_characters, most_urgent_first
from heed.data.labelled_findings import about_limit
from heed.data.lengths import LengthSummary, Measured, length_table, measure, summarise
from heed.data.reading_limits import ReadingLimit, find_limits, limit_table
from heed.data.records import TaggedText
from heed.data.tagged_findings import (
    KindCount,
    about_empty_sentences,
    about_kinds,
    about_tagged_leak,
    about_tagged_repeats,
)
from heed.data.tagged_repeats import TaggedRepeats, find_tagged_repeats
from heed.data.tagged_splits import TaggedSplits
from heed.errors import DataError
from heed.files.quoting import quote

SHOWN_KINDS = 30  # rows of the table in a terminal

Entity = tuple[str, tuple[str, ...]]  # its kind and its words


@dataclass(frozen=True)
class TaggedReport:
    """What `check_tagged` found. Lengths, limits and characters are of all splits together."""

    origin: str
    note: str  # which columns, which scheme, how it was split
    counts: dict[str, int]  # sentences of each split
    scheme: EntityScheme | None  # of the training file; None: plain labels
    kinds: tuple[KindCount, ...]  # the commonest first
    without_entity: int  # sentences of train; 0 for plain labels
    lengths: tuple[LengthSummary, ...]
    limits: tuple[ReadingLimit, ...]
    longest: int  # the limit at hand, one of those above
    repeats: TaggedRepeats
    characters: tuple[CharacterFault, ...]
    findings: tuple[Finding, ...]  # errors first

    def lines(self) -> list[str]:
        """Return the report for a terminal."""
        counts = ", ".join(f"{count:,} {name}" for name, count in self.counts.items())
        tags = "plain labels" if self.scheme is None else f"entities in {self.scheme}"
        found = [f"{finding.level}: {finding.text}" for finding in self.findings] or ["Nothing odd was found."]
        tables = [*_kind_table(self.kinds, self.scheme), *length_table(self.lengths), *limit_table(self.limits)]
        return [f"{self.origin}: {counts}; {tags}", *tables, *found]


def check_tagged(splits: TaggedSplits, lengths: Callable[[str], int] | None = None, longest: int = 128) -> TaggedReport:
    """Look the sentences over; `lengths` counts the tokens of a text, `longest` is how many a model would read."""
    records = [*splits.train, *splits.valid, *splits.test]
    if not splits.train:
        raise DataError(
            f"{splits.origin or 'The data'} holds 0 training sentences: there is nothing to check. Give tagged words."
        )
    texts = [record.text for record in records]
    words = Measured("words", {"text": [len(record.words) for record in records]})
    measured = [measure({"text": texts}, "characters", len), words]
    if lengths is not None:
        measured.append(measure({"text": texts}, "tokens", lengths))
    report = TaggedReport(
        origin=splits.origin,
        note=splits.note,
        counts={"train": len(splits.train), "valid": len(splits.valid), "test": len(splits.test)},
        scheme=splits.scheme,
        kinds=_count_kinds(splits),
        without_entity=0 if splits.scheme is None else sum(not spans_of(record.tags) for record in splits.train),
        lengths=tuple(row for unit in measured for row in summarise(unit)),
        limits=find_limits(measured[-1].sides["text"], measured[-1].unit, longest),
        longest=longest,
        repeats=find_tagged_repeats(splits),
        characters=find_faults({"text": texts}, [record.place for record in records]),
        findings=(),
    )
    return replace(report, findings=most_urgent_first(_findings(report)))


def _findings(report: TaggedReport) -> Iterator[Finding]:
    train = report.counts["train"]
    for leak in report.repeats.leaks:
        yield from about_tagged_leak(leak)
    yield from about_tagged_repeats(report.repeats, train)
    yield from about_kinds(report.kinds, report.counts, "words" if report.scheme is None else "entities")
    yield from about_empty_sentences(report.without_entity, train)
    for limit in report.limits:
        if limit.longest == report.longest:
            yield from about_limit(limit)
    for fault in report.characters:
        yield from about_characters(fault, "sentence(s)")


def _count_kinds(splits: TaggedSplits) -> tuple[KindCount, ...]:
    train, valid, test = (list(_entities(part, splits.scheme)) for part in (splits.train, splits.valid, splits.test))
    counts = [Counter(kind for kind, _ in part) for part in (train, valid, test)]
    lengths: dict[str, int] = {}
    for kind, words in train:
        lengths[kind] = max(lengths.get(kind, 0), len(words))
    known, unseen = set(train), Counter[str]()
    unseen.update(kind for kind, words in valid if (kind, words) not in known)
    names = sorted(set().union(*counts), key=lambda kind: (-counts[0][kind], kind))
    return tuple(
        KindCount(
            kind,
            train=counts[0][kind],
            valid=counts[1][kind],
            test=counts[2][kind],
            longest=lengths.get(kind, 0),
            unseen_share=unseen[kind] / counts[1][kind] if counts[1][kind] else None,
        )
        for kind in names
    )


def _entities(records: Iterable[TaggedText], scheme: EntityScheme | None) -> Iterator[Entity]:
    for record in records:
        spans = _single(record.tags) if scheme is None else spans_of(record.tags)
        yield from ((span.kind, record.words[span.start : span.end]) for span in spans)


def _single(tags: Sequence[str]) -> list[Span]:
    return [Span(place, place + 1, tag) for place, tag in enumerate(tags)]


def _kind_table(kinds: Sequence[KindCount], scheme: EntityScheme | None) -> list[str]:
    names = [quote(kind.kind, 30) for kind in kinds[:SHOWN_KINDS]]
    width = max([18, *(len(name) + 1 for name in names)])
    what = "label of words" if scheme is None else "entities"
    head = f"{what:<{width}}{'train':>9}{'valid':>9}{'test':>9}{'longest':>9}{'new in valid':>14}"
    rows = [
        f"{name:<{width}}{kind.train:>9,}{kind.valid:>9,}{kind.test:>9,}{kind.longest:>9,}{_share(kind.unseen_share):>14}"
        for name, kind in zip(names, kinds, strict=False)
    ]
    more = [f"… and {len(kinds) - SHOWN_KINDS:,} rarer kinds"] if len(kinds) > SHOWN_KINDS else []
    return [head, *rows, *more]


def _share(share: float | None) -> str:
    return "–" if share is None else f"{share:.1%}"
