"""`examples.digests` of a run: a digest of the input of every training, validation and test example.

An evaluation asks it which examples the run has seen. A digest is 64 bits of BLAKE2b over an example's key, so the file
takes 8 bytes an example; of a million new examples, the chance that even one is taken for one of ten million old ones
is one in two million. The file is a line of JSON with the counts, then the digests of each split, ascending,
little-endian. Runs made before 0.6.0 and imported models have none.
"""

import hashlib
import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

import numpy
from numpy.typing import NDArray

from heed.data.example_keys import Key
from heed.errors import RunError
from heed.runs.folder import RunFolder

SPLITS = ("train", "valid", "test")
DIGEST_BYTES = 8
_FORMAT = 1

Digests = NDArray[numpy.uint64]
Record = TypeVar("Record", covariant=True)
AnyRecord = TypeVar("AnyRecord")


class Splits(Protocol[Record]):
    """Records of one kind as training, validation and test set."""

    @property
    def train(self) -> Sequence[Record]:
        """Return the training set."""

    @property
    def valid(self) -> Sequence[Record]:
        """Return the validation set."""

    @property
    def test(self) -> Sequence[Record]:
        """Return the test set."""


@dataclass(frozen=True, eq=False)
class SeenExamples:
    """The digests of a run's examples, each ascending."""

    train: Digests
    valid: Digests
    test: Digests


def write_split_examples(folder: RunFolder, splits: Splits[AnyRecord], key: Callable[[AnyRecord], Key]) -> None:
    """Keep the digests of all records."""
    write_examples(folder, map(key, splits.train), map(key, splits.valid), map(key, splits.test))


def write_examples(folder: RunFolder, train: Iterable[Key], valid: Iterable[Key], test: Iterable[Key]) -> None:
    """Keep the digests of all keys, which are read one by one."""
    digests = [numpy.unique(digests_of(keys)) for keys in (train, valid, test)]
    counts = {split: len(each) for split, each in zip(SPLITS, digests, strict=True)}
    header = json.dumps({"format": _FORMAT, **counts}).encode() + b"\n"
    folder.write_examples(b"".join([header, *(each.astype("<u8").tobytes() for each in digests)]))


def read_examples(folder: RunFolder) -> SeenExamples | None:
    """Return the digests of a run's examples, or None for one that has kept none."""
    data = folder.read_examples()
    if data is None:
        return None
    line, _, rest = data.partition(b"\n")
    try:
        header = json.loads(line)
        if header["format"] != _FORMAT:
            raise RunError(
                f"The examples of {folder.path} are in format {header['format']}; this version reads {_FORMAT}. "
                f"Use the version of heed that trained it."
            )
        counts = [int(header[split]) for split in SPLITS]
        ends = numpy.cumsum(counts)
        train, valid, test, more = numpy.split(numpy.frombuffer(rest, dtype="<u8"), ends)
        if len(more) or len(test) != counts[-1]:
            raise ValueError(f"{len(rest):,} bytes for {counts} examples")
    except (ValueError, KeyError, TypeError) as error:
        raise RunError(f"The examples of {folder.path} cannot be read: {error}. Restore the folder.") from error
    return SeenExamples(train, valid, test)


def digests_of(keys: Iterable[Key]) -> Digests:
    """Return the digest of each key, in order."""
    return numpy.fromiter(map(_digest, keys), dtype=numpy.uint64)


def are_among(digests: Digests, known: Digests) -> NDArray[numpy.bool_]:
    """Return whether each digest is one of the known, which ascend."""
    if not len(known):
        return numpy.zeros(len(digests), dtype=bool)
    places = numpy.searchsorted(known, digests).clip(max=len(known) - 1)
    return known[places] == digests


def _digest(key: Key) -> int:
    # Lengths first: ("ab", "c") and ("a", "bc") are different examples.
    lengths = " ".join(str(len(text)) for text in key)
    data = "\n".join((lengths, *key)).encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(data, digest_size=DIGEST_BYTES).digest(), "little")
