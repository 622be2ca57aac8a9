"""The conditional random field beside brute force: all sequences written down, scored one by one."""

import itertools

import pytest
import torch
from torch import Tensor

from heed.layers.crf import ConditionalRandomField
from heed.layers.masks import keep_from_lengths

TAGS = 3
LENGTHS = torch.tensor([4, 1, 2, 3])


@pytest.fixture
def crf() -> ConditionalRandomField:
    torch.manual_seed(5)
    layer = ConditionalRandomField(TAGS).double()
    for parameter in layer.parameters():
        parameter.data.normal_()
    return layer


@pytest.fixture
def scores_BTC() -> Tensor:  # noqa: N802
    return torch.randn(4, 4, TAGS, dtype=torch.float64, generator=torch.Generator().manual_seed(7))


KEEP = keep_from_lengths(LENGTHS, 4)


def score_of(crf: ConditionalRandomField, scores_TC: Tensor, path: tuple[int, ...]) -> Tensor:
    words = sum(scores_TC[place, tag] for place, tag in enumerate(path))
    steps = sum(crf.step_CC[before, after] for before, after in itertools.pairwise(path))
    return words + steps + crf.first_C[path[0]] + crf.last_C[path[-1]]


def all_paths(crf: ConditionalRandomField, scores_BTC: Tensor, row: int) -> dict[tuple[int, ...], Tensor]:
    length = int(LENGTHS[row])
    paths = itertools.product(range(TAGS), repeat=length)
    return {path: score_of(crf, scores_BTC[row, :length], path) for path in paths}


def padded(path: tuple[int, ...], fill: int) -> list[int]:
    return [*path, *[fill] * (4 - len(path))]


def test_the_log_likelihood_of_every_sequence_is_that_of_brute_force(crf, scores_BTC) -> None:
    for row in range(4):
        every = all_paths(crf, scores_BTC, row)
        log_sum = torch.stack(list(every.values())).logsumexp(dim=0)
        for path, score in every.items():
            tags_BT = torch.tensor([padded(path, 2)] * 4)
            found = crf.log_likelihood(scores_BTC, tags_BT, KEEP)[row]
            torch.testing.assert_close(found, score - log_sum)


def test_the_probabilities_of_all_sequences_sum_to_one(crf, scores_BTC) -> None:
    paths = torch.tensor(list(itertools.product(range(TAGS), repeat=4)))
    scores_PTC = scores_BTC[:1].expand(len(paths), -1, -1)
    found = crf.log_likelihood(scores_PTC, paths, torch.ones(len(paths), 4, dtype=torch.bool))
    assert found.exp().sum().item() == pytest.approx(1)


def test_the_best_sequence_is_that_of_brute_force(crf, scores_BTC) -> None:
    found = crf.best(scores_BTC, KEEP)
    for row in range(4):
        every = all_paths(crf, scores_BTC, row)
        assert found[row].tolist() == padded(max(every, key=lambda path: every[path].item()), 0)


def test_neighbours_change_what_is_best(crf, scores_BTC) -> None:
    """Without this, a layer that takes the best tag of each word would pass by chance."""
    generator = torch.Generator().manual_seed(1)
    many_BTC = torch.randn(50, 4, TAGS, dtype=torch.float64, generator=generator)
    found = crf.best(many_BTC, torch.ones(50, 4, dtype=torch.bool))
    assert not torch.equal(found, many_BTC.argmax(dim=2))


def test_padding_changes_nothing(crf, scores_BTC) -> None:
    wider = torch.cat([scores_BTC, torch.full((4, 3, TAGS), 1e3, dtype=torch.float64)], dim=1)
    noisy = torch.where(keep_from_lengths(LENGTHS, 7)[..., None], wider, -1e3)
    keep, tags_BT = keep_from_lengths(LENGTHS, 7), torch.randint(TAGS, (4, 7))
    torch.testing.assert_close(
        crf.log_likelihood(noisy, tags_BT, keep), crf.log_likelihood(scores_BTC, tags_BT[:, :4], KEEP)
    )
    assert torch.equal(crf.best(noisy, keep)[:, :4], crf.best(scores_BTC, KEEP))


def test_gradients_are_those_of_finite_differences_and_padding_gets_none(crf, scores_BTC) -> None:
    tags_BT = torch.tensor([[0, 1, 2, 2], [1, 0, 0, 0], [2, 2, 0, 0], [0, 0, 1, 0]])
    scores_BTC.requires_grad_()

    def loss(scores: Tensor, *parameters: Tensor) -> Tensor:
        return crf.log_likelihood(scores, tags_BT, KEEP).sum()

    assert torch.autograd.gradcheck(loss, (scores_BTC, *crf.parameters()))
    loss(scores_BTC).backward()
    assert (scores_BTC.grad[~KEEP] == 0).all()
    assert (scores_BTC.grad[KEEP] != 0).all()


def test_what_is_given_in_bfloat16_is_summed_with_more_digits(crf, scores_BTC) -> None:
    short, tags_BT = scores_BTC.bfloat16(), torch.ones(4, 4, dtype=torch.long)
    found = crf.bfloat16().log_likelihood(short, tags_BT, KEEP)
    assert found.dtype == torch.float32
    torch.testing.assert_close(found, crf.float().log_likelihood(short.float(), tags_BT, KEEP))


def test_gradients_of_a_large_batch_are_the_same_each_time_with_several_threads() -> None:
    draw = torch.Generator().manual_seed(3)
    layer = ConditionalRandomField(TAGS)
    scores_BTC = torch.randn(400, 101, TAGS, generator=draw)
    tags_BT = torch.randint(0, TAGS, (400, 101), generator=draw)
    keep, weights_B = torch.ones(400, 101, dtype=torch.bool), torch.randn(400, generator=draw)
    threads = torch.get_num_threads()
    torch.set_num_threads(4)
    try:
        found = [
            torch.autograd.grad(weights_B @ layer.log_likelihood(scores_BTC, tags_BT, keep), layer.step_CC)[0]
            for _ in range(8)
        ]
    finally:
        torch.set_num_threads(threads)
    assert all(torch.equal(each, found[0]) for each in found)
