"""Counting and weighing of n-grams: equal to scikit-learn for one text, worked by hand for two."""

import math

import numpy as np
import pytest
from sklearn.feature_extraction.text import TfidfVectorizer

from heed.models import tfidf_ngrams
from heed.models.tfidf_features import LIKENESSES, TextFeatures
from heed.models.tfidf_ngrams import NgramTable, learn_ngrams
from heed.models.tfidf_words import cut_texts

TEXTS = [
    "quán ngon , quán rẻ !",
    "không ngon , không rẻ",
    "phục_vụ tốt quán tốt",
    "ngon quá quá quá",
    "",
    "rẻ mà ngon",
]


def table_of(texts: list[str], unit: tfidf_ngrams.Unit, lengths: tuple[int, int], minimum: int = 1) -> NgramTable:
    return learn_ngrams(cut_texts(texts, lowercase=True), unit, lengths, minimum, 1000)


def features_of(tables: list[NgramTable], texts: int = 1, *, sublinear: bool = True) -> TextFeatures:
    return TextFeatures(tuple(tables), texts, lowercase=True, sublinear=sublinear)


@pytest.mark.parametrize("sublinear", [True, False])
@pytest.mark.parametrize("minimum", [1, 2])
@pytest.mark.parametrize(
    ("unit", "lengths", "analyzer"),
    [("words", (1, 2), "word"), ("words", (2, 3), "word"), ("characters", (2, 5), "char_wb")],
)
def test_features_are_those_of_scikit_learn(
    unit: tfidf_ngrams.Unit, lengths: tuple[int, int], analyzer: str, minimum: int, sublinear: bool
) -> None:
    pattern = r"\S+" if unit == "words" else None
    reference = TfidfVectorizer(
        analyzer=analyzer, ngram_range=lengths, min_df=minimum, sublinear_tf=sublinear, token_pattern=pattern
    )
    expected = reference.fit_transform(TEXTS).toarray()
    table = table_of(TEXTS, unit, lengths, minimum)
    found = features_of([table], sublinear=sublinear)([(text,) for text in TEXTS]).toarray()
    assert list(table.ngrams) == reference.get_feature_names_out().tolist()
    np.testing.assert_allclose(found, expected, rtol=1e-14, atol=1e-14)


@pytest.mark.parametrize("unit", ["words", "characters"])
def test_learning_in_many_chunks_gives_the_same_table(unit: tfidf_ngrams.Unit, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = table_of(TEXTS, unit, (1, 3))
    monkeypatch.setattr(tfidf_ngrams, "CHUNK", 2)
    parts = table_of(TEXTS, unit, (1, 3))
    assert parts.ngrams == whole.ngrams
    assert (parts.rarity == whole.rarity).all()


def test_a_vocabulary_that_is_too_large_keeps_the_most_frequent_and_among_equals_the_first() -> None:
    texts = cut_texts(["b a", "b c", "b d", "d"], lowercase=True)
    assert learn_ngrams(texts, "words", (1, 1), 1, 2).ngrams == ("b", "d")
    assert learn_ngrams(texts, "words", (1, 1), 1, 3).ngrams == ("a", "b", "d")


def test_counting_forgets_the_rare_rather_than_outgrow_its_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tfidf_ngrams, "CHUNK", 10)
    texts = cut_texts([f"often word{number}" for number in range(400)], lowercase=True)
    counts = tfidf_ngrams._texts_with_each(texts, "words", (1, 1), room=40)
    assert len(counts) <= 40 + 11
    assert counts["often"] == 400


def test_what_a_text_gives_does_not_depend_on_the_texts_beside_it() -> None:
    features = features_of([table_of(TEXTS, "words", (1, 2)), table_of(TEXTS, "characters", (2, 4))])
    together = features([(text,) for text in TEXTS]).toarray()
    alone = np.concatenate([features([(text,)]).toarray() for text in TEXTS])
    assert (together == alone).all()
    assert together.shape == (6, features.width)


def test_a_pair_gives_what_is_shared_and_what_only_one_has() -> None:
    table = table_of(["a b", "b c"], "words", (1, 1))
    rare, frequent = math.log(3 / 2) + 1, 1.0
    np.testing.assert_allclose(table.rarity, [rare, frequent, rare])
    features = features_of([table], texts=2, sublinear=False)
    row = features([("a b b", "b c")]).toarray()[0]
    assert len(row) == features.width == 3 * 3 + LIKENESSES
    # One b is shared; a and the other b are only in the first text, c only in the second.
    weights = np.array([0, frequent, 0, rare, frequent, 0, 0, 0, rare])
    np.testing.assert_allclose(row[:9], weights / np.linalg.norm(weights))


def test_a_pair_gives_how_alike_its_texts_are() -> None:
    table = table_of(["a b", "b c"], "words", (1, 1))
    rare = math.log(3 / 2) + 1
    row = features_of([table], texts=2, sublinear=False)([("a b b", "b c")]).toarray()[0]
    cosine = 2 / (math.hypot(rare, 2) * math.hypot(rare, 1))
    first, second = rare + 2, rare + 1
    np.testing.assert_allclose(row[9:], [cosine, 1 / first, 1 / second, second / first])


def test_equal_texts_are_wholly_alike_and_unknown_ones_not_at_all() -> None:
    features = features_of([table_of(["a b", "b c"], "words", (1, 1))], texts=2)
    same, unknown = features([("a c", "a c"), ("x", "y")]).toarray()[:, -LIKENESSES:]
    np.testing.assert_allclose(same, [1, 1, 1, 1])
    assert (unknown == 0).all()


def test_the_order_of_a_pair_counts() -> None:
    features = features_of([table_of(["a b", "b c"], "words", (1, 1))], texts=2)
    forth, back = features([("a", "c"), ("c", "a")]).toarray()
    assert (forth != back).any()
