"""A trainer of forty lines in plain torch, every constant written out: ours must move the weights as it does."""

import copy
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import pytest
import torch
from torch import Tensor, nn

from heed.layers.feedforward import FeedForward
from heed.machine import Ranks
from heed.models.weights import weights_of
from heed.tasks.validation import Sample, Validation
from heed.training.settings import OptimizerName, TrainingSettings
from heed.training.trainer import Trainer

STEPS = 7
# The rate of each step k of 7: a rise to 0.05 over the first 0.3 of the run, then a cosine down to a hundredth of it.
RATES = (0.0238095238, 0.0476190476, 0.0459522026, 0.0336341264, 0.0178868103, 0.0049646595, 0.0005)
# Batches of unlike size, two to a step; the last step of an epoch of five has one.
EPOCH = ([0, 1, 2], [3], [4, 5, 6, 7], [8, 9], [10])
SETTINGS = TrainingSettings(
    steps=STEPS,
    accumulate=2,
    learning_rate=0.05,
    warmup=0.3,
    schedule="cosine",
    weight_decay=0.1,
    clip=0.5,
    average=0.3,
    validations=1,
)
BOTH = pytest.mark.parametrize("optimizer", ["adamw", "muon"])


class Tiny(nn.Module):
    """A model with matrices for Muon (`inner`), others, and vectors."""

    def __init__(self) -> None:
        super().__init__()
        self.start, self.norm, self.end = nn.Linear(3, 4), nn.LayerNorm(4), nn.Linear(4, 2)
        self.inner = FeedForward(4, 6, nn.Tanh(), dropout=0.0)

    def forward(self, x_ND: Tensor) -> Tensor:
        hidden_ND = self.start(x_ND)
        return self.end(self.norm(hidden_ND + self.inner(hidden_ND)))


@dataclass(frozen=True)
class Rows:
    """Some rows of the data as a batch; the loss is a mean over rows."""

    inputs: Tensor
    wanted: Tensor

    @property
    def tokens(self) -> int:
        return len(self.inputs)

    @property
    def targets(self) -> int:
        return len(self.inputs)


class SummedError(nn.Module):
    """The model with its loss, summed over the rows of a batch."""

    def __init__(self, model: nn.Module) -> None:
        super().__init__()
        self.model = model

    def forward(self, rows: Rows) -> Tensor:
        return (self.model(rows.inputs) - rows.wanted).square().sum()


class Fitting:
    """A task: fit eleven random rows. It remembers the weights that were validated."""

    def __init__(self) -> None:
        torch.manual_seed(3)
        self.model = Tiny()
        self.objective = SummedError(self.model)
        self.inputs, self.wanted = torch.randn(11, 3), 4 * torch.randn(11, 2)
        self.validated: dict[str, Tensor] = {}

    def order(self, seed: int, epoch: int, tokens_per_batch: int, window: int) -> list[list[int]]:
        return [*EPOCH[epoch % 5 :], *EPOCH[: epoch % 5]]

    def batch(self, rows: Sequence[int], epoch: int) -> Rows:
        return Rows(self.inputs[list(rows)], self.wanted[list(rows)])

    def validate(self) -> Validation:
        self.validated = {name: each.clone() for name, each in weights_of(self.model).items()}
        return Validation(score=1.0, values={"loss": 1.0}, sample=Sample("", "", ""))


@dataclass(frozen=True)
class State:
    """Weights and their average after a step, and the loss and the norm of the gradient that it began with."""

    weights: dict[str, Tensor]
    average: dict[str, Tensor]
    loss: float
    norm: float


