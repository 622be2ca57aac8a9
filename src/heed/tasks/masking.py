"""Masking (Devlin et al. 2019, section 3.1): which tokens a BERT must find, and what stands in their place meanwhile.

15 % of the tokens are chosen; of these 80 % become [MASK], 10 % any other token, and 10 % stay what they are. With
whole words, all pieces of a word are chosen together.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy
from numpy.typing import NDArray

from heed.errors import SettingsError
from heed.tokens.pipeline import CONTINUING, SPACE
from heed.tokens.tokenizer import Tokenizer

Integers = NDArray[numpy.int64]
Truths = NDArray[numpy.bool_]

MASKED, REPLACED = 0.8, 0.1  # of the chosen tokens; the rest stays
_BYTE_SPACE = "Ġ"  # how vocabularies of bytes write a space before a word


@dataclass(frozen=True)
class Masked:
    """A sequence as the model sees it, and where it must say what stood there."""

    token_ids: Integers
    chosen: Truths


@dataclass(frozen=True, eq=False)
class Masking:
    """How the tokens of one vocabulary are hidden."""

    mask: int
    ordinary: Integers  # ids that may replace another: all but the special ones
    begins_word: Truths | None  # (V,) whether a piece begins a word; None: every piece is chosen for itself
    share: float

    def draw(self, token_ids: Integers, generator: numpy.random.Generator) -> Masked:
        """Return the tokens with some hidden; at least one always is."""
        chosen = self._choose(token_ids, generator)
        places = numpy.flatnonzero(chosen)
        fate = generator.random(len(places))
        others = self.ordinary[generator.integers(len(self.ordinary), size=len(places))]
        shown = token_ids.copy()
        shown[places[fate < MASKED]] = self.mask
        replaced = (fate >= MASKED) & (fate < MASKED + REPLACED)
        shown[places[replaced]] = others[replaced]
        return Masked(shown, chosen)

    def _choose(self, token_ids: Integers, generator: numpy.random.Generator) -> Truths:
        wanted = max(1, round(self.share * len(token_ids)))
        if self.begins_word is None:
            chosen = numpy.zeros(len(token_ids), dtype=bool)
            chosen[numpy.argpartition(generator.random(len(token_ids)), wanted - 1)[:wanted]] = True
            return chosen
        begun = numpy.cumsum(self.begins_word[token_ids], dtype=numpy.int64)
        words = begun - begun[0]
        order = numpy.argsort(generator.random(int(words[-1]) + 1))
        sizes = numpy.bincount(words, minlength=len(order))[order]
        # Words are taken until the share is reached, and no word further: the last may go a little beyond it.
        taken = order[: int(numpy.searchsorted(numpy.cumsum(sizes), wanted)) + 1]
        return numpy.isin(words, taken)


def build_masking(tokenizer: Tokenizer, share: float, whole_words: bool) -> Masking:
    """Return how texts of this vocabulary are masked."""
    if tokenizer.mask is None:
        raise SettingsError(
            f"The vocabulary has no piece that hides a word; its special pieces are {' '.join(tokenizer.specials)}. "
            f"Start from a BERT, or let heed pretrain train a vocabulary."
        )
    special = {tokenizer.id_of(piece) for piece in tokenizer.specials}
    ordinary = numpy.asarray([id for id in range(tokenizer.size) if id not in special], dtype=numpy.int64)
    pieces = [tokenizer.piece(id) for id in range(tokenizer.size)]
    return Masking(tokenizer.mask, ordinary, _word_beginnings(pieces) if whole_words else None, share)


def _word_beginnings(pieces: Sequence[str]) -> Truths:
    """Return for each piece whether a word begins with it, by the marks of its vocabulary."""
    for mark in (SPACE, _BYTE_SPACE):
        if sum(piece.startswith(mark) for piece in pieces) > 1:
            return numpy.asarray([piece.startswith(mark) for piece in pieces])
    return numpy.asarray([not piece.startswith(CONTINUING) for piece in pieces])


@dataclass(frozen=True)
class MaskingAudit:
    """What masking did in practice, over some sequences of the first epoch."""

    sequences: int
    tokens: int
    chosen: float  # share of the tokens
    masked: float  # shares of the chosen ones
    replaced: float
    kept: float


def audit(shown: Sequence[Masked], originals: Sequence[Integers], mask: int) -> MaskingAudit:
    """Return what masking did to these sequences."""
    ids = numpy.concatenate([each.token_ids for each in shown])
    chosen = numpy.concatenate([each.chosen for each in shown])
    before = numpy.concatenate(originals)
    masked = (ids == mask) & chosen
    kept = (ids == before) & chosen & ~masked
    count = max(1, int(chosen.sum()))
    return MaskingAudit(
        sequences=len(shown),
        tokens=len(ids),
        chosen=float(chosen.mean()),
        masked=float(masked.sum() / count),
        replaced=float((chosen & ~masked & ~kept).sum() / count),
        kept=float(kept.sum() / count),
    )
