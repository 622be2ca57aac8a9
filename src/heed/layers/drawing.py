"""What is random in a forward pass, drawn by example: a pure function of (example, layer, position).

A dropout mask that depended on the rest of the batch, on padding or on the process that computes it would make a step
on several ranks another step than that of one process. So the trainer names the examples of a batch by a key each,

    with drawing(sites, example_keys(seed, epoch, rows)):
        loss = objective(batch)

and every layer that draws asks here. A word of 64 random bits is a hash of an example's position and of a layer's
column: the product of two sums, (a + c) (b + d), where a and b belong to the position, c and d to the column (NH of
Black et al. 1999, section 4). That is five passes over memory, which is less work than torch's generator has, and
needs no state. Outside of such a `with`, where somebody calls a layer in training mode, and in a graph of
`torch.compile`, layers draw from torch's generator.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar

import numpy
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

Hashes = NDArray[numpy.uint64]
Addends = tuple[Tensor, Tensor]  # of the two sums that are multiplied

# The constants of splitmix64 (Steele et al. 2014, section 5).
_STEP, _FIRST, _SECOND = (numpy.uint64(each) for each in (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB))


class Sites:
    """The parts of a model by number, so that each draws words of its own; their hashes are made once and kept."""

    def __init__(self, model: nn.Module) -> None:
        self._numbers = {module: number for number, module in enumerate(model.modules())}
        self._columns: dict[tuple[int, int], Addends] = {}

    def columns(self, site: nn.Module, call: int, heads: int, words: int) -> Addends:
        """Return addends (heads, words) of a layer's call; more words never change the first ones."""
        key = (self._numbers[site], call)
        kept = self._columns.get(key)
        if kept is None or kept[0].shape[0] < heads or kept[0].shape[1] < words:
            own_1 = _mixed(numpy.array([key[0] << 32 | call], dtype=numpy.uint64))
            hashes_2HW = _series(_series(_series(own_1, 2)[0], heads), words)
            # Even, and those of positions odd: so are their sums, and a product of odd numbers loses no bit of either.
            kept = self._columns[key] = _both(hashes_2HW << numpy.uint64(1))
        if kept[0].shape == (heads, words):
            return kept
        return kept[0][:heads, :words], kept[1][:heads, :words]


class Drawing:
    """What one forward pass draws for the examples of its batch."""

    def __init__(self, sites: Sites, keys: Hashes) -> None:
        self._sites = sites
        self._keys = keys
        self._calls: dict[nn.Module, int] = {}
        self._places: dict[int, Addends] = {}

    def words(self, site: nn.Module, rows: int, positions: int, heads: int, words: int) -> Tensor:
        """Return random 64-bit words (rows, positions, heads, words), others at each call of a layer."""
        call = self._calls.get(site, 0)
        self._calls[site] = call + 1
        first_HW, second_HW = self._sites.columns(site, call, heads, words)
        first_BT11, second_BT11 = self._positions(rows, positions)
        drawn_BTHW, high_BTHW = first_BT11 + first_HW, second_BT11 + second_HW
        drawn_BTHW.mul_(high_BTHW)
        # The low half of a product is poor in chance, and gets that of the high half.
        return drawn_BTHW.add_(torch.bitwise_right_shift(drawn_BTHW, 32, out=high_BTHW))

    def _positions(self, rows: int, positions: int) -> Addends:
        """Return addends (rows, positions, 1, 1); an example may have several rows, as a text has lanes."""
        kept = self._places.get(rows)
        if kept is None or kept[0].shape[1] < positions:
            each, rest = divmod(rows, len(self._keys))
            assert rest == 0, f"{rows} rows cannot be those of {len(self._keys)} examples"
            keys = self._keys if each == 1 else _series(self._keys, each).reshape(-1)
            hashes_B2T = _series(_series(keys, 2), positions)
            kept = self._places[rows] = _both(hashes_B2T.swapaxes(0, 1)[..., None, None] | numpy.uint64(1))
        if kept[0].shape[1] == positions:
            return kept
        return kept[0][:, :positions], kept[1][:, :positions]


_now: ContextVar[Drawing | None] = ContextVar("drawing", default=None)


@contextmanager
def drawing(sites: Sites, keys: Hashes) -> Iterator[None]:
    """Let the layers of a model draw for these examples, one key each, during one forward pass."""
    token = _now.set(Drawing(sites, keys))
    try:
        yield
    finally:
        _now.reset(token)


def example_keys(seed: int, epoch: int, examples: Sequence[int]) -> Hashes:
    """Return a key for each example of an epoch, which sees none twice."""
    start = numpy.random.SeedSequence([seed, epoch]).generate_state(1, numpy.uint64)
    numbers = numpy.asarray(examples, dtype=numpy.int64).view(numpy.uint64)
    return _mixed(start + numbers * _STEP)


def random_bytes(site: nn.Module, shape: Sequence[int]) -> Tensor | None:
    """Return random bytes in a shape (B, D), (B, T, D) or (B, T, H, S), or None outside of a drawing.

    What an example gets at a position does not depend on B, T or S.
    """
    now = _drawing_now()
    if now is None:
        return None
    rows, *middle, last = shape if len(shape) > 1 else (*shape, 1)
    positions, heads = (*middle, 1, 1)[:2]
    words_BTHW = now.words(site, rows, positions, heads, (last + 7) // 8)
    return words_BTHW.view(torch.uint8)[..., :last].view(*shape)


def happens(site: nn.Module, share: float, shape: Sequence[int], device: torch.device) -> Tensor:
    """Return bool in a shape (B, T): true with this chance, for each example and position by itself."""
    now = _drawing_now()
    if now is None:
        return torch.rand(*shape, device=device) < share
    rows, positions = shape
    words_BT = now.words(site, rows, positions, heads=1, words=1)[:, :, 0, 0]
    return words_BT < int(share * 2**64) - 2**63


def _drawing_now() -> Drawing | None:
    # A graph would hold the keys of its first batch for ever.
    return None if torch.compiler.is_compiling() else _now.get()


def _series(starts: Hashes, count: int) -> Hashes:
    """Return (..., count) hashes that follow from each start."""
    return _mixed(starts[..., None] + numpy.arange(count, dtype=numpy.uint64) * _STEP)


def _mixed(numbers: Hashes) -> Hashes:
    """Return the finalizer of splitmix64: every bit of a number changes half of the bits."""
    numbers = (numbers ^ numbers >> numpy.uint64(30)) * _FIRST
    numbers = (numbers ^ numbers >> numpy.uint64(27)) * _SECOND
    return numbers ^ numbers >> numpy.uint64(31)


def _both(hashes: Hashes) -> Addends:
    """Return the two halves of the first axis as torch's signed numbers."""
    first, second = torch.from_numpy(numpy.ascontiguousarray(hashes).view(numpy.int64))
    return first, second
