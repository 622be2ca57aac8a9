"""Samples along training: one validation example and what the model made of it, step by step."""

from itertools import groupby

from heed.pages.markup import Child, Markup, element, together
from heed.pages.parts import passage, table
from heed.reporting.samples import SampleAt


def samples_section(samples: tuple[SampleAt, ...]) -> Markup:
    """Return the samples, each example once with all that was said of it, or nothing where none were kept."""
    groups = groupby(samples, key=lambda sample: (sample.source, sample.expected))
    return together(_example(source, expected, list(group)) for (source, expected), group in groups)


def _example(source: str, expected: str, said: list[SampleAt]) -> Markup:
    given: list[Child] = [element("dt", "given"), element("dd", passage(source))]
    if expected:  # what a model writes freely has nothing that was expected
        given += [element("dt", "expected"), element("dd", passage(expected))]
    rows: list[list[Child]] = [[f"{sample.step:,}", _predicted(sample)] for sample in said]
    return together([element("dl", *given), table("What the model said", ["Step", "Predicted"], rows, kind="samples")])


def _predicted(sample: SampleAt) -> Child:
    # A classifier says how sure it is, in brackets behind the label.
    right = bool(sample.expected) and sample.expected in (sample.predicted, sample.predicted.partition(" (")[0])
    mark = element("small", "as expected") if right else Markup("")
    return together([passage(sample.predicted), mark])
