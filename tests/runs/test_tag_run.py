"""Runs of `tag`: begun, stopped, resumed byte for byte, and refused when something does not fit."""

import json
import random
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from resumable import differences

from heed.errors import DataError, HeedError, RunError, SettingsError
from heed.machine import Ranks
from heed.models.bert import BertSettings
from heed.runs import tag_run
from heed.runs.folder import create, open_run
from heed.runs.run import TrainerRun
from heed.runs.tag_settings import TagSettings
from heed.settings import from_dict

ALONE = Ranks(0, 1, 0)
NAMES, OTHERS = ("Ada", "Bob", "Zoe"), ("sees", "and", "the", "dog", "runs")
TRAINING: dict[str, object] = {
    "epochs": 2,
    "tokens_per_batch": 120,
    "validations": 3,
    "average": 0.9,
    "checkpoint_every": 1,
    "keep_checkpoints": 1000,
    "threads": 1,
}
MODELS: dict[str, dict[str, object]] = {
    "lstm": {"kind": "rnn", "width": 16, "embedding": 12},
    "transformer": {"kind": "transformer", "width": 16, "heads": 2, "layers": 1, "feedforward": 24},
    "bert": {"kind": "bert", "width": 16, "heads": 2, "layers": 1, "feedforward": 24},
}


def write_names(path: Path, count: int = 60) -> Path:
    """Write sentences in which three words are names, two of them at times side by side as one."""
    draw = random.Random(7)
    lines: list[str] = []
    for _ in range(count):
        words = draw.choices((*NAMES, *OTHERS), k=draw.randint(1, 9))
        before = ""
        for word in words:
            before = "O" if word in OTHERS else ("I-name" if before.endswith("name") else "B-name")
            lines.append(f"{word} {before}")
        lines.append("")
    path.write_text("\n".join(lines))
    return path


def settings_for(data: Path | str, model: str = "lstm", **more: Any) -> TagSettings:
    values = {"tokens": {"kind": "words"}, "model": MODELS[model], "training": TRAINING, **more}
    return from_dict(TagSettings, {"data": {"train": [str(data)]}, **values}, "settings")


def begun(settings: TagSettings, path: Path) -> TrainerRun:
    prepared = tag_run.prepare(settings)
    return tag_run.begin(create(path), prepared, ALONE)


def trained(settings: TagSettings, path: Path) -> Path:
    for _ in begun(settings, path).reports():
        pass
    return path


def resume(path: Path) -> TrainerRun:
    folder = open_run(path)
    return tag_run.resume(folder, from_dict(TagSettings, folder.read_settings(), "settings"), ALONE)


@pytest.mark.parametrize("model", sorted(MODELS))
def test_a_run_that_is_stopped_and_resumed_ends_byte_for_byte_as_the_whole_one(model: str, tmp_path: Path) -> None:
    steps = 0
    for report in begun(settings_for(write_names(tmp_path / "names"), model), tmp_path / "run").reports():
        steps = report.step
        if steps in (1, 4):
            shutil.copytree(tmp_path / "run", tmp_path / f"stopped-{steps}")
    assert steps > 5
    for stopped in (1, 4):
        for _ in resume(tmp_path / f"stopped-{stopped}").reports():
            pass
        assert differences(tmp_path / "run", tmp_path / f"stopped-{stopped}") == []


def test_tags_data_and_notes_are_told(tmp_path: Path) -> None:
    run = begun(settings_for(write_names(tmp_path / "names"), pieces="all"), tmp_path / "run")
    assert json.loads((tmp_path / "run/labels.json").read_text())["names"] == ["O", "B-name", "I-name"]
    facts = json.loads((tmp_path / "run/data.json").read_text())
    assert (facts["scheme"], facts["cut_words"]) == ("IOB2", 0)
    notes = "\n".join(run.notes)
    assert "entities in IOB2" in notes
    assert "entities of 1 kinds: name 100.0%" in notes
    assert "pieces in the vocabulary" in notes


