"""The order in which examples are seen: a pure function of the seed and the epoch, so that resuming needs no replay.

Examples are shuffled, cut into windows, sorted by length within each window, cut into batches by a budget of tokens,
and the batches are shuffled. Neighbours in a batch are then of like length, and little of it is padding.
"""

from collections.abc import Iterator, Sequence
from itertools import chain

import numpy
from numpy.typing import NDArray

from heed.errors import SettingsError

Integers = NDArray[numpy.int64]
Lengths = Sequence[tuple[int, int]] | Integers  # tokens of (source, target); an array (examples, 2) saves copying


def batches(lengths: Lengths, seed: int, epoch: int, tokens_per_batch: int, window: int) -> list[list[int]]:
    """Return each index once, in batches whose rows × (longest source + longest target) stay within the budget.

    An example larger than the budget stands alone.
    """
    for name, number, least in (("seed", seed, 0), ("epoch", epoch, 0), ("window", window, 1)):
        _at_least(name, number, least)
    _at_least("tokens_per_batch", tokens_per_batch, 1)
    source, target = _columns(lengths)
    generator = numpy.random.PCG64(numpy.random.SeedSequence([seed, epoch]))
    shuffled = _shuffle(len(source), generator)
    windows = numpy.arange(len(source)) // window
    order = shuffled[_by_length(source[shuffled], target[shuffled], windows)]
    cut = list(_cut(order, source, target, tokens_per_batch, window))
    return [cut[index] for index in _shuffle(len(cut), generator).tolist()]


def valid_batches(lengths: Lengths, tokens_per_batch: int) -> list[list[int]]:
    """Return each index once, in batches within the budget, shortest first; the order never changes."""
    _at_least("tokens_per_batch", tokens_per_batch, 1)
    source, target = _columns(lengths)
    order = _by_length(source, target, numpy.zeros(len(source), dtype=numpy.int64))
    return list(_cut(order, source, target, tokens_per_batch, max(1, len(source))))


def padding_share(lengths: Lengths, batches: Sequence[Sequence[int]]) -> float:
    """Return the part of all positions in the batches that holds no token, from 0 to 1."""
    source, target = _columns(lengths)
    padded = sum(len(rows) * int(source[rows].max() + target[rows].max()) for rows in map(list, batches) if rows)
    tokens = sum(int(source[rows].sum() + target[rows].sum()) for rows in map(list, batches) if rows)
    return 1 - tokens / padded if padded else 0.0


def _shuffle(count: int, generator: numpy.random.PCG64) -> Integers:
    # Ranks of raw random bits, for numpy promises these to be the same in every version; its permutation() it does not.
    return numpy.argsort(generator.random_raw(count), kind="stable")


def _by_length(source: Integers, target: Integers, windows: Integers) -> Integers:
    # Sorting by the target first leaves sources of every length in a batch. Instead: by the longer side (measured in
    # target tokens, since one language may need more of them), then by how much longer the source is, up for even
    # lengths and down for odd ones, so that a batch over two lengths joins like to like. Padding of 29,000 captions
    # (window 4,096, budget 4,096) falls from 11.6 % to 6.2 %. Whole numbers only: the same on every machine.
    all_source, all_target = max(1, int(source.sum())), max(1, int(target.sum()))
    longer = numpy.maximum(target, source * all_target // all_source)
    lean = source * all_target - target * all_source
    return numpy.lexsort((numpy.where(longer % 2 == 0, lean, -lean), longer, windows))


def _cut(
    order: Integers, source: Integers, target: Integers, tokens_per_batch: int, window: int
) -> Iterator[list[int]]:
    indices, sources, targets = order.tolist(), source[order].tolist(), target[order].tolist()
    begin, longest_source, longest_target = 0, 0, 1
    for at, (source_length, target_length) in enumerate(zip(sources, targets, strict=True)):
        longest_source = source_length if source_length > longest_source else longest_source
        longest_target = target_length if target_length > longest_target else longest_target
        over = (at + 1 - begin) * (longest_source + longest_target) > tokens_per_batch
        if at > begin and (over or at % window == 0):
            yield indices[begin:at]
            # At least 1, for an example without tokens still takes a row.
            begin, longest_source, longest_target = at, source_length, max(1, target_length)
    if indices:
        yield indices[begin:]


def _columns(lengths: Lengths) -> tuple[Integers, Integers]:
    if isinstance(lengths, numpy.ndarray):
        array = lengths.reshape(-1, 2)
    else:  # three times as fast as asarray() on a list of tuples
        array = numpy.fromiter(chain.from_iterable(lengths), dtype=numpy.int64).reshape(-1, 2)
    return array[:, 0], array[:, 1]


def _at_least(name: str, number: int, least: int) -> None:
    if number < least:
        raise SettingsError(f"{name} is {number}, it must be {least} or more.")
