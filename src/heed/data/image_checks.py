"""`check_images`: what is wrong or odd in labelled pictures, before a minute of training is spent on them.

Every picture is read once, one after the other. The report is numbers that go to JSON through `dataclasses.asdict`, and
`findings`, the same in sentences.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from heed.data.findings import Finding, about_empty, about_groups, most_urgent_first
from heed.data.image_findings import PICTURES, about_broken, about_others, about_sizes
from heed.data.image_repeats import find_image_repeats
from heed.data.image_sizes import ImageSizes, measure_images
from heed.data.image_splits import ImageSplits
from heed.data.image_survey import survey_images, unheard
from heed.data.label_counts import LabelCount, Misspelling, count_labels, find_misspellings, label_table
from heed.data.labelled_findings import (
    about_balance,
    about_labelled_leak,
    about_labelled_repeats,
    about_misspelling,
    about_other_spread,
)
from heed.data.labelled_repeats import LabelledRepeats
from heed.data.leaks import GroupLeak, find_group_leaks
from heed.errors import DataError


@dataclass(frozen=True)
class ImageReport:
    """What `check_images` found. Sizes and what cannot be read are of all splits together."""

    origin: str
    counts: dict[str, int]  # pictures of each split
    empty: int  # rows left out because the path or the label was empty
    empty_places: tuple[str, ...]  # of the first of them
    others: int  # files passed over because they are no pictures of a class
    other_places: tuple[str, ...]  # of the first of them
    labels: tuple[LabelCount, ...]
    misspellings: tuple[Misspelling, ...]
    sizes: ImageSizes
    broken: tuple[str, ...]  # for each picture that cannot be read, the sentence that names it and says why
    repeats: LabelledRepeats  # the same bytes; alike are those that differ only in how they are stored
    groups: tuple[GroupLeak, ...]  # of the group column that stand on two sides; none where none was named
    findings: tuple[Finding, ...]  # errors first

    def lines(self) -> list[str]:
        """Return the report for a terminal."""
        counts = ", ".join(f"{count:,} {name}" for name, count in self.counts.items())
        found = [f"{finding.level}: {finding.text}" for finding in self.findings] or ["Nothing odd was found."]
        return [f"{self.origin}: {counts}", *label_table(self.labels, self.counts), *self.sizes.lines(), *found]


def check_images(splits: ImageSplits, tell: Callable[[int, int], None] = unheard) -> ImageReport:
    """Look the pictures over, each read once; `tell` hears how many of how many are done."""
    records = [*splits.train, *splits.valid, *splits.test]
    if not splits.train:
        raise DataError(f"{splits.origin or 'The data'} holds 0 training pictures: there is nothing to check.")
    places, looks = [record.place for record in records], survey_images([record.source for record in records], tell)
    report = ImageReport(
        origin=splits.origin,
        counts={"train": len(splits.train), "valid": len(splits.valid), "test": len(splits.test)},
        empty=splits.empty,
        empty_places=splits.empty_places,
        others=splits.others,
        other_places=splits.other_places,
        labels=count_labels(splits),
        misspellings=find_misspellings(splits.train),
        sizes=measure_images(looks, places),
        broken=tuple(look.fault for look in looks if look.fault),
        repeats=find_image_repeats(
            looks, [record.label for record in records], places, len(splits.train), len(splits.valid)
        ),
        groups=find_group_leaks(splits),
        findings=(),
    )
    return replace(report, findings=most_urgent_first(_findings(report)))


def _findings(report: ImageReport) -> Iterator[Finding]:
    train, everything = report.counts["train"], sum(report.counts.values())
    yield from about_empty(report.empty, report.empty_places, "row(s) without path or label")
    yield from about_others(report.others, report.other_places)
    yield from about_broken(report.broken, everything)
    yield from about_groups(report.groups)
    for leak in report.repeats.leaks:
        yield from about_labelled_leak(leak, PICTURES)
    yield from about_labelled_repeats(report.repeats, train, PICTURES)
    yield from about_balance(report.labels, train)
    yield from about_other_spread(report.labels, report.counts)
    for misspelling in report.misspellings:
        yield from about_misspelling(misspelling)
    yield from about_sizes(report.sizes, everything)
