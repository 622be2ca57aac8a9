"""The training loop: what a step is divided by, what it must not depend on, and when a run ends."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from types import SimpleNamespace

import pytest
import torch
from torch import Tensor

from heed.errors import RunError
from heed.models.weights import weights_of
from heed.tasks.translate import TranslationBatch, batch_of
from heed.tasks.translation_training import TranslationTraining
from heed.tasks.validation import Sample, Validation
from heed.training.reports import StepReport
from heed.training.schedules import FLOOR
from heed.training.trainer import Snapshot, Trainer

MakeTask = Callable[..., TranslationTraining]
MakeTrainer = Callable[..., Trainer]


def finish(trainer: Trainer) -> list[StepReport]:
    return list(trainer.run())


def weights_after(trainer: Trainer) -> dict[str, Tensor]:
    finish(trainer)
    return weights_of(trainer.task.model)


def differing(left: dict[str, Tensor], right: dict[str, Tensor]) -> list[str]:
    return [name for name in left if not torch.equal(left[name], right[name])]


@pytest.fixture
def order_of(monkeypatch: pytest.MonkeyPatch) -> Callable[[list[list[int]]], None]:
    """Let every epoch consist of just these batches."""

    def use(order: list[list[int]]) -> None:
        monkeypatch.setattr("heed.tasks.translation_training.batches", lambda *arguments: order)

    return use


@pytest.mark.parametrize("steps", [1, 3])
def test_two_accumulated_batches_are_one_batch_of_both(
    steps: int, make_task: MakeTask, make_trainer: MakeTrainer, order_of: Callable[[list[list[int]]], None]
) -> None:
    # Batches of unequal numbers of tokens: a mean of their means would differ from the mean over both.
    small = [[0], [1, 2, 3], [4, 5], [6], [7, 8, 9, 10], [11]]
    large = [small[at] + small[at + 1] for at in range(0, 6, 2)]
    results = []
    for order, accumulate in ((large, 1), (small, 2)):
        order_of(order)
        task = make_task()
        # In double precision: where the true gradient is zero Adam makes whole steps out of rounding errors.
        task.model.double()
        trainer = make_trainer(task, steps=steps, accumulate=accumulate)
        results.append((finish(trainer), weights_of(task.model)))
    (reports, weights), (other_reports, other_weights) = results
    assert [report.tokens for report in reports] == [report.tokens for report in other_reports]
    for one, other in zip(reports, other_reports, strict=True):
        assert one.loss == pytest.approx(other.loss, abs=1e-10)
        assert one.gradient_norm == pytest.approx(other.gradient_norm, abs=1e-10)
    for name, tensor in weights.items():
        torch.testing.assert_close(tensor, other_weights[name], rtol=0, atol=1e-7, msg=name)


def test_a_loss_is_the_sum_over_real_tokens_divided_by_their_number(
    make_task: MakeTask, make_trainer: MakeTrainer, order_of: Callable[[list[list[int]]], None]
) -> None:
    order_of([[0, 1, 2]])
    task = make_task(label_smoothing=0.1)
    batch = task.batch([0, 1, 2], epoch=0)
    assert not batch.target_keep.all(), "the pairs are of one length, so nothing would be padded"
    with torch.no_grad():
        logits_BTV = task.model(batch.source_ids, batch.source_keep, batch.target_ids, batch.target_keep)
    log_probs_BTV = logits_BTV.log_softmax(dim=-1)
    right_BT = log_probs_BTV.gather(2, batch.next_ids[:, :, None]).squeeze(2)
    by_hand_BT = -(0.9 * right_BT + 0.1 * log_probs_BTV.mean(dim=2))
    report = finish(make_trainer(task, steps=1))[0]
    assert report.tokens == int(batch.target_keep.sum()) == sum(task.train.target.lengths[:3] - 1)
    assert report.loss == pytest.approx(float(by_hand_BT[batch.target_keep].sum()) / report.tokens, abs=1e-5)


def test_padding_changes_nothing_in_the_loss(make_task: MakeTask) -> None:
    task = make_task()
    lengths = task.train.target.lengths
    short, long = int(lengths.argmin()), int(lengths.argmax())
    with torch.no_grad():
        apart = [float(task.objective(batch_of(task.train, [row]))) for row in (short, long)]
        together = float(task.objective(batch_of(task.train, [short, long])))
    assert together == pytest.approx(sum(apart), abs=1e-4)
    assert lengths[short] < lengths[long]


def test_validating_often_leaves_the_training_bit_for_bit_the_same(
    make_task: MakeTask, make_trainer: MakeTrainer
) -> None:
    task, often = make_task(dropout=0.3), make_task(dropout=0.3)
    once = make_trainer(task, steps=20, validations=1)
    each = make_trainer(often, steps=20, validations=20)
    reports, others = finish(once), finish(each)
    assert sum(report.validation is not None for report in others) == 20
    assert [report.loss for report in reports] == [report.loss for report in others]
    assert differing(weights_of(task.model), weights_of(often.model)) == []
    assert differing(once.average.weights(), each.average.weights()) == []


def test_dropout_is_on_in_training_and_drawn_from_the_step_alone(
    make_task: MakeTask, make_trainer: MakeTrainer
) -> None:
    first, second, without = make_task(dropout=0.3), make_task(dropout=0.3), make_task(dropout=0.0)
    expected = weights_after(make_trainer(first))
    trainer = make_trainer(second)
    for _ in trainer.run():
        torch.rand(7)  # somebody else draws between the steps
    assert differing(weights_of(second.model), expected) == []
    assert differing(weights_after(make_trainer(without)), expected) != []
    assert differing(weights_after(make_trainer(make_task(dropout=0.3), seed=2)), expected) != []


def copied(snapshot: Snapshot) -> Snapshot:
    groups = {stem: {name: each.clone() for name, each in group.items()} for stem, group in snapshot.tensors.items()}
    return Snapshot(groups, dict(snapshot.facts))


def test_a_trainer_that_is_restored_goes_on_as_if_it_had_never_stopped(
    make_task: MakeTask, make_trainer: MakeTrainer
) -> None:
    settings = {"steps": None, "epochs": 2, "tokens_per_batch": 100, "validations": 4}
    whole = make_trainer(make_task(dropout=0.3), **settings)
    reports, snapshots = [], []
    for report in whole.run():
        reports.append(report)
        snapshots.append(copied(whole.snapshot()))
    assert len(reports) > 5
    for stop in (1, len(reports) // 2 + 1):
        trainer = make_trainer(make_task(dropout=0.3), **settings)
        trainer.restore(snapshots[stop - 1], f"step {stop}")
        rest = finish(trainer)
        assert [report.numbers() for report in rest] == [report.numbers() for report in reports[stop:]]
        assert differing(weights_of(trainer.task.model), weights_of(whole.task.model)) == []
        assert differing(trainer.average.weights(), whole.average.weights()) == []


def test_a_run_by_epochs_sees_every_example_once_in_each(make_task: MakeTask, make_trainer: MakeTrainer) -> None:
    task = make_task(count=20)
    seen: list[int] = []
    original = task.batch

    def batch(rows: Sequence[int], epoch: int) -> TranslationBatch:
        seen.extend(rows)
        return original(rows, epoch)

    task.batch = batch  # type: ignore[method-assign]
    reports = finish(make_trainer(task, steps=None, epochs=2, accumulate=3))
    assert sorted(seen) == sorted([*range(20), *range(20)])
    assert sorted({report.epoch for report in reports}) == [0, 1]
    assert [report.finished for report in reports] == [False] * (len(reports) - 1) + [True]


def test_a_broken_loss_ends_the_run_with_its_value_and_the_rate(make_task: MakeTask, make_trainer: MakeTrainer) -> None:
    task = make_task()
    trainer = make_trainer(task, learning_rate=0.25)
    with pytest.raises(
        RunError, match=r"broke at step 3: loss nan, gradient nan.*Lower training\.learning_rate \(now 0\.25"
    ):
        for report in trainer.run():
            if report.step == 2:
                with torch.no_grad():
                    task.model.vocabulary.bias[0] = math.nan
    assert trainer.position.step == 2


def scripted(task: TranslationTraining, scores: list[float]) -> TranslationTraining:
    """Let the task's validations have these scores."""
    left: Iterator[float] = iter(scores)
    sample = Sample("", "", "")
    task.validate = lambda: Validation(score=next(left), values={"loss": 1.0}, sample=sample)  # type: ignore[method-assign]
    return task


