"""The tokenizer: text comes back, places are right, and user text never becomes a special piece."""

import hashlib
import json
import pickle
import time
import unicodedata
from typing import get_args

import pytest
import tokenizers
from hypothesis import given, settings
from hypothesis import strategies as st

from heed.errors import DataError, RunError
from heed.tokens.settings import TokenizerKind, TokenizerSettings
from heed.tokens.tokenizer import Tokenizer
from heed.tokens.training import train_tokenizer

KINDS: tuple[TokenizerKind, ...] = get_args(TokenizerKind)
TEXTS = [
    "Is he here?",
    "l'Afrique est loin.",
    'He said: (well-known) "words" #1, 3.14 and x[END]y [END]!',
    "Où est-il ? L'été…",
    "ma má mà mả mã mạ",
    "nhà_hàng rất ngon,nhưng đắt",
    "don't",
]
every_kind = pytest.mark.parametrize("kind", KINDS)


def train(kind: TokenizerKind, texts: list[str] = TEXTS, **values: int | bool) -> Tokenizer:
    return train_tokenizer(texts, TokenizerSettings(kind=kind, **values))  # type: ignore[arg-type]


@every_kind
def test_text_comes_back_as_it_was(kind: TokenizerKind) -> None:
    tokenizer = train(kind)
    assert [tokenizer.decode(tokenizer.encode(text).ids) for text in TEXTS] == TEXTS


spaced_words = st.lists(st.text(alphabet="abé'?.!(#_-[]END’￮đ", min_size=1, max_size=6), min_size=1, max_size=5)


@settings(max_examples=60, deadline=None)
@given(words=spaced_words, kind=st.sampled_from(KINDS))
def test_any_mixture_of_letters_and_punctuation_comes_back(words: list[str], kind: TokenizerKind) -> None:
    text = " ".join(words)
    tokenizer = train(kind, [text])
    assert tokenizer.decode(tokenizer.encode(text).ids) == text


@settings(max_examples=60, deadline=None)
@given(st.text(alphabet=st.characters(exclude_categories=["Cs"], exclude_characters="▁"), min_size=1))
def test_characters_bring_any_text_back_composed(text: str) -> None:
    tokenizer = train("characters", [text, "a"])
    assert tokenizer.decode(tokenizer.encode(text).ids) == unicodedata.normalize("NFC", text)


@pytest.mark.parametrize(
    ("kind", "pieces"),
    [
        ("bpe", "▁l'Afrique ▁est ▁loin ."),
        ("wordpiece", "l ￭'￭ Afrique est loin ￭."),
        ("words", "l ￭'￭ Afrique est loin ￭."),
        ("characters", "l ' A f r i q u e ▁ e s t ▁ l o i n ."),
    ],
)
def test_pieces_carry_the_marks_of_their_scheme(kind: TokenizerKind, pieces: str) -> None:
    assert train(kind).encode("l'Afrique est loin.").pieces == tuple(pieces.split(" "))


def test_between_two_signs_the_second_one_carries_the_joiner() -> None:
    assert train("words", ["a ?! (b)"]).encode("a ?! (b)").pieces == ("a", "?", "￭!", "(￭", "b", "￭)")


def test_a_wordpiece_goes_on_inside_a_word_with_two_hash_signs() -> None:
    tokenizer = train("wordpiece", ["play play play", "i n g i n g"], minimum_count=2, size=30)
    assert tokenizer.encode("playing").pieces == ("play", "##i", "##n", "##g")
    assert tokenizer.decode(tokenizer.encode("playing").ids) == "playing"


@every_kind
def test_offsets_are_places_in_the_text_that_was_given(kind: TokenizerKind) -> None:
    text = "l'été (Nội), má?"
    for form in ("NFC", "NFD"):
        given_text = unicodedata.normalize(form, text)
        encoded = train(kind, [*TEXTS, text]).encode(given_text)
        found = [unicodedata.normalize("NFC", given_text[start:end]) for start, end in encoded.offsets]
        # bpe gives the space to the word that follows it
        assert [piece.strip("▁￭").removeprefix("##") for piece in encoded.pieces] == [part.strip() for part in found]
        assert encoded.offsets[-1][1] == len(given_text)


def test_offsets_of_decomposed_text_are_the_ones_worked_by_hand() -> None:
    # m a ´ ? ' e ´ : the joiners of "?" and "'" take no room, and accents belong to the letter before them.
    tokenizer = train("words", ["má ? 'é", "má?'é"])
    assert tokenizer.encode("ma\u0301?'e\u0301").offsets == ((0, 3), (3, 4), (4, 5), (5, 7))


