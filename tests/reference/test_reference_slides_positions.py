"""Positions as decks 2, 4 and 5 define them, and the criteria that deck 2 asks of them."""

import math

import pytest
import torch
from torch import Tensor

from heed.layers.positions import Rotary, sinusoid, sinusoid_concat

LAYOUTS = pytest.mark.parametrize("layout", [sinusoid, sinusoid_concat])


def test_decks_2_and_5_interleave_sine_and_cosine() -> None:
    # Width 4: the two wavelengths are 1 and 10000^(2/4) = 100.
    expected = torch.tensor(
        [
            [0.0, 1.0, 0.0, 1.0],
            [0.841471, 0.540302, 0.010000, 0.999950],
            [0.909297, -0.416147, 0.019999, 0.999800],
        ],
        dtype=torch.float64,
    )
    torch.testing.assert_close(sinusoid(3, 4), expected, atol=1e-6, rtol=0.0)


def test_deck_4_puts_all_sines_before_all_cosines() -> None:
    # d_m is half the width, 2: the exponents i / d_m are 0 and 1/2, as above.
    expected = torch.tensor(
        [
            [0.0, 0.0, 1.0, 1.0],
            [0.841471, 0.010000, 0.540302, 0.999950],
            [0.909297, 0.019999, -0.416147, 0.999800],
        ],
        dtype=torch.float64,
    )
    torch.testing.assert_close(sinusoid_concat(3, 4), expected, atol=1e-6, rtol=0.0)


@pytest.mark.parametrize(("position", "pair"), [(1, 3), (17, 100), (511, 255)])
def test_cells_of_the_512_wide_table_follow_the_formula(position: int, pair: int) -> None:
    angle = position / 10000 ** (2 * pair / 512)
    assert sinusoid(512, 512)[position, 2 * pair].item() == pytest.approx(math.sin(angle), abs=1e-12)
    assert sinusoid(512, 512)[position, 2 * pair + 1].item() == pytest.approx(math.cos(angle), abs=1e-12)
    assert sinusoid_concat(512, 512)[position, pair].item() == pytest.approx(math.sin(angle), abs=1e-12)
    assert sinusoid_concat(512, 512)[position, 256 + pair].item() == pytest.approx(math.cos(angle), abs=1e-12)


@LAYOUTS
def test_every_position_is_unique(layout) -> None:
    apart_PP = torch.cdist(layout(600, 16), layout(600, 16)) + 10 * torch.eye(600)
    assert apart_PP.min() > 0.1


@LAYOUTS
def test_values_are_bounded_by_one(layout) -> None:
    assert layout(5000, 16).abs().max() <= 1


@LAYOUTS
def test_dot_products_depend_on_distance_alone(layout) -> None:
    products_PP = layout(60, 16) @ layout(60, 16).mT
    for distance in range(60):
        diagonal = products_PP.diagonal(distance)
        torch.testing.assert_close(diagonal, diagonal[:1].expand_as(diagonal), atol=1e-12, rtol=0.0)
    assert products_PP[0, 0] == pytest.approx(8)  # one for each sine and cosine: half the width


@LAYOUTS
def test_a_longer_table_begins_with_the_shorter_one(layout) -> None:
    assert torch.equal(layout(50, 16)[:20], layout(20, 16))


@LAYOUTS
def test_an_odd_width_ends_with_a_lone_sine_or_lacks_a_cosine(layout) -> None:
    table: Tensor = layout(3, 5)
    assert table.shape == (3, 5)
    waves = [math.sin(1.0 / 10000 ** (2 * pair / 5)) for pair in range(3)]
    sines = table[1, [0, 2, 4]] if layout is sinusoid else table[1, :3]
    assert sines.tolist() == pytest.approx(waves, abs=1e-12)


def test_rotated_dot_products_depend_on_distance_alone() -> None:
    torch.manual_seed(0)
    rotary = Rotary(longest=40, head_width=6)
    q_K, k_K = torch.randn(2, 6)
    turned_q, turned_k = rotary(q_K.expand(40, 6), 0, 40), rotary(k_K.expand(40, 6), 0, 40)
    products_PP = turned_q @ turned_k.mT
    for distance in (-7, 0, 5):
        diagonal = products_PP.diagonal(distance)
        torch.testing.assert_close(diagonal, diagonal[:1].expand_as(diagonal), atol=1e-5, rtol=0.0)
    assert products_PP[0, 0].item() == pytest.approx((q_K @ k_K).item())
    assert (products_PP.diagonal(5)[0] - products_PP.diagonal(-5)[0]).abs() > 1e-3, "before is not after"