def test_a_run_ends_early_when_so_many_validations_brought_nothing(
    make_task: MakeTask, make_trainer: MakeTrainer
) -> None:
    task = scripted(make_task(), [1.0, 5.0, 4.0, 6.0, 6.0, 2.0, 9.0])
    trainer = make_trainer(task, steps=20, validations=20, patience=2)
    reports = finish(trainer)
    assert [report.step for report in reports] == [1, 2, 3, 4, 5, 6]
    assert [report.finished for report in reports] == [False] * 5 + [True]
    assert trainer.best_score == 6.0
    assert trainer.finished
    assert finish(trainer) == [], "a run that gave up has nothing left to do when it is resumed"


def test_without_patience_a_run_goes_to_its_end(make_task: MakeTask, make_trainer: MakeTrainer) -> None:
    task = scripted(make_task(), [5.0] + [1.0] * 9)
    assert len(finish(make_trainer(task, steps=10, validations=10))) == 10


def test_of_equal_scores_the_later_weights_are_kept(make_task: MakeTask, make_trainer: MakeTrainer) -> None:
    task = scripted(make_task(), [0.0, 0.0, 3.0, 2.0])
    reports = finish(make_trainer(task, steps=4, validations=4))
    assert [report.validation.better for report in reports if report.validation] == [True, True, True, False]


