"""The law of resuming over precision, norm, optimizer and task: from every step a resumed run ends as the whole one."""

import copy
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
import torch
from torch import Tensor

from heed import api
from heed.machine import Bf16Probe, Ranks
from heed.models.weights import weights_of
from heed.runs.run import TrainerRun
from heed.training.progress import CLOCKS
from heed.training.trainer import Snapshot, TrainableTask, Trainer

Recipes = Mapping[str, tuple[str, Callable[[Path], Path], str | None, Mapping[str, object]]]

TRAINING = {"epochs": 2, "validations": 3, "average": 0.9, "learning_rate": 0.01}
DECODED = ("translate", "answer", "pretrain", "caption")  # tasks that score some of the validation examples
# Runs of `conftest.py` by what there is to choose: a norm and Muon, Muon, or neither.
NORMED = ("translate", "classify", "pair", "pair-towers", "tag-transformer", "answer", "write", "caption")
MATRICES = ("translate-marian", "classify-bert", "pair-bert", "write-gpt2", "pretrain", "image")
OTHERS = ("translate-rnn", "classify-cnn", "tag", "write-rnn")
TOKENS = {"pretrain": 4000, "write": 400, "write-gpt2": 400, "answer": 700, "image": 60, "caption": 200}
# One of each task, and both kinds of model where a task carries a state from batch to batch.
QUICKLY = ("translate", "classify", "pair", "tag", "answer", "write", "write-rnn", "pretrain", "image", "caption")


@dataclass(frozen=True)
class Case:
    """One field of the matrix."""

    run: str
    precision: str
    optimizer: str
    norm: str | None = None  # None: the model has none to choose
    threads: int = 1

    def __str__(self) -> str:
        return "-".join(str(part) for part in (self.run, self.precision, self.optimizer, self.norm) if part)


def cases() -> Iterator[Case]:
    """Yield every combination that there is."""
    for run in (*NORMED, *MATRICES, *OTHERS):
        for precision in ("float32", "bf16"):
            for optimizer in ("adamw",) if run in OTHERS else ("adamw", "muon"):
                for norm in ("layer", "batch", "rms") if run in NORMED else (None,):
                    yield Case(run, precision, optimizer, norm)


ALL = list(cases())


def state_of(case: Case) -> tuple[bool, ...]:
    """Return what there is to restore: a copy in bfloat16, running statistics, Muon's momentum beside AdamW's."""
    return (case.precision == "bf16", case.norm == "batch", case.optimizer == "muon")


MOST = [max((case for case in ALL if case.run == run), key=state_of) for run in QUICKLY]


@pytest.fixture
def run_case(
    recipes: Recipes, probe: Bf16Probe, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[[Case], None]:
    """Return what holds the law for a case, or skips where this computer does not multiply in bfloat16."""
    monkeypatch.setattr("heed.runs.preparing.probe_bf16", lambda: probe)

    def run(case: Case) -> None:
        if case.precision == "bf16" and (not probe.works or probe.isa is not None):
            pytest.skip(f"bfloat16: {probe.reason}")
        check_resuming(case, recipes, tmp_path)

    return run


@contextmanager
def begun(case: Case, recipes: Recipes, folder: Path) -> Iterator[TrainerRun]:
    """Begin the run of a case."""
    task, write, model, settings = recipes[case.run]
    own = settings.get("model", {})
    assert isinstance(own, Mapping)
    norm = {} if case.norm is None else {"norm": case.norm}
    training = {**TRAINING, "precision": case.precision, "optimizer": case.optimizer, "threads": case.threads}
    training |= {"tokens_per_batch": TOKENS.get(case.run, 300)}
    training |= {"validation_texts": 2} if task in DECODED else {}
    words = {} if task == "image" else {"tokens": {"kind": "words"}}
    whole = {**words, **settings, "model": {**own, **norm}, "training": training}
    with api.new_run(task, str(write(folder)), model=model, settings=whole, out=folder / "run") as run:
        assert isinstance(run, TrainerRun)
        yield run


def check_resuming(case: Case, recipes: Recipes, folder: Path) -> None:
    """Hold that from every step a fresh trainer comes to the same reports and the same state, bit for bit."""
    with begun(case, recipes, folder) as run:
        fresh, trainer = copy.deepcopy(run.task), run.trainer
        numbers, snapshots = [], [copied(trainer.snapshot())]
        for report in trainer.run():
            numbers.append(report.numbers())
            snapshots.append(copied(trainer.snapshot()))
        assert len(numbers) > 3 and {line["epoch"] for line in numbers} == {0, 1}
        for step in range(len(snapshots)):
            again = Trainer(shaken(fresh), run.settings.training, Ranks())
            again.restore(snapshots[step], f"step {step}")
            assert [report.numbers() for report in again.run()] == numbers[step:], f"resumed at step {step}"
            assert differing(again.snapshot(), snapshots[-1]) == [], f"resumed at step {step}"


def shaken(task: TrainableTask) -> TrainableTask:
    """Return a copy of a task whose weights and statistics are others, to see that a resume replaces them all."""
    task = copy.deepcopy(task)
    for tensor in weights_of(task.model).values():
        tensor.mul_(0.5).add_(0.25)
    return task


def copied(snapshot: Snapshot) -> Snapshot:
    groups = {part: {name: each.clone() for name, each in own.items()} for part, own in snapshot.tensors.items()}
    return Snapshot(groups, dict(snapshot.facts))


def differing(one: Snapshot, other: Snapshot) -> list[str]:
    """Return the names of what two snapshots do not have in common; clocks never do."""
    left, right = tensors_of(one), tensors_of(other)
    found = [name for name in left | right if not same(left.get(name), right.get(name))]
    facts = (one.facts | other.facts).keys() - set(CLOCKS)  # type: ignore[operator]
    return found + [name for name in facts if one.facts.get(name) != other.facts.get(name)]


def tensors_of(snapshot: Snapshot) -> dict[str, Tensor]:
    return {f"{part} {name}": each for part, own in snapshot.tensors.items() for name, each in own.items()}


def same(one: Tensor | None, other: Tensor | None) -> bool:
    return one is not None and other is not None and one.dtype == other.dtype and torch.equal(one, other)


@pytest.mark.parametrize("case", MOST, ids=str)
def test_from_every_step_a_run_with_the_most_state_ends_as_the_whole_one(
    case: Case, run_case: Callable[[Case], None]
) -> None:
    run_case(case)


@pytest.mark.slow
@pytest.mark.parametrize("case", [case for case in ALL if case not in MOST], ids=str)
def test_from_every_step_every_other_run_ends_as_the_whole_one(case: Case, run_case: Callable[[Case], None]) -> None:
    run_case(case)


@pytest.mark.slow
@pytest.mark.parametrize("precision", ["float32", "bf16"])
@pytest.mark.parametrize("run", ["translate", "tag", "image"])
def test_so_does_a_run_with_several_threads(precision: str, run: str, run_case: Callable[[Case], None]) -> None:
    before = torch.get_num_threads()
    try:
        run_case(Case(run, precision, "adamw", threads=3))
    finally:
        torch.set_num_threads(before)
