"""Training of the linear baseline: candidates, the choice among them, and what cannot be trained."""

import warnings
from pathlib import Path

import numpy as np
import pytest
from sklearn import linear_model
from sklearn.linear_model import LogisticRegression
from trained_tfidf import train_tfidf

from heed.errors import DataError
from heed.files.tables import read_rows
from heed.models import tfidf_training
from heed.models.tfidf import TfidfSettings
from heed.models.tfidf_training import search_tfidf

REVIEWS = Path(__file__).parents[3] / "shared" / "data" / "ntc_scv"

SMALL = TfidfSettings(minimum_count=1, svm_strengths=(1.0, 0.1), logistic_strengths=(1.0,), ridge_strengths=(0.5, 2.0))
TEXTS = [("tốt lắm",), ("tệ lắm",), ("tốt quá",), ("tệ quá",), ("ngon tốt",), ("dở tệ",)]
LABELS = [1, 0, 1, 0, 1, 0]
PLAN = [("logistic", 1.0), ("svm", 0.1), ("svm", 1.0)]


def scored(monkeypatch: pytest.MonkeyPatch, scores: list[float]) -> tfidf_training.TfidfModel:
    """Train with candidates that seem to score as given."""
    waiting = iter(scores)
    monkeypatch.setattr(tfidf_training, "_score", lambda *_: next(waiting))
    return train_tfidf(SMALL, TEXTS, LABELS, 2, TEXTS, LABELS)


def test_every_candidate_is_reported_when_it_is_done() -> None:
    seen = list(search_tfidf(SMALL, TEXTS, np.array(LABELS), 2, TEXTS, np.array(LABELS)))
    assert [(each.candidate.method, each.candidate.strength) for each in seen] == PLAN * 2
    assert [each.candidate.characters for each in seen] == [False] * 3 + [True] * 3
    assert [each.number for each in seen] == [1, 2, 3, 4, 5, 6]
    assert {each.total for each in seen} == {6}
    assert all(each.seconds >= 0 for each in seen)


def test_the_last_candidate_brings_the_model_which_knows_them_all() -> None:
    *others, last = search_tfidf(SMALL, TEXTS, np.array(LABELS), 2, TEXTS, np.array(LABELS))
    assert [each.model for each in others] == [None] * 5
    assert last.model is not None
    assert last.model.facts.candidates == tuple(each.candidate for each in (*others, last))


def test_without_characters_only_words_are_tried() -> None:
    settings = TfidfSettings(characters=None, minimum_count=1, svm_strengths=(1.0,), logistic_strengths=())
    (only,) = search_tfidf(settings, TEXTS, np.array(LABELS), 2, TEXTS, np.array(LABELS))
    assert (only.number, only.total) == (1, 1)
    assert only.model is not None
    assert [table.unit for table in only.model.features.tables] == ["words"]


def test_the_best_on_validation_is_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    model = scored(monkeypatch, [0.5, 0.6, 0.5, 0.5, 0.9, 0.8])
    assert model.facts.chosen == 4
    assert [table.unit for table in model.features.tables] == ["words", "characters"]


def test_among_equals_the_simplest_is_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    model = scored(monkeypatch, [0.7, 0.8, 0.8, 0.8, 0.8, 0.8])
    assert model.facts.chosen == 1
    assert [table.unit for table in model.features.tables] == ["words"]


def test_the_score_of_the_chosen_one_is_what_the_model_reaches_on_validation() -> None:
    texts = [*TEXTS, ("tốt tệ",), ("lắm quá",)]
    labels = [*LABELS, 0, 1]
    model = train_tfidf(SMALL, TEXTS, LABELS, 2, texts, labels)
    reached = np.mean(model.log_probabilities(texts).argmax(axis=1) == labels)
    assert model.facts.candidates[model.facts.chosen].score == reached
    assert max(candidate.score for candidate in model.facts.candidates) == reached


def test_training_twice_gives_equal_bits() -> None:
    first, second = (train_tfidf(SMALL, TEXTS, LABELS, 2, TEXTS, LABELS) for _ in range(2))
    assert first.facts == second.facts
    assert all(bool((tensor == second.to_tensors()[name]).all()) for name, tensor in first.to_tensors().items())