@pytest.fixture
def lasting(monkeypatch: pytest.MonkeyPatch, make_task: MakeTask) -> Callable[[float, float], TranslationTraining]:
    """Make a task by whose clock a step and a validation last so many seconds."""
    now = 0.0
    monkeypatch.setattr("heed.training.trainer.time", SimpleNamespace(monotonic=lambda: now))

    def after(seconds: float, work: Callable[..., object]) -> Callable[..., object]:
        def worked(*arguments: object) -> object:
            nonlocal now
            now += seconds
            return work(*arguments)

        return worked

    def make(step: float, validation: float) -> TranslationTraining:
        task = scripted(make_task(), [float(score) for score in range(100)])
        task.batch = after(step, task.batch)  # type: ignore[method-assign, assignment]
        task.validate = after(validation, task.validate)  # type: ignore[method-assign, assignment]
        return task

    return make


Lasting = Callable[[float, float], TranslationTraining]


def test_a_budget_of_minutes_ends_in_time_with_the_schedule_at_its_end(
    make_trainer: MakeTrainer, lasting: Lasting
) -> None:
    schedule = {"learning_rate": 1.0, "warmup": 0.1, "schedule": "linear"}
    trainer = make_trainer(lasting(2, 0), steps=None, minutes=1.0, validations=3, **schedule)
    reports = finish(trainer)
    assert [reports[-1].step, reports[-1].seconds, reports[-1].progress] == [30, 60.0, 1.0]
    assert max(report.learning_rate for report in reports) > 0.9
    assert reports[-1].learning_rate == pytest.approx((1 - 29 / 30) / 0.9)
    assert reports[-1].learning_rate > FLOOR
    assert sum(report.validation is not None for report in reports) == 3


def validated(trainer: Trainer) -> list[float]:
    return [report.seconds for report in finish(trainer) if report.validation is not None]


