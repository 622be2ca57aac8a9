"""The parts that add positions: offsets, what is saved, and sequences that are too long."""

import pytest
import torch

from heed.errors import DataError
from heed.layers.positions import AddLearned, AddTable, Rotary, build_adder, build_rotary, sinusoid

ADDERS = pytest.mark.parametrize("name", ["sinusoid", "sinusoid-concat", "learned"])


@ADDERS
def test_adding_from_an_offset_equals_the_tail_of_adding_from_the_start(name: str) -> None:
    adder, x_BTD = build_adder(name, longest=7, width=6), torch.randn(2, 5, 6)
    torch.testing.assert_close(adder(x_BTD[:, 3:], first=3), adder(x_BTD)[:, 3:])
    assert not torch.equal(adder(x_BTD[:, 3:]), adder(x_BTD)[:, 3:])


@ADDERS
def test_the_last_position_can_be_used_and_the_next_is_refused_with_both_numbers(name: str) -> None:
    adder = build_adder(name, longest=7, width=6)
    assert adder(torch.zeros(1, 7, 6)).shape == (1, 7, 6)
    assert adder(torch.zeros(1, 1, 6), first=6).shape == (1, 1, 6)
    with pytest.raises(DataError, match=r"8 tokens came to a model that has 7 positions.*model\.longest"):
        adder(torch.zeros(1, 8, 6))
    # Here a slice would have one row, and that one would have been added to both tokens in silence.
    with pytest.raises(DataError, match="8 tokens"):
        adder(torch.zeros(1, 2, 6), first=6)


def test_a_table_from_a_formula_is_not_saved_and_a_learned_one_is() -> None:
    assert list(AddTable(sinusoid(4, 6)).state_dict()) == []
    assert list(Rotary(4, 6).state_dict()) == []
    assert list(AddLearned(4, 6).state_dict()) == ["table"]


@pytest.mark.parametrize("name", ["rotary", "none"])
def test_these_add_nothing_to_the_embedding(name: str) -> None:
    x_BTD = torch.randn(2, 3, 6)
    assert torch.equal(build_adder(name, longest=7, width=6)(x_BTD), x_BTD)


def test_only_rotary_positions_have_a_part_inside_attention() -> None:
    parts = {name: build_rotary(name, 7, 6) for name in ("sinusoid", "sinusoid-concat", "learned", "rotary", "none")}
    assert [name for name, part in parts.items() if part is not None] == ["rotary"]


def test_rotation_by_hand() -> None:
    # The first pair turns by 1 radian a position, the second by 1/100.
    turned = Rotary(longest=3, head_width=4)(torch.tensor([[1.0, 0.0, 0.0, 1.0]]), 2, 1)
    expected = torch.tensor([[-0.416147, 0.909297, -0.019999, 0.999800]])
    torch.testing.assert_close(turned, expected, atol=1e-6, rtol=0.0)


def test_rotation_keeps_lengths() -> None:
    x_BHTK = torch.randn(2, 3, 5, 6)
    turned_BHTK = Rotary(longest=9, head_width=6)(x_BHTK, 0, 5)
    torch.testing.assert_close(turned_BHTK.norm(dim=-1), x_BHTK.norm(dim=-1))


def test_a_rotation_past_the_longest_position_is_told_with_what_to_do() -> None:
    with pytest.raises(DataError, match="A sequence of 4 tokens came to a model that has 3 positions"):
        Rotary(longest=3, head_width=4)(torch.zeros(1, 1, 1, 4), 3, 1)
