"""How large pictures are, in which formats and colours they are stored, and which are too small or too long."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy

from heed.data.image_survey import Look

SMALL = 32  # pixels of the shorter side; less is a thumbnail, in which little is to be seen
LONG = 3.0  # times as long as broad; of such a picture the middle square is a third or less
EXAMPLES = 10


@dataclass(frozen=True)
class SizeSummary:
    """One measure of all pictures, from the smallest to the largest."""

    measure: str  # "width", "height" or "aspect", the width divided by the height
    smallest: float
    ten_percent: float  # so large or smaller are 10 % of the pictures
    median: float
    ninety_percent: float
    largest: float


@dataclass(frozen=True)
class OddSizes:
    """Pictures of an odd size."""

    count: int
    places: tuple[str, ...]  # of the first


@dataclass(frozen=True)
class ImageSizes:
    """The sizes and kinds of the pictures that can be read."""

    summaries: tuple[SizeSummary, ...]  # none where no picture can be read
    small: OddSizes  # the shorter side has fewer than SMALL pixels
    long: OddSizes  # one side is more than LONG times the other
    formats: dict[str, int]  # the commonest first
    colours: dict[str, int]

    def lines(self) -> list[str]:
        """Return the sizes for a terminal."""
        if not self.summaries:
            return []
        head = f"{'':<18}{'least':>9}{'10 %':>9}{'median':>9}{'90 %':>9}{'most':>9}"
        kinds = [
            f"{name}: {_listed(counts)}" for name, counts in (("formats", self.formats), ("colours", self.colours))
        ]
        return [head, *map(_row, self.summaries), *kinds]


def measure_images(looks: Sequence[Look], places: Sequence[str]) -> ImageSizes:
    """Return the sizes of the pictures that can be read; `places` are those of all."""
    read = [(look, place) for look, place in zip(looks, places, strict=True) if look.kind is not None]
    kinds = [look.kind for look, _ in read if look.kind is not None]
    return ImageSizes(
        summaries=_summaries([look for look, _ in read]),
        small=_odd([place for look, place in read if min(look.width, look.height) < SMALL]),
        long=_odd([place for look, place in read if _is_long(look)]),
        formats=dict(Counter(kind.format for kind in kinds).most_common()),
        colours=dict(Counter(kind.colours for kind in kinds).most_common()),
    )


def _summaries(looks: Sequence[Look]) -> tuple[SizeSummary, ...]:
    if not looks:
        return ()
    measures = {
        "width": [float(look.width) for look in looks],
        "height": [float(look.height) for look in looks],
        "aspect": [round(look.width / look.height, 3) for look in looks],
    }
    return tuple(_summary(measure, values) for measure, values in measures.items())


def _summary(measure: str, values: Sequence[float]) -> SizeSummary:
    points = numpy.percentile(values, [0, 10, 50, 90, 100], method="inverted_cdf")
    return SizeSummary(measure, *map(float, points))


def _odd(places: Sequence[str]) -> OddSizes:
    return OddSizes(len(places), tuple(places[:EXAMPLES]))


def _is_long(look: Look) -> bool:
    return max(look.width, look.height) > LONG * min(look.width, look.height)


def _row(summary: SizeSummary) -> str:
    values = (summary.smallest, summary.ten_percent, summary.median, summary.ninety_percent, summary.largest)
    return f"{summary.measure:<18}" + "".join(f"{value:>9,.2f}" if value % 1 else f"{value:>9,.0f}" for value in values)


def _listed(counts: dict[str, int]) -> str:
    return ", ".join(f"{count:,} {name}" for name, count in counts.items())