def test_long_validations_leave_most_of_a_budget_to_training(make_trainer: MakeTrainer, lasting: Lasting) -> None:
    # The first one, of 20 seconds, shows what they take; two are a quarter of 160 seconds, three of 240.
    found = validated(make_trainer(lasting(2, 20), steps=None, minutes=5.0, validations=10))
    assert found == [30.0, 180.0, 240.0, 300.0]
    assert validated(make_trainer(lasting(2, 1), steps=None, minutes=5.0, validations=10)) == [
        pytest.approx(30.0 * mark, abs=2) for mark in range(1, 11)
    ]


def test_a_long_validation_does_not_take_the_last_steps(make_trainer: MakeTrainer, lasting: Lasting) -> None:
    # After 264 seconds there would be time for a second one, but then hardly for a step before the end.
    found = validated(make_trainer(lasting(1, 33), steps=None, minutes=5.0, validations=20))
    assert found == [15.0, 300.0]


def test_steps_and_epochs_have_every_validation_however_long(make_trainer: MakeTrainer, lasting: Lasting) -> None:
    assert len(validated(make_trainer(lasting(2, 20), steps=20, validations=10))) == 10


def test_time_spent_before_a_stop_counts_towards_the_budget(make_trainer: MakeTrainer, lasting: Lasting) -> None:
    trainer = make_trainer(lasting(2, 0), steps=None, minutes=1.0)
    trainer.position = replace(trainer.position, seconds=50.0)
    assert len(finish(trainer)) == 5


def resumed_after_a_validation(make: Callable[[], Trainer], forget: tuple[str, ...] = ()) -> Trainer:
    """Return a trainer that goes on from where another one had just validated, with some facts forgotten."""
    trainer = make()
    next(report for report in trainer.run() if report.validation is not None)
    snapshot = copied(trainer.snapshot())
    again = make()
    again.restore(Snapshot(snapshot.tensors, {k: v for k, v in snapshot.facts.items() if k not in forget}), "step")
    return again


def test_validations_before_a_stop_count_towards_the_share_that_they_may_take(
    make_trainer: MakeTrainer, lasting: Lasting
) -> None:
    def make() -> Trainer:
        return make_trainer(lasting(2, 20), steps=None, minutes=5.0, validations=10)

    assert validated(make()) == [30.0, 180.0, 240.0, 300.0]
    assert validated(resumed_after_a_validation(make)) == [180.0, 240.0, 300.0]


def test_a_validation_just_before_a_stop_counts_towards_the_budget(make_trainer: MakeTrainer, lasting: Lasting) -> None:
    trainer = resumed_after_a_validation(lambda: make_trainer(lasting(2, 20), steps=None, minutes=5.0, validations=10))
    assert trainer.position.seconds == 50.0
    assert next(trainer.run()).seconds == 52.0


def test_a_checkpoint_that_says_nothing_of_validations_is_gone_on_from(
    make_trainer: MakeTrainer, lasting: Lasting
) -> None:
    trainer = resumed_after_a_validation(
        lambda: make_trainer(lasting(2, 20), steps=None, minutes=5.0, validations=10),
        forget=("validation_seconds", "last_validation_seconds"),
    )
    assert (trainer.validating.all, trainer.validating.last) == (0.0, 0.0)


def test_gradients_are_clipped_and_reported_as_they_were(make_task: MakeTask, make_trainer: MakeTrainer) -> None:
    steps: dict[float, Tensor] = {}
    for clip in (1e-3, 1e-9):
        task = make_task()
        before = task.model.vocabulary.bias.detach().clone()
        report = finish(make_trainer(task, steps=1, clip=clip, warmup=0.0, schedule="constant", learning_rate=1.0))[0]
        assert report.gradient_norm > 0.01
        steps[clip] = (task.model.vocabulary.bias.detach() - before).abs()
    # AdamW's first step is rate * g / (|g| + 1e-9): 1 for a gradient far above 1e-9, but not for one clipped below it.
    assert float(steps[1e-3].max()) == pytest.approx(1.0, abs=1e-3)
    assert float(steps[1e-9].max()) < 0.5
