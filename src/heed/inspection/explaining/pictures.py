"""What is to be seen in a Vision Transformer that says what a picture shows."""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from heed.data.records import ImageSource
from heed.inspection.explaining.asked import Asked
from heed.inspection.explaining.decision import Decision, decide
from heed.inspection.explaining.describing import attention_notes, model_line
from heed.inspection.explaining.gradients import Read
from heed.inspection.explaining.head_off import Said, places_in, rank_heads
from heed.inspection.explaining.looking import looked_at, numbers_of, trace_of
from heed.inspection.explaining.rollout import layers_in, rolled_out
from heed.inspection.explaining.shares import patches_on, shares_of
from heed.inspection.explaining.squares import PICTURE, picture_axis, png_of, title_of
from heed.inspection.explanation import Explanation, HeadOff, Looked, Share
from heed.layers.trace import Trace
from heed.models.vit import ImageClassifier, Vit
from heed.prediction.picture_classifier import PictureClassifier
from heed.prediction.reading_pictures import image_of, read_square


@dataclass(frozen=True, eq=False)
class _Seen:
    """A picture as the model reads it, and what it says of it."""

    images: Tensor  # (1, 3, side, side)
    trace: Trace
    read: Read  # said: (C,)


def explain_picture(model: PictureClassifier, source: ImageSource, asked: Asked) -> Explanation:
    """Return what is to be seen while the model looks at a picture."""
    network, side = model.model, model.model.settings.image
    square = read_square(source, side, model.fit)
    seen = _look(network, image_of(square, side, model.colours), asked)
    decision = decide(seen.read.said, model.targets.labels.names, asked.answer)
    looked = looked_at(seen.trace, network.sites, lambda _: (PICTURE, PICTURE))
    layers = layers_in(seen.trace, network.sites, ".self")
    rolled = () if layers is None else (_rollout(network.encoder, rolled_out(layers), decision),)
    moved = shares_of(
        lambda scale, trace: _read(network, seen.images, scale, trace),
        seen.read,
        decision.lead,
        decision.told,
        [patches_on(PICTURE, network.settings.patch, network.encoder.patches_begin)],
        asked.steps,
    )
    return Explanation(
        task="image",
        model=model_line(network.settings),
        given=(title_of(source),),
        answer=decision.answer,
        probability=decision.probability,
        axes=(picture_axis(network.encoder),),
        looked=looked,
        shares=(*moved, *rolled),
        heads=_heads(network, seen, looked, decision) if asked.heads else (),
        choices=decision.choices(),
        picture=png_of(square, side),
        notes=(*attention_notes(network.sites, bool(rolled)), decision.note),
    )


def _look(network: ImageClassifier, images: Tensor, asked: Asked) -> _Seen:
    trace = trace_of(asked.sites, network.sites)
    return _Seen(images, trace, _read(network, images, 1.0, trace))


def _read(network: ImageClassifier, images: Tensor, scale: float, trace: Trace | None) -> Read:
    pixels = (images * scale).requires_grad_()
    return Read(network(pixels, trace)[0], (pixels,))


def _rollout(encoder: Vit, rolled_TT: Tensor, decision: Decision) -> Share:
    """Return what of the picture is in its vector: of [CLS], of the mean of the patches, or of both."""
    mean_T = rolled_TT[encoder.patches_begin :].mean(dim=0)
    rows = {"first": rolled_TT[0], "mean": mean_T, "both": (rolled_TT[0] + mean_T) / 2}
    return Share(decision.told, "rollout", PICTURE, numbers_of(rows[encoder.settings.pooling]))


def _heads(network: ImageClassifier, seen: _Seen, looked: Sequence[Looked], decision: Decision) -> tuple[HeadOff, ...]:
    def say() -> Said:
        probabilities_C = torch.softmax(network(seen.images)[0].double(), dim=0)
        return Said(float(probabilities_C[decision.best]), decision.names[int(probabilities_C.argmax())])

    return rank_heads(places_in(network), looked, Said(decision.probability, decision.answer), say)
