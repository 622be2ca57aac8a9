"""How far a run is, and when it validates: as often as it was told, and always at its end."""

import itertools

import pytest

from heed.training.progress import Position, progress, validation_due
from heed.training.settings import TrainingSettings


def test_progress_by_steps_epochs_and_minutes_is_the_share_that_is_done() -> None:
    position = Position(step=3, epoch=1, batch=2, seconds=90.0)
    assert progress(TrainingSettings(steps=12), position, 8) == 0.25
    assert progress(TrainingSettings(epochs=5), position, 8) == pytest.approx((1 + 2 / 8) / 5)
    assert progress(TrainingSettings(minutes=6.0), position, 8) == 0.25


def marks(progresses: list[float], validations: int) -> list[float]:
    return [after for before, after in itertools.pairwise(progresses) if validation_due(before, after, validations)]


@pytest.mark.parametrize("steps", [20, 37, 500, 1001, 4999])
@pytest.mark.parametrize("validations", [1, 3, 7, 20])
def test_a_run_validates_as_often_as_its_settings_say(steps: int, validations: int) -> None:
    found = marks([step / steps for step in range(steps + 1)], validations)
    assert len(found) == validations
    assert found[-1] == 1.0


@pytest.mark.parametrize("batches", [3, 7, 11])
@pytest.mark.parametrize("validations", [1, 4, 6])
def test_so_it_does_by_epochs(batches: int, validations: int) -> None:
    found = marks(
        [(epoch + batch / batches) / 3 for epoch in range(3) for batch in range(batches)] + [1.0], validations
    )
    assert len(found) == validations
    assert found[-1] == 1.0


def test_a_run_of_fewer_steps_than_validations_validates_at_each_step() -> None:
    assert marks([0, 1 / 3, 2 / 3, 1.0], 20) == [1 / 3, 2 / 3, 1.0]


def test_the_end_is_validated_when_a_budget_is_overrun() -> None:
    assert marks([0.0, 0.4, 0.7, 1.2], 1) == [1.2]
    assert marks([0.0, 3.0], 20) == [3.0]
    # So near the end that rounding took it for the end, but training went on for a step.
    assert marks([1 - 1e-12, 1.0], 20) == [1.0]
