"""`Explanation`: what is to be seen inside a model while it reads one input, as plain values that anything can draw.

    axes      what looks and is looked at, in order: the pieces of a text, the patches of a picture
    looked    the weights of each attention, head by head; each row sums to one over what it may look at
    shares    how much each piece or patch moved an answer, by rollout, gradients, or integrated gradients
    heads     what the answer becomes without one head, the largest change first
    curves    a number for each piece: where an answer starts and ends
    choices   what else might have been said, and how probable it was

Attention tells where a model looked, not why it answered: no part here is an explanation by itself.
"""

from dataclasses import dataclass, field
from typing import Literal

import numpy
from numpy.typing import NDArray

from heed.inspection.page.notebook import notebook_frame

Numbers = NDArray[numpy.float32]
Method = Literal["rollout", "gradient x input", "integrated gradients"]


@dataclass(frozen=True)
class Axis:
    """Things that look or are looked at, in order."""

    name: str  # "text", "source", "target", "picture"
    labels: tuple[str, ...]  # each as a person reads it: "cats", "[CLS]", "row 2, column 5"
    grid: tuple[int, int] | None = None  # rows and columns of the patches, which stand last; none: no picture
    spans: tuple[tuple[int, int], ...] = ()  # of each label in the input's characters; (0, 0): made by the model


@dataclass(frozen=True, eq=False)
class Looked:
    """What one attention looked at."""

    site: str  # as in a trace: "decoder.3.cross"
    queries: str  # the name of the axis that looks
    keys: str  # the name of the axis that is looked at
    weights_HTS: Numbers


@dataclass(frozen=True, eq=False)
class Share:
    """How much each thing of an axis moved one answer; negative: away from it."""

    answer: str  # "positive", or a word that was said
    method: Method
    axis: str
    values_S: Numbers


@dataclass(frozen=True)
class HeadOff:
    """What the answer becomes without one head."""

    site: str
    head: int
    probability: float  # of the answer that the whole model gives, or of all its words together
    answer: str  # what is answered now


@dataclass(frozen=True, eq=False)
class Curve:
    """A number for each thing of an axis."""

    name: str  # "start", "end"
    axis: str
    values_S: Numbers


@dataclass(frozen=True)
class Choice:
    """Something that might have been said."""

    text: str
    probability: float
    place: str = ""  # where it stands, if there are several places: "word 3"


@dataclass(frozen=True, eq=False)
class Explanation:
    """One input, what the model said of it, and what was to be seen meanwhile."""

    task: str
    model: str  # in a line: "transformer, 2 layers, 4 heads"
    given: tuple[str, ...]  # the texts, or the name of the picture
    answer: str
    probability: float | None  # of the answer
    axes: tuple[Axis, ...]
    looked: tuple[Looked, ...] = ()
    shares: tuple[Share, ...] = ()
    heads: tuple[HeadOff, ...] = ()
    curves: tuple[Curve, ...] = ()
    choices: tuple[Choice, ...] = ()
    tree: tuple[str, ...] = ()  # every expansion of a beam search, in lines to print
    picture: bytes = field(default=b"", repr=False)  # PNG of the square that the model saw
    notes: tuple[str, ...] = ()  # what was cut or unknown, and what was left out

    def axis(self, name: str) -> Axis:
        """Return the axis of that name."""
        return next(axis for axis in self.axes if axis.name == name)

    def _repr_html_(self) -> str:
        """Return the page of this explanation, as a notebook shows it."""
        return notebook_frame(self)
