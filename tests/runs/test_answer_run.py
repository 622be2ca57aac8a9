"""Runs of `answer`: begun, stopped, resumed byte for byte, started from a BERT, and refused when something is amiss."""

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from resumable import differences

from heed.errors import HeedError, RunError, SettingsError
from heed.machine import Ranks
from heed.models.encoder import EncoderSettings
from heed.models.weights import weights_of
from heed.runs import answer_run
from heed.runs.answer_settings import AnswerSettings
from heed.runs.assembling import read_tokenizer
from heed.runs.best import BestModel
from heed.runs.folder import create, open_run
from heed.settings import from_dict, to_dict

ALONE = Ranks(0, 1, 0)
NAMES, TOWNS = ("ann", "bob", "eve", "joe"), ("rome", "oslo", "lima", "bonn", "bern")
TRAINING: dict[str, object] = {
    "epochs": 2,
    "tokens_per_batch": 120,
    "validations": 3,
    "average": 0.9,
    "checkpoint_every": 1,
    "keep_checkpoints": 1000,
    "threads": 1,
}
ENCODER = {"kind": "transformer", "width": 16, "heads": 2, "layers": 1, "feedforward": 24, "longest": 16}
BERT = {"kind": "bert", "width": 16, "heads": 2, "layers": 1, "feedforward": 24, "longest": 16}


