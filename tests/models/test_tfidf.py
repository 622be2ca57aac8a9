"""The linear baseline: what it refuses, what it says, and that it survives being stored."""

import json
import math
import re

import numpy as np
import pytest
import torch
from safetensors.torch import load, save
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.svm import LinearSVC
from trained_tfidf import train_tfidf

from heed.errors import DataError, RunError, SettingsError
from heed.models.tfidf import TfidfModel, TfidfSettings, log_softmax
from heed.tokens.encoded import TokenCounts

GOOD, BAD = ["ngon", "tốt", "rẻ", "tuyệt :)"], ["dở", "tệ", "đắt", "chán :("]
THINGS = ["quán", "món", "phở", "giá", "bún_chả"]
FEW = {"svm_strengths": (1.0,), "logistic_strengths": (1.0,), "ridge_strengths": (1.0,), "minimum_count": 1}


def reviews(first: int, count: int) -> tuple[list[tuple[str, ...]], list[int]]:
    labels = [number % 2 for number in range(first, first + count)]
    words = [(GOOD if label else BAD)[number // 2 % 4] for number, label in enumerate(labels, start=first)]
    return [(f"{THINGS[number % 5]} này {word} !",) for number, word in enumerate(words, start=first)], labels


def train_reviews(**switches: object) -> TfidfModel:
    return train_tfidf(TfidfSettings(**{**FEW, **switches}), *reviews(0, 24), 2, *reviews(24, 16))


def train_pairs() -> TfidfModel:
    pairs = [(f"{thing} {word}", f"{thing} {other}") for thing in THINGS for word in GOOD for other in GOOD]
    same = [int(first == second) for first, second in pairs]
    return train_tfidf(TfidfSettings(**FEW), pairs[::2], same[::2], 2, pairs[1::2], same[1::2])


def train_grades() -> TfidfModel:
    texts = [(f"{thing} {word}",) for thing in THINGS for word in (*BAD, *GOOD)]
    grades = [float(4 * (number % 8 >= 4) + number // 8) for number in range(len(texts))]
    return train_tfidf(TfidfSettings(**FEW), texts, grades, None, texts, grades)


def train_things() -> TfidfModel:
    texts = [(f"{thing} {word}",) for word in GOOD + BAD for thing in THINGS]
    labels = [number % 5 for number in range(len(texts))]
    return train_tfidf(TfidfSettings(**FEW), texts[:20], labels[:20], 5, texts[20:], labels[20:])


MODELS = {"reviews": train_reviews, "pairs": train_pairs, "grades": train_grades, "things": train_things}


def said(model: TfidfModel, examples: list[tuple[str, ...]]) -> np.ndarray:
    return model.numbers(examples) if model.facts.classes is None else model.log_probabilities(examples)


def examples_for(model: TfidfModel) -> list[tuple[str, ...]]:
    texts = ["quán ngon", "phở dở !", "", "xyz", "món này tuyệt :)"]
    return [(text,) * model.facts.texts for text in texts]


@pytest.mark.parametrize(
    ("switches", "message"),
    [
        ({"words": (0, 2)}, "model.words is [0, 2]. Give the shortest and the longest run, 1 or more."),
        ({"words": (3, 2)}, "model.words is [3, 2]."),
        ({"characters": (5, 2)}, "model.characters is [5, 2]."),
        ({"minimum_count": 0}, "model.minimum_count is 0. Use 1 or more."),
        ({"largest_vocabulary": 0}, "model.largest_vocabulary is 0."),
        ({"svm_strengths": (1.0, 0.0)}, "model.svm_strengths has 0.0. Use numbers above 0."),
        ({"ridge_strengths": ()}, "model.ridge_strengths is empty."),
        ({"svm_strengths": (), "logistic_strengths": ()}, "are both empty"),
    ],
)
def test_settings_that_cannot_be_used_are_refused_with_their_value(switches: dict, message: str) -> None:
    with pytest.raises(SettingsError, match=re.escape(message)):
        TfidfSettings(**switches)


@pytest.mark.parametrize("name", ["reviews", "pairs", "things"])
def test_probabilities_of_an_example_add_up_to_one(name: str) -> None:
    model = MODELS[name]()
    probabilities_NC = np.exp(model.log_probabilities(examples_for(model)))
    assert probabilities_NC.shape == (5, model.facts.classes)
    np.testing.assert_allclose(probabilities_NC.sum(axis=1), 1)


def test_it_learns_which_words_are_good_and_which_thing_is_meant() -> None:
    examples, labels = reviews(40, 20)
    assert train_reviews().log_probabilities(examples).argmax(axis=1).tolist() == labels
    assert train_things().log_probabilities([("bún_chả hay",), ("một món",)]).argmax(axis=1).tolist() == [4, 1]


def test_it_learns_that_equal_words_make_a_pair() -> None:
    chances = np.exp(train_pairs().log_probabilities([("quán ngon", "quán ngon"), ("quán ngon", "quán tốt")]))[:, 1]
    assert chances[0] > 0.5 > chances[1]


def test_it_learns_numbers() -> None:
    low, high = train_grades().numbers([("quán dở",), ("bún_chả ngon",)])
    assert low < 2 < 5 < high


@pytest.mark.parametrize("name", MODELS)
def test_what_is_said_of_an_example_does_not_depend_on_those_beside_it(name: str) -> None:
    model = MODELS[name]()
    examples = examples_for(model)
    alone = np.concatenate([said(model, [example]) for example in examples])
    assert (said(model, examples) == alone).all()


@pytest.mark.parametrize("name", MODELS)
def test_nothing_in_gives_nothing_out(name: str) -> None:
    model = MODELS[name]()
    assert said(model, []).shape[0] == 0


def test_of_a_text_without_known_words_it_says_what_it_says_of_an_empty_one() -> None:
    empty, unknown = train_reviews(characters=None).log_probabilities([("",), ("xyz",)])
    assert (empty == unknown).all()


def test_many_texts_are_read_in_chunks_with_the_same_result(monkeypatch: pytest.MonkeyPatch) -> None:
    model, (examples, _) = train_reviews(), reviews(0, 30)
    whole = model.log_probabilities(examples)
    monkeypatch.setattr("heed.models.tfidf.CHUNK", 7)
    assert (model.log_probabilities(examples) == whole).all()


def test_logistic_regression_over_words_is_that_of_scikit_learn() -> None:
    model = train_reviews(characters=None, svm_strengths=(), logistic_strengths=(3.0,))
    examples, labels = reviews(0, 24)
    vectors = TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True, token_pattern=r"\w+|[^\w\s]+")
    reference = LogisticRegression(C=3.0).fit(vectors.fit_transform(text for (text,) in examples), labels)
    found = model.log_probabilities(reviews(24, 16)[0])
    expected = reference.predict_log_proba(vectors.transform(text for (text,) in reviews(24, 16)[0]))
    np.testing.assert_allclose(found, expected, rtol=1e-3)


def test_an_svm_over_words_is_that_of_scikit_learn_with_its_margins_as_logits() -> None:
    settings = TfidfSettings(**{**FEW, "characters": None, "svm_strengths": (0.3,), "logistic_strengths": ()})
    examples, labels = reviews(0, 24)
    examples, labels = examples[:9] + examples[10::2], labels[:9] + labels[10::2]  # fewer good ones: a bias to learn
    model = train_tfidf(settings, examples, labels, 2, *reviews(24, 16))
    vectors = TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True, token_pattern=r"\w+|[^\w\s]+")
    reference = LinearSVC(C=0.3, dual=False).fit(vectors.fit_transform(text for (text,) in examples), labels)
    margins = reference.decision_function(vectors.transform(["quán ngon", "phở dở !", "xyz"]))
    found = model.log_probabilities([("quán ngon",), ("phở dở !",), ("xyz",)])
    assert abs(reference.intercept_[0]) > 0.1
    np.testing.assert_allclose(found[:, 1] - found[:, 0], model.facts.sharpness * margins, rtol=1e-6)


def test_words_that_stand_in_no_known_n_gram_are_counted() -> None:
    counts = train_reviews(minimum_count=1).count_words([("quán xyz ngon ?",), ("",)])
    assert counts == [TokenCounts(4, 2), TokenCounts(0, 0)]
    assert train_pairs().count_words([("quán xyz", "ngon")]) == [TokenCounts(3, 1)]


@pytest.mark.parametrize("name", MODELS)
def test_a_model_that_was_stored_says_the_same_to_the_last_bit(name: str) -> None:
    model = MODELS[name]()
    stored = save(model.to_tensors())
    again = TfidfModel.from_parts(load(stored), json.loads(json.dumps(model.to_facts())))
    assert (said(again, examples_for(model)) == said(model, examples_for(model))).all()
    assert again.facts == model.facts
    assert [table.ngrams for table in again.features.tables] == [table.ngrams for table in model.features.tables]
    assert save(again.to_tensors()) == stored


def test_every_n_gram_survives_even_half_a_character() -> None:
    odd = ["e\u0301", "\ud800", "\U0001f602", "\x00", "a\u2028b", "�"]
    texts = [(f"{word} {word}x",) for word in odd] * 2
    model = train_tfidf(TfidfSettings(**FEW), texts, [0, 1] * 6, 2, texts, [0, 1] * 6)
    again = TfidfModel.from_parts(model.to_tensors(), model.to_facts())
    assert [table.ngrams for table in again.features.tables] == [table.ngrams for table in model.features.tables]
    assert (said(again, texts) == said(model, texts)).all()


def test_changing_the_tensors_afterwards_changes_no_model() -> None:
    model = train_reviews()
    tensors = model.to_tensors()
    again = TfidfModel.from_parts(tensors, model.to_facts())
    for tensor in tensors.values():
        tensor.zero_()
    assert (said(again, examples_for(model)) == said(model, examples_for(model))).all()
    assert not (model.weights_FK == 0).all()


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        ("weights", None, "weights is missing; there are bias, "),
        ("words.bytes", None, "words.bytes is missing"),
        (
            "weights",
            lambda t: t[:-1],
            r"weights is torch.float64 of \(\d+, 1\), and should be torch.float64 of \(\d+, 1",
        ),
        ("weights", lambda t: t.float(), "weights is torch.float32"),
        ("weights", lambda t: t * math.nan, "weights holds a number that is not finite"),
        ("bias", lambda t: t.repeat(2), r"bias is torch.float64 of \(2,\), and should be torch.float64 of \(1\)"),
        ("words.starts", lambda t: t.flip(0), "words.starts does not cut"),
        ("words.starts", lambda t: t[:0], r"words.rarity is .* should be torch.float64 of \(0\)"),
        ("words.starts", lambda t: t + 1, "words.starts does not cut"),
        ("words.starts", lambda t: torch.cat([t[:1], t[:1], t[2:]]), "words.starts does not cut"),
        ("words.rarity", lambda t: -t, "words.rarity holds -"),
        ("words.bytes", lambda t: t | 128, "words.bytes is not UTF-8"),
        ("words.bytes", lambda t: t * 0 + 97, "out of order"),
        ("another", lambda _: torch.zeros(1), "another is no part of it"),
    ],
)
def test_damaged_tensors_are_refused(name: str, change: object, message: str) -> None:
    model = train_reviews(characters=None)
    tensors = model.to_tensors()
    if change is None:
        del tensors[name]
    else:
        tensors[name] = change(tensors.get(name))
    with pytest.raises(RunError, match=f"The tf-idf model is damaged: .*{message}"):
        TfidfModel.from_parts(tensors, model.to_facts())


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"kind": "svm"}, "The facts of the tf-idf model.kind is 'svm'"),
        ({"chosen": 9}, "chosen is 9 of 2 candidates"),
        ({"chosen": -1}, "chosen is -1 of 2 candidates"),
        ({"texts": 3}, "texts is 3"),
        ({"classes": 1}, "classes is 1"),
        ({"classes": 3}, "weights is .* should be"),
        ({"settings": {"words": [0, 1]}}, r"model.words is \[0, 1\]"),
        ({"colour": "red"}, "colour is not a setting"),
    ],
)
def test_facts_that_cannot_be_are_refused(changes: dict, message: str) -> None:
    model = train_reviews(characters=None)
    with pytest.raises(RunError, match=message):
        TfidfModel.from_parts(model.to_tensors(), {**model.to_facts(), **changes})


@pytest.mark.parametrize(
    ("example", "message"),
    [("quán ngon", "'quán ngon' is not of 1 text. Give a tuple of 1"), (("a", "b"), "is not of 1 text")],
)
def test_an_example_of_the_wrong_number_of_texts_is_refused(example: object, message: str) -> None:
    with pytest.raises(DataError, match=message):
        train_reviews().log_probabilities([("tốt",), example])


def test_probabilities_of_large_logits_are_computed_without_overflow() -> None:
    np.testing.assert_allclose(log_softmax(np.array([[1000.0, 0.0], [3.0, 3.0]])), [[0, -1000], [-math.log(2)] * 2])
