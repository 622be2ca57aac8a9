"""`Trainer`: the training loop as a generator. The caller records, shows and stops; the loop only trains.

    for report in trainer.run():
        ...                       # look at it, save trainer.snapshot(), or break

Everything random is a pure function of (seed, epoch, example), so a run that goes on from a snapshot is the
same run, bit for bit: there is no generator state to restore and no data to replay.
"""

import math
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Protocol, cast, runtime_checkable

import numpy
import torch
from torch import Tensor, nn

from heed.errors import RunError
from heed.layers.drawing import Sites, drawing, example_keys
from heed.layers.norms import BatchNorm
from heed.layers.onednn_linear import multiply_by_onednn
from heed.layers.vocabulary_loss import stay_outside_graphs
from heed.machine import Ranks, gains_by_onednn
from heed.models.weights import load_weights, weights_of
from heed.tasks.validation import Validation
from heed.training.average import WeightAverage
from heed.training.depth import freeze
from heed.training.memory import memory_kept
from heed.training.optimizer import build_optimizers, load_optimizer_state, move, optimizer_state
from heed.training.precision import build_computing
from heed.training.progress import Position, Validating, affordable, progress, validation_due
from heed.training.ranks import (
    batch_over_ranks,
    from_first_rank,
    share_of,
    sum_gradients,
    sum_over_ranks,
    weights_of_first_rank,
)
from heed.training.reports import StepReport
from heed.training.schedules import learning_rate
from heed.training.settings import TrainingSettings


class Batch(Protocol):
    """What a task makes of chosen examples."""

    @property
    def tokens(self) -> int:
        """Return the number of real tokens in it, by which speed is told."""
        ...

    @property
    def targets(self) -> int:
        """Return what the loss is a mean over: target tokens where text is written, texts where they are labelled."""
        ...


class TrainableTask(Protocol):
    """What a task offers to the trainer."""

    @property
    def model(self) -> nn.Module:
        """Return what is trained."""
        ...

    @property
    def objective(self) -> nn.Module:
        """Return the model with its loss: a batch in, the summed loss out."""
        ...

    def order(self, seed: int, epoch: int, tokens_per_batch: int, window: int) -> list[list[int]]:
        """Return the examples of an epoch in batches: a pure function, so that resuming needs no replay."""
        ...

    def batch(self, rows: Sequence[int], epoch: int) -> Batch:
        """Return the chosen training examples as one batch; what is drawn for them is drawn afresh each epoch."""
        ...

    def validate(self) -> Validation:
        """Return the model's scores on the validation data, with the weights it has at this moment."""
        ...


@runtime_checkable
class MixingTask(Protocol):
    """A task that mixes the examples of a batch with each other, so that a share of it needs to know all of it."""

    def part(self, rows: Sequence[int], places: Sequence[int], epoch: int) -> Batch:
        """Return what stands at these places of the batch of all rows."""
        ...


@runtime_checkable
class CarryingTask(Protocol):
    """A task whose next batch depends on tensors that the last one left behind, such as a recurrent state."""

    def carried(self) -> dict[str, Tensor]:
        """Return these tensors; they are saved with the weights."""
        ...

    def carry(self, tensors: Mapping[str, Tensor]) -> None:
        """Take them up again."""
        ...


@dataclass(frozen=True)
class Share:
    """What this rank has of a batch."""

    batch: Batch
    rows: Sequence[int]
    counts: bool  # False: this rank has no row of the batch, and only keeps the others company


@dataclass(frozen=True)
class Snapshot:
    """All that a run needs to go on as if it had never stopped."""

    tensors: Mapping[str, Mapping[str, Tensor]]
    facts: Mapping[str, float | int]


