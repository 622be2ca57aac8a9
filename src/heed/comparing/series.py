"""What a picture of a comparison draws: for each contender its mark, its scores, and its learning curves."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest
from statistics import fmean

from heed.comparing.results import Comparison, Standing, TrialResult
from heed.comparing.wording import Scale, scale_of

# Okabe and Ito's colours, which colour-blind people tell apart; grey for the two that are too pale on white.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#4D4D4D", "#E69F00")
EARLY = 0.15  # share of the longest training after which a curve must lie within the picture
MOST_CURVES = 12  # as many as there are marks; more lines than that cannot be told apart anyway
MOST_POINTS = 120  # of one curve
MINUTES_FROM = 120  # seconds of the longest training from which the axis counts minutes


@dataclass(frozen=True)
class Mark:
    """The shape that stands for a contender: a polygon or a star with so many corners, turned by degrees."""

    corners: int
    star: bool
    angle: float

    @property
    def reach(self) -> float:
        """Return how far the corners stand out, beside those of a circle, for the shape to look as large as one."""
        if self.star:
            return 1.45
        return {3: 1.35, 4: 1.2}.get(self.corners, 1.0)


MARKS = (
    Mark(24, False, 0),  # a circle, as far as the eye can tell
    Mark(4, False, 45),
    Mark(3, False, 0),
    Mark(4, False, 0),
    Mark(5, True, 0),
    Mark(4, True, 45),
    Mark(3, False, 180),
    Mark(4, True, 0),
    Mark(5, False, 0),
    Mark(3, False, 90),
    Mark(6, True, 0),
    Mark(3, False, 270),
)


@dataclass(frozen=True)
class Curve:
    """Validation scores, as they are written, over the time of training."""

    times: Sequence[float]
    scores: Sequence[float]


@dataclass(frozen=True)
class Series:
    """All that is drawn of one contender. Scores are as they are written: percent where they are shares."""

    name: str
    place: int  # among the standings, from 0
    mean: float
    low: float | None
    high: float | None
    seeds: Sequence[float]
    mean_curve: Curve
    seed_curves: Sequence[Curve]
    standing: Standing

    @property
    def colour(self) -> int:
        """Return the place of its colour in COLOURS."""
        return self.place % len(COLOURS)

    @property
    def mark(self) -> Mark:
        """Return its shape, so that colour is not the only carrier of meaning."""
        return MARKS[self.place % len(MARKS)]

    @property
    def dashed(self) -> bool:
        """Tell whether its lines are dashed, because another contender has the same colour."""
        return self.place % len(MARKS) >= len(COLOURS)


@dataclass(frozen=True)
class Drawing:
    """A comparison as a picture needs it."""

    series: Sequence[Series]
    scale: Scale
    time_unit: str
    baseline: Series | None

    @property
    def curves(self) -> Sequence[Series]:
        """Return those with something to draw over time, the best first, as many as can be told apart."""
        return [each for each in self.series if each.mean_curve.times][:MOST_CURVES]

    @property
    def has_seeds(self) -> bool:
        """Tell whether a contender was trained more than once."""
        return any(len(each.seeds) > 1 for each in self.series)

    @property
    def score_range(self) -> tuple[float, float]:
        """Return the lowest and the highest number that the scores need, with air around them."""
        values = [value for each in self.series for value in (each.mean, each.low, each.high, *each.seeds)]
        return padded([value for value in values if value is not None], self.scale.limits)

    @property
    def curve_range(self) -> tuple[float, float]:
        """Return the range of the learning curves once they have begun: a first validation is often far off."""
        curves = [curve for each in self.curves for curve in (each.mean_curve, *each.seed_curves)]
        early = EARLY * max((time for curve in curves for time in curve.times), default=0.0)
        values = [
            score
            for curve in curves
            for number, (time, score) in enumerate(zip(curve.times, curve.scores, strict=True), start=1)
            if time > early or number == len(curve.times)
        ]
        return padded(values, self.scale.limits)


def drawing_of(comparison: Comparison) -> Drawing:
    """Return what is to be drawn."""
    scale = scale_of(comparison)
    longest = max((point.seconds for trial in comparison.trials for point in trial.curve), default=0.0)
    unit = 60.0 if longest >= MINUTES_FROM else 1.0
    series = [
        _series(
            place, standing, [trial for trial in comparison.trials if trial.contender == standing.name], scale, unit
        )
        for place, standing in enumerate(comparison.standings)
    ]
    baseline = next((each for each in series if each.name == comparison.baseline), None)
    return Drawing(series, scale, "minutes" if unit == 60 else "seconds", baseline)


def padded(values: Sequence[float], limits: tuple[float, float]) -> tuple[float, float]:
    """Return a range that holds the finite values with air on both sides, and keeps to the limits."""
    finite = [value for value in values if math.isfinite(value)] or [0.0]
    low, high = max(min(finite), limits[0]), min(max(finite), limits[1])
    air = 0.06 * (high - low) or 0.05 * abs(high) or 0.5
    return max(low - air, limits[0]), min(high + air, limits[1])


def _series(place: int, standing: Standing, trials: Sequence[TrialResult], scale: Scale, unit: float) -> Series:
    score = standing.score
    seed_curves = [curve for curve in (_curve(trial, scale, unit) for trial in trials) if curve.times]
    return Series(
        name=standing.name,
        place=place,
        mean=scale.factor * score.mean,
        low=None if score.low is None or not math.isfinite(score.low) else scale.factor * score.low,
        high=None if score.high is None or not math.isfinite(score.high) else scale.factor * score.high,
        seeds=[scale.factor * trial.score for trial in trials if math.isfinite(trial.score)],
        mean_curve=_mean(seed_curves),
        seed_curves=seed_curves,
        standing=standing,
    )


def _curve(trial: TrialResult, scale: Scale, unit: float) -> Curve:
    points = [point for point in trial.curve if math.isfinite(point.score) and math.isfinite(point.seconds)]
    if len(points) > MOST_POINTS:
        last = len(points) - 1
        points = [points[round(number * last / (MOST_POINTS - 1))] for number in range(MOST_POINTS)]
    return Curve([point.seconds / unit for point in points], [scale.factor * point.score for point in points])


def _mean(curves: Sequence[Curve]) -> Curve:
    """Return the mean of the n-th validations, as far as every seed has one."""
    points = [list(zip(curve.times, curve.scores, strict=True)) for curve in curves]
    steps = [column for column in zip_longest(*points) if None not in column]
    return Curve(
        [fmean(time for time, _ in step) for step in steps], [fmean(score for _, score in step) for step in steps]
    )
