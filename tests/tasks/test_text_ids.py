"""A text becomes ids and ids become the text again, line ends included, whatever the pieces are."""

import pytest
import tokenizers
from tokenizers import AddedToken, decoders, models, pre_tokenizers

from heed.tasks import text_ids
from heed.tasks.text_ids import decode_text, encode_text, has_line_ends
from heed.tokens.settings import TokenizerKind, TokenizerSettings
from heed.tokens.tokenizer import Tokenizer
from heed.tokens.training import train_tokenizer

LINES = ["", "to be, or not to be", "that is the question:", "", "", "whether 'tis nobler"]
KINDS: tuple[TokenizerKind, ...] = ("characters", "bpe", "words", "wordpiece")


def trained(kind: TokenizerKind) -> Tokenizer:
    return train_tokenizer(LINES, TokenizerSettings(kind=kind, size=90))


def of_bytes() -> Tokenizer:
    """Return a tokenizer as GPT-2's: every byte is a piece, and one special piece has all roles."""
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    library = tokenizers.Tokenizer(models.BPE({piece: id for id, piece in enumerate(alphabet)}, []))
    library.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    library.decoder = decoders.ByteLevel()
    library.add_special_tokens([AddedToken("<|endoftext|>", normalized=False, special=True)])
    return Tokenizer(library)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("last", ["", "\n", "\n\n"])
def test_a_text_comes_back_with_every_line_end(kind: TokenizerKind, last: str) -> None:
    tokenizer, text = trained(kind), "\n".join(LINES) + last
    encoded = encode_text(text, tokenizer)
    assert decode_text(encoded.ids[1:].tolist(), tokenizer) == text
    assert encoded.unknown == 0


@pytest.mark.parametrize("kind", KINDS)
def test_the_end_stands_before_the_text_and_for_each_line_end(kind: TokenizerKind) -> None:
    tokenizer, text = trained(kind), "\n".join(LINES)
    ids = encode_text(text, tokenizer).ids.tolist()
    assert ids[0] == tokenizer.end
    assert ids[1:].count(tokenizer.end) == text.count("\n")
    assert not has_line_ends(tokenizer)


@pytest.mark.parametrize("kind", KINDS)
def test_a_text_is_the_same_in_however_many_parts_it_is_encoded(
    kind: TokenizerKind, monkeypatch: pytest.MonkeyPatch
) -> None:
    tokenizer, text = trained(kind), "\n".join(LINES)
    whole = encode_text(text, tokenizer).ids.tolist()
    for lines in (1, 2, 3, 6):
        monkeypatch.setattr(text_ids, "LINES_AT_ONCE", lines)
        assert encode_text(text, tokenizer).ids.tolist() == whole, f"{lines} lines at once"


def test_a_vocabulary_of_bytes_keeps_line_ends_as_its_own_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    tokenizer, text = of_bytes(), "one\n\ntwé\n"
    assert has_line_ends(tokenizer)
    for lines in (1, 2, 100):
        monkeypatch.setattr(text_ids, "LINES_AT_ONCE", lines)
        encoded = encode_text(text, tokenizer)
        assert encoded.ids.tolist().count(tokenizer.end) == 1
        assert len(encoded) == len(text.encode())
        assert decode_text(encoded.ids[1:].tolist(), tokenizer) == text
        assert encoded.unknown == 0


def test_characters_words_and_unknown_tokens_are_counted() -> None:
    encoded = encode_text("to be\n\nor zoo\n", trained("characters"))
    assert encoded.characters == 14
    assert encoded.words == 4 + 3  # each line end is a word
    assert encoded.unknown == 1  # z
    assert len(encoded) == 14


SPACED = [" to be", "  not  to be ", "", " ", "the question"]


@pytest.mark.parametrize("kind", ["characters", "bpe"])
def test_lines_of_running_text_come_back_with_the_spaces_that_they_begin_with(kind: TokenizerKind) -> None:
    tokenizer = train_tokenizer(LINES, TokenizerSettings(kind=kind, size=90), leading_space=True)
    text = "\n".join(SPACED)
    encoded = encode_text(text, tokenizer)
    assert decode_text(encoded.ids[1:].tolist(), tokenizer) == text
    assert encoded.characters == len(text)


@pytest.mark.parametrize("kind", KINDS)
def test_only_characters_that_the_tokens_give_back_are_counted(kind: TokenizerKind) -> None:
    tokenizer, text = trained(kind), "\n".join(SPACED)
    encoded = encode_text(text, tokenizer)
    assert encoded.characters == len(decode_text(encoded.ids[1:].tolist(), tokenizer))
    assert (encoded.characters == len(text)) == (kind == "characters")


def test_accents_that_are_written_apart_are_counted_as_the_composed_letter_that_is_predicted() -> None:
    tokenizer = train_tokenizer(["é è"], TokenizerSettings(kind="characters", size=90, minimum_count=1))
    assert encode_text("e\u0301 e\u0300", tokenizer).characters == 3


def test_a_space_that_a_text_begins_with_is_part_of_running_text_only() -> None:
    settings = TokenizerSettings(kind="bpe", size=90)
    standing, running = (train_tokenizer(LINES, settings, leading_space=each) for each in (False, True))
    assert standing.ids_of([" to be"]) == standing.ids_of(["to be"]) == running.ids_of(["to be"])
    assert running.ids_of([" to be"]) != running.ids_of(["to be"])


def test_an_empty_text_has_no_token() -> None:
    assert len(encode_text("", trained("words"))) == 0
