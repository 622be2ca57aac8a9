"""bfloat16 and compiled training, where this computer can do them."""

import functools
import shutil
from collections.abc import Callable

import pytest
import torch
from torch import Tensor

from heed.machine import Bf16Probe, probe_bf16
from heed.models.transformer import Transformer, TransformerSettings
from heed.models.weights import weights_of
from heed.tasks.translate import TranslationBatch, TranslationObjective
from heed.training.precision import InBfloat16
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


def test_a_copy_computes_and_the_model_itself_stays_exact(bf16: Bf16Probe) -> None:
    torch.manual_seed(2)
    settings = TransformerSettings(width=16, heads=2, encoder_layers=1, decoder_layers=1, feedforward=24, norm="batch")
    objective = TranslationObjective(Transformer(settings, 11, 11), 0.0).train()
    table = objective.model.source_positions.table.clone()
    mean = next(buffer for name, buffer in objective.named_buffers() if name.endswith("norm.mean"))
    computing = InBfloat16(objective)
    keep = torch.ones(2, 3, dtype=torch.bool)
    ids = torch.tensor([[4, 5, 6], [7, 8, 9]])
    for _ in range(2):
        computing.objective(TranslationBatch(ids, keep, ids, keep, ids)).backward()
        computing.collect()
    assert all(parameter.grad is not None for parameter in objective.parameters())
    assert all(short.grad is None for short in computing.objective.parameters())
    assert {parameter.dtype for parameter in objective.parameters()} == {torch.float32}
    assert torch.equal(objective.model.source_positions.table, table)
    assert mean.abs().max() > 0
    with torch.no_grad():
        objective.model.vocabulary.bias.fill_(0.3)
    computing.refresh()
    assert float(computing.objective.model.vocabulary.bias.detach()[0]) == pytest.approx(0.3, abs=2e-3)


def transformer_objective() -> TranslationObjective:
    torch.manual_seed(2)
    settings = TransformerSettings(width=16, heads=2, encoder_layers=1, decoder_layers=1, feedforward=24, norm="batch")
    return TranslationObjective(Transformer(settings, 11, 11), 0.0).train()


def some_batch() -> TranslationBatch:
    keep, ids = torch.ones(2, 3, dtype=torch.bool), torch.tensor([[4, 5, 6], [7, 8, 9]])
    return TranslationBatch(ids, keep, ids, keep, ids)


def test_running_statistics_exist_once_and_in_float32(bf16: Bf16Probe) -> None:
    objective = transformer_objective()
    computing = InBfloat16(objective)
    saved = objective.state_dict()
    own = {name: each for name, each in objective.named_buffers() if name in saved}
    shared = dict(computing.objective.named_buffers())
    assert len(own) == 14 and {each.dtype for each in own.values()} == {torch.float32}
    assert all(shared[name] is each for name, each in own.items())
    before = {name: each.clone() for name, each in own.items()}
    computing.objective(some_batch())
    assert all(not torch.equal(each, before[name]) for name, each in own.items())


def test_gradients_of_several_batches_are_added_up_in_the_model(bf16: Bf16Probe) -> None:
    objective = transformer_objective()
    computing = InBfloat16(objective)
    expected: dict[str, Tensor] = {}
    for share in (0.5, 0.25, 2.0):
        (share * computing.objective(some_batch())).backward()
        for name, short in computing.objective.named_parameters():
            expected[name] = expected.get(name, torch.zeros(())) + short.grad.float()
        computing.collect()
    for name, parameter in objective.named_parameters():
        assert torch.equal(parameter.grad, expected[name]), name


def test_the_average_of_a_run_in_bfloat16_is_that_of_its_float32_weights(
    bf16: Bf16Probe, make_trainer: Callable[..., Trainer]
) -> None:
    trainer = make_trainer(precision="bf16", average=0.3, learning_rate=0.01)
    expected = {name: each.clone() for name, each in weights_of(trainer.task.model).items()}
    for report in trainer.run():
        kept = min(0.3, (1 + report.step) / (10 + report.step))
        for name, weight in weights_of(trainer.task.model).items():
            expected[name] = kept * expected[name] + (1 - kept) * weight
    for name, average in trainer.average.weights().items():
        assert average.dtype == torch.float32
        torch.testing.assert_close(average, expected[name], rtol=0, atol=1e-6)  # 1,000 times finer than bfloat16


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
