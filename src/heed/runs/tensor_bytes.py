"""Named tensors to the bytes of a safetensors file, and back. No pickle, and equal tensors give equal bytes."""

from collections.abc import Mapping

from safetensors import SafetensorError
from safetensors.torch import load, save
from torch import Tensor

from heed.runs import strict_json

# What the library lets through for a file that is sealed correctly but was made to do harm.
_HOSTILE = (SafetensorError, KeyError, ValueError, TypeError, RuntimeError, AssertionError, OverflowError)


def to_bytes(tensors: Mapping[str, Tensor], note: str | None = None) -> bytes:
    """Return the tensors as a safetensors file, `note` in its header; names that share memory are each written."""
    # One key at most: the library writes several in an order that changes from process to process.
    return save(_separate(tensors), None if note is None else {"heed": note})


def from_bytes(data: bytes) -> dict[str, Tensor]:
    """Return the tensors by name in sorted order, or raise ValueError with the reason."""
    try:
        tensors = load(data)
    except _HOSTILE as error:
        raise ValueError(f"it is not a safetensors file ({error})") from error
    return {name: tensors[name] for name in sorted(tensors)}


def note_of(data: bytes) -> str:
    """Return the note in the header, or raise ValueError with the reason."""
    length = int.from_bytes(data[:8], "little")
    if length > len(data) - 8:
        raise ValueError(f"its header claims {length} bytes and the file has {len(data)}")
    notes = strict_json.decode_object(data[8 : 8 + length]).get("__metadata__")
    note = notes.get("heed") if isinstance(notes, Mapping) else None
    if not isinstance(note, str):
        raise ValueError("its header holds no note of ours")
    return note


def size_of(tensors: Mapping[str, Tensor]) -> int:
    """Return how many bytes the tensors take, headers not counted."""
    return sum(tensor.numel() * tensor.element_size() for tensor in tensors.values())


def _separate(tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Return contiguous tensors none of which shares memory with another, which the format demands."""
    separate: dict[str, Tensor] = {}
    storages: set[int] = set()
    for name in sorted(tensors):
        tensor = tensors[name].detach().cpu().contiguous()
        if tensor.untyped_storage().data_ptr() in storages:
            tensor = tensor.clone()
        storages.add(tensor.untyped_storage().data_ptr())
        separate[name] = tensor
    return separate
