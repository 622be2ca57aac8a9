"""Which tokens stand in the place of hidden ones."""

import numpy
import pytest

from heed.tasks.masking import build_masking
from heed.tokens.settings import TokenizerSettings
from heed.tokens.tokenizer import Tokenizer
from heed.tokens.training import train_tokenizer

WORDS = [f"w{number:02}" for number in range(12)]


@pytest.fixture(scope="module")
def tokenizer() -> Tokenizer:
    return train_tokenizer([" ".join(WORDS)], TokenizerSettings(kind="words"), "bert")


def test_no_special_token_but_the_mask_stands_in_for_a_hidden_one(tokenizer: Tokenizer) -> None:
    masking = build_masking(tokenizer, 0.5, whole_words=False)
    token_ids = numpy.asarray([tokenizer.id_of(word) for word in WORDS])
    special = {tokenizer.id_of(piece) for piece in tokenizer.specials} - {tokenizer.mask}
    shown = {int(id) for seed in range(200) for id in masking.draw(token_ids, numpy.random.default_rng(seed)).token_ids}
    assert shown & special == set()
    assert {tokenizer.mask, *token_ids.tolist()} <= shown


def test_a_tenth_of_the_hidden_tokens_becomes_another_one(tokenizer: Tokenizer) -> None:
    masking = build_masking(tokenizer, 0.5, whole_words=False)
    token_ids = numpy.asarray([tokenizer.id_of(word) for word in WORDS])
    drawn = [masking.draw(token_ids, numpy.random.default_rng(seed)) for seed in range(2000)]
    hidden = sum(int(each.chosen.sum()) for each in drawn)
    others = sum(int(((each.token_ids != token_ids) & (each.token_ids != tokenizer.mask)).sum()) for each in drawn)
    # Of the replaced ones, one in twelve happens to be the word itself.
    assert others / hidden == pytest.approx(0.1 * 11 / 12, abs=0.01)