class Trainer:
    """A run: the task, its optimizers and average, and where it stands."""

    def __init__(self, task: TrainableTask, settings: TrainingSettings, ranks: Ranks) -> None:
        self.task = task
        self.settings = settings
        self.ranks = ranks
        self.position = Position()
        self.best_score = -math.inf
        self.validations_since_best = 0
        self.validating = Validating()
        self._uncounted = 0.0  # seconds of a validation after the last step: the next step's clock counts them
        weights_of_first_rank(task.model, ranks)
        if settings.frozen_layers is not None:
            freeze(task.model, settings.frozen_layers)
        self.optimizers = build_optimizers(task.model, settings)
        self.average = WeightAverage(task.model, settings.average)
        self.computing = build_computing(settings.precision, task.objective)
        objective = self.computing.objective
        if settings.compile:
            stay_outside_graphs()
            # What comes back is a module too, though torch's types call it a function.
            self.objective = cast(nn.Module, torch.compile(objective, dynamic=True))
        else:
            self.objective = multiply_by_onednn(objective) if gains_by_onednn() else objective
        self._sites = Sites(self.objective)
        self._looks_at_batches = any(isinstance(module, BatchNorm) for module in task.model.modules())
        self._order: tuple[int, list[list[int]]] = (-1, [])

    def run(self) -> Iterator[StepReport]:
        """Train to the end of the run, a report for each optimizer step."""
        with memory_kept():
            yield from self._reports()

    @property
    def finished(self) -> bool:
        """Tell whether the run has come to its end, early or not; a resumed run asks too."""
        gave_up = self.settings.patience is not None and self.validations_since_best >= self.settings.patience
        return gave_up or self._progress() >= 1

    def snapshot(self) -> Snapshot:
        """Return the state of the run after the last report."""
        tensors = {
            "weights": weights_of(self.task.model),
            "average": self.average.weights(),
            "optimizer": optimizer_state(self.optimizers, self.task.model),
        }
        if isinstance(self.task, CarryingTask):
            tensors["carried"] = self.task.carried()
        best = {} if self.best_score == -math.inf else {"best_score": self.best_score}
        since_best = {"validations_since_best": self.validations_since_best}
        position = replace(self.position, seconds=self.position.seconds + self._uncounted)
        return Snapshot(tensors, {**asdict(position), **best, **since_best, **self.validating.facts()})

    def restore(self, snapshot: Snapshot, origin: str) -> None:
        """Go back to a saved state."""
        load_weights(self.task.model, snapshot.tensors["weights"], origin)
        self.computing.refresh()
        self.average.restore(snapshot.tensors["average"], origin)
        load_optimizer_state(self.optimizers, self.task.model, snapshot.tensors["optimizer"])
        if isinstance(self.task, CarryingTask):
            self.task.carry(snapshot.tensors["carried"])
        facts = snapshot.facts
        self.position = Position(
            step=int(facts["step"]), epoch=int(facts["epoch"]), batch=int(facts["batch"]), seconds=facts["seconds"]
        )
        self.best_score = facts.get("best_score", -math.inf)
        self.validations_since_best = int(facts["validations_since_best"])
        self.validating = Validating.of(facts)
        self._uncounted = 0.0

    def best_weights(self) -> dict[str, Tensor]:
        """Return the weights that the last validation was about."""
        return self.average.rounded()

    def _reports(self) -> Iterator[StepReport]:
        self.task.model.train()
        self.objective.train()
        clock = time.monotonic()
        while not self.finished:
            before = self._progress()
            report = self._step(before)
            now = time.monotonic()
            (seconds,) = from_first_rank([self.position.seconds + now - clock], self.ranks)
            clock = now
            self.position = replace(self.position, seconds=seconds)
            self._uncounted = 0.0
            after = self._progress()
            validation = self._validate() if self._is_due(before, after) else None
            yield replace(
                report, progress=after, seconds=self.position.seconds, validation=validation, finished=self.finished
            )

    def _step(self, progress_before: float) -> StepReport:
        """Take one optimizer step over the next batches of the order."""
        order = self._batches()
        group = order[self.position.batch : self.position.batch + self.settings.accumulate]
        self._draw_from_step()
        loss, tokens = self._accumulate(group)
        rate = learning_rate(
            self.settings.schedule, self.settings.learning_rate, self.settings.warmup, self._progress_after(group)
        )
        norm = float(nn.utils.clip_grad_norm_(self.task.model.parameters(), self.settings.clip))
        if not (math.isfinite(loss) and math.isfinite(norm)):
            raise RunError(
                f"Training broke at step {self.position.step + 1}: loss {loss}, gradient {norm}, learning rate "
                f"{rate:.2g}. Lower training.learning_rate (now {self.settings.learning_rate}) and train again."
            )
        move(self.optimizers, rate)
        self.computing.refresh()
        epoch = self.position.epoch
        self.position = self._after(group)
        self.average.update(self.task.model, self.position.step)
        return StepReport(self.position.step, epoch, loss, rate, norm, tokens, progress_before, self.position.seconds)

    def _accumulate(self, group: list[list[int]]) -> tuple[float, int]:
        """Add up the gradients of a group of batches, as if it were one: return its loss per target and its tokens."""
        shares = [share for rows in group if (share := self._share(rows)) is not None]
        own_batches = [share.batch for share in shares if share.counts]
        counts = [float(sum(batch.targets for batch in own_batches)), float(sum(batch.tokens for batch in own_batches))]
        targets, tokens = sum_over_ranks(counts, self.ranks)
        own = 0.0
        for share in shares:
            loss = self._loss(share)
            (loss / targets).backward()  # type: ignore[no-untyped-call]
            self.computing.collect()
            own += float(loss.detach())
        sum_gradients(self.task.model, self.ranks)
        (summed,) = sum_over_ranks([own], self.ranks)
        return summed / targets, int(tokens)

    def _share(self, rows: list[int]) -> Share | None:
        """Return this rank's share of a batch, or None where it has none and no other rank waits for it."""
        places = share_of(range(len(rows)), self.ranks)
        counts = len(places) > 0
        if not counts and not self._looks_at_batches:
            return None
        places = places if counts else [0]
        own, epoch = [rows[place] for place in places], self.position.epoch
        if self.ranks.world_size > 1 and isinstance(self.task, MixingTask):
            return Share(self.task.part(rows, places, epoch), own, counts)
        return Share(self.task.batch(own, epoch), own, counts)

    def _loss(self, share: Share) -> Tensor:
        """Return the summed loss of this rank's share of a batch; what is drawn belongs to its examples."""
        keys = example_keys(self.settings.seed, self.position.epoch, share.rows)
        with drawing(self._sites, keys), batch_over_ranks(self.ranks, share.counts):
            loss: Tensor = self.objective(share.batch)
        return loss if share.counts else loss * 0.0

    def _is_due(self, before: float, after: float) -> bool:
        due = validation_due(before, after, self.settings.validations)
        return due and (after >= 1 or affordable(self.settings, self.position.seconds, self.validating))

    def _validate(self) -> Validation:
        began = time.monotonic()
        with self.average.inside(self.task.model):
            validation = self.task.validate()
        # All ranks go by the first one's clock: they must agree when the next is due.
        score, seconds = from_first_rank([validation.score, time.monotonic() - began], self.ranks)
        self.validating = self.validating.and_one(seconds)
        self._uncounted = seconds
        gained = score > self.best_score
        # Of equal scores the later weights are kept: at the start all scores are 0, and the later loss is lower.
        better = score >= self.best_score
        self.best_score = max(score, self.best_score)
        self.validations_since_best = 0 if gained else self.validations_since_best + 1
        return replace(validation, better=better)

    def _batches(self) -> list[list[int]]:
        """Return the order of the epoch in which the run stands."""
        if self._order[0] != self.position.epoch:
            settings = self.settings
            epoch = self.position.epoch
            self._order = (epoch, self.task.order(settings.seed, epoch, settings.tokens_per_batch, settings.window))
        return self._order[1]

    def _progress(self) -> float:
        return progress(self.settings, self.position, len(self._batches()))

    def _progress_after(self, group: list[list[int]]) -> float:
        return progress(self.settings, self._after(group), len(self._batches()))

    def _after(self, group: list[list[int]]) -> Position:
        """Return the position after a group of batches."""
        position = replace(self.position, step=self.position.step + 1, batch=self.position.batch + len(group))
        if position.batch < len(self._batches()):
            return position
        return replace(position, epoch=position.epoch + 1, batch=0)

    def _draw_from_step(self) -> None:
        """Let torch's generator, from which a compiled model draws, depend on (seed, step, rank) alone."""
        entropy = [self.settings.seed, self.position.step, self.ranks.rank]
        torch.default_generator.manual_seed(int(numpy.random.SeedSequence(entropy).generate_state(1)[0]))
