"""`metrics.jsonl`: one JSON object a line, in the order of training, each number once also after a resume."""

from collections.abc import Mapping
from pathlib import Path

from heed.errors import RunError
from heed.runs import durable, strict_json
from heed.runs.strict_json import JSON


def append(path: Path, values: Mapping[str, JSON]) -> None:
    """Add one line; a number that is not finite is written as null, so that a diverged loss does not stop the log."""
    durable.append_line(path, strict_json.encode_line(strict_json.finite(values)))


def read(path: Path) -> list[dict[str, JSON]]:
    """Return the lines in order; the last may have been torn by a kill and is then left out."""
    return [values for _, values in _lines(path)]


def rewind(path: Path, step: int) -> None:
    """Drop, in one atomic step, every line whose `step` is greater than the given one, and a torn last line."""
    if not path.exists():
        return
    kept = b"".join(line for line, values in _lines(path) if not _is_later(values, step))
    if kept != durable.read_file(path):
        durable.replace_file(path, kept)


def sync(path: Path) -> None:
    """Wait until the disk has every line."""
    if path.exists():
        durable.sync_file(path)


def _lines(path: Path) -> list[tuple[bytes, dict[str, JSON]]]:
    if not path.exists():
        return []
    # The piece after the last line end is empty, or a line that a kill cut short.
    whole = durable.read_file(path).split(b"\n")[:-1]
    return [(line + b"\n", _values(path, number, line)) for number, line in enumerate(whole, start=1)]


def _values(path: Path, number: int, line: bytes) -> dict[str, JSON]:
    try:
        return strict_json.decode_object(line)
    except ValueError as error:
        raise RunError(f"{path}:{number} is damaged: {error}. Remove that line, or restore the file.") from error


def _is_later(values: Mapping[str, JSON], step: int) -> bool:
    own = values.get("step")
    return isinstance(own, int | float) and own > step
