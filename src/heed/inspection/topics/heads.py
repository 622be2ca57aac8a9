"""Multi-head attention in shapes: a vector split into heads, what each head looks at, and the heads put together."""

import torch
from torch import Tensor

from heed.inspection.given import MOST_ROWS, Given, words_of
from heed.inspection.panels import HeatMap
from heed.inspection.shown import Note, Shown, Table, numbered, numbers_of, table_of
from heed.layers.attention import Attend, SelfAttention, merge_heads, split_heads
from heed.layers.scores import build_score
from heed.layers.trace import Trace

SENTENCE = "Jane visite l'Afrique en septembre"
WIDTH, HEADS = 512, 8  # deck 2: d_model and h
SMALL_WIDTH = 8
SEED = 0

CORRECTIONS = (
    "Deck 4 gives Q, K and V the size |Seq Len| x d_v. Q and K are |Seq Len| x d_k and only V is x d_v; the sizes "
    "agree where d_k = d_v, as in deck 2 (64).",
)


def show_heads(given: Given) -> Shown:
    """Return the shapes of deck 2's sizes, and a small matrix split and merged again."""
    names, small_TD = _small(given)
    heads = heads_for(small_TD.shape[1])
    split_HTK = split_heads(small_TD[None], heads)[0]
    weights_HTT = _weights(len(names))
    return Shown(
        topic="heads",
        title="Multi-head attention: split, attend, concatenate",
        shows=f"{WIDTH} numbers a token become {HEADS} heads of {WIDTH // HEADS}; each head looks for itself.",
        parts=(
            _shapes(len(names)),
            _table("Before the split", small_TD, names),
            *(_table(f"Head {head}", each, names) for head, each in enumerate(split_HTK, start=1)),
            Note("Concatenated again", _merged(small_TD, split_HTK)),
            Note("The cost", _cost()),
        ),
        corrections=CORRECTIONS,
        panels=(
            _map("before the split", small_TD, names),
            *(_map(f"head {head}", each, names) for head, each in enumerate(split_HTK, start=1)),
            *(
                HeatMap(
                    f"weights of head {head} (width {WIDTH}, untrained)",
                    numbers_of(weights_HTT[head - 1]),
                    names,
                    names,
                )
                for head in (1, HEADS)
            ),
        ),
    )


def heads_for(width: int) -> int:
    """Return into how many heads a width is cut here: 2 or 3 where it can be, else 1."""
    return next((heads for heads in (2, 3) if width % heads == 0), 1)


def attention_of(width: int, heads: int) -> SelfAttention:
    """Return a layer of these sizes with first weights that are the same every time."""
    with torch.random.fork_rng():
        torch.manual_seed(SEED)
        return SelfAttention(width, heads, Attend(build_score("scaled", heads, width // heads, MOST_ROWS), "shown"))


def _small(given: Given) -> tuple[tuple[str, ...], Tensor]:
    """Return the names of the positions and the matrix (T, D) that is split."""
    words = words_of(" ".join(given.texts) or SENTENCE, MOST_ROWS)
    if given.matrix is not None:
        small_TD = torch.tensor(given.matrix)
        return (words if given.texts and len(words) == len(small_TD) else numbered("x", len(small_TD))), small_TD
    # Tens count the position, ones the number of the vector: where each goes can be followed.
    tens_T1, ones_D = torch.arange(1, len(words) + 1)[:, None] * 10, torch.arange(1, SMALL_WIDTH + 1)
    return words, (tens_T1 + ones_D).float()


def _weights(positions: int) -> Tensor:
    """Return the weights (H, T, T) of an untrained layer of deck 2's sizes over random vectors."""
    layer, trace = attention_of(WIDTH, HEADS), Trace()
    x_BTD = torch.randn(1, positions, WIDTH, generator=torch.Generator().manual_seed(SEED))
    with torch.inference_mode():
        layer(x_BTD, None, trace)
    return trace.weights["shown"][0]


def _shapes(positions: int) -> Table:
    """Return the shape of every step, read off the tensors."""
    layer = attention_of(WIDTH, HEADS)
    x_BTD = torch.zeros(1, positions, WIDTH)
    with torch.inference_mode():
        joint_BTX = layer.project(x_BTD)
        q_BHTK, k_BHTK, v_BHTK = split_heads(joint_BTX, 3 * HEADS).chunk(3, dim=1)
        mixed_BHTK = layer.attend(q_BHTK, k_BHTK, v_BHTK, None)
        merged_BTD = merge_heads(mixed_BHTK)
        output_BTD = layer.output(merged_BTD)
    steps = {
        "input: S x D": x_BTD,
        "projected to queries, keys, values: S x 3D": joint_BTX,
        "queries split: H x S x D/H": q_BHTK,
        "scores and weights: H x S x S": q_BHTK @ k_BHTK.mT,
        "values mixed: H x S x D/H": mixed_BHTK,
        "heads concatenated: S x D": merged_BTD,
        "output: S x D": output_BTD,
    }
    cells = tuple((" x ".join(map(str, step.shape[1:])),) for step in steps.values())
    heading = f"Shapes (S = {positions} words, D = {WIDTH}, H = {HEADS}, deck 2)"
    return Table(heading, ("shape",), tuple(steps), cells)


def _merged(small_TD: Tensor, split_HTK: Tensor) -> str:
    same = torch.equal(merge_heads(split_HTK[None])[0], small_TD)
    return f"Side by side the heads are {'exactly' if same else 'not'} what was split."


def _cost() -> str:
    one, many = (sum(each.numel() for each in attention_of(WIDTH, heads).parameters()) for heads in (1, HEADS))
    return (
        f"{HEADS} heads of {WIDTH // HEADS} have {many:,} weights, one head of {WIDTH} has {one:,}: "
        f"heads cost {'nothing' if one == many else 'something'}, they only divide the width."
    )


def _table(title: str, values_TD: Tensor, names: tuple[str, ...]) -> Table:
    positions, width = values_TD.shape
    return table_of(f"{title}: {positions} x {width}", values_TD, names, numbered("", width), 2)


def _map(title: str, values_TD: Tensor, names: tuple[str, ...]) -> HeatMap:
    decimals = 0 if torch.equal(values_TD, values_TD.round()) else 1
    return HeatMap(title, numbers_of(values_TD), names, numbered("", values_TD.shape[1]), decimals)
