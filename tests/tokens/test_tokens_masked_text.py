"""Text with gaps: each becomes one mask, and what stands around it is cut as if a word stood there."""

from typing import get_args

import pytest

from heed.errors import DataError
from heed.tokens.masked_text import encode_gaps
from heed.tokens.settings import TokenizerKind, TokenizerSettings
from heed.tokens.tokenizer import Tokenizer
from heed.tokens.training import train_tokenizer

TEXT = "Is he here? He is here."


def trained(kind: TokenizerKind) -> Tokenizer:
    return train_tokenizer([TEXT] * 5, TokenizerSettings(kind=kind, size=200), "bert")


@pytest.mark.parametrize("kind", ["bpe", "words", "wordpiece"])
@pytest.mark.parametrize("word", ["here", "He", "Is", "is"])
def test_a_gap_takes_the_place_of_a_word_and_changes_nothing_around_it(kind: TokenizerKind, word: str) -> None:
    tokenizer = trained(kind)
    whole = tokenizer.encode(TEXT).ids
    gaps = encode_gaps(TEXT.replace(word, "[MASK]"), tokenizer)
    places = {id for id in whole if tokenizer.piece(id).strip("▁￭") == word}
    assert gaps == [tokenizer.mask if id in places else id for id in whole]
    assert tokenizer.mask in gaps


def test_a_gap_in_characters_is_one_character() -> None:
    tokenizer = trained("characters")
    whole = list(tokenizer.encode(TEXT).ids)
    assert encode_gaps(TEXT.replace("I", "[MASK]"), tokenizer) == [tokenizer.mask, *whole[1:]]


@pytest.mark.parametrize("kind", get_args(TokenizerKind))
def test_a_text_without_gaps_is_the_text(kind: TokenizerKind) -> None:
    tokenizer = trained(kind)
    assert encode_gaps(TEXT, tokenizer) == tokenizer.ids_of([TEXT])[0]


def test_the_sign_that_stands_for_a_gap_is_refused_in_a_text() -> None:
    with pytest.raises(DataError, match=r"U\+E000.*'a \\ue000'"):
        encode_gaps("a \ue000", trained("words"))
