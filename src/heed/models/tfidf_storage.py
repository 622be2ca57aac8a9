"""A linear model as named tensors and back, without pickle: n-grams are UTF-8 bytes and where each begins."""

import itertools
from collections.abc import Mapping, Sequence

import numpy as np
import torch
from torch import Tensor

from heed.errors import RunError
from heed.models.tfidf_ngrams import NgramTable, Unit

# Text from a program may hold half a character, which UTF-8 itself has no bytes for.
_HALVES = "surrogatepass"


def table_tensors(table: NgramTable) -> dict[str, Tensor]:
    """Return what `read_table` needs, under names that begin with the table's unit."""
    encoded = [ngram.encode("utf-8", _HALVES) for ngram in table.ngrams]
    letters = np.frombuffer(b"".join(encoded), dtype=np.uint8).copy()
    starts = np.cumsum([0, *map(len, encoded)])
    values = map(torch.from_numpy, (letters, starts, table.rarity))
    return dict(zip(table_names(table.unit), values, strict=True))


def table_names(unit: Unit) -> tuple[str, str, str]:
    """Return the names of the tensors of a table: the letters, where each n-gram begins, and the rarity of each."""
    return f"{unit}.bytes", f"{unit}.starts", f"{unit}.rarity"


def read_table(tensors: Mapping[str, Tensor], unit: Unit, lengths: tuple[int, int]) -> NgramTable:
    """Return the table, or raise RunError if it cannot have been written by `table_tensors`."""
    bytes_name, starts_name, rarity_name = table_names(unit)
    letters = read_tensor(tensors, bytes_name, torch.uint8, (None,))
    starts = read_tensor(tensors, starts_name, torch.int64, (None,))
    rarity = read_tensor(tensors, rarity_name, torch.float64, (max(len(starts) - 1, 0),))
    if len(starts) == 0 or starts[0] != 0 or starts[-1] != len(letters) or (np.diff(starts) <= 0).any():
        raise _damaged(f"{starts_name} does not cut {len(letters)} bytes into n-grams")
    if (rarity <= 0).any():
        raise _damaged(f"{rarity_name} holds {rarity.min()}, and no n-gram is that frequent")
    return NgramTable(unit, lengths, _ngrams(unit, letters.tobytes(), starts.tolist()), rarity)


def read_tensor(
    tensors: Mapping[str, Tensor], name: str, dtype: torch.dtype, shape: tuple[int | None, ...]
) -> np.ndarray:
    """Return a copy of the tensor, or raise RunError unless it has this type and shape and is finite."""
    if name not in tensors:
        raise _damaged(f"{name} is missing; there are {', '.join(sorted(tensors)) or 'no tensors'}")
    tensor = tensors[name]
    fits = len(tensor.shape) == len(shape) and all(
        size is None or size == found for size, found in zip(shape, tensor.shape, strict=True)
    )
    if tensor.dtype != dtype or not fits:
        wanted = ", ".join("any" if size is None else str(size) for size in shape)
        raise _damaged(f"{name} is {tensor.dtype} of {tuple(tensor.shape)}, and should be {dtype} of ({wanted})")
    if not bool(torch.isfinite(tensor).all()):
        raise _damaged(f"{name} holds a number that is not finite")
    # A copy keeps the model as it is, whatever becomes of the tensors.
    return tensor.detach().cpu().numpy().copy()


def refuse_others(tensors: Mapping[str, Tensor], expected: Sequence[str]) -> None:
    """Raise RunError if there is a tensor that the model does not know."""
    others = sorted(set(tensors) - set(expected))
    if others:
        raise _damaged(f"{others[0]} is no part of it")


def _ngrams(unit: Unit, letters: bytes, starts: list[int]) -> tuple[str, ...]:
    pieces = [letters[start:end] for start, end in itertools.pairwise(starts)]
    try:
        ngrams = tuple(piece.decode("utf-8", _HALVES) for piece in pieces)
    except UnicodeDecodeError as error:
        raise _damaged(f"{unit}.bytes is not UTF-8 ({error.reason})") from error
    for before, after in itertools.pairwise(ngrams):
        if not before < after:
            raise _damaged(f"{unit}.bytes has {after!r} after {before!r}, out of order")
    return ngrams


def _damaged(reason: str) -> RunError:
    return RunError(f"The tf-idf model is damaged: {reason}. Restore it from a copy, or train again.")
