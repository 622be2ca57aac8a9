"""The small files of a run (settings, tokenizers, data facts), each with its SHA-256 in the sealed `digests.json`.

The files stay plain, so that other tools read them; the digests are apart, so that a changed bit is seen, and a file
that is gone is told from one that never was.
"""

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path

from heed.errors import RunError
from heed.runs import durable, seal, strict_json
from heed.runs.strict_json import JSON

DIGESTS = "digests.json"
_CURE = "Restore the folder from a copy, or train again with --force."


def begin(folder: Path) -> None:
    """Write an empty list of digests, which makes the folder a run's."""
    _write_digests(folder, {})


def write(folder: Path, name: str, data: bytes) -> None:
    """Replace the file; at every moment the digest of what is there is among those accepted."""
    digests = _read_digests(folder)
    new = hashlib.sha256(data).hexdigest()
    _write_digests(folder, {**digests, name: [*digests.get(name, []), new]})
    durable.replace_file(folder / name, data)
    _write_digests(folder, {**digests, name: [new]})


def read(folder: Path, name: str) -> bytes:
    """Return the file, or raise RunError if it is absent or differs from what was written."""
    accepted = _read_digests(folder).get(name)
    if accepted is None:
        raise RunError(f"{folder / name} was never written: training stopped before it began. {_CURE}")
    data = _read_bytes(folder / name)
    if hashlib.sha256(data).hexdigest() not in accepted:
        raise RunError(f"{folder / name} is not as this run wrote it: its {len(data)} bytes have changed. {_CURE}")
    return data


def has(folder: Path, name: str) -> bool:
    """Return whether the run wrote a file of that name."""
    return name in _read_digests(folder)


def forget(folder: Path, name: str) -> None:
    """Remove the file if the run wrote one."""
    digests = _read_digests(folder)
    if name in digests:
        _write_digests(folder, {other: digests[other] for other in digests if other != name})
        if name in durable.list_names(folder):
            durable.remove_tree(folder / name)


def read_text(folder: Path, name: str) -> str:
    """Return the text in the file, or raise RunError with the reason."""
    try:
        return read(folder, name).decode()
    except UnicodeDecodeError as error:
        raise RunError(f"{folder / name} is not UTF-8 text: {error.reason}. {_CURE}") from error


def read_object(folder: Path, name: str) -> dict[str, JSON]:
    """Return the JSON object in the file, or raise RunError with the reason."""
    return _object(folder / name, read(folder, name))


def _read_digests(folder: Path) -> dict[str, list[str]]:
    data = _read_bytes(folder / DIGESTS)
    if seal.seal_of(data) is None:
        raise RunError(f"{folder / DIGESTS} is damaged: its contents do not match its own SHA-256. {_CURE}")
    files = _object(folder / DIGESTS, data).get("files")
    if not isinstance(files, Mapping):
        raise RunError(f"{folder / DIGESTS} lists no files. {_CURE}")
    return {name: _texts(value) for name, value in files.items()}


def _write_digests(folder: Path, digests: Mapping[str, list[str]]) -> None:
    data = strict_json.encode({"digest": seal.OPEN, "files": dict(digests)})
    durable.replace_file(folder / DIGESTS, seal.close_seal(data))


def _read_bytes(path: Path) -> bytes:
    with durable.reported(path):
        try:
            return durable.read_file(path)
        except FileNotFoundError as error:
            raise RunError(f"{path} is missing. {_CURE}") from error


def _object(path: Path, data: bytes) -> dict[str, JSON]:
    try:
        return strict_json.decode_object(data)
    except ValueError as error:
        raise RunError(f"{path} cannot be used: {error}. {_CURE}") from error


def _texts(value: JSON) -> list[str]:
    return [text for text in value if isinstance(text, str)] if isinstance(value, Sequence) else []
