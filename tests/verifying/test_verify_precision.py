"""A run is verified as it was trained: its precision, compiler, threads; what cannot be tried here is not proved."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import nn

from heed import api
from heed.machine import Bf16Probe
from heed.training.precision import InBfloat16
from heed.training.trainer import Snapshot, Trainer
from heed.verifying.findings import VerificationReport
from heed.verifying.subject import shutil

Make = Callable[[str], Path]

TRAINING = ("resuming", "accumulation")
SLOW_COPY = "a matrix product in bfloat16 killed the trial process (SIGILL)"


def verified(run: Path, *only: str) -> VerificationReport:
    return api.verify(run, only=only or TRAINING)


def verdicts(report: VerificationReport) -> dict[str, str]:
    return {finding.name: finding.verdict for finding in report.findings}


@pytest.mark.usefixtures("bf16")
def test_a_run_in_bfloat16_is_verified_in_bfloat16(made: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []
    step = Trainer._step

    def noticed(self: Trainer, progress: float) -> object:
        seen.append(type(self.computing).__name__)
        return step(self, progress)

    path = made("classify-bf16")
    monkeypatch.setattr(Trainer, "_step", noticed)
    report = verified(path)
    assert verdicts(report) == {"accumulation": "passed", "resuming": "passed"}
    assert seen == ["InBfloat16"] * (2 + 8)
    assert "in bf16, with 1 thread" in {finding.name: finding.detail for finding in report.findings}["resuming"]


@pytest.mark.slow
@pytest.mark.usefixtures("bf16")
@pytest.mark.parametrize(
    "run", ["translate", "pair", "tag", "answer", "write", "write-rnn", "pretrain", "image", "caption"]
)
def test_a_sound_run_of_every_task_passes_in_bfloat16(run: str, recipes: Mapping[str, Any], tmp_path: Path) -> None:
    task, write, model, settings = recipes[run]
    words = {} if task == "image" else {"tokens": {"kind": "words"}}
    training = {"precision": "bf16", "steps": 20, "tokens_per_batch": 300, "threads": 1, "validations": 1}
    whole = {**words, **settings, "training": training}
    api.train(task, str(write(tmp_path)), model=model, settings=whole, out=tmp_path / "run")
    report = verified(tmp_path / "run")
    assert report.passed, report.conclusion
    assert verdicts(report)["resuming"] == "passed"


@pytest.mark.usefixtures("bf16")
def test_running_statistics_that_the_copy_does_not_share_are_seen_in_resuming(
    made: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = made("classify-norm-bf16")
    assert verdicts(verified(path)) == {"accumulation": "does not apply", "resuming": "passed"}
    begin, collect = InBfloat16.__init__, InBfloat16.collect

    def with_its_own(self: InBfloat16, objective: nn.Module) -> None:
        begin(self, objective)
        self.original = objective
        for module in self.objective.modules():
            for name, buffer in module.named_buffers(recurse=False):
                setattr(module, name, buffer.clone())

    def and_overwrite(self: InBfloat16) -> None:
        collect(self)
        for own, copied in zip(self.original.buffers(), self.objective.buffers(), strict=True):
            own.copy_(copied)

    monkeypatch.setattr(InBfloat16, "__init__", with_its_own)
    monkeypatch.setattr(InBfloat16, "collect", and_overwrite)
    assert verdicts(verified(path, "resuming")) == {"resuming": "failed"}


@pytest.mark.usefixtures("bf16")
def test_a_copy_that_keeps_its_weights_on_resume_is_seen_in_resuming(
    made: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, restore = made("classify-bf16"), Trainer.restore

    def stale(self: Trainer, snapshot: Snapshot, origin: str) -> None:
        refresh, self.computing.refresh = self.computing.refresh, lambda: None  # type: ignore[method-assign]
        restore(self, snapshot, origin)
        self.computing.refresh = refresh  # type: ignore[method-assign]

    monkeypatch.setattr(Trainer, "restore", stale)
    assert verdicts(verified(path, "resuming")) == {"resuming": "failed"}


@pytest.mark.usefixtures("bf16")
def test_gradients_that_overwrite_those_before_are_seen_in_accumulation(
    made: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = made("classify-bf16")

    def overwrite(self: InBfloat16) -> None:
        for own, short in self._weights:
            own.grad, short.grad = short.grad.float(), None

    monkeypatch.setattr(InBfloat16, "collect", overwrite)
    assert verdicts(verified(path, "accumulation")) == {"accumulation": "failed"}


@pytest.mark.usefixtures("bf16")
def test_where_bfloat16_does_not_work_training_is_not_checked(made: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    path = made("classify-bf16")
    monkeypatch.setattr("heed.runs.preparing.probe_bf16", lambda: Bf16Probe(False, None, 0.0, SLOW_COPY))
    report = verified(path, *TRAINING, "determinism")
    assert verdicts(report) == {"determinism": "passed", "accumulation": "not checked", "resuming": "not checked"}
    assert SLOW_COPY in report.of("not checked")[0].detail
    assert "bit for bit" not in report.conclusion.partition("Not checked on this computer: ")[0]
    assert "bit for bit" in report.conclusion.partition("Not checked on this computer: ")[2]
    assert verified(path).conclusion.startswith("Nothing was proved: no check was made. Not checked on this computer")


def test_a_compiled_run_is_not_checked_without_a_compiler(made: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch, "compile", lambda module, **given: module)
    path = made("classify-compiled")
    assert verdicts(verified(path, "resuming")) == {"resuming": "passed"}
    monkeypatch.setattr(shutil, "which", lambda name: None)
    report = verified(path, "resuming")
    assert verdicts(report) == {"resuming": "not checked"}
    assert "there is no C++ compiler" in report.findings[0].detail


def test_a_compiled_run_is_verified_compiled(made: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    compiled: list[nn.Module] = []

    def noticed(module: nn.Module, **given: object) -> nn.Module:
        compiled.append(module)
        return module

    monkeypatch.setattr(torch, "compile", noticed)
    path = made("classify-compiled")
    compiled.clear()
    report = verified(path)
    assert len(compiled) == 3 + 2
    assert "compiled" in {finding.name: finding.detail for finding in report.findings}["resuming"]


def test_a_run_is_verified_with_its_own_threads_and_leaves_them_as_they_were(
    made: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, seen, step = made("classify"), set(), Trainer._step

    def noticed(self: Trainer, progress: float) -> object:
        seen.add(torch.get_num_threads())
        return step(self, progress)

    monkeypatch.setattr(Trainer, "_step", noticed)
    before = torch.get_num_threads()
    torch.set_num_threads(3)
    try:
        verified(path)
        assert (seen, torch.get_num_threads()) == ({1}, 3)
    finally:
        torch.set_num_threads(before)
