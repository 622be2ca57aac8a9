"""The law of ranks: a step on several of them is the step of one process, whatever is random in it."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path

import numpy
import pytest
import torch
from rank_cases import CASES
from threads_as_ranks import largest_difference, trained, trained_on

from heed import api
from heed.errors import UsageError
from heed.machine import Ranks
from heed.runs.run import TrainerRun
from heed.tasks.image_training import ImageTraining

STEPS = 4
Made = Callable[[str], AbstractContextManager[TrainerRun]]


@pytest.fixture
def run_of(tmp_path: Path) -> Made:
    """Return a maker of runs by the name of their case."""

    def make(name: str) -> AbstractContextManager[TrainerRun]:
        case = CASES[name]
        data = str(case.write(tmp_path))
        return api.new_run(case.task, data, model=case.model, settings=case.whole_settings(), out=tmp_path / "run")

    return make


@pytest.mark.parametrize("name", CASES)
def test_two_three_and_four_ranks_train_to_the_weights_of_one_process(
    name: str, run_of: Made, monkeypatch: pytest.MonkeyPatch
) -> None:
    with run_of(name) as run:
        # In double precision: where the true gradient is zero Adam makes whole steps out of rounding errors.
        run.task.model.double()
        training = run.settings.training
        alone = trained(run.task, training, Ranks(), STEPS)
        for count in (2, 3, 4):
            ranks = trained_on(count, run.task, training, STEPS, monkeypatch)
            assert largest_difference(ranks[0], alone) < 1e-9, f"{count} ranks"
            assert largest_difference(ranks[0], ranks[-1]) == 0
            assert ranks[0].losses == pytest.approx(alone.losses, rel=1e-6)


@pytest.mark.parametrize("name", ["translate", "classify, batch norm", "image, all mixed, adamw"])
def test_in_single_precision_losses_and_gradients_differ_by_rounding(
    name: str, run_of: Made, monkeypatch: pytest.MonkeyPatch
) -> None:
    with run_of(name) as run:
        alone = trained(run.task, run.settings.training, Ranks(), STEPS)
        first, *_ = trained_on(3, run.task, run.settings.training, STEPS, monkeypatch)
    assert first.losses == pytest.approx(alone.losses, rel=1e-5)
    assert first.norms == pytest.approx(alone.norms, rel=1e-4)


def test_two_accumulated_batches_are_one_batch_of_both_with_dropout_too(
    run_of: Made, monkeypatch: pytest.MonkeyPatch
) -> None:
    small = [[0], [1, 2, 3], [4, 5], [6], [7, 8, 9, 10], [11]]
    large = [small[at] + small[at + 1] for at in range(0, 6, 2)]
    found = []
    with run_of("translate") as run:
        run.task.model.double()
        for order, accumulate in ((large, 1), (small, 2)):
            monkeypatch.setattr("heed.tasks.translation_training.batches", lambda *_, order=order: order)
            training = replace(run.settings.training, accumulate=accumulate)
            found.append(trained(run.task, training, Ranks(), 3))
    assert largest_difference(*found) < 1e-9


def test_batches_are_too_small_for_four_ranks_where_batch_norm_is_tried(run_of: Made) -> None:
    """Without such batches nothing would show that a rank without rows takes part."""
    with run_of("classify, batch norm") as run:
        order = run.task.order(1, 0, run.settings.training.tokens_per_batch, run.settings.training.window)
    assert min(map(len, order[:STEPS])) < 3


def test_a_part_of_mixed_images_is_that_part_of_the_whole_batch(run_of: Made) -> None:
    with run_of("image, all mixed, adamw") as run:
        task, rows = run.task, [5, 2, 9, 14, 3]
    assert isinstance(task, ImageTraining)
    whole, part = task.batch(rows, epoch=1), task.part(rows, [1, 4], epoch=1)
    torch.testing.assert_close(part.images, whole.images[[1, 4]])
    torch.testing.assert_close(part.expected, whole.expected[[1, 4]])
    assert ((whole.expected > 0).sum(dim=1) > 1).any(), "no image is mixed with one of another label"


def test_what_pretraining_draws_for_a_sequence_does_not_depend_on_its_batch(run_of: Made) -> None:
    with run_of("pretrain") as run:
        together = run.task.batch([3, 8, 1], epoch=2)
        alone = run.task.batch([8], epoch=2)
        later = run.task.batch([8], epoch=3)
    length = int(alone.text.keep.sum())
    assert torch.equal(together.text.token_ids[1, :length], alone.text.token_ids[0])
    assert torch.equal(together.hidden[1, :length], alone.hidden[0])
    assert not numpy.array_equal(later.text.token_ids.numpy(), alone.text.token_ids.numpy())


def test_a_compiled_model_is_refused_on_several_ranks_before_a_folder_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = CASES["translate"]
    settings = {**case.settings, "training": {"steps": 2, "compile": True}}
    for name, value in (("RANK", "0"), ("WORLD_SIZE", "2"), ("LOCAL_RANK", "0")):
        monkeypatch.setenv(name, value)
    with (
        pytest.raises(UsageError, match=r"training.compile.*torchrun started 2"),
        api.new_run("translate", str(case.write(tmp_path)), settings=settings, out=tmp_path / "run"),
    ):
        pass
    assert not (tmp_path / "run").exists()
