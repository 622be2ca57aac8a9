"""Runs of `write`: begun, stopped, resumed byte for byte, started from another, and refused when something is wrong."""

import json
import random
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from resumable import differences

from heed.errors import DataError, HeedError, RunError, SettingsError, UsageError
from heed.machine import Ranks
from heed.runs import write_run
from heed.runs.assembling import read_tokenizer
from heed.runs.folder import create, open_run
from heed.runs.run import TrainerRun
from heed.runs.write_settings import WriteSettings
from heed.settings import from_dict
from heed.tasks.text_ids import decode_text, encode_text
from heed.tasks.write import CarriedState
from heed.tasks.write_training import LaneTraining, WindowTraining

WORDS = ("one", "two", "three", "four", "five", "six")
MODELS: dict[str, dict[str, object]] = {
    "transformer": {"width": 16, "heads": 2, "layers": 1, "feedforward": 24, "dropout": 0.3, "longest": 12},
    "rnn": {"kind": "rnn", "cell": "rnn", "embedding": 8, "width": 12, "longest": 12, "dropout": 0.3},
    "lstm": {"kind": "rnn", "cell": "lstm", "embedding": 8, "width": 12, "layers": 2, "longest": 12, "dropout": 0.3},
    "gru": {"kind": "rnn", "cell": "gru", "embedding": 8, "width": 12, "longest": 12},
}
TRAINING: dict[str, object] = {
    "epochs": 2,
    "tokens_per_batch": 48,
    "validations": 3,
    "average": 0.9,
    "checkpoint_every": 1,
    "keep_checkpoints": 1000,
    "threads": 1,
}


def write_text(path: Path, lines: int = 40) -> Path:
    """Write made-up lines of words."""
    draw = random.Random(7)
    path.write_text("".join(" ".join(draw.choices(WORDS, k=draw.randint(0, 4))) + "\n" for _ in range(lines)))
    return path


def settings_for(path: Path, model: str, **changes: object) -> WriteSettings:
    values: dict[str, Any] = {"data": {"train": [str(path)]}, "model": MODELS[model], "training": TRAINING, **changes}
    return from_dict(WriteSettings, values, "settings")


def begin(settings: WriteSettings, out: Path) -> TrainerRun:
    prepared = write_run.prepare(settings, Ranks())
    return write_run.begin(create(out), prepared, Ranks())


def train(settings: WriteSettings, out: Path) -> Path:
    for _ in begin(settings, out).reports():
        pass
    return out


def resume(path: Path) -> TrainerRun:
    folder = open_run(path)
    settings = from_dict(WriteSettings, folder.read_settings(), "settings")
    return write_run.resume(folder, settings, Ranks())


@pytest.mark.parametrize(
    ("model", "accumulate"), [("transformer", 1), ("rnn", 1), ("lstm", 1), ("lstm", 2), ("gru", 1)]
)
def test_a_run_that_is_stopped_in_the_middle_of_an_epoch_ends_as_the_whole_one(
    model: str, accumulate: int, memory_path: Path
) -> None:
    data = write_text(memory_path / "text.txt")
    settings = settings_for(data, model, training={**TRAINING, "accumulate": accumulate})
    stops = {2: "first", 10: "second"} if accumulate == 1 else {1: "first", 6: "second"}
    epochs = []
    for report in begin(settings, memory_path / "run").reports():
        epochs.append(report.epoch)
        if report.step in stops:
            shutil.copytree(memory_path / "run", memory_path / stops[report.step])
    for stop, name in stops.items():
        assert epochs[stop - 1] == epochs[stop], "the stop must be in the middle of an epoch"
        for _ in resume(memory_path / name).reports():
            pass
        assert differences(memory_path / "run", memory_path / name) == []


