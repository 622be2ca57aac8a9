"""Pictures in, hypotheses out: the searches run over a few pictures at a time, the results in the order given."""

from collections.abc import Sequence

import torch
from torch import Tensor

from heed.decoding.beam import BeamSettings
from heed.decoding.hypotheses import Hypothesis
from heed.decoding.tree import BeamTree
from heed.models.captioner import Captioner
from heed.tasks.image import ColourSettings, Squares, to_floats
from heed.tasks.side_by_side import one_for_each_thread, side_by_side
from heed.tasks.translating import Search, limits_of, run_search, search_with_tree, steps_of
from heed.tokens.tokenizer import Tokenizer

AT_ONCE = 32  # pictures; larger gains nothing on a CPU


def decode_images(
    model: Captioner, squares: Squares, colours: ColourSettings, tokenizer: Tokenizer, search: Search, done: int = 0
) -> list[list[Hypothesis]]:
    """Return for each picture its hypotheses, best first. The model must be in evaluation mode.

    `done` is how many pictures came before these: sampling draws differently for each picture of the whole input.
    """
    parts = [list(range(start, min(start + AT_ONCE, len(squares)))) for start in range(0, len(squares), AT_ONCE)]

    @torch.inference_mode()
    def decode(chosen: Sequence[int]) -> list[list[Hypothesis]]:
        state = model.start(colours.scaled(to_floats(squares, chosen)))
        limits = limits_of(tokenizer, [model.settings.longest] * len(chosen))
        return run_search(steps_of(model), state, limits, search, [done + row for row in chosen])

    found = side_by_side(decode, one_for_each_thread(parts))
    return [hypotheses for part in found for hypotheses in part]


@torch.inference_mode()
def decode_image_with_tree(
    model: Captioner, images: Tensor, tokenizer: Tokenizer, search: BeamSettings
) -> tuple[list[Hypothesis], BeamTree]:
    """Return the hypotheses of one picture, given as the model reads it, and every expansion of the beam."""
    assert len(images) == 1, "a tree is recorded for one picture at a time"
    limits = limits_of(tokenizer, [model.settings.longest])
    return search_with_tree(steps_of(model), model.start(images), limits, search)
