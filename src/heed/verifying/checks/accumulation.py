"""Accumulation = one big batch: the gradient of a step does not depend on how it is cut into batches."""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

from torch import Tensor, nn

from heed.layers.norms import BatchNorm
from heed.machine import Ranks
from heed.tasks.validation import Validation
from heed.tasks.write_training import LaneTraining
from heed.training.settings import TrainingSettings
from heed.training.trainer import Batch, TrainableTask, Trainer
from heed.verifying.checking import Check
from heed.verifying.examples import Example, examples_of, tensors_of
from heed.verifying.findings import Difference, Measured, NotChecked, Tolerance, Unfit
from heed.verifying.subject import Subject

TOLERANCE = Tolerance(1e-4, "32-bit sums in another order, against the largest gradient")
IN_BFLOAT16 = Tolerance(0.05, "8 bits of precision in each part's gradient, against the largest gradient")
EXAMPLES = 48  # among which those of one shape are looked for
STEP = 8  # examples of one step at most

Gradients = dict[str, Tensor]


class Regrouped:
    """A task whose epochs have the batches that they are told."""

    def __init__(self, task: TrainableTask, batches: list[list[int]]) -> None:
        self.task = task
        self.batches = batches
        self.model: nn.Module = task.model
        self.objective: nn.Module = task.objective

    def order(self, seed: int, epoch: int, tokens_per_batch: int, window: int) -> list[list[int]]:
        """Return the batches that were told."""
        return self.batches

    def batch(self, rows: Sequence[int], epoch: int) -> Batch:
        """Return the chosen examples as one batch."""
        return self.task.batch(rows, epoch)

    def validate(self) -> Validation:
        """Return the scores of the task."""
        return self.task.validate()


def compare(subject: Subject) -> Measured | Unfit | NotChecked:
    """Compare the gradients of a step over two batches of unlike size with those of one batch of all examples."""
    if not subject.learns_in_steps:
        return Unfit("the model does not learn in steps")
    if isinstance(subject.calm_task, LaneTraining):
        return Unfit("the windows of a recurrent network follow each other: they are never one batch")
    if any(isinstance(module, BatchNorm) for module in subject.exact.modules()):
        return Unfit("batch norm takes its statistics over a whole batch, so that parts of it are not the whole")
    if subject.lacking is not None:
        return subject.lacking
    rows = _alike(examples_of(subject.calm_task, EXAMPLES))
    if len(rows) < 2:
        return Unfit("all examples are alike: parts of them are as good as the whole")
    cut = max(1, len(rows) // 4)
    whole = gradients_of(subject, [rows])
    parts = gradients_of(subject, [rows[:cut], rows[cut:]])
    largest = max(float(gradient.abs().max()) for gradient in whole.values())
    differences = [
        Difference(name, float((parts[name] - gradient).abs().max()) / max(largest, 1e-12))
        for name, gradient in whole.items()
    ]
    tolerance = IN_BFLOAT16 if subject.settings.training.precision == "bf16" else TOLERANCE
    return Measured(differences, tolerance, note=f"{len(rows)} examples as {cut} and {len(rows) - cut}")


def gradients_of(subject: Subject, batches: list[list[int]]) -> Gradients:
    """Return the gradients of one optimizer step over the batches, before they are clipped."""
    task = Regrouped(subject.task(subject.calm), batches)
    trainer = Trainer(task, _settings(subject.settings.training, len(batches)), Ranks())
    found: Gradients = {}
    for optimizer in trainer.optimizers:
        optimizer.register_step_pre_hook(_keeper(found, task.model))
    next(iter(trainer.run()))
    return found


def _alike(examples: Sequence[Example]) -> list[int]:
    """Return different examples, of one shape if there are some: padding has a check of its own."""
    different = {b"".join(each.numpy().tobytes() for each in tensors_of(one.batch)): one for one in examples}
    groups: dict[object, list[int]] = {}
    for example in different.values():
        shapes = tuple(tuple(each.shape[1:]) for each in tensors_of(example.batch))
        groups.setdefault(shapes, []).append(example.row)
    largest = max(groups.values(), key=len)
    return (largest if len(largest) > 2 else [example.row for example in different.values()])[:STEP]


def _settings(training: TrainingSettings, batches: int) -> TrainingSettings:
    """Return settings of one step among a thousand: none of them validates."""
    return replace(
        training,
        steps=1000,
        epochs=None,
        minutes=None,
        accumulate=batches,
        validations=1,
        clip=math.inf,
    )


def _keeper(found: Gradients, model: nn.Module) -> Callable[..., None]:
    """Return what keeps the gradients that an optimizer is about to use."""

    def keep(*given: object) -> None:
        found.update({name: each.grad.clone() for name, each in model.named_parameters() if each.grad is not None})

    return keep


CHECK = Check("accumulation", "a step over parts of a batch = a step over the whole batch", compare)
