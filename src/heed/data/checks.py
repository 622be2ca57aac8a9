"""`check_pairs`: what is wrong or odd in text pairs, before a minute of training is spent on them.

The report is numbers that go to JSON through `dataclasses.asdict`, and `findings`, the same in sentences.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from heed.data.agreement import Agreement, measure_agreement
from heed.data.characters import CharacterFault, find_faults
from heed.data.findings import (
    Finding,
    about_agreement,
    about_characters,
    about_cut,
    about_empty,
    about_groups,
    about_leak,
    about_repeats,
    most_urgent_first,
)
from heed.data.leaks import GroupLeak, find_group_leaks
from heed.data.lengths import Cut, LengthSummary, count_words, find_cut, length_table, measure, summarise
from heed.data.repeats import Repeats, find_repeats
from heed.data.splits import PairSplits
from heed.errors import DataError


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
    groups: tuple[GroupLeak, ...]  # of the group column that stand on two sides; none where none was named
    findings: tuple[Finding, ...]  # errors first

    def lines(self) -> list[str]:
        """Return the report for a terminal."""
        counts = ", ".join(f"{count:,} {name}" for name, count in self.counts.items())
        found = [f"{finding.level}: {finding.text}" for finding in self.findings] or ["Nothing odd was found."]
        suspects = [f"  {odd.place}  {odd.source} → {odd.target}" for odd in self.agreement.examples]
        shown = ["Oddest lengths:", *suspects] if suspects else []
        return [f"{self.origin}: {counts}", *length_table(self.lengths), *found, *shown]


def check_pairs(splits: PairSplits, lengths: Callable[[str], int] | None = None, longest: int = 128) -> PairReport:
    """Look the pairs over; `lengths` counts the tokens of a text, `longest` is how many a model would read."""
    pairs = [*splits.train, *splits.valid, *splits.test]
    if not pairs:
        raise DataError(
            f"{splits.origin or 'The data'} holds 0 pairs: there is nothing to check. Give a file with pairs."
        )
    sides = {"source": [pair.source for pair in pairs], "target": [pair.target for pair in pairs]}
    places = [pair.place for pair in pairs]
    measured = [measure(sides, "characters", len), measure(sides, "words", count_words)]
    if lengths is not None:
        measured.append(measure(sides, "tokens", lengths))
    report = PairReport(
        origin=splits.origin,
        counts={"train": len(splits.train), "valid": len(splits.valid), "test": len(splits.test)},
        empty=splits.empty,
        empty_places=tuple(splits.empty_places),
        lengths=tuple(row for unit in measured for row in summarise(unit)),
        agreement=measure_agreement(pairs),
        repeats=find_repeats(splits),
        cut=find_cut(places, measured[-1], longest),
        characters=find_faults(sides, places),
        groups=find_group_leaks(splits),
        findings=(),
    )
    return replace(report, findings=most_urgent_first(_findings(report)))


def _findings(report: PairReport) -> Iterator[Finding]:
    everything = sum(report.counts.values())
    yield from about_empty(report.empty, report.empty_places, "pair(s) with an empty side")
    yield from about_groups(report.groups)
    for leak in report.repeats.leaks:
        yield from about_leak(leak)
    yield from about_repeats(report.repeats, report.counts["train"], everything)
    yield from about_agreement(report.agreement, everything)
    yield from about_cut(report.cut, everything)
    for fault in report.characters:
        yield from about_characters(fault, "pair(s)")
