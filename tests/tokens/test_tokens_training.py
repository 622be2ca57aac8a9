"""Training a vocabulary: the same bytes every time, sorted, silent, and clear about what cannot be."""

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import get_args

import pytest

from heed.errors import DataError, SettingsError
from heed.tokens.settings import TokenizerKind, TokenizerSettings
from heed.tokens.training import train_tokenizer

KINDS: tuple[TokenizerKind, ...] = get_args(TokenizerKind)
REAL = Path(__file__).parents[3] / "shared" / "data" / "multi30k_en_fr"
# All 456,976 words of four letters would tie; these 3,000 tie often enough to catch an order taken from a hash map.
PRINT_FINGERPRINTS = """
import random, sys
from heed.tokens.settings import TokenizerSettings
from heed.tokens.training import train_tokenizer
draw = random.Random(1)
words = ["".join(draw.choice("abcdefghij'.é") for _ in range(4)) for _ in range(3000)]
texts = [" ".join(words[place:place + 10]) for place in range(0, 3000, 10)]
for kind in ("bpe", "wordpiece", "words", "characters"):
    for minimum_count in (1, 2):
        settings = TokenizerSettings(kind=kind, size=400, minimum_count=minimum_count)
        print(train_tokenizer(texts, settings).fingerprint)
"""


def run_elsewhere(**environment: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-c", PRINT_FINGERPRINTS],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), **environment},
        capture_output=True,
        text=True,
        check=True,
    )


def test_every_process_and_any_number_of_threads_give_the_same_bytes_in_silence() -> None:
    runs = [
        run_elsewhere(PYTHONHASHSEED="1", TOKENIZERS_PARALLELISM="true"),
        run_elsewhere(PYTHONHASHSEED="2", TOKENIZERS_PARALLELISM="false"),
        run_elsewhere(PYTHONHASHSEED="3", RAYON_NUM_THREADS="4"),
    ]
    assert len({run.stdout for run in runs}) == 1
    assert len(set(runs[0].stdout.split())) >= 4  # one for each kind at least
    assert [run.stderr for run in runs] == ["", "", ""]


@pytest.mark.skipif(sys.platform == "win32", reason="there is no pseudo-terminal")
def test_training_draws_no_bar_on_a_terminal() -> None:
    reader, terminal = os.openpty()
    script = PRINT_FINGERPRINTS.replace("range(3000)", "range(300)").replace("print(", "(")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "TERM": "xterm"}
    subprocess.run(
        [sys.executable, "-c", script], env=environment, stdout=terminal, stderr=terminal, check=True, timeout=30
    )
    os.write(terminal, b"end")
    assert os.read(reader, 10_000) == b"end"
    os.close(reader)
    os.close(terminal)


def test_words_are_sorted_by_count_and_then_by_spelling() -> None:
    texts = ["b a é b c a b", "Z c"]
    counts = Counter(" ".join(texts).split())
    tokenizer = train_tokenizer(texts, TokenizerSettings(kind="words"))
    expected = sorted(counts, key=lambda word: (-counts[word], word))
    assert expected == ["b", "a", "c", "Z", "é"]
    assert [tokenizer.piece(id) for id in range(4, tokenizer.size)] == expected


def test_characters_are_sorted_by_count_and_then_by_code_point() -> None:
    tokenizer = train_tokenizer(["cab a", "cé"], TokenizerSettings(kind="characters"))
    assert [tokenizer.piece(id) for id in range(4, tokenizer.size)] == ["a", "c", "b", "é", "▁"]


@pytest.mark.parametrize("kind", KINDS)
def test_the_size_is_never_passed_and_a_small_corpus_gives_fewer(kind: TokenizerKind) -> None:
    texts = ["the cat sat on the mat, the dog ran to the cat"] * 3
    assert train_tokenizer(texts, TokenizerSettings(kind=kind, size=48)).size <= 48
    assert train_tokenizer(texts, TokenizerSettings(kind=kind, size=8000)).size < 100


