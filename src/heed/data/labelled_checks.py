"""`check_labelled`: what is wrong or odd in labelled texts, before a minute of training is spent on them.

The report is numbers that go to JSON through `dataclasses.asdict`, and `findings`, the same in sentences.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from heed.data.characters import CharacterFault, find_faults
from heed.data.findings import Finding, about_characters, about_empty, about_groups, most_urgent_first
from heed.data.label_counts import LabelCount, Misspelling, count_labels, find_misspellings, label_table
from heed.data.label_numbers import NumberSummary, number_table, summarise_numbers
from heed.data.labelled_findings import (
    about_balance,
    about_labelled_leak,
    about_labelled_repeats,
    about_limit,
    about_misspelling,
    about_numbers,
    about_other_spread,
)
from heed.data.labelled_repeats import LabelledRepeats, find_labelled_repeats
from heed.data.labelled_splits import LabelledSplits
from heed.data.labels import Outcome, guess_outcome
from heed.data.leaks import GroupLeak, find_group_leaks
from heed.data.lengths import LengthSummary, count_words, length_table, measure, summarise
from heed.data.reading_limits import ReadingLimit, find_limits, limit_table
from heed.data.records import LabelledText
from heed.errors import DataError


@dataclass(frozen=True)
class LabelledReport:
    """What `check_labelled` found. Lengths, limits and characters are of all splits together."""

    origin: str
    counts: dict[str, int]  # records of each split
    empty: int  # records left out because a text or the label was empty
    empty_places: tuple[str, ...]  # of the first of them
    outcome: Outcome
    labels: tuple[LabelCount, ...]  # empty where the labels are numbers
    numbers: NumberSummary | None  # where they are
    misspellings: tuple[Misspelling, ...]
    lengths: tuple[LengthSummary, ...]
    limits: tuple[ReadingLimit, ...]  # of pairs, for both texts together
    longest: int  # the limit at hand, one of those above
    repeats: LabelledRepeats
    characters: tuple[CharacterFault, ...]
    groups: tuple[GroupLeak, ...]  # of the group column that stand on two sides; none where none was named
    findings: tuple[Finding, ...]  # errors first

    def lines(self) -> list[str]:
        """Return the report for a terminal."""
        counts = ", ".join(f"{count:,} {name}" for name, count in self.counts.items())
        spread = number_table(self.numbers) if self.numbers is not None else label_table(self.labels, self.counts)
        found = [f"{finding.level}: {finding.text}" for finding in self.findings] or ["Nothing odd was found."]
        tables = [*spread, *length_table(self.lengths), *limit_table(self.limits)]
        return [f"{self.origin}: {counts}", *tables, *found]


def check_labelled(
    splits: LabelledSplits,
    lengths: Callable[[str], int] | None = None,
    longest: int = 128,
    outcome: Outcome | None = None,
) -> LabelledReport:
    """Look the records over; `lengths` counts the tokens of a text, `longest` is how many a model would read."""
    records = [*splits.train, *splits.valid, *splits.test]
    if not splits.train:
        raise DataError(
            f"{splits.origin or 'The data'} holds 0 training records: there is nothing to check. Give labelled texts."
        )
    if outcome is None:
        outcome = guess_outcome(splits.train) if len(records[0].texts) == 2 else "label"
    sides = _sides(records)
    measured = [measure(sides, "characters", len), measure(sides, "words", count_words)]
    if lengths is not None:
        measured.append(measure(sides, "tokens", lengths))
    whole = [sum(parts) for parts in zip(*measured[-1].sides.values(), strict=True)]
    report = LabelledReport(
        origin=splits.origin,
        counts={"train": len(splits.train), "valid": len(splits.valid), "test": len(splits.test)},
        empty=splits.empty,
        empty_places=tuple(splits.empty_places),
        outcome=outcome,
        labels=count_labels(splits) if outcome == "label" else (),
        numbers=summarise_numbers(splits) if outcome == "number" else None,
        misspellings=find_misspellings(splits.train) if outcome == "label" else (),
        lengths=tuple(row for unit in measured for row in summarise(unit)),
        limits=find_limits(whole, measured[-1].unit, longest),
        longest=longest,
        repeats=find_labelled_repeats(splits),
        characters=find_faults(sides, [record.place for record in records]),
        groups=find_group_leaks(splits),
        findings=(),
    )
    return replace(report, findings=most_urgent_first(_findings(report)))


def _sides(records: Sequence[LabelledText]) -> dict[str, list[str]]:
    names = ("text",) if len(records[0].texts) == 1 else ("first", "second")
    return {name: [record.texts[number] for record in records] for number, name in enumerate(names)}


def _findings(report: LabelledReport) -> Iterator[Finding]:
    train = report.counts["train"]
    yield from about_empty(report.empty, report.empty_places, "record(s) without text or label")
    yield from about_groups(report.groups)
    for leak in report.repeats.leaks:
        yield from about_labelled_leak(leak)
    yield from about_labelled_repeats(report.repeats, train)
    if report.numbers is not None:
        yield from about_numbers(report.numbers, train)
    else:
        yield from about_balance(report.labels, train)
        yield from about_other_spread(report.labels, report.counts)
    for misspelling in report.misspellings:
        yield from about_misspelling(misspelling)
    for limit in report.limits:
        if limit.longest == report.longest:
            yield from about_limit(limit)
    for fault in report.characters:
        yield from about_characters(fault, "record(s)")
