"""bfloat16 and compiled training, where this computer can do them."""

import functools
import shutil
from collections.abc import Callable

import pytest
import torch

from heed.machine import Bf16Probe, probe_bf16
from heed.models.weights import weights_of
from heed.training.trainer import Trainer


@pytest.fixture(scope="module")
def bf16() -> Bf16Probe:
    """Return what a child process found, or skip: the instructions may be announced and still kill."""
    probe = probe_bf16()
    if not probe.works or probe.isa is not None:
        pytest.skip(f"bfloat16: {probe.reason}")
    return probe


@pytest.mark.slow
def test_bfloat16_trains_float32_weights_to_nearly_the_same_loss(
    bf16: Bf16Probe, make_trainer: Callable[..., Trainer]
) -> None:
    plain, short = make_trainer(), make_trainer(precision="bf16")
    losses = [[report.loss for report in trainer.run()] for trainer in (plain, short)]
    assert losses[0] == pytest.approx(losses[1], abs=0.05)
    assert losses[0] != losses[1]
    assert {tensor.dtype for tensor in weights_of(short.task.model).values()} == {torch.float32}


def losses(make_trainer: Callable[..., Trainer], compiled: bool) -> list[float]:
    return [report.loss for report in make_trainer(compile=compiled, steps=2).run()]


@pytest.mark.slow
def test_training_on_the_graph_that_torch_captures_has_the_same_loss(
    make_trainer: Callable[..., Trainer], monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = losses(make_trainer, compiled=False)
    # The graph without the C++ that is made of it: what we can get wrong is in the capturing.
    monkeypatch.setattr(torch, "compile", functools.partial(torch.compile, backend="eager"))
    assert losses(make_trainer, compiled=True) == pytest.approx(expected, abs=1e-4)


@pytest.mark.real
@pytest.mark.skipif(shutil.which("g++") is None, reason="torch.compile needs a C++ compiler")
def test_compiled_training_has_the_same_loss(make_trainer: Callable[..., Trainer]) -> None:
    assert losses(make_trainer, compiled=True) == pytest.approx(losses(make_trainer, compiled=False), abs=1e-4)
