"""`check_captions`: what is wrong or odd in captioned pictures, before a minute of training is spent on them.

Every picture is read once, one after the other. The report is numbers that go to JSON through `dataclasses.asdict`, and
`findings`, the same in sentences.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from heed.data.caption_counts import (
    CaptionCounts,
    CaptionRepeats,
    captions_each,
    count_captions,
    find_caption_repeats,
)
from heed.data.caption_findings import about_caption_repeats, about_number, about_unknown
from heed.data.caption_splits import CaptionSplits
from heed.data.captions import UnknownPicture
from heed.data.characters import CharacterFault, find_faults
from heed.data.findings import Finding, about_characters, about_empty, about_groups, most_urgent_first
from heed.data.image_findings import PICTURES, about_broken, about_sizes
from heed.data.image_repeats import find_image_repeats
from heed.data.image_sizes import ImageSizes, measure_images
from heed.data.image_survey import survey_images, unheard
from heed.data.labelled_findings import about_labelled_leak, about_labelled_repeats, about_limit
from heed.data.labelled_repeats import LabelledRepeats
from heed.data.leaks import GroupLeak, find_group_leaks
from heed.data.lengths import LengthSummary, count_words, length_table, measure, summarise
from heed.data.reading_limits import ReadingLimit, find_limits
from heed.errors import DataError


@dataclass(frozen=True)
class CaptionReport:
    """What `check_captions` found. All but the counts and repeats is of all splits together."""

    origin: str
    counts: dict[str, CaptionCounts]  # of each split
    empty: int  # rows left out because the path or the caption was empty
    empty_places: tuple[str, ...]  # of the first of them
    unknown: tuple[UnknownPicture, ...]  # pictures that are not there
    captions_each: dict[int, int]  # how many pictures have one caption, two, and so on
    lengths: tuple[LengthSummary, ...]
    limits: tuple[ReadingLimit, ...]
    longest: int  # the limit at hand, one of those above
    caption_repeats: CaptionRepeats
    sizes: ImageSizes
    broken: tuple[str, ...]  # for each picture that cannot be read, the sentence that names it and says why
    repeats: LabelledRepeats  # of pictures, by their bytes; they have no labels here
    characters: tuple[CharacterFault, ...]
    groups: tuple[GroupLeak, ...]  # of the group column that stand on two sides; none where none was named
    findings: tuple[Finding, ...]  # errors first

    def lines(self) -> list[str]:
        """Return the report for a terminal."""
        found = [f"{finding.level}: {finding.text}" for finding in self.findings] or ["Nothing odd was found."]
        head = f"{'':18}{'pictures':>10}{'captions':>10}"
        rows = [f"{name:<18}{counts.pictures:>10,}{counts.captions:>10,}" for name, counts in self.counts.items()]
        return [self.origin, head, *rows, *length_table(self.lengths), *self.sizes.lines(), *found]


def check_captions(
    splits: CaptionSplits,
    lengths: Callable[[str], int] | None = None,
    longest: int = 64,
    tell: Callable[[int, int], None] = unheard,
) -> CaptionReport:
    """Look pictures and captions over; `lengths` counts the tokens of a caption, `longest` is how many are learnt."""
    records = [*splits.train, *splits.valid, *splits.test]
    if not splits.train:
        raise DataError(f"{splits.origin or 'The data'} holds 0 training pictures: there is nothing to check.")
    unit, length = ("words", count_words) if lengths is None else ("tokens", lengths)
    texts = [caption for record in records for caption in record.captions]
    places, looks = [record.place for record in records], survey_images([record.source for record in records], tell)
    report = CaptionReport(
        origin=splits.origin,
        counts={name: count_captions(getattr(splits, name)) for name in ("train", "valid", "test")},
        empty=splits.empty,
        empty_places=splits.empty_places,
        unknown=splits.unknown,
        captions_each=captions_each(records),
        lengths=_lengths(texts, lengths),
        limits=find_limits([length(text) for text in texts], unit, longest),
        longest=longest,
        caption_repeats=find_caption_repeats(records),
        sizes=measure_images(looks, places),
        broken=tuple(look.fault for look in looks if look.fault),
        repeats=find_image_repeats(looks, [""] * len(looks), places, len(splits.train), len(splits.valid)),
        characters=find_faults({"caption": texts}, [record.place for record in records for _ in record.captions]),
        groups=find_group_leaks(splits),
        findings=(),
    )
    return replace(report, findings=most_urgent_first(_findings(report)))


def _lengths(texts: Sequence[str], tokens: Callable[[str], int] | None) -> tuple[LengthSummary, ...]:
    sides = {"caption": texts}
    measured = [measure(sides, "characters", len), measure(sides, "words", count_words)]
    if tokens is not None:
        measured.append(measure(sides, "tokens", tokens))
    return tuple(row for each in measured for row in summarise(each))


def _findings(report: CaptionReport) -> Iterator[Finding]:
    everything = sum(counts.pictures for counts in report.counts.values())
    yield from about_empty(report.empty, report.empty_places, "row(s) without path or caption")
    yield from about_unknown(report.unknown)
    yield from about_broken(report.broken, everything)
    yield from about_groups(report.groups)
    for leak in report.repeats.leaks:
        yield from about_labelled_leak(leak, PICTURES)
    yield from about_labelled_repeats(report.repeats, report.counts["train"].pictures, PICTURES)
    yield from about_number(report.captions_each)
    yield from about_caption_repeats(report.caption_repeats, everything)
    for limit in report.limits:
        if limit.longest == report.longest:
            yield from about_limit(limit)
    for fault in report.characters:
        yield from about_characters(fault, "caption(s)")
    yield from about_sizes(report.sizes, everything)
