"""`model.safetensors`: the best weights so far, with what is known of them in the header of the same file.

Weights and facts in one sealed file cannot disagree, whenever a kill comes; any reader of safetensors opens it. A
matrix of 16-bit floats is written as such, and comes back as it was: nothing is lost.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor

from heed.errors import RunError
from heed.layers.half import is_half
from heed.runs import durable, seal, strict_json, tensor_bytes
from heed.runs.strict_json import JSON

LONGEST_HEADER = 1 << 26  # bytes that are read for the facts alone; ten thousand tensors take about one million


@dataclass(frozen=True, eq=False)
class BestModel:
    """The best weights, what is known of them, and the SHA-256 that stands for both."""

    tensors: Mapping[str, Tensor]
    facts: Mapping[str, JSON]
    sha256: str


def write(path: Path, tensors: Mapping[str, Tensor], facts: Mapping[str, JSON]) -> None:
    """Replace the file in one step; after a kill it is the old model or the new, whole.

    A fact that is not a finite number becomes null: a score that went wrong must not cost the weights.
    """
    # "digest" sorts before "facts", so the first seal in the file is ours whatever the facts say.
    note = strict_json.encode_line({"digest": seal.OPEN, "facts": strict_json.finite(facts)}).decode()
    narrow = {name: _narrow(tensor) for name, tensor in tensors.items()}
    with durable.reported(path, tensor_bytes.size_of(narrow) + len(note)):
        durable.replace_file(path, seal.close_seal(tensor_bytes.to_bytes(narrow, note)))


def read(path: Path) -> BestModel:
    """Return the model, or raise RunError if it is absent or one bit of it has changed."""
    try:
        data = durable.read_file(path)
    except FileNotFoundError as error:
        raise RunError(f"{path} is missing: the run has kept no best weights yet. Train it further.") from error
    except OSError as error:
        raise RunError(f"{path} cannot be read: {error.strerror}. {_CURE}") from error
    sha256 = seal.seal_of(data)
    if sha256 is None:
        raise RunError(f"{path} is damaged: its {len(data)} bytes do not match their SHA-256. {_CURE}")
    try:
        facts = strict_json.decode_object(tensor_bytes.note_of(data).encode()).get("facts")
        if not isinstance(facts, Mapping):
            raise ValueError("its header holds no facts")
        tensors = {name: _wide(tensor) for name, tensor in tensor_bytes.from_bytes(data).items()}
        return BestModel(tensors, facts, sha256)
    except ValueError as error:
        raise RunError(f"{path} cannot be used: {error}. {_CURE}") from error


def read_facts(path: Path) -> Mapping[str, JSON]:
    """Return the facts in the header, unverified and without reading the weights; nothing where there is no file."""
    try:
        facts = strict_json.decode_object(tensor_bytes.note_of(_header(path)).encode()).get("facts")
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise RunError(f"{path} cannot be read: {error.strerror}. {_CURE}") from error
    except ValueError as error:
        raise RunError(f"{path} cannot be used: {error}. {_CURE}") from error
    return facts if isinstance(facts, Mapping) else {}


def _header(path: Path) -> bytes:
    size = durable.file_size(path)
    with path.open("rb") as file:
        length = int.from_bytes(file.read(8), "little")
        if length > min(size - 8, LONGEST_HEADER):
            raise ValueError(f"its header claims {length} bytes and the file has {size}")
        file.seek(0)
        return file.read(8 + length)


def _narrow(tensor: Tensor) -> Tensor:
    return tensor.half() if tensor.dtype == torch.float32 and is_half(tensor) else tensor


def _wide(tensor: Tensor) -> Tensor:
    return tensor.float() if tensor.dtype == torch.float16 else tensor


_CURE = "Restore it from a copy, resume the run if it is not finished, or train again."