@pytest.mark.parametrize("kind", ["words", "characters"])
def test_words_and_characters_keep_the_most_frequent_when_the_size_is_small(kind: TokenizerKind) -> None:
    tokenizer = train_tokenizer(["a a a b b c"], TokenizerSettings(kind=kind, size=6))
    assert tokenizer.size == 6
    assert tokenizer.encode("a").unknown == 0
    assert tokenizer.encode("c").unknown == 1


@pytest.mark.parametrize(("kind", "needed"), [("bpe", 8), ("wordpiece", 10)])
def test_a_size_below_the_alphabet_is_an_error_that_names_what_is_needed(kind: TokenizerKind, needed: int) -> None:
    # Three letters: bpe also has the space mark, wordpiece has each letter in two forms; four pieces are special.
    with pytest.raises(SettingsError, match=f"size 7 .*{needed} pieces are needed"):
        train_tokenizer(["abc cab"], TokenizerSettings(kind=kind, size=7))
    assert train_tokenizer(["abc cab"], TokenizerSettings(kind=kind, size=needed)).encode("cab").unknown == 0


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_rarer_than_the_minimum_count_is_unknown(kind: TokenizerKind) -> None:
    tokenizer = train_tokenizer(["ab ab ab", "ab ñ"], TokenizerSettings(kind=kind, minimum_count=2))
    assert tokenizer.encode("ab").unknown == 0
    assert tokenizer.encode("ñ").unknown == 1


def test_a_single_text_below_the_minimum_count_still_marks_word_starts() -> None:
    # The mark itself stands there once, as often as the five letters that are left out.
    tokenizer = train_tokenizer(["aaabcdef"], TokenizerSettings(minimum_count=2))
    assert tokenizer.encode("a ab").pieces == ("▁", "a", "▁", "a", "[UNK]")


def test_no_piece_grows_past_forty_characters() -> None:
    tokenizer = train_tokenizer(["x" * 500] * 5, TokenizerSettings())
    assert max(len(tokenizer.piece(id)) for id in range(tokenizer.size)) <= 40


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("texts", [[], [""], [" ", "\n", "\t "]])
def test_nothing_to_learn_from_is_an_error(kind: TokenizerKind, texts: list[str]) -> None:
    with pytest.raises(DataError, match=f"{len(texts)} texts, all of them empty"):
        train_tokenizer(texts, TokenizerSettings(kind=kind))


def test_texts_may_be_a_generator_and_must_be_text() -> None:
    assert train_tokenizer((text for text in ["a", "b"]), TokenizerSettings(kind="words")).size == 6
    with pytest.raises(DataError, match="Text 1 holds half of a surrogate pair"):
        train_tokenizer(["a", "\udfff"], TokenizerSettings())


def test_settings_out_of_range_are_errors_that_name_the_value() -> None:
    with pytest.raises(SettingsError, match=r"'sentencepiece'.*bpe, wordpiece, words, characters"):
        TokenizerSettings(kind="sentencepiece")  # type: ignore[arg-type]
    for size in (4, 1_000_001):
        with pytest.raises(SettingsError, match=f"size is {size}"):
            TokenizerSettings(size=size)
    with pytest.raises(SettingsError, match="minimum_count is 0"):
        TokenizerSettings(minimum_count=0)


@pytest.mark.real
@pytest.mark.slow
@pytest.mark.skipif(not REAL.exists(), reason="the Multi30k files are not at ../shared/data")
def test_multi30k_comes_back_from_bpe_with_nothing_unknown() -> None:
    lines = [line for side in ("en", "fr") for line in (REAL / f"train.{side}").read_text("utf-8").split("\n")]
    texts = [line.strip() for line in lines if line.strip()]
    tokenizer = train_tokenizer(texts, TokenizerSettings())
    assert tokenizer.size == 8000
    ids = tokenizer.ids_of(texts)
    assert not any(tokenizer.unknown in one for one in ids)
    assert [tokenizer.decode(one) for one in ids] == texts
