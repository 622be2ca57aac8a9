"""The law of resuming: a run that was stopped, at any step and in any way, ends byte for byte as if it had not been."""

import itertools
import json
import random
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from resumable import SETTINGS, differences, outcome, write_pairs

from heed import api
from heed.errors import RunError
from heed.layers.drawing import example_keys
from heed.machine import gains_by_onednn, probe_bf16
from heed.runs.folder import open_run
from heed.training.average import WeightAverage
from heed.training.trainer import Snapshot, Trainer


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_pairs(tmp_path_factory.mktemp("data") / "pairs.tsv")


@pytest.fixture(scope="module")
def stopped(data: Path, tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Return the run's folder as a kill after each step would have left it: [n] stands at step n, the last is whole."""
    folder = tmp_path_factory.mktemp("stopped")
    copies: list[Path] = []

    def keep() -> None:
        copies.append(folder / f"step-{len(copies)}")
        shutil.copytree(folder / "run", copies[-1])

    with api.new_run("translate", str(data), settings=SETTINGS, out=folder / "run") as run:
        keep()
        for report in run.reports():
            assert report.step == len(copies)
            keep()
    assert len(copies) > 10
    assert len({json.loads(line)["epoch"] for line in (folder / "run/metrics.jsonl").open()}) == 3
    return copies


def copy_of(run: Path, to: Path) -> Path:
    return Path(shutil.copytree(run, to / "copy"))


def middle(stopped: list[Path]) -> Path:
    """Return a copy in the middle of the second epoch, where neither the order nor the schedule begins anew."""
    return stopped[len(stopped) // 2]


def test_a_run_that_is_resumed_in_the_middle_of_an_epoch_ends_as_the_whole_one(
    stopped: list[Path], tmp_path: Path
) -> None:
    run = copy_of(middle(stopped), tmp_path)
    result = api.resume(run)
    assert result.finished
    assert result.step == len(stopped) - 1
    assert differences(run, stopped[-1]) == []


@pytest.mark.slow
def test_from_every_step_a_resumed_run_ends_as_the_whole_one(stopped: list[Path], tmp_path: Path) -> None:
    for number, copy in enumerate(stopped):
        run = tmp_path / str(number)
        shutil.copytree(copy, run)
        api.resume(run)
        assert differences(run, stopped[-1]) == [], f"resumed at step {number}"


def without_the_average(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(WeightAverage, "restore", lambda self, tensors, origin: None)


def with_dropout_that_counts_from_the_resume(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = itertools.count()
    monkeypatch.setattr(
        "heed.training.trainer.example_keys", lambda seed, epoch, rows: example_keys(seed, next(calls), rows)
    )


def without_the_optimizer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("heed.training.trainer.load_optimizer_state", lambda *arguments: None)


def at_the_beginning_of_the_epoch(monkeypatch: pytest.MonkeyPatch) -> None:
    restore = Trainer.restore

    def forgetful(self: Trainer, snapshot: Snapshot, origin: str) -> None:
        restore(self, Snapshot(snapshot.tensors, {**snapshot.facts, "batch": 0}), origin)

    monkeypatch.setattr(Trainer, "restore", forgetful)


def with_metrics_that_are_not_rewound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("heed.runs.folder.RunFolder.rewind_metrics", lambda self, step: None)


@pytest.mark.parametrize(
    ("broken", "seen_in"),
    [
        (without_the_average, "average.safetensors"),
        (without_the_optimizer, "optimizer.safetensors"),
        (with_dropout_that_counts_from_the_resume, "weights.safetensors"),
        (at_the_beginning_of_the_epoch, "metrics.jsonl"),
        (with_metrics_that_are_not_rewound, "metrics.jsonl"),
    ],
)
def test_a_resume_that_forgets_something_is_caught(
    broken: Callable[[pytest.MonkeyPatch], None],
    seen_in: str,
    stopped: list[Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    run = copy_of(middle(stopped), tmp_path)
    damage_newest(run)
    broken(monkeypatch)
    api.resume(run)
    assert seen_in in differences(run, stopped[-1])


def damage_newest(run: Path) -> Path:
    """Flip one bit in the newest checkpoint and return its folder."""
    newest = open_run(run).newest_checkpoint().path
    data = bytearray((newest / "weights.safetensors").read_bytes())
    data[len(data) // 2] ^= 1
    (newest / "weights.safetensors").write_bytes(data)
    return newest


def test_a_damaged_checkpoint_is_passed_over_by_name_and_the_end_is_the_same(
    stopped: list[Path], tmp_path: Path
) -> None:
    run = copy_of(middle(stopped), tmp_path)
    damaged = damage_newest(run)
    with api.stopped_run(run) as resumed:
        step = int(damaged.name.removeprefix("step-"))
        assert resumed.notes[0] == f"going on from step {step - 1}"
        assert any(
            f"{damaged.name} was passed over" in note and "weights.safetensors" in note for note in resumed.notes
        )
        api.follow(resumed, None)
    assert differences(run, stopped[-1]) == []


def test_a_kill_between_the_last_checkpoint_and_the_mark_leaves_a_run_that_resume_finishes(
    stopped: list[Path], tmp_path: Path
) -> None:
    run = copy_of(stopped[-1], tmp_path)
    folder = open_run(run)
    digests = json.loads((stopped[-2] / "digests.json").read_text())["files"]
    assert "finished.json" not in digests
    shutil.copy(stopped[-2] / "digests.json", run / "digests.json")
    (run / "finished.json").unlink()
    assert not folder.is_finished
    assert api.resume(run).finished
    assert folder.is_finished
    assert differences(run, stopped[-1]) == []


def test_resuming_a_finished_run_says_so_and_changes_nothing(stopped: list[Path], tmp_path: Path) -> None:
    run = copy_of(stopped[-1], tmp_path)
    before = {path: path.read_bytes() for path in sorted(run.rglob("*")) if path.is_file() and path.name != ".lock"}
    with api.stopped_run(run) as resumed:
        assert resumed.notes[0] == f"the run came to its end at step {len(stopped) - 1}: nothing is left to train"
        api.follow(resumed, None)
    assert resumed.reached.finished
    assert resumed.reached.step == len(stopped) - 1
    assert {path: path.read_bytes() for path in before} == before


def test_a_run_that_gave_up_early_is_finished_for_a_resume_too(data: Path, tmp_path: Path) -> None:
    settings = {
        **SETTINGS,
        "training": {**SETTINGS["training"], "patience": 1, "validations": 9, "learning_rate": 1e-6},
    }
    first = api.train("translate", str(data), settings=settings, out=tmp_path / "run")
    assert first.finished
    again = api.resume(tmp_path / "run")
    assert (again.step, again.finished) == (first.step, True)
    whole = [json.loads(line)["epoch"] for line in (tmp_path / "run/metrics.jsonl").open()]
    assert whole[-1] < 2


def test_a_watch_that_says_stop_leaves_a_checkpoint_of_that_very_step(data: Path, tmp_path: Path) -> None:
    rare = {**SETTINGS, "training": {**SETTINGS["training"], "checkpoint_every": 1000}}
    api.train("translate", str(data), settings=rare, out=tmp_path / "whole")
    stopped = api.train("translate", str(data), settings=rare, out=tmp_path / "run", watch=lambda at: at.step < 5)
    assert (stopped.step, stopped.finished) == (5, False)
    assert open_run(tmp_path / "run").newest_checkpoint().checkpoint.step == 5
    assert api.resume(tmp_path / "run").finished
    assert differences(tmp_path / "run", tmp_path / "whole") == []


@pytest.mark.parametrize("forgets", [False, True])
def test_a_run_of_muon_ends_as_the_whole_one_unless_its_momentum_is_forgotten(
    forgets: bool, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    muon = {**SETTINGS, "training": {**SETTINGS["training"], "optimizer": "muon"}}
    api.train("translate", str(data), settings=muon, out=tmp_path / "whole")
    api.train("translate", str(data), settings=muon, out=tmp_path / "run", watch=lambda at: at.step < 5)
    if forgets:
        without_the_optimizer(monkeypatch)
    assert api.resume(tmp_path / "run").finished
    assert ("weights.safetensors" in differences(tmp_path / "run", tmp_path / "whole")) == forgets
    assert forgets or differences(tmp_path / "run", tmp_path / "whole") == []


def test_a_run_in_bfloat16_with_batch_norm_that_is_resumed_ends_as_the_whole_one(data: Path, tmp_path: Path) -> None:
    probe = probe_bf16()
    if not probe.works or probe.isa is not None:
        pytest.skip(f"bfloat16: {probe.reason}")
    training = {**SETTINGS["training"], "precision": "bf16"}
    settings = {**SETTINGS, "model": {**SETTINGS["model"], "norm": "batch"}, "training": training}
    api.train("translate", str(data), settings=settings, out=tmp_path / "whole")
    api.train("translate", str(data), settings=settings, out=tmp_path / "run", watch=lambda at: at.step < 5)
    assert api.resume(tmp_path / "run").finished
    assert differences(tmp_path / "run", tmp_path / "whole") == []


@pytest.mark.real
@pytest.mark.skipif(shutil.which("g++") is None, reason="torch.compile needs a C++ compiler")
def test_a_compiled_run_that_is_resumed_ends_as_the_whole_one(data: Path, tmp_path: Path) -> None:
    compiled = {**SETTINGS, "training": {**SETTINGS["training"], "compile": True}}
    api.train("translate", str(data), settings=compiled, out=tmp_path / "whole")
    api.train("translate", str(data), settings=compiled, out=tmp_path / "run", watch=lambda at: at.step < 5)
    torch.compiler.reset()  # another process would have no graphs yet, and meets other lengths first
    assert api.resume(tmp_path / "run").finished
    assert differences(tmp_path / "run", tmp_path / "whole") == []


def test_two_runs_with_the_same_settings_are_the_same_and_with_another_seed_are_not(
    stopped: list[Path], data: Path, tmp_path: Path
) -> None:
    api.train("translate", str(data), settings=SETTINGS, out=tmp_path / "same")
    assert differences(tmp_path / "same", stopped[-1]) == []
    other = {**SETTINGS, "training": {**SETTINGS["training"], "seed": 2}}
    api.train("translate", str(data), settings=other, out=tmp_path / "other")
    assert outcome(tmp_path / "other")["weights.safetensors"] != outcome(stopped[-1])["weights.safetensors"]


def test_data_that_has_changed_since_is_refused(data: Path, tmp_path: Path) -> None:
    own = Path(shutil.copy(data, tmp_path / "own.tsv"))
    api.train("translate", str(own), settings=SETTINGS, out=tmp_path / "run", watch=lambda at: False)
    own.write_text(own.read_text() + "eight nine\tnine eight\n")
    with pytest.raises(
        RunError, match=r"The train data of .*run has changed .* now has \d+ records.*Put the old files back"
    ):
        api.resume(tmp_path / "run")


def test_a_tokenizer_that_was_swapped_is_refused(stopped: list[Path], tmp_path: Path) -> None:
    run = copy_of(middle(stopped), tmp_path)
    text = (run / "tokenizer.json").read_text()
    (run / "tokenizer.json").write_text(text.replace('"one"', '"two2"'))
    with pytest.raises(RunError, match=r"tokenizer\.json is not as this run wrote it"):
        api.resume(run)


def test_a_checkpoint_of_another_model_is_refused_with_the_names(
    stopped: list[Path], data: Path, tmp_path: Path
) -> None:
    wider = {**SETTINGS, "model": {**SETTINGS["model"], "feedforward": 28}}
    api.train("translate", str(data), settings=wider, out=tmp_path / "wider", watch=lambda at: False)
    run = copy_of(middle(stopped), tmp_path)
    shutil.rmtree(run / "checkpoints")
    shutil.copytree(tmp_path / "wider/checkpoints", run / "checkpoints")
    with pytest.raises(RunError, match=r"do not fit the model: .*is \(28, 16\), the model has \(24, 16\)"):
        api.resume(run)


def test_another_number_of_threads_is_told(
    stopped: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = copy_of(middle(stopped), tmp_path)
    monkeypatch.setattr("heed.runs.preparing.set_threads", lambda count: torch.set_num_threads(2))
    with api.stopped_run(run) as resumed:
        assert any("trained with threads 1, now it is 2" in note for note in resumed.notes)
    torch.set_num_threads(1)


def test_products_by_another_library_are_told(
    stopped: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = copy_of(middle(stopped), tmp_path)
    before, now = ("oneDNN", "torch") if gains_by_onednn() else ("torch", "oneDNN")
    monkeypatch.setattr("heed.runs.recording.gains_by_onednn", lambda: now == "oneDNN")
    with api.stopped_run(run) as resumed:
        assert any(f"trained with products of {before}, now it is {now}" in note for note in resumed.notes)


def test_another_limit_on_onednns_instructions_is_told(
    stopped: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = copy_of(middle(stopped), tmp_path)
    monkeypatch.setenv("ONEDNN_MAX_CPU_ISA", "AVX2")
    with api.stopped_run(run) as resumed:
        assert any("ONEDNN_MAX_CPU_ISA" in note and "now it is AVX2" in note for note in resumed.notes)


def test_a_run_that_is_being_trained_is_not_resumed_beside(stopped: list[Path], tmp_path: Path) -> None:
    run = copy_of(middle(stopped), tmp_path)
    with api.stopped_run(run), pytest.raises(RunError, match="is in use by process"):
        api.resume(run)


KILLS = 20


@pytest.mark.slow
def test_twenty_kills_and_a_ctrl_c_leave_no_trace_in_the_end(data: Path, tmp_path: Path) -> None:
    program = Path(__file__).with_name("kill_and_resume.py")
    seed = random.Random(11).randrange(1000)
    child = subprocess.run(
        [sys.executable, program, data, tmp_path, str(KILLS), str(seed)], capture_output=True, text=True, timeout=600
    )
    assert child.returncode == 0, child.stdout[-3000:] + child.stderr[-3000:]
    report = json.loads(child.stdout.splitlines()[-1])
    assert report["kills"] == KILLS
    assert report["kills_in_training"] > KILLS // 2, "most kills came before the first step: the test proves little"
    assert report["interrupted"] == {"SIGINT": 130, "SIGTERM": 130}
    for name in ("killed", "SIGINT", "SIGTERM"):
        assert differences(tmp_path / name, tmp_path / "whole") == [], name
    for name in ("SIGINT", "SIGTERM"):
        said = (tmp_path / f"{name}.txt").read_text()
        assert f"heed resume {tmp_path / name}" in said
        assert "Traceback" not in said
