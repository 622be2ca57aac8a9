"""A linear model's shares are exact: with the bias they are the lead of its answer, word by word."""

import sys
from collections.abc import Sequence
from pathlib import Path

import numpy
import pytest

from heed.data.labels import Labels
from heed.errors import UsageError
from heed.inspection.explaining.asked import Asked
from heed.inspection.explaining.explain import explain
from heed.inspection.explanation import Explanation
from heed.models.tfidf import TfidfModel, TfidfSettings, class_logits
from heed.prediction.classifier import Classifier
from heed.prediction.text_reader import LinearReader
from heed.tasks.targets import Classes, Scale

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "models"))
from trained_tfidf import train_tfidf

NAMES = ("bad", "fair", "good")
TEXTS = [(f"{word} soup and {word} bread",) for word in ("stale", "plain", "tasty", "cold", "usual", "lovely") * 3]
LABELS = [0, 1, 2] * 6
PAIRS = [(f"a {word} soup", f"a {other} soup") for word in ("hot", "cold") for other in ("hot", "cold")] * 5


def trained(
    texts: Sequence[tuple[str, ...]], expected: Sequence[float], classes: int | None, characters: bool
) -> TfidfModel:
    settings = TfidfSettings(minimum_count=1, characters=(2, 3) if characters else None)
    return train_tfidf(settings, texts, expected, classes, texts, expected)


def classifier(model: TfidfModel, labels: Sequence[str]) -> Classifier:
    targets = Classes(Labels(tuple(labels)))
    return Classifier(LinearReader(model, targets), targets, model.facts.texts)


def total(found: Explanation) -> float:
    return float(sum(share.values_S.astype(numpy.float64).sum() for share in found.shares))


def lead(model: TfidfModel, texts: tuple[str, ...], explained: int, rival: int) -> float:
    log_probs_C = model.log_probabilities([texts])[0]
    bias_C = class_logits(model.bias_K[None])[0]
    return float(log_probs_C[explained] - log_probs_C[rival] - bias_C[explained] + bias_C[rival])


@pytest.mark.parametrize("characters", [False, True])
@pytest.mark.parametrize("count", [2, 3])
def test_the_shares_of_all_words_and_the_bias_are_the_lead_of_the_answer(characters: bool, count: int) -> None:
    chosen = [row for row, label in enumerate(LABELS) if label < count]
    model = trained([TEXTS[row] for row in chosen], [LABELS[row] for row in chosen], count, characters)
    text = ("Stale bread and stale soup",)
    found = explain(classifier(model, NAMES[:count]), text)
    ranked = numpy.argsort(-model.log_probabilities([text])[0])
    assert found.answer == NAMES[ranked[0]] == "bad"
    assert total(found) == pytest.approx(lead(model, text, int(ranked[0]), int(ranked[1])), abs=1e-5)


def test_a_word_that_stands_twice_has_its_share_at_both_places_and_an_unknown_one_none() -> None:
    model = trained(TEXTS, LABELS, 3, characters=False)
    found = explain(classifier(model, NAMES), "stale zebra stale")
    (axis,), (share,) = found.axes, found.shares
    assert axis.labels == ("stale", "zebra", "stale")
    first, unknown, second = share.values_S
    assert first == pytest.approx(second)
    assert first > 0
    assert unknown == 0
    assert any("1 of 3 pieces are unknown" in note for note in found.notes)


def test_of_a_pair_words_and_likeness_together_are_the_lead() -> None:
    labels = [int(first == second) for first, second in PAIRS]
    model = trained(PAIRS, labels, 2, characters=True)
    for pair in PAIRS[:4]:
        found = explain(classifier(model, ("other", "same")), pair)
        best = int(model.log_probabilities([pair])[0].argmax())
        assert {share.axis for share in found.shares} == {"first", "second", "likeness"}
        assert len(found.axis("likeness").labels) == 4 * len(model.features.tables)
        assert total(found) == pytest.approx(lead(model, pair, best, 1 - best), abs=1e-5)


def test_a_number_is_the_sum_of_its_words_and_the_bias() -> None:
    model, targets = trained(TEXTS, [float(label) for label in LABELS], None, characters=False), Scale(1.0, 2.0)
    found = explain(Classifier(LinearReader(model, targets), targets, 1), "tasty soup")
    number = model.numbers([("tasty soup",)])[0]
    assert total(found) == pytest.approx(float(number - model.bias_K[0]), abs=1e-5)
    assert found.answer == f"{number * 2 + 1:.4g}"
    with pytest.raises(UsageError, match='"good" cannot be explained'):
        explain(Classifier(LinearReader(model, targets), targets, 1), "tasty soup", Asked(answer="good"))


def test_there_is_no_attention_to_ask_for() -> None:
    model = classifier(trained(TEXTS, LABELS, 3, characters=False), NAMES)
    with pytest.raises(UsageError, match=r"no attention 'encoder\.0\.self'.*none at all"):
        explain(model, "tasty soup", Asked(sites=("encoder.0.self",)))
    assert explain(model, "tasty soup", Asked(heads=True, steps=5)).heads == ()
