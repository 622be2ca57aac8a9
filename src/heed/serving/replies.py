"""What a client gets: the predictors' own dataclasses as JSON, numbers that are not finite as null."""

import base64
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel, TypeAdapter

from heed.inspection.explanation import Axis, Choice, Explanation, HeadOff
from heed.inspection.page.packing import PackedSite, Rounding, pack
from heed.prediction.answerer import Answer
from heed.prediction.classifier import Classification
from heed.prediction.filler import Filling
from heed.prediction.picture_captioner import Caption
from heed.prediction.picture_classifier import Recognition
from heed.prediction.tagger import Tagging
from heed.prediction.translator import Translation
from heed.prediction.word_vectors import WordAnswer
from heed.prediction.writer import Writing
from heed.serving.comparisons import ComparisonTable
from heed.serving.curves import RunCurves
from heed.serving.models import ModelFacts

Result = Classification | Tagging | Answer | Translation | Writing | Filling | WordAnswer | Recognition | Caption


class ErrorReply(BaseModel):
    """Why there is no result: a word for programs, and a sentence or two for people."""

    error: str
    detail: str


class PredictReply(BaseModel):
    """The results, in the order of the inputs."""

    model: str
    results: list[Result]


class HealthReply(BaseModel):
    """Whether the server takes requests, and how many of its models do."""

    status: Literal["ok", "loading"]
    ready: int
    loading: int
    failed: int


class ModelsReply(BaseModel):
    """The models that are served."""

    models: list[ModelFacts]


class RunsReply(BaseModel):
    """How the models that are served were trained, and those of other runs beside them."""

    runs: list[RunCurves]


class ComparisonsReply(BaseModel):
    """What was compared, of the comparisons beside the runs that are served."""

    comparisons: list[ComparisonTable]


@dataclass(frozen=True)
class SeenNumbers:
    """A number for each thing of an axis: of an answer and a method, or of a curve."""

    name: str
    axis: str
    values: list[float]
    method: str | None = None


class ExplainReply(BaseModel):
    """What is to be seen inside a model while it reads one input."""

    task: str
    model: str
    given: tuple[str, ...]
    answer: str
    probability: float | None
    axes: tuple[Axis, ...]
    looked: tuple[PackedSite, ...]
    rounding: Rounding
    shares: tuple[SeenNumbers, ...]
    heads: tuple[HeadOff, ...]
    curves: tuple[SeenNumbers, ...]
    choices: tuple[Choice, ...]
    tree: tuple[str, ...]
    picture: str | None  # a PNG as a data address
    notes: tuple[str, ...]


_PREDICTED: TypeAdapter[PredictReply] = TypeAdapter(PredictReply)


def predicted(model: str, results: Sequence[Result]) -> bytes:
    """Return the JSON of some predictions."""
    # Built without validation: these are values of our own, and may be many.
    return _PREDICTED.dump_json(PredictReply.model_construct(model=model, results=list(results)))


def explained(seen: Explanation) -> bytes:
    """Return the JSON of an explanation; the weights are packed as on its page, so that it stays small."""
    packed = pack(seen.looked)
    reply = ExplainReply(
        task=seen.task,
        model=seen.model,
        given=seen.given,
        answer=seen.answer,
        probability=seen.probability,
        axes=seen.axes,
        looked=packed.sites,
        rounding=packed.rounding,
        shares=tuple(SeenNumbers(each.answer, each.axis, each.values_S.tolist(), each.method) for each in seen.shares),
        heads=seen.heads,
        curves=tuple(SeenNumbers(each.name, each.axis, each.values_S.tolist()) for each in seen.curves),
        choices=seen.choices,
        tree=seen.tree,
        picture=f"data:image/png;base64,{base64.b64encode(seen.picture).decode()}" if seen.picture else None,
        notes=(*seen.notes, *packed.notes),
    )
    return reply.model_dump_json().encode()