def test_the_probabilities_of_an_svm_suit_the_validation_texts_and_leave_its_choice() -> None:
    settings = TfidfSettings(characters=None, minimum_count=1, svm_strengths=(1.0,), logistic_strengths=())
    valid_texts, valid_labels = TEXTS * 4, [*LABELS * 3, *[1 - label for label in LABELS]]
    model = train_tfidf(settings, TEXTS, LABELS, 2, valid_texts, valid_labels)
    log_chances = model.log_probabilities(valid_texts)
    assert log_chances.argmax(axis=1).tolist() == LABELS * 4
    # Right three times in four: where all margins are about equal, three quarters is the best probability to give.
    np.testing.assert_allclose(np.exp(log_chances.max(axis=1)), 0.75, atol=0.03)


def test_an_svm_that_is_right_every_time_is_still_not_certain() -> None:
    settings = TfidfSettings(characters=None, minimum_count=1, svm_strengths=(1.0,), logistic_strengths=())
    model = train_tfidf(settings, TEXTS, LABELS, 2, TEXTS, LABELS)
    assert model.facts.sharpness == pytest.approx(20, rel=1e-3)
    assert np.exp(model.log_probabilities(TEXTS)).max() < 1


def test_logistic_regression_keeps_its_own_probabilities() -> None:
    settings = TfidfSettings(characters=None, minimum_count=1, svm_strengths=(), logistic_strengths=(1.0,))
    assert train_tfidf(settings, TEXTS, LABELS, 2, TEXTS, LABELS).facts.sharpness == 1


def test_for_numbers_the_smallest_squared_error_is_chosen() -> None:
    numbers = [1.0, -1.0, 2.0, -2.0, 3.0, -3.0]
    model = train_tfidf(SMALL, TEXTS, numbers, None, TEXTS, numbers)
    assert model.facts.classes is None
    assert {candidate.method for candidate in model.facts.candidates} == {"ridge"}
    error = np.mean((model.numbers(TEXTS) - numbers) ** 2)
    assert model.facts.candidates[model.facts.chosen].score == pytest.approx(-error)
    assert max(candidate.score for candidate in model.facts.candidates) == pytest.approx(-error)


def test_training_warns_and_prints_nothing(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(linear_model, "LogisticRegression", lambda **_: LogisticRegression(max_iter=1))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        train_tfidf(SMALL, TEXTS, LABELS, 2, TEXTS, LABELS)
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("texts", "labels", "classes", "message"),
    [
        (TEXTS, LABELS[:-1], 2, "6 training texts and 5 outcomes"),
        ([], [], 2, "No training text has the label number 0 of 2"),
        (TEXTS, [0] * 6, 1, "There is 1 class to tell apart"),
        (TEXTS, [0, 1, 0, 1, 0, 3], 4, "No training text has the label number 2 of 4"),
        ([*TEXTS[:-1], ("a", "b")], LABELS, 2, "is not of 1 text"),
        (["tốt"] * 6, LABELS, 2, "'tốt' is not of 1 text"),
    ],
)
def test_what_cannot_be_trained_on_is_refused(texts: list, labels: list, classes: int, message: str) -> None:
    with pytest.raises(DataError, match=message):
        train_tfidf(SMALL, texts, labels, classes, TEXTS, LABELS)


def test_validation_without_texts_is_refused() -> None:
    with pytest.raises(DataError, match="0 validation texts and 0 outcomes"):
        train_tfidf(SMALL, TEXTS, LABELS, 2, [], [])


def test_texts_that_have_nothing_in_common_are_refused_with_the_setting_to_change() -> None:
    texts = [(f"word{number}",) for number in range(4)]
    settings = TfidfSettings(characters=None)
    message = "No run of 1 to 2 words stands in 2 or more of the 4 training texts. Use model.minimum_count=1"
    with pytest.raises(DataError, match=message):
        train_tfidf(settings, texts, [0, 1, 0, 1], 2, texts, [0, 1, 0, 1])


def read_reviews(part: str) -> tuple[list[tuple[str, ...]], list[int]]:
    path = REVIEWS / f"{part}.csv"
    if not path.exists():
        pytest.skip(f"{path.name} of the Vietnamese reviews is not there")
    rows = [row.values for row in read_rows(path)]
    return [(row["sentence"],) for row in rows], [int(row["label"]) for row in rows]


@pytest.mark.real
@pytest.mark.slow
def test_vietnamese_reviews_are_told_apart_as_well_as_by_bigrams_and_an_svm() -> None:
    settings = TfidfSettings(characters=None, svm_strengths=(0.3,), logistic_strengths=())
    model = train_tfidf(settings, *read_reviews("train"), 2, *read_reviews("valid"))
    texts, labels = read_reviews("test")
    assert np.mean(model.log_probabilities(texts).argmax(axis=1) == labels) > 0.905
