"""`check_pairs`: what is wrong or odd in text pairs, before a minute of training is spent on them.

The report is numbers that go to JSON through `dataclasses.asdict`, and `findings`, the same in sentences.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from heed.data.characters import CharacterFault, find_faults
from heed.data.findings import (
    Finding,
    about_agreement,
    about_characters,
    about_cut,
    about_empty,
    about_leak,
    about_repeats,
)
from heed.data.lengths import (
    Agreement,
    Cut,
    LengthSummary,
    count_words,
    find_cut,
    measure,
    measure_agreement,
    summarise,
)
from heed.data.repeats import Repeats, find_repeats
from heed.data.splits import PairSplits
from heed.errors import DataError

LEVELS = ("error", "warning", "note")


@dataclass(frozen=True)
class PairReport:
    """What `check_pairs` found. Lengths, agreement, characters and cut are of all splits together."""

    origin: str
    counts: dict[str, int]  # pairs of each split
    empty: int  # pairs left out because a side was empty
    empty_places: tuple[str, ...]  # of the first of them
    lengths: tuple[LengthSummary, ...]
    agreement: Agreement
    repeats: Repeats
    cut: Cut
    characters: tuple[CharacterFault, ...]
    findings: tuple[Finding, ...]  # errors first

    def lines(self) -> list[str]:
        """Return the report for a terminal."""
        counts = ", ".join(f"{count:,} {name}" for name, count in self.counts.items())
        found = [f"{finding.level}: {finding.text}" for finding in self.findings] or ["Nothing odd was found."]
        suspects = [f"  {odd.place}  {odd.source} → {odd.target}" for odd in self.agreement.examples]
        shown = ["Oddest lengths:", *suspects] if suspects else []
        return [f"{self.origin}: {counts}", *_length_table(self.lengths), *found, *shown]


def check_pairs(splits: PairSplits, lengths: Callable[[str], int] | None = None, longest: int = 128) -> PairReport:
    """Look the pairs over; `lengths` counts the tokens of a text, `longest` is how many a model would read."""
    pairs = [*splits.train, *splits.valid, *splits.test]
    if not pairs:
        raise DataError(
            f"{splits.origin or 'The data'} holds 0 pairs: there is nothing to check. Give a file with pairs."
        )
    measured = [measure(pairs, "characters", len), measure(pairs, "words", count_words)]
    if lengths is not None:
        measured.append(measure(pairs, "tokens", lengths))
    report = PairReport(
        origin=splits.origin,
        counts={"train": len(splits.train), "valid": len(splits.valid), "test": len(splits.test)},
        empty=splits.empty,
        empty_places=tuple(splits.empty_places),
        lengths=tuple(row for unit in measured for row in summarise(unit)),
        agreement=measure_agreement(pairs),
        repeats=find_repeats(splits),
        cut=find_cut(pairs, measured[-1], longest),
        characters=find_faults(pairs),
        findings=(),
    )
    found = sorted(_findings(report), key=lambda finding: LEVELS.index(finding.level))
    return replace(report, findings=tuple(found))


def _findings(report: PairReport) -> Iterator[Finding]:
    everything = sum(report.counts.values())
    yield from about_empty(report.empty, report.empty_places)
    for leak in report.repeats.leaks:
        yield from about_leak(leak)
    yield from about_repeats(report.repeats, report.counts["train"], everything)
    yield from about_agreement(report.agreement, everything)
    yield from about_cut(report.cut, everything)
    for fault in report.characters:
        yield from about_characters(fault)


def _length_table(rows: tuple[LengthSummary, ...]) -> list[str]:
    head = f"{'':18}{'median':>8}{'90 %':>8}{'99 %':>8}{'longest':>9}"
    return [head, *map(_length_row, rows)]


def _length_row(row: LengthSummary) -> str:
    name = f"{row.side} {row.unit}"
    return f"{name:<18}{row.median:>8,}{row.ninety_percent:>8,}{row.ninety_nine_percent:>8,}{row.longest:>9,}"
