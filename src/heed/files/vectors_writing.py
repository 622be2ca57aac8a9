"""Write word vectors as text that word2vec's, GloVe's and our own readers take; every float32 comes back as it was.

The file appears whole or not at all, and is never in memory as a whole.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from heed.errors import DataError
from heed.files.atomic import write_chunks
from heed.files.quoting import quote

BLOCK = 1000  # words formatted together
DIGITS = 9  # significant ones: fewer would not tell all float32 apart
NUMBER_BYTES = 13  # about what a number takes on the disk


def write_word2vec(path: Path, words: Sequence[str], table_VD: NDArray[np.float32]) -> None:
    """Write the vectors with a first line that says how many there are and how many numbers each has."""
    header = f"{len(words)} {table_VD.shape[1]}\n".encode()
    _write(path, words, table_VD, header)


def write_glove(path: Path, words: Sequence[str], table_VD: NDArray[np.float32]) -> None:
    """Write the vectors without a first line of their own."""
    _write(path, words, table_VD, b"")


def _write(path: Path, words: Sequence[str], table_VD: NDArray[np.float32], header: bytes) -> None:
    assert len(words) == len(table_VD), f"{len(words)} words, {len(table_VD)} vectors"
    for word in words:
        _check(path, word)
    write_chunks(path, _chunks(words, table_VD, header), size=table_VD.size * NUMBER_BYTES)


def _chunks(words: Sequence[str], table_VD: NDArray[np.float32], header: bytes) -> Iterator[bytes]:
    yield header
    line = "%s" + f" %.{DIGITS}g" * table_VD.shape[1] + "\n"
    for start in range(0, len(words), BLOCK):
        rows = zip(words[start : start + BLOCK], table_VD[start : start + BLOCK].tolist(), strict=True)
        yield "".join(line % (word, *numbers) for word, numbers in rows).encode()


def _check(path: Path, word: str) -> None:
    # A space parts the word from its numbers; a reader cannot tell a word with a space from one number too many.
    if not word or any(sign.isspace() for sign in word):
        raise DataError(
            f"The word {quote(word)} cannot be written to {path}: it is empty or has a space in it, and a space ends a "
            f'word there. Join its parts by "_".'
        )
