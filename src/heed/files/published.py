"""`read_published`: a model's folder as Hugging Face writes it: `config.json` and weights. Nothing in it is run.

Weights are `model.safetensors`, or several of them with an index, or `pytorch_model.bin`, which is a pickle. Sizes are
bounded before anything is read.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import safetensors
import safetensors.torch
import torch
from torch import Tensor

from heed.errors import RunError, UsageError
from heed.files.pickled_weights import read_pickled

CONFIG = "config.json"
WEIGHTS = "model.safetensors"
INDEX = "model.safetensors.index.json"
PICKLED = "pytorch_model.bin"
LARGEST_JSON = 50_000_000  # bytes; a tokenizer of 250,000 pieces has 20 MB
LARGEST_WEIGHTS = 8_000_000_000  # bytes in all; BERT-large has 1.3 GB
MOST_FILES = 100
_FLOATS = (torch.float32, torch.float16, torch.bfloat16, torch.float64)


@dataclass(frozen=True)
class PublishedFolder:
    """What the folder of a model holds."""

    path: Path
    config: Mapping[str, object]
    tensors: Mapping[str, Tensor]  # float32


def is_published(path: Path) -> bool:
    """Tell whether the folder looks like a published model."""
    return (path / CONFIG).is_file()


def read_published(path: Path) -> PublishedFolder:
    """Return config and weights; raise RunError with what is wrong."""
    config = read_json_object(path / CONFIG)
    tensors: dict[str, Tensor] = {}
    for file in weight_files(path):
        for name, tensor in _tensors(file):
            if name in tensors:
                raise RunError(f"{file}: {name} stands in another file of {path} as well. Fetch the folder again.")
            tensors[name] = tensor
    return PublishedFolder(path, config, tensors)


def weight_files(path: Path) -> list[Path]:
    """Return the files that hold the weights."""
    if (path / WEIGHTS).is_file():
        return [path / WEIGHTS]
    if (path / INDEX).is_file():
        return _indexed(path)
    if (path / PICKLED).is_file():
        return [path / PICKLED]
    raise UsageError(
        f"{path} holds no weights: neither {WEIGHTS}, nor {INDEX}, nor {PICKLED}. Give the whole folder of a model."
    )


def read_json_object(path: Path) -> dict[str, object]:
    """Return the JSON object in a file of such a folder."""
    try:
        size = path.stat().st_size
        if size > LARGEST_JSON:
            raise RunError(f"{path} has {size:,} bytes; at most {LARGEST_JSON:,} are read. This is no such file.")
        value = json.loads(path.read_bytes())
        json.dumps(value, ensure_ascii=False).encode()  # half of a character is read, and breaks whoever writes it next
    except OSError as error:
        raise RunError(f"{path} cannot be read: {error.strerror}. Give the whole folder of a model.") from None
    except (ValueError, RecursionError) as error:
        raise RunError(f"{path} is not readable JSON ({str(error)[:100]}). Fetch it again.") from None
    if not isinstance(value, dict):
        raise RunError(f"{path} holds {str(value)[:60]!r}, not a JSON object. Fetch it again.")
    return value


def _indexed(path: Path) -> list[Path]:
    listed = read_json_object(path / INDEX).get("weight_map")
    names = sorted({str(name) for name in listed.values()}) if isinstance(listed, dict) else []
    # A name with a folder in it could lead anywhere on the disk.
    if not 1 <= len(names) <= MOST_FILES or not all(map(_is_plain, names)):
        raise RunError(f"{path / INDEX}: weight_map names {str(names)[:80]}, no files of this folder. Fetch it again.")
    return [path / name for name in names]


def _is_plain(name: str) -> bool:
    return Path(name).name == name and name.isprintable()


def _tensors(file: Path) -> Iterator[tuple[str, Tensor]]:
    try:
        size = file.stat().st_size
    except OSError as error:
        raise RunError(f"{file} cannot be read: {error.strerror}. Give the whole folder of a model.") from None
    if size > LARGEST_WEIGHTS:
        raise RunError(f"{file} has {size:,} bytes; at most {LARGEST_WEIGHTS:,} are read. The models here are small.")
    found = read_pickled(file) if file.name == PICKLED else _safe(file)
    for name, tensor in found.items():
        if tensor.dtype in _FLOATS:
            yield name, tensor.float()
        elif not tensor.dtype.is_floating_point and not tensor.dtype.is_complex:
            yield name, tensor  # counters, such as position_ids
        else:
            raise RunError(f"{file}: {name} is of {tensor.dtype}; float32, float16 and bfloat16 are read.")


def _safe(file: Path) -> dict[str, Tensor]:
    try:
        return safetensors.torch.load_file(file)
    except (safetensors.SafetensorError, OSError, ValueError, KeyError, RuntimeError) as error:
        raise RunError(f"{file} is no whole safetensors file: {str(error)[:160]}. Fetch it again.") from None
