"""What a task says of a model in the middle of its training."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Sample:
    """One validation example as the model does it now, to be looked at by a person."""

    source: str
    expected: str
    predicted: str


@dataclass(frozen=True)
class Validation:
    """Scores on the validation data."""

    score: float  # what the best weights are chosen by; higher is better
    values: Mapping[str, float]  # everything measured, by name: loss, bleu, ...
    sample: Sample
    better: bool = False  # than every validation of the run before it, or as good


def sampled(scored: int, count: int, examples: str) -> Iterator[str]:
    """Yield what a person should know where only some of the validation examples are scored."""
    if scored < count:
        yield (
            f"the best weights are chosen by {scored:,} of the {count:,} validation {examples}, spread evenly, always "
            f"the same: see training.validation_texts"
        )


def spread(count: int, most: int) -> list[int]:
    """Return at most `most` of so many indices, evenly spread, so that a file sorted by topic is sampled everywhere."""
    chosen = min(count, most)
    return [index * count // chosen for index in range(chosen)]
