"""`read_pickled`: the tensors in a `pytorch_model.bin`, a pickle: what it asks for is looked at before it is given.

torch's own reader, with `weights_only`, builds tensors and a few other things; among those are some that take as much
memory as the file asks for. So the opcodes are read first, which runs nothing: only what weights are made of may be
named in them. Sizes are compared with that of the file before a tensor is made.
"""

import io
import pickletools
import warnings
import zipfile
from collections.abc import Iterator
from pathlib import Path

import torch
from torch import Tensor

from heed.errors import RunError

LARGEST_PICKLE = 20_000_000  # bytes of names and shapes; BERT-large has 50 KB
MOST_COPIES = 4  # times the size of the file that all tensors may have: tied tables are stored once
_KINDS = ("Float", "Half", "BFloat16", "Double", "Long", "Int", "Short", "Char", "Byte", "Bool")
_BUILDERS = ("_rebuild_tensor", "_rebuild_tensor_v2", "_rebuild_parameter")
KNOWN = {
    "collections OrderedDict",
    *(f"torch {kind}Storage" for kind in _KINDS),
    *(f"torch._utils {name}" for name in _BUILDERS),
}
# Opcodes that name something to be made, other than GLOBAL; files that torch writes have none of them.
_OTHER_NAMES = ("STACK_GLOBAL", "INST", "OBJ", "NEWOBJ_EX", "EXT1", "EXT2", "EXT4")
# What stands in a file before torch 1.6: this number, a version, what machine it was, and the weights.
_MAGIC = 0x1950A86A20F9469CFC6C
_OLD_PICKLES = 4
_ARCHIVE = b"PK\x03\x04"  # the first bytes of a file of torch 1.6 or later


def read_pickled(file: Path) -> dict[str, Tensor]:
    """Return the tensors by name; raise RunError with what is wrong."""
    for pickle in _pickles(file):
        _refuse_strange(file, pickle)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            value = torch.load(file, map_location="cpu", weights_only=True)
    except Exception as error:  # noqa: BLE001  a damaged pickle makes torch raise nearly anything
        raise RunError(
            f"{file} cannot be read as weights alone: {_first_line(error)}. Save the model as safetensors."
        ) from None
    if not isinstance(value, dict) or not all(
        isinstance(name, str) and isinstance(tensor, Tensor) for name, tensor in value.items()
    ):
        raise RunError(f"{file} holds {type(value).__name__}, not tensors by name. Save the model as safetensors.")
    _refuse_larger(file, value)
    # Tensors may share one storage, or lie in it askew: each becomes one of its own.
    return {name: tensor.detach().clone().contiguous() for name, tensor in value.items()}


def _pickles(file: Path) -> Iterator[bytes]:
    """Yield the pickles in the file, unread."""
    with file.open("rb") as stream:
        is_archive = stream.read(len(_ARCHIVE)) == _ARCHIVE  # by which torch tells, too
    if not is_archive:
        yield from _old_pickles(file)
        return
    try:
        with zipfile.ZipFile(file) as archive:
            entries = archive.infolist()
            unpacked = sum(entry.file_size for entry in entries)
            # torch stores weights as they are: an archive that would unpack to more than it is was packed by another.
            if unpacked > file.stat().st_size:
                raise RunError(
                    f"{file} would unpack to {unpacked:,} bytes, more than it has. Save the model as safetensors."
                )
            for entry in entries:
                if entry.filename.endswith(".pkl"):
                    yield _bounded(file, archive.read(entry))
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError, EOFError, RuntimeError) as error:
        raise RunError(f"{file} is a damaged archive: {_first_line(error)}. Fetch it again.") from None


def _old_pickles(file: Path) -> Iterator[bytes]:
    with file.open("rb") as stream:
        data = io.BytesIO(stream.read(LARGEST_PICKLE))
    for number in range(_OLD_PICKLES):
        begin = data.tell()
        opcodes = _opcodes(file, data)
        if number == 0 and _MAGIC not in (argument for _, argument in opcodes):
            raise RunError(f"{file} holds no weights of torch: it does not begin as such a file does. Fetch it again.")
        yield data.getvalue()[begin : data.tell()]


def _refuse_strange(file: Path, pickle: bytes) -> None:
    """Refuse a pickle that names anything but what weights are made of."""
    for name, argument in _opcodes(file, io.BytesIO(pickle)):
        if name in _OTHER_NAMES or (name == "GLOBAL" and argument not in KNOWN):
            asked = argument if name == "GLOBAL" else name
            raise RunError(
                f"{file} asks for {str(asked)[:80]!r}, which no weights are made of; nothing of it was run. "
                f"Save the model as safetensors."
            )


def _opcodes(file: Path, data: io.BytesIO) -> list[tuple[str, object]]:
    try:
        return [(opcode.name, argument) for opcode, argument, _ in pickletools.genops(data)]
    except (ValueError, OverflowError, MemoryError) as error:
        raise RunError(f"{file} is a damaged pickle: {_first_line(error)}. Fetch it again.") from None


def _bounded(file: Path, pickle: bytes) -> bytes:
    if len(pickle) > LARGEST_PICKLE:
        raise RunError(f"{file}: its pickle has {len(pickle):,} bytes; at most {LARGEST_PICKLE:,} are read.")
    return pickle


def _refuse_larger(file: Path, tensors: dict[str, Tensor]) -> None:
    """Refuse shapes of more than the file holds: a number that is repeated takes no room until it is copied."""
    size = file.stat().st_size
    for name, tensor in tensors.items():
        if tensor.nbytes > size:
            raise RunError(f"{file}: {name} is said to be {tensor.nbytes:,} bytes; the whole file has {size:,}.")
    total = sum(tensor.nbytes for tensor in tensors.values())
    if total > MOST_COPIES * size:
        raise RunError(f"{file}: its tensors are said to be {total:,} bytes together; the whole file has {size:,}.")


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or ["it is damaged"])[0][:160]