def test_the_offsets_of_an_unknown_sign_do_not_reach_into_the_word_before() -> None:
    encoded = train("words", ["abc"]).encode("abc€")
    assert encoded.pieces == ("abc", "[UNK]")
    assert encoded.offsets == ((0, 3), (3, 4))


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.text(alphabet="ea xİ'?[]\u0301\u0323\u1100\u1161▁￭_\n", max_size=8), max_size=4), st.sampled_from(KINDS)
)
def test_offsets_run_forward_and_many_texts_equal_each_alone(texts: list[str], kind: TokenizerKind) -> None:
    tokenizer = train(kind, [*TEXTS, "e x"], lowercase=True)
    many = tokenizer.encode_many(texts)
    assert many == [tokenizer.encode(text) for text in texts]
    assert tokenizer.ids_of(texts) == [list(encoded.ids) for encoded in many]
    for text, encoded in zip(texts, many, strict=True):
        assert len(encoded.ids) == len(encoded.pieces) == len(encoded.offsets)
        assert all(0 <= start <= end <= len(text) for start, end in encoded.offsets)
        assert list(encoded.offsets) == sorted(encoded.offsets)


@every_kind
def test_text_that_spells_a_special_piece_stays_text(kind: TokenizerKind) -> None:
    texts = ["[END]", "x[END]", "[PAD] [UNK][START] [MASK]", "[END] [END]"] * 20
    tokenizer = train_tokenizer(texts, TokenizerSettings(kind=kind), specials="bert")
    for one in (tokenizer, Tokenizer.from_json(tokenizer.to_json()), pickle.loads(pickle.dumps(tokenizer))):
        assert all(id > one.id_of("[MASK]") for ids in one.ids_of(texts) for id in ids)
        assert all(id > one.id_of("[MASK]") for text in texts for id in one.encode(text).ids)
        assert [one.decode(ids) for ids in one.ids_of(texts)] == texts


@every_kind
def test_the_special_ids_are_fixed_and_decoding_drops_them(kind: TokenizerKind) -> None:
    ours, bert = train(kind, ["a b"]), train_tokenizer(["a b"], TokenizerSettings(kind=kind), specials="bert")
    assert ours.specials == ("[PAD]", "[UNK]", "[START]", "[END]")
    assert bert.specials == ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
    for tokenizer in (ours, bert):
        assert (tokenizer.pad, tokenizer.unknown, tokenizer.start, tokenizer.end) == (0, 1, 2, 3)
        assert [tokenizer.piece(id) for id in range(len(tokenizer.specials))] == list(tokenizer.specials)
        assert tokenizer.decode([2, *tokenizer.encode("a b").ids, 3, 0, 0]) == "a b"
    assert (ours.mask, bert.mask) == (None, 4)


@every_kind
def test_lowercase_alone_keeps_vietnamese_tones(kind: TokenizerKind) -> None:
    tokenizer = train(kind, lowercase=True)
    words = ["Ma", "MÁ", "mà", "mả", "mã", "mẠ"]
    assert len({encoded.ids for encoded in tokenizer.encode_many(words)}) == 6
    assert tokenizer.decode(tokenizer.encode("Ma MÁ mà mả mã mẠ").ids) == "ma má mà mả mã mạ"


def test_accents_are_stripped_only_when_asked_and_capitals_stay() -> None:
    tokenizer = train("bpe", [*TEXTS, "Ma 한글"], strip_accents=True)
    assert tokenizer.decode(tokenizer.encode("Má mà 한글").ids) == "Ma ma 한글"


def test_composed_and_decomposed_text_get_the_same_ids() -> None:
    for kind in KINDS:
        tokenizer = train(kind)
        assert tokenizer.encode("mạ\u0301".replace("\u0301", "")).ids == tokenizer.encode("ma\u0323").ids


@pytest.mark.parametrize(("kind", "back"), [("bpe", "a⁇b"), ("words", "⁇"), ("wordpiece", "⁇"), ("characters", "a⁇b")])
def test_unknown_pieces_are_counted_and_shown(kind: TokenizerKind, back: str) -> None:
    tokenizer = train(kind, ["ab a b"])
    encoded = tokenizer.encode("a漢b")
    assert encoded.unknown == encoded.ids.count(1) == 1
    assert tokenizer.decode(encoded.ids) == back
    assert tokenizer.encode("ab").unknown == 0


def test_the_marks_themselves_become_their_look_alikes() -> None:
    assert train("bpe", ["a_b"]).decode(train("bpe", ["a_b"]).encode("a▁b").ids) == "a_b"
    assert train("words", ["a■b"]).decode(train("words", ["a■b"]).encode("a￭b").ids) == "a■b"