def without_the_state(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(CarriedState, "restore", lambda self, tensors: None)


def with_the_parts_of_the_state_swapped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(CarriedState, "restore", lambda self, tensors: self.leave(tuple(tensors.values())[::-1]))


@pytest.mark.parametrize("broken", [without_the_state, with_the_parts_of_the_state_swapped])
def test_a_resume_that_forgets_or_mixes_up_the_state_is_caught(
    broken: Callable[[pytest.MonkeyPatch], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = begin(settings_for(write_text(tmp_path / "text.txt"), "lstm"), tmp_path / "run")
    for report in run.reports():
        if report.step == 3:
            shutil.copytree(tmp_path / "run", tmp_path / "stopped")
    broken(monkeypatch)
    for _ in resume(tmp_path / "stopped").reports():
        pass
    assert "weights.safetensors" in differences(tmp_path / "run", tmp_path / "stopped")


@pytest.mark.parametrize("model", ["transformer", "gru"])
def test_an_epoch_sees_every_token_of_the_text_once(model: str, tmp_path: Path) -> None:
    run = begin(settings_for(write_text(tmp_path / "text.txt"), model), tmp_path / "run")
    assert isinstance(run.task, WindowTraining | LaneTraining)
    tokens = {0: 0, 1: 0}
    for report in run.reports():
        tokens[report.epoch] += report.tokens
    assert tokens == {0: len(run.task.train), 1: len(run.task.train)}


def test_a_run_says_what_it_read_and_keeps_it(tmp_path: Path) -> None:
    data = write_text(tmp_path / "text.txt")
    run = begin(settings_for(data, "transformer", tokens={"kind": "words"}), tmp_path / "run")
    assert any("The last tenth" in note for note in run.notes)
    assert any(f"tokens from {data}" in note for note in run.notes)
    facts = json.loads((tmp_path / "run/data.json").read_text())
    assert facts["tokens"]["characters"] == len(data.read_text()) * 9 // 10
    settings = json.loads((tmp_path / "run/settings.json").read_text())
    assert (settings["task"], settings["tokens"]["kind"]) == ("write", "words")


def test_unknown_tokens_are_told(tmp_path: Path) -> None:
    data, valid = write_text(tmp_path / "text.txt"), tmp_path / "valid.txt"
    valid.write_text("one seven\n")
    settings = settings_for(data, "rnn", tokens={"kind": "words"}, data={"train": [str(data)], "valid": [str(valid)]})
    notes = begin(settings, tmp_path / "run").notes
    assert "1 of 3 validation tokens (33.33%) are unknown" in notes


def test_a_run_is_not_resumed_on_another_text(tmp_path: Path) -> None:
    data = write_text(tmp_path / "text.txt")
    begin(settings_for(data, "rnn"), tmp_path / "run")
    data.write_text(data.read_text() + "seven\n")
    with pytest.raises(RunError, match=r"The train data of .*run has changed since the run began"):
        resume(tmp_path / "run")


def test_a_recurrent_network_in_several_processes_is_refused(tmp_path: Path) -> None:
    data, two = write_text(tmp_path / "text.txt"), Ranks(0, 2, 0)
    with pytest.raises(UsageError, match=r"carries its state.*torchrun started 2"):
        write_run.prepare(settings_for(data, "gru"), two)
    begin(settings_for(data, "gru"), tmp_path / "run")
    folder = open_run(tmp_path / "run")
    with pytest.raises(UsageError, match="torchrun started 2"):
        write_run.resume(folder, from_dict(WriteSettings, folder.read_settings(), "settings"), two)
    assert isinstance(write_run.prepare(settings_for(data, "transformer"), two).task, WindowTraining)


def test_a_run_starts_from_the_weights_and_the_vocabulary_of_another(tmp_path: Path) -> None:
    data, other = write_text(tmp_path / "text.txt"), write_text(tmp_path / "other.txt", lines=30)
    base = train(settings_for(data, "gru", tokens={"kind": "words"}), tmp_path / "base")
    settings = settings_for(other, "transformer", base=str(base))
    prepared = write_run.prepare(settings, Ranks())
    assert prepared.tokenizer.fingerprint == read_tokenizer(open_run(base)).fingerprint
    assert (prepared.settings.model.kind, prepared.settings.model.dropout) == ("rnn", 0.3)
    best = open_run(base).read_best().tensors
    assert all(best[name].equal(tensor) for name, tensor in prepared.task.model.state_dict().items())
    run = write_run.begin(create(tmp_path / "run"), prepared, Ranks())
    assert any(note.startswith(f"starting from {base}: ") for note in run.notes)
    assert resume(tmp_path / "run").task.model.settings == prepared.settings.model


def test_a_run_of_another_task_is_no_base(tmp_path: Path) -> None:
    other = create(tmp_path / "other")
    other.write_settings({"task": "translate"})
    settings = settings_for(write_text(tmp_path / "text.txt"), "gru", base=str(tmp_path / "other"))
    with pytest.raises(UsageError, match="other is a run of translate, but a language model starts from another"):
        write_run.prepare(settings, Ranks())


@pytest.mark.parametrize(
    ("changes", "problem", "message"),
    [
        ({"data": {"train": ["x"], "columns": ["text"]}}, SettingsError, r"data\.columns is \['text'\]"),
        ({"length": 0}, SettingsError, "length is 0"),
        ({"data": {"train": ["nowhere.txt"]}}, DataError, "nowhere.txt does not exist"),
    ],
)
def test_what_does_not_fit_is_refused(
    changes: dict[str, Any], problem: type[HeedError], message: str, tmp_path: Path
) -> None:
    with pytest.raises(problem, match=message):
        write_run.prepare(settings_for(write_text(tmp_path / "text.txt"), "rnn", **changes), Ranks())


def test_the_vocabulary_of_a_run_gives_back_the_spaces_that_lines_begin_with(tmp_path: Path) -> None:
    path = tmp_path / "text.txt"
    path.write_text("".join(f"if {word}:\n    go to {word}\n" for word in WORDS * 8))
    run = begin(settings_for(path, "rnn", tokens={"kind": "bpe", "size": 60}), tmp_path / "run")
    tokenizer, text = read_tokenizer(run.folder), "if one:\n    go to one"
    assert decode_text(encode_text(text, tokenizer).ids[1:].tolist(), tokenizer) == text
