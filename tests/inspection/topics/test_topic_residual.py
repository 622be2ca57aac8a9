"""Residuals: what words, order and gradients are after many blocks."""

import pytest

from heed.errors import UsageError
from heed.inspection.given import Given
from heed.inspection.topics.residual import DEPTH, measure, show_residual

WORDS = ("one", "two", "three")


def test_residuals_keep_words_apart_and_their_order() -> None:
    kept, lost = measure(WORDS, residual=True), measure(WORDS, residual=False)
    assert kept.likeness[3] < 0.9 < 0.99 < lost.likeness[3]
    assert kept.order[3] > 1000 * lost.order[3]


def test_without_residuals_and_norms_gradients_vanish() -> None:
    kept, lost = measure(WORDS, residual=True), measure(WORDS, residual=False)
    assert len(kept.gradient) == DEPTH
    assert kept.gradient[-1] >= kept.gradient[0]
    assert lost.gradient[-1] < 0.001 * lost.gradient[0]


def test_a_readers_words_are_measured(table) -> None:
    own, decks = (table(show_residual(Given(texts=texts)), "Likeness").cells for texts in (("mưa rơi nhẹ",), ()))
    assert own != decks


def test_a_single_word_is_refused() -> None:
    with pytest.raises(UsageError, match="'alone' is one word"):
        show_residual(Given(texts=("alone",)))
