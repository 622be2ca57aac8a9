"""How the numbers of a comparison are written, the same in the terminal, in the picture and on the page."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from heed.comparing.results import Comparison, Standing, TrialResult
from heed.comparing.statistics import Difference, Interval

NOTHING = "–"  # where a number is not known
FINE = 10_000  # test examples from which a second decimal is more than noise


@dataclass(frozen=True)
class Scale:
    """How a score is written: the number that people read is the score times `factor`."""

    title: str
    factor: float
    decimals: int
    unit: str  # after a score
    points: str  # after a gap between two scores
    limits: tuple[float, float]  # what no written score can exceed, so that no axis promises 104 %

    def value(self, score: float) -> str:
        """Return a score without its unit."""
        return _signed(self.factor * score, self.decimals)

    def interval(self, score: Interval) -> str:
        """Return a score and half of its interval; only the score where one seed gives no interval."""
        half = half_width(score)
        return self.value(score.mean) if half is None else f"{self.value(score.mean)} ± {self.value(half)}"

    def gap(self, difference: Difference) -> str:
        """Return a difference with its sign, and its interval in brackets."""
        return f"{self.value(difference.mean)} {self.bounds(difference)}"

    def distance(self, difference: Difference) -> str:
        """Return a difference without its sign, in words."""
        return f"{self.value(abs(difference.mean))}{self.points}"

    def bounds(self, difference: Difference) -> str:
        """Return the interval of a difference in brackets."""
        return f"({self.value(difference.low)} to {self.value(difference.high)})"


def scale_of(comparison: Comparison) -> Scale:
    """Return how the scores of a comparison are written."""
    decimals = 1 if len(comparison.examples) < FINE else 2
    match comparison.metric:
        case "accuracy":
            return Scale("accuracy", 100, decimals, " %", " points", (0, 100))
        case "bleu":
            return Scale("BLEU", 1, decimals, "", " points", (0, 100))
        case "spearman":
            return Scale("Spearman", 1, 3, "", "", (-1, 1))
        case other:
            return Scale(other, 1, 3, "", "", (-math.inf, math.inf))


def half_width(interval: Interval) -> float | None:
    """Return half of an interval, or None where there is none."""
    if interval.low is None or interval.high is None:
        return None
    return (interval.high - interval.low) / 2


def verdict(difference: Difference) -> str:
    """Return whether a gap is more than chance, in words."""
    if difference.real:
        return "real"
    return "may be the seed" if beyond_texts(difference) else "may be chance"


def beyond_texts(difference: Difference) -> bool:
    """Tell whether a gap is more than other texts would change, though one seed may have made it."""
    return difference.one_seed and (difference.low > 0 or difference.high < 0)


def probability(p_value: float) -> str:
    """Return a p-value as it is usually written."""
    if not math.isfinite(p_value):
        return NOTHING
    return "< 0.001" if p_value < 0.001 else f"{p_value:.3f}"


def short(value: float) -> str:
    """Return a number that is not negative with about three digits."""
    if not math.isfinite(value):
        return NOTHING
    if 0 < value < 0.001:
        return "<0.001"
    for least, decimals in ((100, 0), (10, 1), (1, 2)):
        if value >= least:
            return f"{value:,.{decimals}f}"
    return f"{value:.3f}" if value else "0"


def with_prefix(value: float) -> str:
    """Return a count with k, M or G."""
    for factor, prefix in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if value >= factor:
            return f"{short(value / factor)} {prefix}"
    return f"{value:.0f}"


def size(number_of_bytes: float) -> str:
    """Return a size on disk."""
    if number_of_bytes < 1e3:
        return f"{number_of_bytes:.0f} B"
    return f"{with_prefix(number_of_bytes)}B"


def percent(share: float) -> str:
    """Return a share in percent, without the sign; what is not nothing never reads as nothing."""
    if not math.isfinite(share):
        return NOTHING
    return "<0.1" if 0 < share < 0.0005 else f"{100 * share:.1f}"


def rate(texts_per_second: float) -> str:
    """Return texts a second."""
    return f"{texts_per_second:,.0f}" if texts_per_second >= 10 else short(texts_per_second)


def costs(standing: Standing) -> list[str]:
    """Return what a contender costs: parameters, minutes, milliseconds a text, texts a second, disk, percent cut."""
    return [
        with_prefix(standing.parameters),
        short(standing.seconds / 60),
        short(1000 * standing.latency),
        rate(standing.texts_per_second),
        size(standing.bytes_on_disk),
        percent(standing.cut_share),
    ]


def version_of(trial: TrialResult) -> str:
    """Return what trained a trial."""
    return ", ".join(f"{name} {trial.circumstances.get(name, 'of an unknown version')}" for name in ("heed", "torch"))


def listed(names: Sequence[str]) -> str:
    """Return names as a sentence lists them: a, b and c."""
    return " and ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else "".join(names)


def _signed(value: float, decimals: int) -> str:
    if not math.isfinite(value):
        return NOTHING
    rounded = round(value, decimals) + 0.0  # the sum makes a negative zero positive
    return f"{rounded:.{decimals}f}".replace("-", "−")
