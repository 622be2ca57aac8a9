"""The optimizer's state by names, saved without pickle and refused when it is another model's."""

from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file
from torch import Tensor, nn

from heed.errors import RunError, SettingsError
from heed.layers.feedforward import FeedForward
from heed.training.muon import Muon
from heed.training.optimizer import Optimizers, build_optimizers, load_optimizer_state, move, optimizer_state
from heed.training.settings import OptimizerName, TrainingSettings

BOTH = pytest.mark.parametrize("optimizer", ["adamw", "muon"])


def fresh() -> nn.Sequential:
    torch.manual_seed(3)
    return nn.Sequential(nn.Linear(3, 4), nn.LayerNorm(4), FeedForward(4, 5, nn.ReLU(), dropout=0.0), nn.Linear(4, 2))


def built(model: nn.Module, optimizer: OptimizerName = "adamw") -> Optimizers:
    return build_optimizers(model, TrainingSettings(optimizer=optimizer, weight_decay=0.1))


def step(model: nn.Module, optimizers: Optimizers, seed: int) -> None:
    inputs_BD = torch.randn(5, 3, generator=torch.Generator().manual_seed(seed))
    model(inputs_BD).square().mean().backward()
    move(optimizers, rate=0.01)


def trained(steps: int, optimizer: OptimizerName = "adamw") -> tuple[nn.Module, Optimizers]:
    model = fresh()
    optimizers = built(model, optimizer)
    for seed in range(steps):
        step(model, optimizers, seed)
    return model, optimizers


@BOTH
def test_state_that_went_through_a_file_gives_the_same_next_step_to_the_bit(
    optimizer: OptimizerName, tmp_path: Path
) -> None:
    model, optimizers = trained(3, optimizer)
    save_file(optimizer_state(optimizers, model), tmp_path / "optimizer.safetensors")
    other = fresh()
    other.load_state_dict(model.state_dict())
    again = built(other, optimizer)
    load_optimizer_state(again, other, load_file(tmp_path / "optimizer.safetensors"))
    for one, its in ((model, optimizers), (other, again)):
        step(one, its, seed=9)
    for name, tensor in model.state_dict().items():
        assert torch.equal(tensor, other.state_dict()[name]), name


@BOTH
def test_without_its_state_the_next_step_is_another(optimizer: OptimizerName) -> None:
    model, optimizers = trained(3, optimizer)
    other = fresh()
    other.load_state_dict(model.state_dict())
    for one, its in ((model, optimizers), (other, built(other, optimizer))):
        step(one, its, seed=9)
    assert not torch.equal(model[0].weight, other[0].weight)
    assert not torch.equal(model[2].widen.weight, other[2].widen.weight)


def test_names_say_which_moment_of_which_parameter() -> None:
    model, optimizers = trained(2)
    state = optimizer_state(optimizers, model)
    assert set(state) == {
        f"{part}.{name}" for part in ("first", "second", "step") for name, _ in model.named_parameters()
    }
    assert state["step.0.bias"].item() == 2
    assert state["first.3.weight"].shape == (2, 4)


def test_muon_keeps_one_moment_of_each_matrix_between_vectors_of_the_models_own() -> None:
    model, optimizers = trained(2, "muon")
    state = optimizer_state(optimizers, model)
    assert {name for name in state if name.startswith("momentum.")} == {
        "momentum.2.widen.weight",
        "momentum.2.narrow.weight",
    }
    assert "first.2.widen.bias" in state and "first.3.weight" in state and "first.2.widen.weight" not in state


@BOTH
def test_every_parameter_that_learns_belongs_to_one_optimizer(optimizer: OptimizerName) -> None:
    model = fresh()
    model[0].requires_grad_(False)
    groups = [group for each in built(model, optimizer) for group in each.param_groups]
    members = [id(parameter) for group in groups for parameter in group["params"]]
    assert sorted(members) == sorted(id(each) for each in model.parameters() if each.requires_grad)


def test_muon_without_a_matrix_to_move_is_refused() -> None:
    with pytest.raises(SettingsError, match=r"optimizer is muon, but nothing .* Use training\.optimizer=adamw"):
        built(nn.Linear(3, 2), "muon")


def test_before_the_first_step_there_is_no_state() -> None:
    model = fresh()
    optimizers = built(model)
    assert optimizer_state(optimizers, model) == {}
    load_optimizer_state(optimizers, model, {})
    step(model, optimizers, seed=1)


@BOTH
def test_loaded_state_is_a_copy(optimizer: OptimizerName) -> None:
    model, optimizers = trained(1, optimizer)
    saved = {name: tensor.clone() for name, tensor in optimizer_state(optimizers, model).items()}
    load_optimizer_state(optimizers, model, saved)
    before = {name: tensor.clone() for name, tensor in saved.items()}
    step(model, optimizers, seed=2)
    assert all(torch.equal(saved[name], before[name]) for name in saved)


@pytest.mark.parametrize(
    ("name", "tensor"),
    [("first.0.weight", torch.zeros(4, 9)), ("second.0.weight", torch.zeros(9)), ("step.0.weight", None)],
)
def test_state_of_another_model_is_refused_with_name_and_shape(name: str, tensor: Tensor | None) -> None:
    model, optimizers = trained(1)
    state = optimizer_state(optimizers, model)
    if tensor is None:
        del state[name]
    else:
        state[name] = tensor
    with pytest.raises(RunError, match=r"optimizer's state for 0\.weight is .*the model needs .*\(4, 3\)"):
        load_optimizer_state(optimizers, model, state)


def test_state_of_adamw_is_refused_for_what_muon_moves() -> None:
    model, optimizers = trained(1)
    state = optimizer_state(optimizers, model)
    with pytest.raises(RunError, match=r"state for 2\.widen\.weight is .*exp_avg.*needs \{'momentum_buffer': \(5, 4\)"):
        load_optimizer_state(built(model, "muon"), model, state)


@BOTH
def test_matrices_decay_and_vectors_do_not(optimizer: OptimizerName) -> None:
    decays: dict[float, set[int]] = {}
    for group in (group for each in built(fresh(), optimizer) for group in each.param_groups):
        decays.setdefault(group["weight_decay"], set()).update(parameter.ndim for parameter in group["params"])
    assert decays == {0.1: {2}, 0.0: {1}}


def test_muon_comes_with_adamw_for_the_rest() -> None:
    assert [type(each) for each in built(fresh(), "muon")] == [Muon, torch.optim.AdamW]
    assert [type(each) for each in built(fresh())] == [torch.optim.AdamW]


def test_adamw_forgets_as_vaswani_et_al_have_it() -> None:
    model = fresh()
    optimizers = built(model)
    for parameter in model.parameters():
        parameter.grad = torch.full_like(parameter, 3.0)
    move(optimizers, rate=0.01)
    state = optimizer_state(optimizers, model)
    # After one step the moments are (1 - beta) times the gradient and its square: beta1 = 0.9, beta2 = 0.98.
    torch.testing.assert_close(state["first.0.weight"], torch.full((4, 3), 0.1 * 3.0))
    torch.testing.assert_close(state["second.0.weight"], torch.full((4, 3), 0.02 * 9.0))
