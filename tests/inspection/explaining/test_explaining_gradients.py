"""Shares by gradients: exact for what is linear, and complete for what is not."""

import numpy
import pytest
import torch
from tiny_models import TEXT, TOKENIZER, classifier, encoder
from torch import Tensor, nn

from heed.errors import UsageError
from heed.inspection.explaining.asked import Asked
from heed.inspection.explaining.decision import decide, leads
from heed.inspection.explaining.explain import explain
from heed.inspection.explaining.gradients import Read, caught, gradient_times_input, integrated_gradients
from heed.inspection.explanation import Share
from heed.layers.trace import Trace
from heed.models.encoder import EncoderSettings
from heed.prediction.text_reader import NeuralReader
from heed.tasks.classify import encode_texts, inputs_of

IDS = torch.tensor([[2, 0, 3]])


class Sum(nn.Module):
    """A linear model of the vectors of words: its answer is the sum of what each word weighs."""

    def __init__(self) -> None:
        super().__init__()
        torch.manual_seed(1)
        self.embedding = nn.Embedding(5, 4)
        self.weights_D2 = nn.Parameter(torch.randn(4, 2))

    def forward(self, token_ids: Tensor) -> Tensor:
        return self.embedding(token_ids).sum(dim=1) @ self.weights_D2


def reader_of(model: Sum):
    def read(scale: float, trace: Trace | None) -> Read:
        with caught([model.embedding], scale) as vectors:
            return Read(model(IDS)[0], tuple(vectors))

    return read


def test_of_a_linear_model_both_give_exactly_what_each_word_adds() -> None:
    model = Sum()
    exact_T2 = model.embedding(IDS)[0] @ model.weights_D2
    read = reader_of(model)
    for products in (
        gradient_times_input(read(1.0, None), lambda said_2: said_2[1]),
        integrated_gradients(read, lambda said_2: said_2[1], steps=2),
    ):
        torch.testing.assert_close(products[0][0].sum(dim=-1), exact_T2[:, 1])


def test_an_input_that_the_score_does_not_depend_on_has_a_share_of_zero() -> None:
    vectors, other = torch.ones(1, 2, 3, requires_grad=True), torch.ones(1, 4, requires_grad=True)
    _, unused = gradient_times_input(Read(vectors.sum() * torch.ones(1), (vectors, other)), lambda said: said[0])
    assert (unused == 0).all()


def lead_of(settings: EncoderSettings, scale: float) -> float:
    """Return how far the model's answer leads its rival when the vectors of all words are made smaller."""
    reader = classifier(settings).reader
    assert isinstance(reader, NeuralReader)
    inputs = inputs_of(encode_texts([(TEXT,)], TOKENIZER, settings, "joined"), [0])
    decision = decide(reader.model(inputs)[0], ("bad", "fair", "good"), None)
    with caught([reader.model.encoder.embedding], scale):
        return float(decision.lead(reader.model(inputs)[0]).detach())


@pytest.mark.parametrize("pooling", ["mean", "first", "attention"])
def test_integrated_gradients_sum_to_the_difference_that_the_input_makes(pooling: str) -> None:
    settings = encoder(pooling=pooling, norm="none", activation="gelu")
    steps = 200
    found = explain(classifier(settings), TEXT, Asked(steps=steps))
    (share,) = [share for share in found.shares if share.method == "integrated gradients"]
    expected = lead_of(settings, 1.0) - lead_of(settings, 0.0)
    assert abs(expected) > 0.01, "there is nothing to explain"
    assert share.values_S.sum() == pytest.approx(expected, abs=1e-3)


def test_gradient_times_input_is_one_step_at_the_input_itself() -> None:
    found = explain(classifier(encoder()), TEXT, Asked(steps=1))
    first, integrated = (share.values_S for share in found.shares if share.axis == "text" and share.method != "rollout")
    assert not numpy.allclose(first, integrated, atol=1e-4), "one step stands in the middle of the way"


def test_another_answer_has_other_shares_and_of_two_that_lead_each_other_the_opposite() -> None:
    predictor = classifier(encoder())
    best = explain(predictor, TEXT)
    names = [choice.text for choice in best.choices]
    second = explain(predictor, TEXT, Asked(answer=names[1]))
    assert (best.answer, second.answer) == (names[0], names[0]), "the model's answer does not change"
    assert [each.shares[0].answer for each in (best, second)] == names[:2]
    numpy.testing.assert_allclose(_moved(best), -_moved(second), atol=1e-6)
    third = explain(predictor, TEXT, Asked(answer=names[2]))
    assert not numpy.allclose(_moved(third), -_moved(best), atol=1e-4)


def _moved(found) -> numpy.ndarray:
    share: Share = next(share for share in found.shares if share.method == "gradient x input")
    return share.values_S


def test_a_lead_is_taken_over_the_nearest_of_all_others() -> None:
    logits_TV = torch.tensor([[1.0, 4.0, 3.0], [5.0, 2.0, -1.0]])
    assert leads(logits_TV, [1, 2]).tolist() == [1.0, -6.0]
    decision = decide(logits_TV[0], ("a", "b", "c"), "a")
    assert (decision.answer, decision.told, decision.names[decision.rival]) == ("b", "a", "b")


def test_padding_behind_a_text_changes_no_share() -> None:
    settings = encoder()
    reader = classifier(settings).reader
    assert isinstance(reader, NeuralReader)
    encoded = encode_texts([(TEXT,), ("the cat",)], TOKENIZER, settings, "joined")

    def shares(rows: list[int]) -> Tensor:
        with caught([reader.model.encoder.embedding], 1.0) as vectors:
            said_BC = reader.model(inputs_of(encoded, rows))
        (product_BTD,) = gradient_times_input(Read(said_BC[-1], tuple(vectors)), lambda said_C: said_C[0])
        return product_BTD[-1].sum(dim=-1)

    together, alone = shares([0, 1]), shares([1])
    torch.testing.assert_close(together[: len(alone)], alone)
    assert (together[len(alone) :] == 0).all()


@pytest.mark.parametrize("steps", [-1, 1001])
def test_too_many_or_too_few_steps_are_refused_with_their_number(steps: int) -> None:
    with pytest.raises(UsageError, match=str(steps)):
        Asked(steps=steps)