def test_a_run_of_plain_labels_tells_how_they_are_spread(tmp_path: Path) -> None:
    data = tmp_path / "names"
    data.write_text("".join(f"word{number} NN\nruns VB\n\n" for number in range(60)))
    run = begun(settings_for(data), tmp_path / "run")
    assert "2 labels of words: NN 50.0%, VB 50.0%" in run.notes
    assert json.loads((tmp_path / "run/data.json").read_text())["scheme"] == "plain"


def test_words_that_are_cut_are_told(tmp_path: Path) -> None:
    data = write_names(tmp_path / "names")
    settings = settings_for(data)
    run = begun(replace(settings, model=replace(settings.model, longest=4)), tmp_path / "run")
    assert any("training words stand beyond the longest length" in note for note in run.notes)


def test_a_run_is_not_resumed_on_other_data(tmp_path: Path) -> None:
    data = write_names(tmp_path / "names")
    begun(settings_for(data), tmp_path / "run")
    data.write_text(data.read_text() + "\nAda B-name\nagain O\n" * 40)
    with pytest.raises(RunError, match="has changed since the run began"):
        resume(tmp_path / "run")


def test_word_vectors_start_the_embedding_and_the_note_says_how_many(tmp_path: Path) -> None:
    vectors = tmp_path / "vectors.txt"
    vectors.write_text("".join(f"{word} {' '.join(['0.5'] * 12)}\n" for word in NAMES))
    settings = settings_for(write_names(tmp_path / "names"), vectors=str(vectors))
    assert any(note.startswith("3 of ") for note in begun(settings, tmp_path / "run").notes)


def test_a_run_starts_from_the_weights_and_the_vocabulary_of_another(tmp_path: Path) -> None:
    first = trained(settings_for(write_names(tmp_path / "names"), "bert"), tmp_path / "first")
    other = tmp_path / "others"
    other.write_text("".join(f"word{number} O\nAda B-person\n\n" for number in range(60)))
    run = begun(settings_for(other, "bert", base=str(first)), tmp_path / "second")
    old = open_run(first).read_best().tensors["encoder.embedding.weight"]
    assert run.trainer.task.model.state_dict()["encoder.embedding.weight"].equal(old)
    assert (first / "tokenizer.json").read_text() == (tmp_path / "second/tokenizer.json").read_text()
    assert any("starting from" in note for note in run.notes)
    settings = json.loads((tmp_path / "second/settings.json").read_text())
    assert settings["base"] == str(first)
    assert from_dict(TagSettings, settings, "settings").model == BertSettings(
        width=16, heads=2, layers=1, feedforward=24
    )


@pytest.mark.parametrize(
    ("changes", "problem", "message"),
    [
        ({"data": {"columns": ["1"]}}, SettingsError, r"data\.columns is \['1'\]; task tag needs"),
        ({"data": {"columns": ["1", "3"]}}, DataError, "there is no column 3"),
        ({"base": "somewhere"}, SettingsError, r"base is somewhere, but model\.kind is rnn"),
        ({"base": "a", "vectors": "b", "model": {"kind": "bert"}}, SettingsError, "base is a and vectors is b"),
        ({"model": {"kind": "rnn", "pooling": "attention"}}, SettingsError, r"model\.pooling is attention"),
        ({"vectors": "nowhere.txt"}, HeedError, r"nowhere\.txt"),
    ],
)
def test_what_does_not_fit_is_refused_before_anything_is_written(
    changes: dict[str, Any], problem: type[HeedError], message: str, tmp_path: Path
) -> None:
    data = write_names(tmp_path / "names")
    with pytest.raises(problem, match=message):
        values = {"data": {**changes.pop("data", {}), "train": [str(data)]}, "model": MODELS["lstm"], **changes}
        tag_run.prepare(from_dict(TagSettings, values, "settings"))