class Reference:
    """The same by hand."""

    def __init__(self, task: Fitting, optimizer: OptimizerName) -> None:
        self.task, self.optimizer = task, optimizer
        self.weights = {name: each.detach().clone() for name, each in task.model.named_parameters()}
        self.average = copy.deepcopy(self.weights)
        zeros = {name: torch.zeros_like(each) for name, each in self.weights.items()}
        self.first, self.second = zeros, copy.deepcopy(zeros)

    def run(self) -> Iterator[State]:
        """Yield the state after each step."""
        for step, (rows, rate) in enumerate(zip(self.groups(), RATES, strict=True), start=1):
            loss, gradients = self.gradients(rows)
            norm = math.sqrt(sum(float(each.square().sum()) for each in gradients.values()))
            assert norm > 0.5, "nothing would be clipped"
            self.step(step, rate, {name: each * 0.5 / (norm + 1e-6) for name, each in gradients.items()})
            yield State(copy.deepcopy(self.weights), copy.deepcopy(self.average), loss, norm)

    def groups(self) -> list[list[int]]:
        """Return the rows of each step: two batches, or the last one of an epoch; each epoch begins one batch later."""
        return [[0, 1, 2, 3], [4, 5, 6, 7, 8, 9], [10], [3, 4, 5, 6, 7], [8, 9, 10], [0, 1, 2], [4, 5, 6, 7, 8, 9]]

    def gradients(self, rows: list[int]) -> tuple[float, dict[str, Tensor]]:
        """Return the mean loss over the rows, as if they were one batch, and its gradients."""
        given = {name: each.clone().requires_grad_() for name, each in self.weights.items()}
        answers = torch.func.functional_call(self.task.model, given, (self.task.inputs[rows],))
        loss = (answers - self.task.wanted[rows]).square().sum() / len(rows)
        return float(loss.detach()), dict(zip(given, torch.autograd.grad(loss, list(given.values())), strict=True))

    def step(self, step: int, rate: float, gradients: dict[str, Tensor]) -> None:
        kept = min(0.3, (1 + step) / (10 + step))
        for name, gradient in gradients.items():
            weight = self.weights[name]
            if weight.ndim == 2:
                weight *= 1 - rate * 0.1
            by_muon = self.optimizer == "muon" and name in ("inner.widen.weight", "inner.narrow.weight")
            weight -= rate * (self.muon(name, gradient) if by_muon else self.adam(name, gradient, step))
            self.average[name] = kept * self.average[name] + (1 - kept) * weight

    def adam(self, name: str, gradient: Tensor, step: int) -> Tensor:
        self.first[name] = 0.9 * self.first[name] + 0.1 * gradient
        self.second[name] = 0.98 * self.second[name] + 0.02 * gradient**2
        return (self.first[name] / (1 - 0.9**step)) / ((self.second[name] / (1 - 0.98**step)).sqrt() + 1e-9)

    def muon(self, name: str, gradient: Tensor) -> Tensor:
        self.first[name] = 0.95 * self.first[name] + 0.05 * gradient
        ahead = 0.05 * gradient + 0.95 * self.first[name]
        left, values, right = torch.linalg.svd(ahead / ahead.norm(), full_matrices=False)
        for _ in range(5):
            values = 3.4445 * values - 4.7750 * values**3 + 2.0315 * values**5
        return 0.2 * math.sqrt(6) * (left * values @ right)  # 6: the longer side of both matrices


@pytest.fixture(autouse=True)
def in_64_bits() -> Iterator[None]:
    """Compute in double precision, Muon's polynomial too, so that agreement can be asked to nine digits."""
    torch.set_default_dtype(torch.float64)
    yield
    torch.set_default_dtype(torch.float32)


def trainer_of(optimizer: OptimizerName) -> tuple[Fitting, Trainer]:
    task = Fitting()
    values = {**vars(SETTINGS), "optimizer": optimizer}
    return task, Trainer(task, TrainingSettings(**values), Ranks())


@BOTH
def test_every_step_moves_the_weights_as_the_reference_does(optimizer: OptimizerName) -> None:
    task, trainer = trainer_of(optimizer)
    reference = Reference(Fitting(), optimizer)
    for report, expected in zip(trainer.run(), reference.run(), strict=True):
        for name, weight in weights_of(task.model).items():
            torch.testing.assert_close(weight, expected.weights[name], rtol=0, atol=1e-7, msg=f"{report.step} {name}")


@BOTH
def test_after_every_step_the_average_is_the_references(optimizer: OptimizerName) -> None:
    _, trainer = trainer_of(optimizer)
    for report, expected in zip(trainer.run(), Reference(Fitting(), optimizer).run(), strict=True):
        for name, weight in trainer.average.weights().items():
            torch.testing.assert_close(weight, expected.average[name], rtol=0, atol=1e-7, msg=f"{report.step} {name}")


def test_losses_and_norms_are_the_references() -> None:
    # The size of a gradient is seen here alone: what is clipped, and AdamW, makes the same step of twice as much.
    _, trainer = trainer_of("adamw")
    for report, expected in zip(trainer.run(), Reference(Fitting(), "adamw").run(), strict=True):
        assert report.loss == pytest.approx(expected.loss, abs=1e-6)
        assert report.gradient_norm == pytest.approx(expected.norm, abs=1e-6)


def test_the_rate_of_each_step_is_that_worked_by_hand() -> None:
    _, trainer = trainer_of("adamw")
    assert [report.learning_rate for report in trainer.run()] == pytest.approx(RATES, abs=1e-9)


def test_what_is_validated_and_kept_is_the_average_and_not_the_last_step() -> None:
    task, trainer = trainer_of("adamw")
    *_, last = zip(trainer.run(), Reference(Fitting(), "adamw").run(), strict=True)
    average = last[1].average
    for found in (task.validated, trainer.best_weights()):
        torch.testing.assert_close(found["start.bias"], average["start.bias"], rtol=0, atol=1e-6)
        torch.testing.assert_close(found["start.weight"], average["start.weight"], rtol=1e-3, atol=1e-6)
        assert not torch.allclose(found["start.weight"], last[1].weights["start.weight"], rtol=1e-3, atol=1e-6)
