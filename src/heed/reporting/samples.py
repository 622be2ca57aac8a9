"""Examples of the validations of a run: what was given, what was expected, and what the model said at each step."""

from collections.abc import Mapping
from dataclasses import dataclass

from heed.reporting.log_lines import read_log
from heed.reporting.numbers import count_of
from heed.runs.folder import RunFolder
from heed.runs.strict_json import JSON
from heed.tasks.validation import Sample

MOST_SAMPLES = 40  # that a report shows
LONGEST = 10_000  # characters of a text that are kept in the folder: a sample is to be looked at, not to train on


@dataclass(frozen=True)
class SampleAt:
    """One example as the model did it at a step."""

    step: int
    source: str
    expected: str
    predicted: str


@dataclass(frozen=True)
class Samples:
    """Examples in the order of training."""

    samples: tuple[SampleAt, ...] = ()
    faults: tuple[str, ...] = ()


def keep_sample(folder: RunFolder, step: int, sample: Sample) -> None:
    """Add an example to those that the run keeps."""
    texts = {"source": sample.source, "expected": sample.expected, "predicted": sample.predicted}
    folder.append_sample({"step": step, **{name: _whole(text[:LONGEST]) for name, text in texts.items()}})


def read_samples(folder: RunFolder) -> Samples:
    """Return the examples of a run, evenly spread over its training."""
    log = read_log(folder.samples, MOST_SAMPLES)
    found = (_sample(line) for line in log.lines)
    return Samples(tuple(sample for sample in found if sample is not None), log.faults)


def _sample(line: Mapping[str, JSON]) -> SampleAt | None:
    step, texts = count_of(line.get("step")), [line.get(name) for name in ("source", "expected", "predicted")]
    if step is None or not all(isinstance(text, str) for text in texts):
        return None
    return SampleAt(step, *map(str, texts))


def _whole(text: str) -> str:
    """Return the text without half characters, which a model may write and no file can hold."""
    return text.encode("utf-8", errors="replace").decode("utf-8")
