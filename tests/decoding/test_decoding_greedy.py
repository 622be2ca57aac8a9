"""Greedy decoding on a slide's table, ties, and limits."""

import math

import pytest
import torch

from heed.decoding.greedy import greedy
from heed.decoding.limits import Limits
from heed.errors import UsageError

TABLE = torch.tensor(  # columns: steps 1 to 4; rows: A, B, C, end
    [[0.5, 0.1, 0.2, 0.0], [0.2, 0.4, 0.2, 0.2], [0.2, 0.3, 0.4, 0.2], [0.1, 0.2, 0.2, 0.6]]
)


class Slide:
    """The probabilities of the next token depend on the step alone, which is the state."""

    def step(self, last_ids_BW, state):
        return TABLE[:, state].log().expand(*last_ids_BW.shape, 4), state + 1

    def reorder(self, state, sources, beams):
        return state


def test_the_slide_s_path_has_its_probability_and_its_root():
    [found] = greedy(Slide(), 0, Limits(start=0, end=3, longest=[4]))
    assert found.ids == (0, 1, 2, 3)
    assert math.exp(found.log_prob) == pytest.approx(0.048)
    assert math.exp(found.score) == pytest.approx(0.048**0.25)
    assert [math.exp(log_prob) for log_prob in found.log_probs] == pytest.approx([0.5, 0.4, 0.4, 0.6])
    assert found.ended == "end"


def test_a_sequence_at_its_limit_says_that_it_was_cut():
    short, whole = greedy(Slide(), 0, Limits(start=0, end=3, longest=[2, 4]))
    assert (short.ids, short.ended) == ((0, 1), "length")
    assert (whole.ids, whole.ended) == ((0, 1, 2, 3), "end")


def test_of_equally_probable_tokens_the_lowest_id_is_taken(table_model):
    class Flat(table_model):
        def logits(self, key, prefix):
            return torch.zeros(300)

    [found] = greedy(Flat(300), Flat(300).start(["a"]), Limits(start=0, end=299, forbidden=(0, 1), longest=[3]))
    assert found.ids == (2, 2, 2)


def test_a_limit_below_one_token_is_refused():
    with pytest.raises(UsageError, match="is 0"):
        Limits(start=0, end=1, longest=[3, 0])


def test_a_forbidden_end_id_is_refused():
    with pytest.raises(UsageError, match="end id 1"):
        Limits(start=0, end=1, forbidden=(0, 1), longest=[3])
