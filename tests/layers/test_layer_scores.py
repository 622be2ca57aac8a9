"""Scores head by head: each head has its own weights, and keys are prepared once."""

import math

import pytest
import torch
from torch import Tensor

from heed.layers.scores import GeneralScore, LocationScore, build_score, score_keys

NAMES = ["scaled", "dot", "general", "cosine", "additive", "location"]


@pytest.mark.parametrize("name", NAMES)
def test_scores_of_several_heads_are_those_of_each_head_alone(name: str) -> None:
    torch.manual_seed(0)
    both = build_score(name, heads=2, head_width=3, places=6)
    for parameter in both.parameters():
        torch.nn.init.normal_(parameter)
    q_BHTK, k_BHSK = torch.randn(2, 2, 4, 3), torch.randn(2, 2, 5, 3)
    scores_BHTS = score_keys(both, q_BHTK, both.prepare(k_BHSK))
    assert scores_BHTS.shape == (2, 2, 4, 5)
    for head in range(2):
        alone = build_score(name, heads=1, head_width=3, places=6)
        for mine, theirs in zip(alone.parameters(), both.parameters(), strict=True):
            mine.data = theirs.data[head : head + 1]
        only = slice(head, head + 1)
        expected_BHTS = score_keys(alone, q_BHTK[:, only], alone.prepare(k_BHSK[:, only]))
        torch.testing.assert_close(scores_BHTS[:, only], expected_BHTS)


@pytest.mark.parametrize("name", NAMES)
def test_each_key_is_prepared_by_itself(name: str) -> None:
    """Or else a cache could not keep prepared keys while others are added."""
    torch.manual_seed(0)
    score, k_BHSK = build_score(name, heads=2, head_width=3, places=6), torch.randn(2, 2, 5, 3)
    torch.testing.assert_close(score.prepare(k_BHSK)[:, :, :2], score.prepare(k_BHSK[:, :, :2]))


def formula(name: str, q: Tensor, k: Tensor, weights: list[Tensor]) -> Tensor:
    """Return the score of one query and one key, as the table at the top of `scores.py` has it."""
    match name:
        case "scaled":
            return q @ k / math.sqrt(len(q))
        case "dot":
            return q @ k
        case "general":
            return q @ (weights[0] @ k)
        case "cosine":
            return weights[0] * (q @ k) / (q.norm() * k.norm())
        case _:
            return weights[2] @ torch.tanh(q @ weights[0] + k @ weights[1])


@pytest.mark.parametrize("name", ["scaled", "dot", "general", "cosine", "additive"])
def test_each_score_is_its_formula(name: str) -> None:
    torch.manual_seed(0)
    score = build_score(name, heads=2, head_width=3, places=6)
    for parameter in score.parameters():
        torch.nn.init.normal_(parameter)
    q_BHTK, k_BHSK = torch.randn(2, 2, 4, 3), torch.randn(2, 2, 5, 3)
    scores_BHTS = score_keys(score, q_BHTK, score.prepare(k_BHSK))
    weights = [parameter[1] for parameter in score.parameters()]
    expected = formula(name, q_BHTK[1, 1, 2], k_BHSK[1, 1, 3], weights)
    torch.testing.assert_close(scores_BHTS[1, 1, 2, 3], expected)


def test_the_general_score_begins_as_the_scaled_one() -> None:
    q_BHTK, k_BHSK = torch.randn(1, 2, 3, 4), torch.randn(1, 2, 5, 4)
    general, scaled = GeneralScore(heads=2, head_width=4), build_score("scaled", 2, 4, 9)
    torch.testing.assert_close(score_keys(general, q_BHTK, general.prepare(k_BHSK)), score_keys(scaled, q_BHTK, k_BHSK))


def test_the_location_score_reads_the_places_that_it_is_told() -> None:
    score = LocationScore(heads=1, head_width=1, places=4)
    score.weight_HKS.data = torch.tensor([[[10.0, 11.0, 12.0, 13.0]]])
    ones_BHSK = torch.ones(1, 1, 3, 1)
    assert score_keys(score, ones_BHSK[:, :, :1], ones_BHSK).flatten().tolist() == [10.0, 11.0, 12.0]
    told = score_keys(score, ones_BHSK[:, :, :1], ones_BHSK, places_S=torch.tensor([3, 1, 1]))
    assert told.flatten().tolist() == [13.0, 11.0, 11.0]


def test_a_name_that_is_none_of_the_six_is_refused() -> None:
    with pytest.raises(AssertionError, match="bilinear"):
        build_score("bilinear", heads=1, head_width=2, places=3)
