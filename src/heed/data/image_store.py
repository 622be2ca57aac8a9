"""`ImageStore`: pictures as squares of one size in one file, mapped into memory, so that each is decoded only once.

    the pictures     one after the other, side x side x 3 bytes each; numpy.memmap opens them
    the facts        one line of JSON: the size, what was left out and why, and from what the store was built
    the last line    the kind of file, how long the facts are, and the SHA-256 of all before it

The facts stand behind the pictures, for only then is it known how many there are. The file appears when it is whole.
"""

import hashlib
import json
import math
import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import numpy
from numpy.typing import NDArray

from heed.data.image_reading import Square, name_of, reading
from heed.data.records import ImageSource
from heed.data.squares import Fit
from heed.errors import DataError, RunError, UsageError
from heed.files.atomic import write_chunks

_LAST_LINE = re.compile(rb"heed-images-1 (\d{12}) ([0-9a-f]{64})\n")
_DIGEST_BYTES = 64 + 1
_LAST_BYTES = len("heed-images-1 ") + 12 + 1 + _DIGEST_BYTES
_PART = 1 << 20  # bytes that are hashed at a time
_CURE = "Remove it, and it is built again from the pictures."


@dataclass(frozen=True)
class Broken:
    """A picture that was left out, and why, in one sentence."""

    name: str
    reason: str


@dataclass(frozen=True, eq=False)
class ImageStore:
    """Pictures on disk; the array is mapped, not read."""

    images: NDArray[numpy.uint8]  # (N, side, side, 3)
    fit: Fit
    kept: tuple[int, ...]  # which of the sources the pictures are, ascending
    broken: tuple[Broken, ...]  # the other sources
    built_from: str  # what `fingerprint` said of the sources

    def __len__(self) -> int:
        """Return how many pictures there are."""
        return len(self.images)


def build_store(
    sources: Sequence[ImageSource], side: int, fit: Fit, path: Path, workers: int, tell: Callable[[int, int], None]
) -> ImageStore:
    """Write the pictures to one file and open it; a broken one is left out and named. `tell` hears (done, of)."""
    if side < 1 or workers < 0:
        raise UsageError(f"Pictures of side {side} by {workers} workers cannot be made. Use 1 or more, and 0 or more.")
    built_from = fingerprint(sources, side, fit)
    with reading(sources, side, fit, workers) as chunks:
        contents = _contents(_told(chunks, len(sources), tell), sources, side, fit, built_from)
        write_chunks(path, contents, len(sources) * side * side * 3)
    return open_store(path)


def fingerprint(sources: Sequence[ImageSource], side: int, fit: Fit) -> str:
    """Return the SHA-256 of what a store would be built from: names, sizes and times of files, not what is in them."""
    digest = hashlib.sha256(json.dumps([side, fit]).encode())
    for source in sources:
        digest.update(json.dumps(_identity(source)).encode())
    return digest.hexdigest()


def open_store(path: Path) -> ImageStore:
    """Return the store in a file; refuse one that is not whole, or of which a byte has changed."""
    try:
        with path.open("rb") as stream:
            size = stream.seek(0, os.SEEK_END)
            facts = _verified_facts(stream, path, size)
        return _mapped(path, size, json.loads(facts), len(facts))
    except OSError as error:
        raise RunError(f"{path} cannot be read: {error.strerror or error}. {_CURE}") from None
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise RunError(f"{path} does not say what a store of pictures holds: {error}. {_CURE}") from None


def _identity(source: ImageSource) -> list[str | int]:
    if not isinstance(source, Path):
        return [source.name, repr(source)]
    try:
        state = os.stat(source)
    except (OSError, ValueError):  # it will be left out; should it come back, the store is of other pictures
        return [str(source), "absent"]
    return [str(source), state.st_size, state.st_mtime_ns]


def _told(chunks: Iterable[list[Square]], of: int, tell: Callable[[int, int], None]) -> Iterator[list[Square]]:
    done = 0
    for squares in chunks:
        yield squares
        done += len(squares)
        tell(done, of)


def _contents(
    chunks: Iterable[list[Square]], sources: Sequence[ImageSource], side: int, fit: Fit, built_from: str
) -> Iterator[bytes]:
    """Yield the bytes of the file."""
    digest, left_out, done = hashlib.sha256(), list[tuple[int, str, str]](), 0
    for squares in chunks:
        pictures = b"".join(square for square in squares if isinstance(square, bytes))
        reasons = [(number, square) for number, square in enumerate(squares, done) if isinstance(square, str)]
        left_out += [(number, name_of(sources[number]), reason) for number, reason in reasons]
        done += len(squares)
        digest.update(pictures)
        yield pictures
    _refuse_none(left_out, done)
    facts = {"side": side, "fit": fit, "sources": done, "left_out": left_out, "built_from": built_from}
    line = json.dumps(facts).encode() + b"\n"
    rest = line + f"heed-images-1 {len(line):012} ".encode()
    digest.update(rest)
    yield rest + f"{digest.hexdigest()}\n".encode()


def _refuse_none(left_out: list[tuple[int, str, str]], sources: int) -> None:
    if not sources:
        raise DataError("There are no pictures: 0 were given. Give a folder or a table with some.")
    if len(left_out) == sources:
        _, name, reason = left_out[0]
        raise DataError(f"None of {sources:,} pictures can be used. The first, {name}: {reason}")


def _verified_facts(stream: BinaryIO, path: Path, size: int) -> bytes:
    stream.seek(max(0, size - _LAST_BYTES))
    last = _LAST_LINE.fullmatch(stream.read(_LAST_BYTES))
    if last is None or int(last[1]) > size - _LAST_BYTES:
        raise RunError(f"{path} is no store of pictures, or not a whole one: it has {size:,} bytes. {_CURE}")
    if _digest(stream, size - _DIGEST_BYTES) != last[2].decode():
        raise RunError(f"{path} is not as it was written: some of its {size:,} bytes have changed. {_CURE}")
    stream.seek(size - _LAST_BYTES - int(last[1]))
    return stream.read(int(last[1]))


def _mapped(path: Path, size: int, facts: dict[str, Any], facts_bytes: int) -> ImageStore:  # Any: what JSON holds
    side, left_out = facts["side"], {number: Broken(name, reason) for number, name, reason in facts["left_out"]}
    shape = (facts["sources"] - len(left_out), side, side, 3)
    if not 0 < math.prod(shape) == size - facts_bytes - _LAST_BYTES:
        raise ValueError(f"it should hold pictures of shape {shape} in {size:,} bytes")
    return ImageStore(
        images=numpy.memmap(path, dtype=numpy.uint8, mode="r", shape=shape),
        fit=facts["fit"],
        kept=tuple(number for number in range(facts["sources"]) if number not in left_out),
        broken=tuple(left_out.values()),
        built_from=facts["built_from"],
    )


def _digest(stream: BinaryIO, size: int) -> str:
    """Return the SHA-256 of the first `size` bytes."""
    digest, left = hashlib.sha256(), size
    stream.seek(0)
    while part := stream.read(min(_PART, left)):
        digest.update(part)
        left -= len(part)
    return digest.hexdigest()
