"""The optimizer's state by names, saved without pickle and refused when it is another model's."""

from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file
from torch import Tensor, nn

from heed.errors import RunError
from heed.training.optimizer import build_optimizer, load_optimizer_state, optimizer_state


def fresh() -> nn.Sequential:
    torch.manual_seed(3)
    return nn.Sequential(nn.Linear(3, 4), nn.LayerNorm(4), nn.Linear(4, 2))


def step(model: nn.Module, optimizer: torch.optim.Optimizer, seed: int) -> None:
    inputs_BD = torch.randn(5, 3, generator=torch.Generator().manual_seed(seed))
    model(inputs_BD).square().mean().backward()
    optimizer.step()
    optimizer.zero_grad()


def trained(steps: int) -> tuple[nn.Module, torch.optim.AdamW]:
    model = fresh()
    optimizer = build_optimizer(model, weight_decay=0.1)
    for seed in range(steps):
        step(model, optimizer, seed)
    return model, optimizer


def test_state_that_went_through_a_file_gives_the_same_next_step_to_the_bit(tmp_path: Path) -> None:
    model, optimizer = trained(3)
    save_file(optimizer_state(optimizer, model), tmp_path / "optimizer.safetensors")
    other = fresh()
    other.load_state_dict(model.state_dict())
    again = build_optimizer(other, weight_decay=0.1)
    load_optimizer_state(again, other, load_file(tmp_path / "optimizer.safetensors"))
    for one, its in ((model, optimizer), (other, again)):
        step(one, its, seed=9)
    for name, tensor in model.state_dict().items():
        assert torch.equal(tensor, other.state_dict()[name]), name


def test_without_its_state_the_next_step_is_another() -> None:
    model, optimizer = trained(3)
    other = fresh()
    other.load_state_dict(model.state_dict())
    for one, its in ((model, optimizer), (other, build_optimizer(other, weight_decay=0.1))):
        step(one, its, seed=9)
    assert not torch.equal(model[0].weight, other[0].weight)


def test_names_say_which_moment_of_which_parameter() -> None:
    model, optimizer = trained(2)
    state = optimizer_state(optimizer, model)
    assert set(state) == {
        f"{part}.{name}" for part in ("first", "second", "step") for name, _ in model.named_parameters()
    }
    assert state["step.0.bias"].item() == 2
    assert state["first.2.weight"].shape == (2, 4)


def test_before_the_first_step_there_is_no_state() -> None:
    model = fresh()
    optimizer = build_optimizer(model, weight_decay=0.1)
    assert optimizer_state(optimizer, model) == {}
    load_optimizer_state(optimizer, model, {})
    step(model, optimizer, seed=1)


def test_loaded_state_is_a_copy() -> None:
    model, optimizer = trained(1)
    saved = {name: tensor.clone() for name, tensor in optimizer_state(optimizer, model).items()}
    load_optimizer_state(optimizer, model, saved)
    before = saved["first.0.weight"].clone()
    step(model, optimizer, seed=2)
    assert torch.equal(saved["first.0.weight"], before)


@pytest.mark.parametrize(
    ("name", "tensor"),
    [("first.0.weight", torch.zeros(4, 9)), ("second.0.weight", torch.zeros(9)), ("step.0.weight", None)],
)
def test_state_of_another_model_is_refused_with_name_and_shape(name: str, tensor: Tensor | None) -> None:
    model, optimizer = trained(1)
    state = optimizer_state(optimizer, model)
    if tensor is None:
        del state[name]
    else:
        state[name] = tensor
    with pytest.raises(RunError, match=r"optimizer's state for 0\.weight is .*the model needs .*\(4, 3\)"):
        load_optimizer_state(optimizer, model, state)


def test_matrices_decay_and_vectors_do_not() -> None:
    model = fresh()
    optimizer = build_optimizer(model, weight_decay=0.1)
    decays = {
        group["weight_decay"]: {parameter.ndim for parameter in group["params"]} for group in optimizer.param_groups
    }
    assert decays == {0.1: {2}, 0.0: {1}}
