"""Batch norm against layer norm, on two texts of different lengths that are padded to one."""

import torch
from torch import Tensor

from heed.errors import DataError
from heed.inspection.given import Given
from heed.inspection.panels import HeatMap
from heed.inspection.shown import Note, Shown, Table, numbered, numbers_of, table_of
from heed.layers.masks import keep_from_lengths
from heed.layers.norms import NormName, build_norm

TEXT = ((1.0, 0.0, 1.0, 0.0), (0.0, 2.0, 0.0, 2.0), (1.0, 1.0, 1.0, 1.0))  # the inputs of deck 3's self-attention
COMPANION = ((2.0, 1.0, 0.0, 1.0),)
MEASURED: tuple[tuple[NormName, bool], ...] = (("layer", False), ("batch", False), ("batch", True))  # counts padding?

CORRECTIONS = (
    "Deck 2 gives mean and deviation the index i of one number, (a_i - mu_i) / sigma_i; as its own lines above say, "
    "one mean and one deviation serve all numbers of a layer.",
    "Its first formula divides by sigma alone. For a token of equal numbers, such as 1 1 1 1, that is 0 / 0; the "
    "epsilon of its second formula makes it 0.",
    'Deck 2 calls "Add & Norm" similar to batch norm. It is a residual sum and a layer norm: no other token, and no '
    "other text of the batch, has a part in it.",
)


def show_norm(given: Given) -> Shown:
    """Return what each norm makes of the same tokens, and what padding and companions change."""
    text_TD, companion_TD = _texts(given)
    x_BTD, keep = padded(text_TD, companion_TD)
    names, numbers = numbered("token ", len(text_TD)), numbered("", text_TD.shape[1])
    layer_TD, batch_TD = normalised("layer", x_BTD, keep)[0], normalised("batch", x_BTD, keep)[0]
    careless_TD = normalised("batch", x_BTD, None)[0]
    return Shown(
        topic="norm",
        title="Layer norm and batch norm on padded texts",
        shows="Layer norm looks at one token at a time, batch norm at one number over all tokens of the batch.",
        parts=(
            table_of("Text 1", text_TD, names, numbers, 2),
            table_of(
                "Text 2, its companion in the batch", companion_TD, numbered("token ", len(companion_TD)), numbers, 2
            ),
            table_of("Text 1 after layer norm: each row has mean 0 and spread 1", layer_TD, names, numbers),
            table_of("Text 1 after batch norm over the real tokens", batch_TD, names, numbers),
            table_of("Text 1 after batch norm that counts the padding too", careless_TD, names, numbers),
            _changes(text_TD, companion_TD),
            Note("Why layer norm", _why()),
        ),
        corrections=CORRECTIONS,
        panels=(
            HeatMap("layer norm: text 1", numbers_of(layer_TD), names, numbers),
            HeatMap("batch norm over real tokens", numbers_of(batch_TD), names, numbers),
            HeatMap("batch norm, padding counted", numbers_of(careless_TD), names, numbers),
        ),
    )


def padded(text_TD: Tensor, companion_TD: Tensor, more: int = 0) -> tuple[Tensor, Tensor]:
    """Return both texts as one batch (2, T, D), zeros behind the shorter and `more` behind both, and `keep`."""
    longest = max(len(text_TD), len(companion_TD)) + more
    x_BTD = text_TD.new_zeros(2, longest, text_TD.shape[1])
    x_BTD[0, : len(text_TD)], x_BTD[1, : len(companion_TD)] = text_TD, companion_TD
    return x_BTD, keep_from_lengths(torch.tensor([len(text_TD), len(companion_TD)]), longest)


def normalised(name: NormName, x_BTD: Tensor, keep: Tensor | None) -> Tensor:
    """Return the batch after a fresh norm in training, where batch norm takes its statistics from the batch itself."""
    return build_norm(name, x_BTD.shape[2])(x_BTD, keep).detach()


def _texts(given: Given) -> tuple[Tensor, Tensor]:
    if given.matrix is None:
        return torch.tensor(TEXT), torch.tensor(COMPANION)
    text_TD = torch.tensor(given.matrix)
    if text_TD.shape[1] < 2:
        raise DataError(
            f"A row of the matrix has {text_TD.shape[1]} number. Give at least 2: one number alone is its own mean."
        )
    return text_TD, text_TD[:1].flip(1)


def _changes(text_TD: Tensor, companion_TD: Tensor) -> Table:
    """Return how far text 1 moves when only what is around it changes."""
    other_TD = companion_TD + 1
    cells = []
    for name, counts_padding in MEASURED:
        before, padding, other = (
            _text_1(name, counts_padding, *padded(text_TD, beside, more))[: len(text_TD)]
            for beside, more in ((companion_TD, 0), (companion_TD, 2), (other_TD, 0))
        )
        cells.append((float((padding - before).abs().max()), float((other - before).abs().max())))
    names = ("layer norm", "batch norm, real tokens", "batch norm, padding counted")
    columns = ("two paddings more", "1 added to text 2")
    return Table("Largest change of a number of text 1, though text 1 is the same", columns, names, tuple(cells))


def _text_1(name: NormName, counts_padding: bool, x_BTD: Tensor, keep: Tensor) -> Tensor:
    return normalised(name, x_BTD, None if counts_padding else keep)[0]


def _why() -> str:
    return (
        "Layer norm gives a token the same numbers in every batch. Batch norm does not: its mean and spread are "
        "those of whatever stands in the batch, which is little when batches are small; and padding counts too where "
        "nobody takes it out. heed's own batch norm takes it out."
    )
