"""What a comparison finds: one result a trial (a contender with a seed), one row a contender, and the whole."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from heed.comparing.statistics import Difference, Interval


@dataclass(frozen=True)
class CurvePoint:
    """One validation during training."""

    step: int
    seconds: float
    score: float
    loss: float


@dataclass(frozen=True)
class TrialResult:
    """One contender trained with one seed, measured on the test data."""

    contender: str
    seed: int
    score: float  # what contenders are ranked by, on the test data
    values: Mapping[str, float]  # everything measured on the test data, by name
    statistics: Sequence[Sequence[float]]  # of each test example: what its part of the score is made of
    predicted: Sequence[str]  # what was said of each test example
    confidence: Sequence[float]  # the probability of what was said; empty where there is none
    confusion: Sequence[Sequence[int]]  # expected by predicted label; empty where there are no labels
    curve: Sequence[CurvePoint]
    parameters: int
    steps: int
    seconds: float  # of training, validation included
    latency: float  # seconds for one text alone, the median of many
    texts_per_second: float  # of many texts at once
    bytes_on_disk: int  # of all that prediction needs
    tokens: int  # of the test data
    unknown: int
    cut: int
    # Absent from results that heed 0.5.0 wrote: those are measured again, never reused.
    inputs: Mapping[str, object] | None = None  # fingerprints of what it was trained and tested on
    deterministic: bool = False  # every seed would give this model
    circumstances: Mapping[str, str] = field(default_factory=dict)  # versions and machine that trained it


@dataclass(frozen=True)
class Standing:
    """One contender over all its seeds.

    Differences are its score less the other's, None where it is the other; all of a comparison hold at once.
    """

    name: str
    seeds: int
    score: Interval
    values: Mapping[str, float]  # means over the seeds
    against_best: Difference | None
    against_baseline: Difference | None
    parameters: int
    seconds: float  # means over the seeds, from here on
    latency: float
    texts_per_second: float
    bytes_on_disk: float
    unknown_share: float
    cut_share: float


@dataclass(frozen=True)
class TestExample:
    """One test example as a report shows it."""

    texts: Sequence[str]
    expected: str
    place: str


@dataclass(frozen=True)
class Comparison:
    """The whole, best contender first."""

    task: str
    metric: str  # the name of the score: accuracy, spearman or bleu
    origin: str  # of the data
    labels: Sequence[str]  # empty where there are none
    standings: Sequence[Standing]
    trials: Sequence[TrialResult]
    examples: Sequence[TestExample]
    baseline: str | None
    budget: str  # what each trial was given, in words
    facts: Mapping[str, str]  # machine, versions, command: what a reader needs to repeat it