def write_questions(path: Path, impossible: bool, count: int = 30) -> Path:
    """Write paragraphs of two facts, each asked for one of them; every third question has no answer if asked for."""
    paragraphs = []
    for number in range(count):
        first, second = NAMES[number % 4], NAMES[(number + 1 + number // 7) % 4]
        here, there = TOWNS[number % 5], TOWNS[(number + 1 + number // 9) % 5]
        context = f"{first} is in {here} . {second} is in {there} . day {number} ."
        none = impossible and number % 3 == 0
        answers = [] if none else [{"text": here, "answer_start": context.index(here)}]
        asked = {"id": f"q{number}", "question": f"where is {first} ?", "answers": answers, "is_impossible": none}
        paragraphs.append({"context": context, "qas": [asked]})
    path.write_text(json.dumps({"data": [{"title": "t", "paragraphs": paragraphs}]}))
    return path


def settings_for(data: Path, model: dict[str, object], **changes: object) -> AnswerSettings:
    values: dict[str, Any] = {
        "data": {"train": [str(data)]},
        "windows": {"stride": 3, "longest_question": 4},
        "tokens": {"kind": "words"},
        "model": model,
        "training": dict(TRAINING),
        **changes,
    }
    return from_dict(AnswerSettings, values, "settings")


def train(settings: AnswerSettings, path: Path, copies: tuple[int, ...] = ()) -> tuple[str, ...]:
    """Train a run to its end, with a copy of its folder after some steps; return its notes."""
    prepared = answer_run.prepare(settings)
    folder = create(path, force=False)
    run = answer_run.begin(folder, prepared, ALONE)
    for report in run.reports():
        if report.step in copies:
            shutil.copytree(path, path.with_name(f"stopped-{report.step}"))
    return run.notes


def resumed(path: Path) -> tuple[str, ...]:
    folder = open_run(path)
    run = answer_run.resume(folder, from_dict(AnswerSettings, folder.read_settings(), "settings"), ALONE)
    for _ in run.reports():
        pass
    return run.notes


@pytest.mark.parametrize("model", [ENCODER, BERT], ids=["transformer", "bert"])
def test_an_answering_run_that_is_resumed_ends_byte_for_byte_as_the_whole_one(
    model: dict[str, object], tmp_path: Path
) -> None:
    data = write_questions(tmp_path / "q.json", impossible=True)
    train(settings_for(data, model), tmp_path / "run", copies=(1, 4))
    for stopped in (1, 4):
        notes = resumed(tmp_path / f"stopped-{stopped}")
        assert f"going on from step {stopped}" in notes
        assert differences(tmp_path / "run", tmp_path / f"stopped-{stopped}") == []


def test_the_threshold_of_the_best_validation_is_kept_with_the_weights(tmp_path: Path) -> None:
    settings = settings_for(write_questions(tmp_path / "q.json", impossible=True), ENCODER)
    notes = train(settings, tmp_path / "run")
    assert any("kept with the best weights as no_answer_threshold" in note for note in notes)
    best = open_run(tmp_path / "run").read_best()
    search = answer_run.read_search(settings, best)
    assert search.no_answer_threshold == best.facts["no_answer_threshold"]
    assert {"exact", "f1", "step", "vocabulary"} <= best.facts.keys()


def test_without_impossible_questions_there_is_no_threshold(tmp_path: Path) -> None:
    settings = settings_for(write_questions(tmp_path / "q.json", impossible=False), ENCODER)
    notes = train(settings, tmp_path / "run")
    assert not any("threshold" in note for note in notes)
    best = open_run(tmp_path / "run").read_best()
    assert "no_answer_threshold" not in best.facts
    assert answer_run.read_search(settings, best).no_answer_threshold is None


def test_a_threshold_of_the_settings_goes_before_the_one_that_was_chosen(tmp_path: Path) -> None:
    data = write_questions(tmp_path / "q.json", impossible=True)
    settings = settings_for(data, ENCODER, search={"no_answer_threshold": 2.5})
    best = BestModel({}, {"no_answer_threshold": 7.0}, "")
    assert answer_run.read_search(settings, best).no_answer_threshold == 2.5
    notes = train(settings, tmp_path / "run")
    assert any("is 2.5, as was asked for" in note for note in notes)


def test_a_run_starts_from_the_weights_and_the_vocabulary_of_another(tmp_path: Path) -> None:
    data = write_questions(tmp_path / "q.json", impossible=False)
    train(settings_for(data, BERT), tmp_path / "first")
    other = write_questions(tmp_path / "other.json", impossible=False, count=40)
    settings = settings_for(other, {**BERT, "longest": 14}, base=str(tmp_path / "first"))
    prepared = answer_run.prepare(settings)
    assert prepared.tokenizer.fingerprint == read_tokenizer(open_run(tmp_path / "first")).fingerprint
    assert any("starting from" in note for note in prepared.notes)
    best = open_run(tmp_path / "first").read_best().tensors
    for name, tensor in weights_of(prepared.task.model).items():
        taken = best[name][:14] if name == "encoder.positions.table" else best[name]
        assert bool((tensor == taken).all()) is name.startswith("encoder."), name
    train(settings, tmp_path / "second")
    assert resumed(tmp_path / "second")


def test_the_folder_holds_settings_that_read_back_as_they_were(tmp_path: Path) -> None:
    settings = settings_for(write_questions(tmp_path / "q.json", impossible=True), ENCODER)
    train(settings, tmp_path / "run")
    read = from_dict(AnswerSettings, open_run(tmp_path / "run").read_settings(), "settings")
    assert replace(read, training=settings.training, data=settings.data) == settings
    facts = json.loads((tmp_path / "run/data.json").read_text())
    assert facts["lost_answers"] == 0
    assert facts["windows"] >= facts["train"]["records"]


def test_an_answering_run_is_not_resumed_on_other_data(tmp_path: Path) -> None:
    data = write_questions(tmp_path / "q.json", impossible=False)
    train(settings_for(data, ENCODER), tmp_path / "run")
    good = data.read_text()
    write_questions(data, impossible=False, count=31)
    with pytest.raises(RunError, match="has changed since the run began"):
        resumed(tmp_path / "run")
    data.write_text(good.replace('"text": "rome"', '"text": "rom"'))
    with pytest.raises(RunError, match="has changed since the run began"):
        resumed(tmp_path / "run")


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"data": {"columns": ["a", "b"]}}, r"data\.columns is \['a', 'b'\]"),
        ({"model": {"kind": "transformer", "segments": 0}}, r"model\.segments is 0"),
        ({"model": {"kind": "transformer", "pooling": "attention"}}, r"model\.pooling is attention"),
        ({"windows": {"longest_question": 600}}, r"windows\.longest_question 600"),
        ({"base": "somewhere"}, r"base is somewhere, but model\.kind is transformer"),
    ],
)
def test_settings_that_cannot_answer_are_refused(changes: dict[str, object], said: str) -> None:
    with pytest.raises(SettingsError, match=said):
        from_dict(AnswerSettings, changes, "settings")


def test_settings_of_the_default_are_whole() -> None:
    settings = AnswerSettings()
    assert from_dict(AnswerSettings, to_dict(settings), "settings") == settings
    assert isinstance(settings.model, EncoderSettings)


def test_a_base_that_is_not_there_is_refused(tmp_path: Path) -> None:
    data = write_questions(tmp_path / "q.json", impossible=False)
    with pytest.raises(HeedError, match="nowhere"):
        answer_run.prepare(settings_for(data, BERT, base=str(tmp_path / "nowhere")))
