"""The joint ranking against a full sort, and the in-place log probabilities against fresh ones."""

import pytest
import torch
from hypothesis import given
from hypothesis import settings as trials
from hypothesis import strategies as st

from heed.decoding.probabilities import to_log_probs
from heed.decoding.ranking import best_continuations


def ranked_by_full_sort(log_probs_BWV, totals_BW, count):
    """Return (score, id, beam) of the best of every source, by sorting everything."""
    scores = (log_probs_BWV.clamp(max=0.0) + totals_BW[..., None]).tolist()
    return [
        sorted(
            ((-score, token, beam) for beam, row in enumerate(rows) for token, score in enumerate(row)),
        )[:count]
        for rows in scores
    ]


@trials(deadline=None, max_examples=300)
@given(
    seed=st.integers(0, 10**6),
    sources=st.integers(1, 3),
    beams=st.integers(1, 5),
    vocabulary=st.one_of(st.integers(1, 12), st.integers(120, 400)),
    count=st.integers(1, 12),
    grain=st.sampled_from([1.0, 0.25, 0.0]),
)
def test_the_best_continuations_are_those_of_a_full_sort(seed, sources, beams, vocabulary, count, grain):
    torch.manual_seed(seed)
    log_probs = torch.randn(sources, beams, vocabulary).mul(3).log_softmax(-1)
    totals = torch.randn(sources, beams, dtype=torch.float64).mul(2)
    if grain:  # coarse numbers make ties, within a beam and across beams
        log_probs, totals = (log_probs / grain).round() * grain, (totals / grain).round() * grain
    expected = ranked_by_full_sort(log_probs, totals, count)
    found = best_continuations(log_probs, totals, count)
    assert found.scores_BK.shape == (sources, count)
    for row in range(sources):
        real = len(expected[row])
        columns = (found.scores_BK[row, :real].neg(), found.ids_BK[row, :real], found.beams_BK[row, :real])
        assert list(zip(*(column.tolist() for column in columns), strict=True)) == expected[row]
        chosen = log_probs[row, found.beams_BK[row, :real], found.ids_BK[row, :real]].clamp(max=0.0)
        assert torch.equal(found.log_probs_BK[row, :real], chosen)
        assert (found.scores_BK[row, real:] == float("-inf")).all()


@pytest.mark.parametrize("shape", [(1, 1, 1), (2, 3, 5), (3, 1, 1000), (5, 4, 9973), (1, 1, 70_000)])
def test_log_probabilities_in_place_equal_fresh_ones(shape):
    logits = torch.randn(shape) * 5
    fresh = torch.log_softmax(logits, dim=-1)
    memory = logits.data_ptr()
    found = to_log_probs(logits)
    assert torch.equal(found, fresh)
    assert found.data_ptr() == memory


def test_log_probabilities_of_a_row_do_not_depend_on_its_companions():
    logits = torch.randn(7, 4, 9973) * 5
    together = torch.log_softmax(logits, dim=-1)
    assert torch.equal(to_log_probs(logits[5:6].clone()), together[5:6])


def test_half_precision_logits_are_normalised_in_float32():
    logits = torch.randn(2, 3, 50).bfloat16()
    torch.testing.assert_close(to_log_probs(logits), torch.log_softmax(logits.float(), dim=-1))
