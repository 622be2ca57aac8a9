"""What every built-in corpus promises: sizes, one translation for each source, and splits that share no combination."""

import hashlib
import os
import re
import subprocess
import sys
import time
import unicodedata

import pytest

from heed.data.demos import DEMOS, english_vietnamese, french_english, load_demo, tasks
from heed.data.demos.grammar import Corpus
from heed.data.records import TextPair
from heed.data.splits import PairSplits
from heed.errors import DataError

CORPORA = {"fr-en": french_english.corpus, "en-vi": english_vietnamese.corpus, "tasks": tasks.corpus}
FINGERPRINT = """
import hashlib
from heed.data.demos import DEMOS, load_demo
for name in DEMOS:
    splits = load_demo(name)
    print(hashlib.sha256(repr([splits.train, splits.valid, splits.test]).encode()).hexdigest())
"""


def all_pairs(splits: PairSplits) -> list[TextPair]:
    return [*splits.train, *splits.valid, *splits.test]


def words(text: str) -> list[str]:
    return re.findall(r"[^\W\d_]+|\d+|\S", text)


@pytest.fixture(params=DEMOS)
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def splits(name: str) -> PairSplits:
    return load_demo(name)


@pytest.fixture
def corpus(name: str) -> Corpus:
    return CORPORA[name]()


def test_the_splits_hold_twenty_thousand_and_twice_five_hundred_pairs(splits: PairSplits) -> None:
    assert (len(splits.train), len(splits.valid), len(splits.test)) == (20_000, 500, 500)


def test_no_source_occurs_twice_in_one_split_or_in_two(splits: PairSplits) -> None:
    assert len({pair.source for pair in all_pairs(splits)}) == 21_000


def test_no_combination_of_valid_or_test_occurs_in_another_split(corpus: Corpus) -> None:
    train, valid, test = ({made.combination for made in part} for part in (corpus.train, corpus.valid, corpus.test))
    assert train.isdisjoint(test)
    assert train.isdisjoint(valid)
    assert valid.isdisjoint(test)


def test_the_held_out_splits_hold_many_different_combinations(corpus: Corpus) -> None:
    for part in (corpus.valid, corpus.test):
        assert len({made.combination for made in part}) > 150


def test_every_word_of_valid_and_test_occurs_in_train_on_its_side(splits: PairSplits) -> None:
    for side in ("source", "target"):
        known = {word for pair in splits.train for word in words(getattr(pair, side))}
        asked = {word for pair in (*splits.valid, *splits.test) for word in words(getattr(pair, side))}
        assert asked - known == set()


def test_the_texts_are_composed_and_have_single_spaces_only(splits: PairSplits) -> None:
    for pair in all_pairs(splits):
        for text in (pair.source, pair.target):
            assert text == unicodedata.normalize("NFC", text)
            assert text == " ".join(text.split())
            assert text


@pytest.mark.parametrize("name", ["fr-en", "en-vi"])
def test_sentences_have_three_to_fourteen_words(name: str) -> None:
    for pair in all_pairs(load_demo(name)):
        assert 3 <= len(re.findall(r"[\w-]+", pair.source)) <= 14, pair.source


@pytest.mark.parametrize("name", ["fr-en", "en-vi"])
def test_only_questions_end_in_a_sign_and_both_sides_agree_about_it(name: str) -> None:
    for pair in all_pairs(load_demo(name)):
        assert pair.source.endswith("?") == pair.target.endswith("?"), pair
        assert not re.search(r"[.!,;]", pair.source + pair.target), pair
        assert pair.source.endswith(" ?") == (name == "fr-en" and pair.source.endswith("?")), pair


def test_the_note_tells_how_it_was_made(name: str, splits: PairSplits) -> None:
    assert splits.origin == f"demo:{name}"
    assert "grammar" in splits.note
    assert CORPORA[name]().seed in splits.note
    assert "20000 train, 500 valid, 500 test" in splits.note
    assert splits.test[6].place == f"demo:{name}:test:7"


def test_loading_again_gives_the_very_same_object(name: str) -> None:
    assert load_demo(name) is load_demo(name)


def test_making_a_corpus_takes_less_than_a_second_and_a_half(name: str) -> None:
    before = time.process_time()  # not the clock on the wall: other work on the machine must not count
    CORPORA[name].__wrapped__()  # type: ignore[attr-defined]
    assert time.process_time() - before < 1.5


@pytest.mark.slow
def test_another_process_with_another_hash_seed_makes_the_same_corpora() -> None:
    environment = {**os.environ, "PYTHONHASHSEED": "4711", "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", FINGERPRINT]
    child = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    here = [
        hashlib.sha256(repr([part.train, part.valid, part.test]).encode()).hexdigest() for part in map(load_demo, DEMOS)
    ]
    assert child.stdout.split() == here


def test_an_unknown_name_is_refused_with_the_nearest_and_all_others() -> None:
    with pytest.raises(DataError, match=r"'fr_en'.*nearest is 'demo:fr-en'.*demo:fr-en, demo:en-vi, demo:tasks"):
        load_demo("fr_en")


def test_a_name_that_is_near_to_nothing_is_refused_as_well() -> None:
    with pytest.raises(DataError, match="no built-in corpus ''"):
        load_demo("")
