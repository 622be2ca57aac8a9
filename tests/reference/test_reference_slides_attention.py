"""The numbers of the decks' slides: the masked softmax, the worked self-attention, the six scores."""

import math

import pytest
import torch
from torch import Tensor

from heed.layers.attention import Attend
from heed.layers.masks import attend_to_past, masked_softmax
from heed.layers.scores import AdditiveScore, CosineScore, GeneralScore, LocationScore, build_score, score_keys
from heed.layers.trace import Trace


def heads_of(*rows: list[float]) -> Tensor:
    """Return the rows as one source with one head: (1, 1, rows, K)."""
    return torch.tensor([[rows]])


def scores_of(score: torch.nn.Module, q_BHTK: Tensor, k_BHSK: Tensor) -> list[float]:
    """Return the scores of the only query."""
    return score_keys(score, q_BHTK, score.prepare(k_BHSK))[0, 0, 0].tolist()


def test_the_masked_softmax_of_deck_1() -> None:
    scores_BHTS = heads_of(
        [1.2, 9.9, 9.9, 9.9, 9.9],  # 9.9 stands where the deck has minus infinity: the mask must hide it
        [2.3, 1.5, 9.9, 9.9, 9.9],
        [0.5, 1.4, 1.6, 9.9, 9.9],
        [0.6, 1.8, 2.4, 0.3, 9.9],
        [2.1, 2.3, 0.2, 2.0, 2.5],
    )
    expected_BHTS = heads_of(
        [1.0, 0.0, 0.0, 0.0, 0.0],
        [0.6900, 0.3100, 0.0, 0.0, 0.0],
        [0.1547, 0.3805, 0.4648, 0.0, 0.0],  # the deck cuts these to 0.15 0.38 0.46
        # The deck leaves rows 4 and 5 as scores, without the softmax; these are the weights.
        [0.0900, 0.2988, 0.5445, 0.0667, 0.0],
        [0.2097, 0.2562, 0.0314, 0.1898, 0.3129],
    )
    actual_BHTS = masked_softmax(scores_BHTS, attend_to_past(5))
    torch.testing.assert_close(actual_BHTS, expected_BHTS, atol=5e-5, rtol=0.0)


def test_the_self_attention_of_deck_3() -> None:
    inputs_BHTD = heads_of([1.0, 0, 1, 0], [0.0, 2, 0, 2], [1.0, 1, 1, 1])
    key_DK = torch.tensor([[0.0, 0, 1], [1, 1, 0], [0, 1, 0], [1, 1, 0]])
    query_DK = torch.tensor([[1.0, 0, 1], [1, 0, 0], [0, 0, 1], [0, 1, 1]])
    value_DK = torch.tensor([[0.0, 2, 0], [0, 3, 0], [1, 0, 3], [1, 1, 0]])
    scores_BHTS = heads_of([2.0, 4, 4], [4.0, 16, 12], [4.0, 12, 10])
    attend, trace = Attend(build_score("dot", heads=1, head_width=3, places=3), "deck"), Trace()
    q_BHTK, k_BHSK, v_BHSK = inputs_BHTD @ query_DK, inputs_BHTD @ key_DK, inputs_BHTD @ value_DK

    torch.testing.assert_close(score_keys(attend.score, q_BHTK, attend.score.prepare(k_BHSK)), scores_BHTS)
    outputs_BHTK = attend(q_BHTK, attend.score.prepare(k_BHSK), v_BHSK, None, trace)
    expected_BHTK = heads_of([1.9366, 6.6831, 1.5951], [2.0000, 7.9640, 0.0540], [1.9997, 7.7599, 0.3584])
    torch.testing.assert_close(outputs_BHTK, expected_BHTK, atol=1e-4, rtol=0.0)
    torch.testing.assert_close(trace.weights["deck"], scores_BHTS.softmax(dim=-1))


