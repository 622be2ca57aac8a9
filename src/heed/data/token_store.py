"""`TokenStore`: a corpus as numbers on disk, mapped into memory, so that it may be larger than memory.

    tokens.bin       all tokens one after the other, 2 bytes each (4 if the vocabulary has more than 65,535 pieces)
    sentences.bin    where each sentence ends among the tokens, 8 bytes each
    documents.bin    where each document ends among the sentences, 8 bytes each
    store.json       counts, and the SHA-256 of the three, by which a changed byte is seen

Written once by `write_store`, a bounded number of documents at a time.
"""

import hashlib
import json
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from typing import BinaryIO, Protocol

import numpy
from numpy.typing import NDArray

from heed.data.documents import Document
from heed.errors import DataError, RunError
from heed.files.atomic import write_text

TOKENS, SENTENCES, DOCUMENTS, FACTS = "tokens.bin", "sentences.bin", "documents.bin", "store.json"
AT_ONCE = 2_000  # documents that are encoded together
_PART = 1 << 20  # bytes that are hashed at a time
_CURE = "Begin the run again with --force."

Integers = NDArray[numpy.int64]


class Encoder(Protocol):
    """What makes numbers of texts."""

    @property
    def size(self) -> int:
        """Return how many different numbers there are."""

    @property
    def unknown(self) -> int:
        """Return the number of what is not known."""

    def ids_of(self, texts: Sequence[str]) -> list[list[int]]:
        """Return the numbers of each text."""


@dataclass(frozen=True)
class StoreFacts:
    """What is known of a store."""

    tokens: int
    unknown: int
    sentences: int
    documents: int
    bytes_each: int  # of a token
    digests: dict[str, str]


@dataclass(frozen=True, eq=False)
class TokenStore:
    """A corpus on disk; the arrays are mapped, not read."""

    tokens: NDArray[numpy.uint16] | NDArray[numpy.uint32]
    sentence_ends: Integers
    document_ends: Integers
    facts: StoreFacts


def write_store(folder: Path, documents: Iterable[Document], encoder: Encoder) -> StoreFacts:
    """Write the documents as numbers into a folder that exists; a sentence without a token is left out."""
    bytes_each = 2 if encoder.size <= 2**16 else 4
    counts = _Counts()
    with (
        (folder / TOKENS).open("wb") as tokens,
        (folder / SENTENCES).open("wb") as sentences,
        (folder / DOCUMENTS).open("wb") as ends,
    ):
        waiting = iter(documents)
        while chunk := list(islice(waiting, AT_ONCE)):
            for encoded in _encoded(chunk, encoder):
                counts = _write(encoded, counts, (tokens, sentences, ends), bytes_each, encoder.unknown)
        for stream in (tokens, sentences, ends):
            stream.flush()
            os.fsync(stream.fileno())
    if not counts.tokens:
        raise DataError("The corpus holds no text that has tokens. Give files with text in them.")
    digests = {name: _digest(folder / name) for name in (TOKENS, SENTENCES, DOCUMENTS)}
    facts = StoreFacts(counts.tokens, counts.unknown, counts.sentences, counts.documents, bytes_each, digests)
    write_text(folder / FACTS, json.dumps(asdict(facts), indent=2, sort_keys=True) + "\n")
    return facts


def open_store(folder: Path) -> TokenStore:
    """Return the store in a folder; refuse one of which a byte has changed."""
    facts = _read_facts(folder / FACTS)
    for name, digest in facts.digests.items():
        if _digest(folder / name) != digest:
            raise RunError(f"{folder / name} is not as it was written: its bytes have changed. {_CURE}")
    kind = numpy.uint16 if facts.bytes_each == 2 else numpy.uint32
    return TokenStore(
        tokens=numpy.memmap(folder / TOKENS, dtype=kind, mode="r"),
        sentence_ends=numpy.memmap(folder / SENTENCES, dtype=numpy.int64, mode="r"),
        document_ends=numpy.memmap(folder / DOCUMENTS, dtype=numpy.int64, mode="r"),
        facts=facts,
    )


@dataclass(frozen=True)
class _Counts:
    tokens: int = 0
    unknown: int = 0
    sentences: int = 0
    documents: int = 0


def _encoded(documents: Sequence[Document], encoder: Encoder) -> Iterator[list[list[int]]]:
    """Yield the sentences of each document as numbers; all are encoded together, on all cores."""
    ids = iter(encoder.ids_of([sentence for document in documents for sentence in document.sentences]))
    for document in documents:
        yield [sentence for sentence in islice(ids, len(document.sentences)) if sentence]


def _write(
    sentences: list[list[int]], counts: _Counts, streams: tuple[BinaryIO, ...], bytes_each: int, unknown: int
) -> _Counts:
    if not sentences:
        return counts
    tokens, sentence_ends, document_ends = streams
    flat = [id for sentence in sentences for id in sentence]
    ends = counts.tokens + numpy.cumsum([len(sentence) for sentence in sentences], dtype=numpy.int64)
    tokens.write(numpy.asarray(flat, dtype=numpy.uint16 if bytes_each == 2 else numpy.uint32).tobytes())
    sentence_ends.write(ends.tobytes())
    whole = counts.sentences + len(sentences)
    document_ends.write(numpy.int64(whole).tobytes())
    return _Counts(counts.tokens + len(flat), counts.unknown + flat.count(unknown), whole, counts.documents + 1)


def _digest(path: Path) -> str:
    digest = hashlib.sha256()
    try:
        with path.open("rb") as stream:
            while part := stream.read(_PART):
                digest.update(part)
    except OSError as error:
        raise RunError(f"{path} cannot be read: {error.strerror}. {_CURE}") from None
    return digest.hexdigest()


def _read_facts(path: Path) -> StoreFacts:
    try:
        values = json.loads(path.read_bytes())
        facts = StoreFacts(**values)
    except OSError as error:
        raise RunError(f"{path} cannot be read: {error.strerror}. {_CURE}") from None
    except (ValueError, TypeError, RecursionError):
        raise RunError(f"{path} does not say what a store of tokens holds. {_CURE}") from None
    if set(facts.digests) != {TOKENS, SENTENCES, DOCUMENTS} or facts.bytes_each not in (2, 4):
        raise RunError(f"{path} does not say what a store of tokens holds. {_CURE}")
    return facts
