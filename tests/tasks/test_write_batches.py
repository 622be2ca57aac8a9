"""The loss of windows, and the state that a recurrent network carries from one window to the next."""

import numpy
import pytest
import torch
from torch.nn import functional

from heed.models.language import LanguageModel, LanguageSettings, build_language_model
from heed.models.language_rnn import LanguageRnnSettings
from heed.models.language_transformer import LanguageTransformerSettings
from heed.tasks.windows import Lanes, cut_windows
from heed.tasks.write import CarriedState, WriteBatch, WriteObjective

TRANSFORMER = LanguageTransformerSettings(width=8, heads=2, layers=2, feedforward=12, dropout=0.0, longest=5)
CELLS = ("rnn", "lstm", "gru")
VOCABULARY = 11
IDS = numpy.random.default_rng(5).integers(0, VOCABULARY, 31).astype(numpy.int32)


def recurrent(cell: str = "lstm") -> LanguageRnnSettings:
    return LanguageRnnSettings(cell=cell, embedding=6, width=7, layers=2, dropout=0.0, longest=5)


def made(settings: LanguageSettings) -> LanguageModel:
    torch.manual_seed(4)
    return build_language_model(settings, VOCABULARY)


def test_the_loss_of_windows_is_the_summed_cross_entropy_of_their_real_tokens() -> None:
    model, windows = made(TRANSFORMER), cut_windows(IDS, [-2, 3, 28], longest=5)
    batch = WriteBatch(windows)
    assert (batch.tokens, batch.targets) == (3 + 5 + 2, 10)
    logits_NV = model(windows.token_ids)[windows.keep]
    expected = functional.cross_entropy(logits_NV, windows.next_ids[windows.keep], reduction="sum")
    torch.testing.assert_close(WriteObjective(model, 0.0)(batch), expected)


@pytest.mark.parametrize("cell", CELLS)
def test_the_carried_state_gives_the_loss_of_one_long_pass(cell: str) -> None:
    model, carried = made(recurrent(cell)), CarriedState()
    lanes = Lanes(IDS, longest=5, wanted=2)
    objective = WriteObjective(model, 0.0)
    parts = [
        objective(WriteBatch(lanes.cut(window), carried, begins=window == 0)).item() for window in range(lanes.windows)
    ]
    assert len(parts) == 3
    ids_BT, next_BT = torch.from_numpy(IDS[:30]).view(2, 15).long(), torch.from_numpy(IDS[1:]).view(2, 15).long()
    whole = functional.cross_entropy(model(ids_BT).flatten(0, 1), next_BT.flatten(), reduction="sum").item()
    assert sum(parts) == pytest.approx(whole, rel=1e-5)


def test_what_begins_knows_nothing_of_what_was_carried() -> None:
    model, carried = made(recurrent()), CarriedState()
    lanes, objective = Lanes(IDS, longest=5, wanted=2), WriteObjective(model, 0.0)
    first = objective(WriteBatch(lanes.cut(0), carried, begins=True))
    again = objective(WriteBatch(lanes.cut(0), carried, begins=True))
    going_on = objective(WriteBatch(lanes.cut(0), carried))
    assert torch.equal(first, again)
    assert not torch.isclose(first, going_on)


def test_the_gradient_ends_where_the_window_begins() -> None:
    model, carried = made(recurrent()), CarriedState()
    lanes, objective = Lanes(IDS, longest=5, wanted=1), WriteObjective(model, 0.0)
    objective(WriteBatch(lanes.cut(0), carried, begins=True))
    loss = objective(WriteBatch(lanes.cut(1), carried))
    loss.backward()
    assert not any(tensor.requires_grad for tensor in carried.tensors().values())
    read = set(lanes.cut(1).token_ids.flatten().tolist())
    moved = model.embedding.weight.grad.abs().amax(dim=1).nonzero().flatten().tolist()
    assert set(moved) == read


@pytest.mark.parametrize("cell", CELLS)
def test_a_carried_state_that_is_saved_and_restored_is_the_same(cell: str) -> None:
    model, carried, other = made(recurrent(cell)), CarriedState(), CarriedState()
    assert carried.tensors() == {}
    lanes, objective = Lanes(IDS, longest=5, wanted=3), WriteObjective(model, 0.0)
    objective(WriteBatch(lanes.cut(0), carried, begins=True))
    other.restore({name: tensor.clone() for name, tensor in carried.tensors().items()})
    assert len(carried.tensors()) == (2 if cell == "lstm" else 1)
    assert torch.equal(objective(WriteBatch(lanes.cut(1), carried)), objective(WriteBatch(lanes.cut(1), other)))


def test_a_state_in_bfloat16_is_kept_in_full_and_given_back_as_it_was() -> None:
    carried, state = CarriedState(), (torch.randn(1, 2, 3).bfloat16(),)
    carried.leave(state)
    assert {tensor.dtype for tensor in carried.tensors().values()} == {torch.float32}
    taken = carried.take(torch.bfloat16)
    assert taken is not None
    assert torch.equal(taken[0], state[0])
