"""What is to be seen in a captioner: where it looked for each word that it said of a picture."""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from heed.data.records import ImageSource
from heed.decoding.beam import BeamSettings
from heed.decoding.tree import render
from heed.inspection.explaining.asked import Asked
from heed.inspection.explaining.describing import attention_notes, model_line
from heed.inspection.explaining.gradients import Read, caught
from heed.inspection.explaining.head_off import Said, places_in, rank_heads
from heed.inspection.explaining.looking import looked_at, trace_of
from heed.inspection.explaining.said import (
    WRITTEN,
    Sentence,
    choices_of,
    probability_of,
    rollouts_of,
    sentence_of,
    sides_of,
    with_beams,
)
from heed.inspection.explaining.shares import patches_on, shares_of, words_on
from heed.inspection.explaining.squares import PICTURE, picture_axis, png_of, title_of
from heed.inspection.explanation import Explanation, HeadOff, Looked
from heed.layers.trace import Trace, sites_of
from heed.models.captioner import Captioner
from heed.prediction.picture_captioner import PictureCaptioner
from heed.prediction.reading_pictures import image_of, read_square
from heed.tasks.captioning import decode_image_with_tree


@dataclass(frozen=True, eq=False)
class _Seen:
    """A picture, its caption, and what the model says while it says that."""

    images: Tensor  # (1, 3, side, side)
    sentence: Sentence
    trace: Trace
    read: Read  # said: (T, V)


def explain_caption(model: PictureCaptioner, source: ImageSource, asked: Asked) -> Explanation:
    """Return what is to be seen while the model says what a picture shows."""
    network, sites = model.model, sites_of(model.model)
    square = read_square(source, model.side, model.fit)
    images = image_of(square, model.side, model.colours)
    search = with_beams(model.search, asked.beams)
    hypotheses, tree = decode_image_with_tree(network, images, model.tokenizer, search)
    seen = _look(network, images, sentence_of(hypotheses[0], model.tokenizer, asked.answer), asked)
    looked = looked_at(seen.trace, sites, sides_of(PICTURE))
    rolled = tuple(rollouts_of(seen.sentence, seen.trace, sites, PICTURE))
    encoder = network.encoder
    moved = shares_of(
        lambda scale, trace: _read(network, images, seen.sentence, scale, trace),
        seen.read,
        seen.sentence.score,
        seen.sentence.told,
        [patches_on(PICTURE, encoder.settings.patch, encoder.patches_begin), words_on(WRITTEN)],
        asked.steps,
    )
    return Explanation(
        task="caption",
        model=f"{model_line(network.settings)}; looks with {model_line(encoder.settings)}",
        given=(title_of(source),),
        answer=seen.sentence.text,
        probability=seen.sentence.probability,
        axes=(picture_axis(encoder), *seen.sentence.axes()),
        looked=looked,
        shares=(*moved, *rolled),
        heads=_heads(model, seen, looked, search) if asked.heads else (),
        choices=tuple(choices_of(seen.sentence, seen.read.said)),
        tree=tuple(render(tree, model.tokenizer.piece)),
        picture=png_of(square, model.side),
        notes=tuple(attention_notes(sites, bool(rolled))),
    )


def _look(network: Captioner, images: Tensor, sentence: Sentence, asked: Asked) -> _Seen:
    trace = trace_of(asked.sites, sites_of(network))
    return _Seen(images, sentence, trace, _read(network, images, sentence, 1.0, trace))


def _read(network: Captioner, images: Tensor, sentence: Sentence, scale: float, trace: Trace | None) -> Read:
    pixels = (images * scale).requires_grad_()
    with caught([network.target_embedding], scale) as vectors:
        return Read(_said(network, pixels, sentence, trace), (pixels, *vectors))


def _said(network: Captioner, images: Tensor, sentence: Sentence, trace: Trace | None = None) -> Tensor:
    """Return logits (T, V) for each piece of the sentence."""
    written = sentence.written
    logits_TV: Tensor = network(images, written, torch.ones_like(written, dtype=torch.bool), trace)[0]
    return logits_TV


def _heads(model: PictureCaptioner, seen: _Seen, looked: Sequence[Looked], search: BeamSettings) -> tuple[HeadOff, ...]:
    def say() -> Said:
        probability = probability_of(seen.sentence, _said(model.model, seen.images, seen.sentence))
        hypotheses, _ = decode_image_with_tree(model.model, seen.images, model.tokenizer, search)
        return Said(probability, model.tokenizer.decode(hypotheses[0].ids))

    whole = Said(probability_of(seen.sentence, seen.read.said.detach()), seen.sentence.text)
    return rank_heads(places_in(model.model), looked, whole, say)
