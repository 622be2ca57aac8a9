"""Word vectors that were learnt elsewhere, put into a model's embedding before training."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from heed.errors import SettingsError
from heed.tokens.pipeline import CONTINUING, JOINER, SPACE


class WordVectors(Protocol):
    """Vectors of words, as `heed.files.vectors` reads them."""

    @property
    def rows(self) -> Mapping[str, int]:
        """Where in the table each word stands."""

    @property
    def table(self) -> NDArray[np.float32]:
        """The vectors, one a row."""


def spellings(piece: str) -> tuple[str, ...]:
    """Return how the word of a piece may be spelt in a file of vectors, best first; what goes on a word is none."""
    if piece.startswith(CONTINUING):
        return ()
    # A piece that is nothing but a mark is looked for as it is.
    word = piece.strip(JOINER).removeprefix(SPACE) or piece
    return (word, word.lower())


def wanted_words(pieces: Iterable[str]) -> set[str]:
    """Return all words that `start_embedding` would look for."""
    return {word for piece in pieces for word in spellings(piece)}


@torch.no_grad()
def start_embedding(embedding: nn.Embedding, pieces: Sequence[str], vectors: WordVectors) -> int:
    """Copy the vector of each piece whose word has one, as spelt or else in lower case; return how many had.

    All are multiplied by one factor that gives them the spread of the embedding. Files differ in size by a factor of
    ten; a model's first steps count on its own, and words without a vector keep it, so that neither drowns the other.
    One factor for all keeps what the vectors know: directions, and which words are longer than others.
    """
    assert len(pieces) == embedding.num_embeddings, f"{len(pieces)} pieces, {embedding.num_embeddings} rows"
    found = _found(pieces, vectors.rows)
    _refuse_other_width(embedding, vectors)
    if not found:
        return 0
    table_NE = torch.from_numpy(vectors.table)[list(found.values())].to(embedding.weight)
    spread = table_NE.square().mean().sqrt()
    if spread > 0:
        table_NE *= embedding.weight.square().mean().sqrt() / spread
    embedding.weight[list(found)] = table_NE
    return len(found)


def _found(pieces: Sequence[str], rows: Mapping[str, int]) -> dict[int, int]:
    """Return for each piece that has a vector, by its id, the row in which that stands."""
    found = {}
    for id, piece in enumerate(pieces):
        row = next((rows[word] for word in spellings(piece) if word in rows), None)
        if row is not None:
            found[id] = row
    return found


def _refuse_other_width(embedding: nn.Embedding, vectors: WordVectors) -> None:
    width = vectors.table.shape[1]
    if width != embedding.embedding_dim:
        raise SettingsError(
            f"The word vectors have {width} numbers each, the model's have {embedding.embedding_dim}. "
            f"Use model.embedding={width} (model.width={width} for a transformer), or another file of vectors."
        )
