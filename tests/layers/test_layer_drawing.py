"""What is drawn by example: the same whatever the batch, and as good as independent in every direction."""

import math

import numpy
import pytest
import torch
from torch import Tensor, nn

from heed.layers.drawing import Sites, drawing, example_keys, happens, random_bytes
from heed.layers.dropout import Dropout, keep_or_drop
from heed.layers.residual import DropPath

CPU = torch.device("cpu")


def layers(count: int) -> nn.ModuleList:
    return nn.ModuleList(Dropout(0.5) for _ in range(count))


def bytes_of(
    examples: list[int], shape: tuple[int, ...], site: int = 1, calls: int = 1, seed: int = 3, epoch: int = 2
) -> Tensor:
    """Return what a layer draws for some examples at its last call."""
    model = layers(4)
    found = torch.empty(0)
    with drawing(Sites(model), example_keys(seed, epoch, examples)):
        for _ in range(calls):
            found = random_bytes(model[site], (len(examples), *shape))
    return found


@pytest.mark.parametrize("shape", [(13,), (7, 13), (7, 16), (7, 3, 13)])
def test_an_example_draws_alike_whatever_it_is_batched_with(shape: tuple[int, ...]) -> None:
    together = bytes_of([4, -2, 9, 40], shape)
    for row, example in enumerate([4, -2, 9, 40]):
        assert torch.equal(bytes_of([example], shape)[0], together[row])


def test_padding_changes_nothing_of_what_is_drawn_before_it() -> None:
    long = bytes_of([5, 6], (9, 3, 40))
    assert torch.equal(bytes_of([5, 6], (4, 3, 21)), long[:, :4, :, :21])
    assert torch.equal(bytes_of([5, 6], (4, 40)), bytes_of([5, 6], (9, 40))[:, :4])


@pytest.mark.parametrize(
    "changed",
    [{"examples": [6]}, {"site": 2}, {"calls": 2}, {"seed": 4}, {"epoch": 3}],
    ids=lambda changed: next(iter(changed)),
)
def test_example_layer_call_seed_and_epoch_each_change_every_draw(changed: dict[str, object]) -> None:
    given = {"examples": [5], "shape": (20, 50), **changed}
    mine, other = bytes_of([5], (20, 50)), bytes_of(**given)
    # Of independent bytes one in 256 is equal: four of a thousand, and not a row of them.
    assert (mine == other).float().mean().item() < 0.02


def test_no_two_masks_of_examples_positions_layers_and_calls_are_equal() -> None:
    seen: set[bytes] = set()
    count = 0
    for site in range(4):
        for calls in (1, 2):
            words = bytes_of(list(range(50)), (30, 16), site=site, calls=calls)
            seen |= {row.tobytes() for row in words.view(-1, 16).numpy()}
            count += 1500
    assert len(seen) == count


def test_every_byte_comes_as_often_as_every_other() -> None:
    for seed in range(4):
        counts = torch.bincount(bytes_of(list(range(64)), (32, 256), seed=seed).flatten().long(), minlength=256)
        expected = 64 * 32 * 256 / 256
        chi_square = float(((counts - expected).square() / expected).sum())
        assert abs(chi_square - 255) < 5 * math.sqrt(2 * 255)


def standardised(share: float, seed: int, site: int = 1, calls: int = 1) -> Tensor:
    """Return decisions (64 examples, 32 positions, 64 columns) with mean 0 and variance 1."""
    dropped = round(share * 256) / 256
    kept = bytes_of(list(range(64)), (32, 64), seed=seed, site=site, calls=calls) >= round(share * 256)
    return (kept.double() - (1 - dropped)) / math.sqrt(dropped * (1 - dropped))


