"""From an empty folder to a scored model and back into training, in the formats that people have."""

import json
import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from heed.runs import durable
from heed.runs.folder import open_run

# What `conftest.py` makes; its answers have `code`, `out` and `err`.
Heed = Callable[..., Any]

TRAIN = ("train", "translate")
TINY = ("--settings", "tiny.toml", "--steps", "3")


def test_train_predict_evaluate_resume_from_an_empty_folder(heed: Heed, folder: Path) -> None:
    trained = heed(*TRAIN, "pairs.tsv", *TINY)
    assert trained.code == 0
    run = "runs/translate-transformer-1"
    assert f"The run is in {run}. Use it with: heed predict {run}" in trained.out
    assert "Trained 3 steps" in trained.out
    assert "training and" in trained.err
    assert "predicted" in trained.err
    predicted = heed("predict", run, "one two", "three")
    assert predicted.code == 0
    assert len(predicted.out.splitlines()) == 2
    scored = heed("evaluate", run, "pairs.tsv")
    assert scored.code == 0
    assert "BLEU" in scored.out
    assert "nrefs:1|case:mixed" in scored.out
    assert "of these 120 pairs were in the run's training set" in scored.out
    again = heed("resume", run)
    assert again.code == 0
    assert "came to its end at step 3: nothing is left to train" in again.err
    assert "Trained 3 steps" in again.out


@pytest.mark.parametrize(
    "data",
    [
        ("source.txt", "target.txt"),
        ("pairs.csv", "--columns", "fr,en"),
        ("pairs.csv",),
        ("pairs.jsonl",),
        ("pairs.tsv",),
    ],
    ids=" ".join,
)
def test_the_same_pairs_in_every_format_train_the_same_model(heed: Heed, folder: Path, data: tuple[str, ...]) -> None:
    assert heed(*TRAIN, *data, *TINY, "--quiet", "--out", "a").code == 0
    assert heed(*TRAIN, "pairs.tsv", *TINY, "--quiet", "--out", "b").code == 0
    assert Path("a/model.safetensors").read_bytes() == Path("b/model.safetensors").read_bytes()


@pytest.mark.parametrize("model", ["transformer-tiny", "lstm", "gru", "rnn"])
def test_every_named_model_trains(heed: Heed, folder: Path, model: str) -> None:
    sizes = [] if model.startswith("transformer") else ["--set", "model.width=16"]
    answer = heed(
        *TRAIN, "pairs.tsv", "--model", model, *sizes, "--steps", "1", "--quiet", "--set", "tokens.kind=words"
    )
    assert answer.code == 0
    assert Path(f"runs/translate-{model.removesuffix('-tiny')}-1/model.safetensors").exists()


def test_a_validation_file_of_ones_own_leaves_all_pairs_to_train_on(heed: Heed, folder: Path) -> None:
    answer = heed(*TRAIN, "pairs.tsv", "--valid", "pairs.jsonl", *TINY, "--out", "run")
    assert answer.code == 0
    assert "120 training and 120 validation pairs" in answer.err


def test_two_files_for_validation_are_given_one_after_the_other(heed: Heed, folder: Path) -> None:
    valid = ("--valid", "source.txt", "--valid", "target.txt")
    assert heed(*TRAIN, "source.txt", "target.txt", *valid, *TINY, "--quiet").code == 0


def test_results_for_programs_are_one_object_of_json(heed: Heed, folder: Path) -> None:
    trained = json.loads(heed(*TRAIN, "pairs.tsv", *TINY, "--json", "--quiet", "--out", "run").out)
    assert (trained["path"], trained["step"], trained["finished"]) == ("run", 3, True)
    assert trained["best"]["step"] == 3
    resumed = json.loads(heed("resume", "run", "--json", "--quiet").out)
    assert resumed == trained
    scored = json.loads(heed("evaluate", "run", "pairs.tsv", "--json", "--beam", "2").out)
    parts = [scored["scores"], scored["validation"]["scores"], scored["training"]["scores"]]
    assert sum(part["count"] for part in parts) == scored["seen"]["examples"] == 120
    assert scored["search"]["beams"] == 2
    checked = json.loads(heed("check", "translate", "pairs.tsv", "--json").out)
    assert sum(checked["counts"].values()) == 120


def test_quiet_says_nothing_on_standard_error(heed: Heed, folder: Path) -> None:
    assert heed(*TRAIN, "pairs.tsv", *TINY, "--quiet").err == ""


def test_settings_come_from_file_then_option_then_set(heed: Heed, folder: Path) -> None:
    heed(
        *TRAIN,
        "pairs.tsv",
        *TINY,
        "--quiet",
        "--set",
        "model.feedforward=20",
        "--set",
        "training.seed=9",
        "--out",
        "run",
    )
    settings = json.loads(Path("run/settings.json").read_text())
    assert settings["model"]["feedforward"] == 20
    assert settings["model"]["width"] == 16
    assert (settings["training"]["seed"], settings["training"]["steps"]) == (9, 3)


