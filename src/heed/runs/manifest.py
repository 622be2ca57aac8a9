"""`manifest.json`: the size and SHA-256 of every file in a checkpoint's folder, and a seal over the manifest itself.

Nothing in the folder is parsed before its bytes have been compared with the manifest, and nothing is allocated for a
file whose size differs from the one listed.
"""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from heed.errors import RunError
from heed.runs import durable, seal, strict_json

NAME = "manifest.json"
_FORMAT = 1
_LARGEST = 1 << 20  # bytes; a manifest of a hundred files takes 15 kB
_FILE_NAME = re.compile(r"[a-z][a-z0-9_]*\.(safetensors|json)")  # no separators: a manifest cannot point elsewhere
_SHA256 = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True)
class Listed:
    """What the manifest says of one file."""

    size: int
    sha256: str


def listed(data: bytes) -> Listed:
    """Return what the manifest shall say of a file that holds these bytes."""
    return Listed(len(data), hashlib.sha256(data).hexdigest())


def to_bytes(files: Mapping[str, Listed]) -> bytes:
    """Return the sealed manifest; equal files give equal bytes."""
    entries: dict[str, strict_json.JSON] = {}
    for name, entry in files.items():
        entries[name] = {"bytes": entry.size, "sha256": entry.sha256}
    return seal.close_seal(strict_json.encode({"digest": seal.OPEN, "files": entries, "format": _FORMAT}))


def read_manifest(folder: Path) -> dict[str, Listed]:
    """Return what the folder's manifest lists, or raise RunError if one bit of the manifest has changed."""
    data = _read(folder / NAME, _LARGEST)
    if seal.seal_of(data) is None:
        raise _damaged(folder / NAME, "its contents do not match its own SHA-256")
    try:
        return _entries(strict_json.decode_object(data))
    except ValueError as error:
        raise _damaged(folder / NAME, str(error)) from error


def read_listed(folder: Path, name: str, entry: Listed) -> bytes:
    """Return the bytes of a listed file, or raise RunError if they are not those that were saved."""
    _check_size(folder / name, entry)
    data = _read(folder / name, entry.size)
    if listed(data) != entry:
        raise _damaged(folder / name, "its contents do not match the SHA-256 in the manifest")
    return data


def check_folder(folder: Path) -> dict[str, Listed]:
    """Return what the manifest lists once every file has been read from disk and found as listed."""
    files = read_manifest(folder)
    for name, entry in files.items():
        _check_size(folder / name, entry)
        digest = hashlib.sha256()
        for chunk in durable.read_chunks(folder / name):
            digest.update(chunk)
        if digest.hexdigest() != entry.sha256:
            raise _damaged(folder / name, "its contents do not match the SHA-256 in the manifest")
    return files


def _entries(document: Mapping[str, strict_json.JSON]) -> dict[str, Listed]:
    if document.get("format") != _FORMAT:
        raise ValueError(f"its format is {document.get('format')!r} and this version reads {_FORMAT}")
    files = document.get("files")
    if not isinstance(files, Mapping):
        raise ValueError("it lists no files")
    return {name: _entry(name, value) for name, value in files.items()}


def _entry(name: str, value: strict_json.JSON) -> Listed:
    if not _FILE_NAME.fullmatch(name) or name == NAME:
        raise ValueError(f"it lists a file of the name {name!r}")
    if isinstance(value, Mapping):
        size, sha256 = value.get("bytes"), value.get("sha256")
        if type(size) is int and size >= 0 and isinstance(sha256, str) and _SHA256.fullmatch(sha256):
            return Listed(size, sha256)
    raise ValueError(f"it lists {name} without a size and a SHA-256")


def _check_size(path: Path, entry: Listed) -> None:
    size = _size(path)
    if size != entry.size:
        raise _damaged(path, f"it has {size} bytes and the manifest lists {entry.size}")


def _size(path: Path) -> int:
    try:
        return durable.file_size(path)
    except (FileNotFoundError, NotADirectoryError) as error:
        raise _damaged(path, "it is missing") from error


def _read(path: Path, limit: int) -> bytes:
    size = _size(path)
    if size > limit:
        raise _damaged(path, f"it has {size} bytes and {limit} are the most it may have")
    return durable.read_file(path)


def _damaged(path: Path, what: str) -> RunError:
    return RunError(f"{path} is damaged: {what}. Go on from another checkpoint, or restore this one from a copy.")