@pytest.mark.parametrize("share", [0.1, 0.3, 0.5])
def test_decisions_are_as_good_as_independent_in_every_direction(share: float) -> None:
    for seed in range(3):
        z_BTD = standardised(share, seed)
        for name, z_ND in {
            "columns": z_BTD.flatten(0, 1),
            "positions": z_BTD.transpose(1, 2).flatten(0, 1),
            "examples": z_BTD.permute(1, 2, 0).flatten(0, 1),
        }.items():
            correlations = (z_ND.mT @ z_ND / len(z_ND)).fill_diagonal_(0.0) * math.sqrt(len(z_ND))
            # At most some 4,000 standard normal numbers: beyond 5.5 comes once in thousands of such tests.
            assert correlations.abs().max() < 5.5, name
            spread = correlations[~torch.eye(len(correlations), dtype=torch.bool)].square().mean().item()
            assert spread == pytest.approx(1.0, abs=0.2), name


def test_four_corners_of_a_rectangle_are_independent_too() -> None:
    """A word is made of one number for its position and one for its column: a poor mix would show here."""
    for seed in range(3):
        z_ND = standardised(0.5, seed).flatten(0, 1)
        for rows in (1, 5, 32):
            for columns in (1, 4, 8, 24):
                corners = (
                    z_ND[:-rows, :-columns] * z_ND[rows:, :-columns] * z_ND[:-rows, columns:] * z_ND[rows:, columns:]
                )
                assert abs(corners.mean().item()) * math.sqrt(corners.numel()) < 5


def test_layers_and_calls_draw_independently() -> None:
    mine = standardised(0.3, 1)
    for other in (standardised(0.3, 1, site=2), standardised(0.3, 1, calls=2), standardised(0.3, 2)):
        assert abs((mine * other).mean().item()) * math.sqrt(mine.numel()) < 5


@pytest.mark.parametrize("share", [0.1, 0.3, 0.5, 0.9])
def test_in_a_drawing_the_share_is_dropped_and_the_mean_is_kept(share: float) -> None:
    drop = Dropout(share).train()
    with drawing(Sites(drop), example_keys(1, 0, range(100))):
        result = drop(torch.ones(100, 100, 100))
    rounded = round(share * 256) / 256
    assert (result == 0).double().mean().item() == pytest.approx(rounded, abs=0.002)
    assert result.double().mean().item() == pytest.approx(1.0, abs=0.01)
    assert result.max().item() == pytest.approx(1 / (1 - rounded))


def test_words_and_examples_are_dropped_by_their_share() -> None:
    path = DropPath(0.3).train()
    sites = Sites(path)
    with drawing(sites, example_keys(1, 0, range(20_000))):
        left = path(torch.ones(20_000, 1, 1))
    with drawing(sites, example_keys(1, 0, range(400))):
        words = happens(path, 0.2, (400, 200), CPU)
    assert (left == 0).double().mean().item() == pytest.approx(0.3, abs=0.015)
    assert left.unique().tolist() == pytest.approx([0.0, 1 / 0.7])
    assert words.double().mean().item() == pytest.approx(0.2, abs=0.007)


def test_examples_of_several_rows_draw_for_each_row() -> None:
    """A window of a recurrent network is one example, and has a row for each lane."""
    model = layers(1)
    with drawing(Sites(model), example_keys(1, 0, [5])):
        lanes = random_bytes(model[0], (3, 4, 16))
    assert len({lane.tobytes() for lane in lanes.numpy()}) == 3


def test_rows_that_cannot_be_those_of_the_examples_are_no_silent_mistake() -> None:
    model = layers(1)
    with (
        drawing(Sites(model), example_keys(1, 0, [5, 6])),
        pytest.raises(AssertionError, match="3 rows cannot be those of 2 examples"),
    ):
        random_bytes(model[0], (3, 4, 16))


def test_nothing_is_taken_from_torchs_generator_in_a_drawing() -> None:
    drop, state = Dropout(0.5).train(), torch.get_rng_state()
    with drawing(Sites(drop), example_keys(1, 0, [1, 2])):
        keep_or_drop(torch.ones(2, 3, 4), 0.5, drop)
    assert torch.equal(torch.get_rng_state(), state)
    drop(torch.ones(2, 3, 4))
    assert not torch.equal(torch.get_rng_state(), state)


def test_keys_of_an_epoch_are_all_different() -> None:
    keys = numpy.concatenate([example_keys(7, epoch, range(-5, 20_000)) for epoch in range(5)])
    assert len(numpy.unique(keys)) == len(keys)