def seconds_to_encode(kind: TokenizerKind, unit: str, length: int) -> float:
    tokenizer = train(kind)
    line = unit * (length // len(unit))
    began = time.process_time()  # of this process: others may keep the machine busy
    tokenizer.encode(line)
    return time.process_time() - began


@every_kind
@pytest.mark.parametrize("unit", ["a", "!", "a'", "[END]", " ", "e\u0301", "\u0301"])
def test_a_very_long_line_does_not_hang(kind: TokenizerKind, unit: str) -> None:
    assert seconds_to_encode(kind, unit, 100_000) < 1


@pytest.mark.slow
@every_kind
@pytest.mark.parametrize("unit", ["a", "a'", "\u0301"])
def test_a_line_of_a_megabyte_takes_as_long_as_its_parts(kind: TokenizerKind, unit: str) -> None:
    part, whole = (seconds_to_encode(kind, unit, length) for length in (100_000, 1_000_000))
    # Ten times the work, and room for a busy machine; if it grew with the square, a hundred times.
    assert whole < 40 * max(part, 0.01)


@every_kind
def test_json_opens_in_the_library_and_comes_back_equal(kind: TokenizerKind) -> None:
    tokenizer = train(kind)
    text = "Is he here? l'été"
    library = tokenizers.Tokenizer.from_str(tokenizer.to_json())
    assert tuple(library.encode(text).ids) == tokenizer.encode(text).ids
    assert library.decode(library.encode(text).ids) == text
    again = Tokenizer.from_json(tokenizer.to_json())
    assert again.to_json() == tokenizer.to_json()
    assert again.fingerprint == tokenizer.fingerprint
    assert again.encode(text) == tokenizer.encode(text)


def test_the_fingerprint_does_not_depend_on_the_layout_of_the_json_but_on_what_it_says() -> None:
    tokenizer = train("bpe")
    spread_out = json.dumps(json.loads(tokenizer.to_json()), indent=3)
    assert Tokenizer.from_json(spread_out).fingerprint == tokenizer.fingerprint
    canonical = json.dumps(json.loads(spread_out), sort_keys=True, separators=(",", ":"))
    assert tokenizer.fingerprint == hashlib.sha256(canonical.encode()).hexdigest()
    assert train("bpe", lowercase=True).fingerprint != tokenizer.fingerprint


def changed(**values: object) -> str:
    """Return a tokenizer's JSON with some of its model's values changed."""
    whole = json.loads(train("words", ["a b"]).to_json())
    whole["model"].update(values)
    return json.dumps(whole)


def without(key: str) -> str:
    whole = json.loads(train("words", ["a b"]).to_json())
    whole[key] = None if key == "decoder" else []
    return json.dumps(whole)


SPECIALS = {"[PAD]": 0, "[UNK]": 1, "[START]": 2, "[END]": 3}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "not readable JSON"),
        (train("bpe").to_json()[:-40], "not readable JSON"),
        ("[" * 100_000, "not readable JSON"),
        ('{"n": ' + "9" * 5_000 + "}", "not readable JSON"),
        ("[1]", r"no vocabulary.*\[1\]"),
        ('{"version": "1.0", "model": {"type": "BPE"}}', "no vocabulary"),
        (without("decoder"), "no decoder"),
        (without("added_tokens"), "special pieces are"),
        (changed(unk_token="[UNQ]"), r"unknown piece is '\[UNQ\]'"),
        (changed(type="Perceptron"), "damaged"),
        (changed(vocab={**SPECIALS, "[PAD]": 7}), "4 pieces .* do not have the ids 0 to 3"),
        (changed(vocab={**SPECIALS, "a": 5}), "5 pieces .* do not have the ids 0 to 4"),
    ],
)
def test_damaged_json_is_one_sentence(text: str, message: str) -> None:
    with pytest.raises(RunError, match=message):
        Tokenizer.from_json(text)


def test_a_file_that_asks_for_cutting_does_not_get_it() -> None:
    library = tokenizers.Tokenizer.from_str(train("words", ["a b"]).to_json())
    library.enable_truncation(2)
    library.enable_padding(length=9)
    assert Tokenizer.from_json(library.to_str()).encode("a b a b").ids == (4, 5, 4, 5)


def test_an_id_or_piece_that_does_not_exist_is_an_error() -> None:
    tokenizer = train("words", ["a b"])
    for id in (6, -1):
        with pytest.raises(DataError, match=f"id {id}.*from 0 to 5"):
            tokenizer.piece(id)
        with pytest.raises(DataError, match=f"id {id}"):
            tokenizer.decode([4, id])
    with pytest.raises(DataError, match=r"\[MASK\]"):
        tokenizer.id_of("[MASK]")


def test_what_is_not_text_is_an_error_that_names_it() -> None:
    tokenizer = train("words", ["a b"])
    with pytest.raises(DataError, match=r"Text 1 .*surrogate.*ud800"):
        tokenizer.encode_many(["a", "\ud800"])
    with pytest.raises(DataError, match="Text 1 is not text but int: 7"):
        tokenizer.ids_of(["a", 7])  # type: ignore[list-item]


@every_kind
def test_empty_text_has_no_pieces(kind: TokenizerKind) -> None:
    tokenizer = train(kind)
    assert tokenizer.encode("").ids == ()
    assert tokenizer.decode([]) == ""
    assert tokenizer.encode_many([]) == []