def test_the_dot_score() -> None:
    keys_BHSK = heads_of([1.0, 0, 0, 0], [0.0, 1, 0, 1], [1.0, 1, 1, 1])
    assert scores_of(build_score("dot", 1, 4, 3), heads_of([1.0, 2, 3, 4]), keys_BHSK) == [1.0, 6.0, 10.0]


def test_the_scaled_score_divides_by_the_root_of_the_width() -> None:
    keys_BHSK = heads_of([1.0, 0, 0, 0], [0.0, 1, 0, 1], [1.0, 1, 1, 1])
    assert scores_of(build_score("scaled", 1, 4, 3), heads_of([1.0, 2, 3, 4]), keys_BHSK) == [0.5, 3.0, 5.0]


def test_the_general_score_puts_a_matrix_between() -> None:
    score = GeneralScore(heads=1, head_width=2)
    score.weight_HKK.data = torch.tensor([[[1.0, 2.0], [0.0, 1.0]]])
    # W k = (1, 0) and (4, 2); (3, 4) . (1, 0) = 3 and (3, 4) . (4, 2) = 20
    assert scores_of(score, heads_of([3.0, 4.0]), heads_of([1.0, 0.0], [0.0, 2.0])) == [3.0, 20.0]


def test_the_cosine_score_of_strength_one_is_the_content_score_of_deck_3() -> None:
    score = CosineScore(heads=1, strength=1.0)
    keys_BHSK = heads_of([2.0, 0.0], [0.0, 0.5], [-3.0, -4.0], [4.0, -3.0])
    assert scores_of(score, heads_of([3.0, 4.0]), keys_BHSK) == pytest.approx([0.6, 0.8, -1.0, 0.0], abs=1e-6)


def test_the_strength_multiplies_the_cosine() -> None:
    score = CosineScore(heads=1, strength=5.0)
    assert scores_of(score, heads_of([3.0, 4.0]), heads_of([2.0, 0.0])) == pytest.approx([3.0])


def test_the_additive_score_by_hand() -> None:
    score = AdditiveScore(heads=1, head_width=2)
    score.query_weight_HKK.data = torch.eye(2)[None]
    score.key_weight_HKK.data = torch.eye(2)[None]
    score.sum_weight_HK.data = torch.tensor([[1.0, 2.0]])
    keys_BHSK = heads_of([0.5, -1.0], [0.0, 1.0])
    expected = [math.tanh(1.0) + 2 * math.tanh(-1.0), math.tanh(0.5) + 2 * math.tanh(1.0)]
    assert scores_of(score, heads_of([0.5, 0.0]), keys_BHSK) == pytest.approx(expected)


def test_the_additive_score_is_deck_3s_with_its_matrix_cut_in_two() -> None:
    torch.manual_seed(0)
    score, q_K, k_SK = AdditiveScore(heads=1, head_width=3), torch.randn(3), torch.randn(4, 3)
    # W_a [s; h] = W_s s + W_h h; ours multiply from the right, hence the transposes.
    joint_KX = torch.cat([score.query_weight_HKK[0].mT, score.key_weight_HKK[0].mT], dim=1)
    expected = [(score.sum_weight_HK[0] @ torch.tanh(joint_KX @ torch.cat([q_K, k_K]))).item() for k_K in k_SK]
    assert scores_of(score, q_K[None, None, None], k_SK[None, None]) == pytest.approx(expected)


def test_the_location_score_ignores_what_the_keys_hold() -> None:
    score = LocationScore(heads=1, head_width=2, places=5)
    score.weight_HKS.data = torch.tensor([[[1.0, 2.0, 3.0, 4.0, 5.0], [0.0, 1.0, 0.0, 1.0, 0.0]]])
    query = heads_of([10.0, 1.0])
    for keys_BHSK in (heads_of([0.0, 0.0], [0.0, 0.0], [0.0, 0.0]), heads_of([7.0, -2.0], [1.0, 1.0], [9.0, 3.0])):
        assert scores_of(score, query, keys_BHSK) == [10.0, 21.0, 30.0]