def test_a_budget_in_seconds_ends_the_run(heed: Heed, folder: Path) -> None:
    began = time.monotonic()
    answer = heed(*TRAIN, "pairs.tsv", "--settings", "tiny.toml", "--budget", "1s", "--out", "run", "--quiet")
    assert answer.code == 0
    assert time.monotonic() - began < 20
    assert json.loads(Path("run/settings.json").read_text())["training"]["minutes"] == pytest.approx(1 / 60)


def test_ctrl_c_ends_with_a_checkpoint_code_130_and_the_way_to_go_on(heed: Heed, folder: Path) -> None:
    def interrupt() -> None:
        while not Path("run/metrics.jsonl").exists():
            time.sleep(0.01)
        signal.raise_signal(signal.SIGINT)

    threading.Thread(target=interrupt).start()
    answer = heed(*TRAIN, "pairs.tsv", "--settings", "tiny.toml", "--steps", "5000", "--out", "run", "--quiet")
    assert answer.code == 130
    assert "stopping after this step" in answer.err
    assert "nothing is lost. Go on with: heed resume run" in answer.out
    step = open_run(Path("run")).newest_checkpoint().checkpoint.step
    assert f"Stopped at step {step};" in answer.out
    assert step >= 1


def test_force_replaces_a_run_and_only_a_run(heed: Heed, run: Path) -> None:
    refused = heed(*TRAIN, "pairs.tsv", *TINY, "--out", "run")
    assert refused.code == 1
    assert "run already holds a run. Continue it with `heed resume run`, replace it with --force" in refused.err
    assert open_run(run).newest_checkpoint().checkpoint.step == 30
    assert heed(*TRAIN, "pairs.tsv", *TINY, "--out", "run", "--force", "--quiet").code == 0
    assert open_run(run).newest_checkpoint().checkpoint.step == 3


@pytest.mark.parametrize("fault", ["pairs.tvs", "--set=model.widht=3", "--set=model.width=17", "--set=tokens.size=1"])
def test_force_with_a_mistake_in_the_command_leaves_the_old_run_whole(heed: Heed, run: Path, fault: str) -> None:
    before = {path: path.read_bytes() for path in run.rglob("*") if path.is_file()}
    data = [fault] if fault.startswith("pairs") else ["pairs.tsv", fault]
    assert heed(*TRAIN, *data, *TINY, "--out", "run", "--force").code == 1
    assert {path: path.read_bytes() for path in run.rglob("*") if path.is_file()} == before


def test_a_mistake_leaves_no_empty_run_behind(heed: Heed, folder: Path) -> None:
    assert heed(*TRAIN, "pairs.tvs", *TINY).code == 1
    assert heed(*TRAIN, "pairs.tsv", *TINY, "--columns", "7,8").code == 1
    assert not Path("runs").exists()


def test_a_diverged_run_is_one_sentence_and_its_checkpoint_stays(
    heed: Heed, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("heed.training.trainer.nn.utils.clip_grad_norm_", lambda *arguments: float("nan"))
    answer = heed(*TRAIN, "pairs.tsv", *TINY, "--out", "run", "--quiet")
    assert answer.code == 1
    assert "Training broke at step 1: loss" in answer.err
    assert open_run(Path("run")).newest_checkpoint().checkpoint.step == 0


def test_a_full_disk_in_the_middle_is_one_sentence_and_the_run_goes_on_once_there_is_space(
    heed: Heed, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    every = ("--set", "training.checkpoint_every=1")
    write = durable.os.write
    full = OSError(28, "No space left on device")

    def after_the_second_step(descriptor: int, data: bytes) -> int:
        metrics = Path("run/metrics.jsonl")
        if metrics.exists() and metrics.read_bytes().count(b"\n") >= 2:
            raise full
        return write(descriptor, data)

    with monkeypatch.context() as patched:
        patched.setattr("heed.runs.durable.os.write", after_the_second_step)
        answer = heed(*TRAIN, "pairs.tsv", *TINY, *every, "--out", "run", "--quiet")
    assert answer.code == 1
    assert "No space left on device" in answer.err
    assert "MB on that disk" in answer.err
    assert open_run(Path("run")).newest_checkpoint().checkpoint.step == 1
    assert heed("resume", "run", "--quiet").code == 0
    assert heed(*TRAIN, "pairs.tsv", *TINY, *every, "--out", "whole", "--quiet").code == 0
    assert Path("run/model.safetensors").read_bytes() == Path("whole/model.safetensors").read_bytes()


def test_settings_that_are_shown_can_be_given_back(heed: Heed, folder: Path) -> None:
    shown = heed(*TRAIN, "pairs.tsv", *TINY, "--show-settings", "--json")
    assert shown.code == 0
    Path("shown.json").write_text(shown.out)
    assert heed(*TRAIN, "--settings", "shown.json", "--show-settings", "--json").out == shown.out
    lines = heed(*TRAIN, "pairs.tsv", *TINY, "--show-settings").out.splitlines()
    assert "model.width=16" in lines
    assert "training.epochs=none" in lines
    again = [part for line in lines for part in ("--set", line)]
    assert heed(*TRAIN, *again, "--show-settings", "--json").out == shown.out
    assert not Path("runs").exists()
