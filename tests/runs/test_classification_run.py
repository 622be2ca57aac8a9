"""Runs of `classify` and `pair`: begun, stopped, resumed byte for byte, and refused when something does not fit."""

import json
import random
import shutil
from pathlib import Path
from typing import Any

import pytest
from resumable import differences

from heed import api
from heed.errors import DataError, HeedError, RunError, SettingsError, UsageError
from heed.machine import Ranks
from heed.models.text_classifier import preset
from heed.prediction.classifier import Classifier
from heed.runs import beginning
from heed.runs.folder import open_run
from heed.runs.session import new_run

WORDS = ("good", "bad", "soup", "the", "very", "not", "service", "and")
TRAINING: dict[str, object] = {
    "epochs": 2,
    "tokens_per_batch": 120,
    "validations": 3,
    "average": 0.9,
    "checkpoint_every": 1,
    "keep_checkpoints": 1000,
    "threads": 1,
}
SIZES: dict[str, dict[str, object]] = {
    "transformer": {"width": 16, "heads": 2, "layers": 1, "feedforward": 24},
    "lstm": {"width": 16, "embedding": 12},
    "gru": {"width": 16, "embedding": 12, "pooling": "attention"},
    "rnn": {"width": 16, "embedding": 12, "pooling": "max"},
    "textcnn": {"embedding": 12, "filters": 6},
    "textcnn-wide": {"embedding": 12, "filters": 6, "bag": 3, "bag_rows": 97},
    "bert-tiny": {"width": 16, "heads": 2, "layers": 1, "feedforward": 24},
}
LINEAR: dict[str, object] = {"kind": "tfidf", "characters": None, "svm_strengths": [1.0], "logistic_strengths": [1.0]}


def write_texts(path: Path, texts: int = 1, count: int = 60, numbers: bool = False) -> Path:
    """Write labelled texts: the label is whether `good` comes more often than `bad`, or by how much."""
    draw = random.Random(7)
    names = ["text"] if texts == 1 else ["sentence1", "sentence2"]
    lines = [",".join([*names, "label"])]
    for _ in range(count):
        sides = [draw.choices(WORDS, k=draw.randint(1, 9)) for _ in range(texts)]
        lead = sum(side.count("good") - side.count("bad") for side in sides)
        label = f"{lead + draw.random():.2f}" if numbers else ("positive" if lead > 0 else "negative")
        lines.append(",".join([*(" ".join(side) for side in sides), label]))
    path.write_text("\n".join(lines) + "\n")
    return path


def settings_for(model: str) -> dict[str, Any]:
    sizes = {"kind": preset(model).kind, **SIZES[model]}
    return {"tokens": {"kind": "words"}, "model": sizes, "training": dict(TRAINING)}


@pytest.mark.parametrize("model", sorted(SIZES))
def test_a_run_that_is_stopped_and_resumed_ends_byte_for_byte_as_the_whole_one(model: str, tmp_path: Path) -> None:
    data, settings = write_texts(tmp_path / "texts.csv"), settings_for(model)
    steps = 0
    with new_run("classify", str(data), model=model, settings=settings, out=tmp_path / "run") as run:
        for report in run.reports():
            steps = report.step
            if steps in (1, 4):
                shutil.copytree(tmp_path / "run", tmp_path / f"stopped-{steps}")
    assert steps > 5
    for stopped in (1, 4):
        api.resume(tmp_path / f"stopped-{stopped}")
        assert differences(tmp_path / "run", tmp_path / f"stopped-{stopped}") == []


@pytest.mark.parametrize("reading", ["joined", "towers"])
@pytest.mark.parametrize("numbers", [False, True], ids=["labels", "numbers"])
def test_pairs_are_learnt_in_both_readings_with_labels_and_with_numbers(
    reading: str, numbers: bool, tmp_path: Path
) -> None:
    data = write_texts(tmp_path / "pairs.csv", texts=2, numbers=numbers)
    settings = {**settings_for("textcnn"), "reading": reading}
    run = api.train("pair", str(data), model="textcnn", settings=settings, out=tmp_path / "run")
    model = run.load()
    assert isinstance(model, Classifier)
    (found,) = model.predict([("good soup", "very bad")])
    assert (found.number is not None) is numbers
    assert (found.label is None) is numbers


def test_labels_and_settings_are_in_the_run_s_folder(tmp_path: Path) -> None:
    data = write_texts(tmp_path / "texts.csv")
    api.train("classify", str(data), model="textcnn", settings=settings_for("textcnn"), out=tmp_path / "run")
    assert json.loads((tmp_path / "run/labels.json").read_text())["names"] == ["negative", "positive"]
    settings = json.loads((tmp_path / "run/settings.json").read_text())
    assert (settings["task"], settings["model"]["kind"]) == ("classify", "textcnn")


def test_a_run_is_not_resumed_on_other_data(tmp_path: Path) -> None:
    data = write_texts(tmp_path / "texts.csv")
    api.train("classify", str(data), model="textcnn", settings=settings_for("textcnn"), out=tmp_path / "run")
    data.write_text(data.read_text() + "one more good text,positive\n" * 40)
    with pytest.raises(RunError, match="has changed since the run began"):
        api.resume(tmp_path / "run")


def test_changed_labels_are_detected_before_they_mean_something_else(tmp_path: Path) -> None:
    data = write_texts(tmp_path / "texts.csv")
    api.train("classify", str(data), model="textcnn", settings=settings_for("textcnn"), out=tmp_path / "run")
    labels = tmp_path / "run/labels.json"
    labels.write_text(labels.read_text().replace("negative", "negatiwe"))
    with pytest.raises(RunError, match=r"labels\.json is not as this run wrote it"):
        api.load(tmp_path / "run")


def test_word_vectors_start_the_embedding_and_the_note_says_how_many(tmp_path: Path) -> None:
    data = write_texts(tmp_path / "texts.csv")
    vectors = tmp_path / "vectors.txt"
    vectors.write_text("".join(f"{word} {' '.join(['0.5'] * 12)}\n" for word in WORDS[:3]))
    settings = {**settings_for("textcnn"), "vectors": str(vectors)}
    with new_run("classify", str(data), model="textcnn", settings=settings, out=tmp_path / "run") as run:
        assert any(note.startswith("3 of ") for note in run.notes)


@pytest.mark.parametrize(
    ("changes", "problem", "message"),
    [
        ({"outcome": "number"}, SettingsError, "outcome is number"),
        ({"data": {"columns": ["text"]}}, SettingsError, "needs 2 names"),
        ({"data": {"columns": ["text", "lable"]}}, DataError, "no column"),
        ({"vectors": "nowhere.txt"}, HeedError, "nowhere.txt"),
    ],
)
def test_what_does_not_fit_is_refused_before_a_folder_is_made(
    changes: dict[str, Any], problem: type[HeedError], message: str, tmp_path: Path
) -> None:
    data = write_texts(tmp_path / "texts.csv")
    with pytest.raises(problem, match=message):
        api.train("classify", str(data), settings={**settings_for("transformer"), **changes}, out=tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_a_linear_run_that_is_stopped_at_its_last_candidate_has_its_model(tmp_path: Path) -> None:
    data = write_texts(tmp_path / "texts.csv")
    trained = api.train(
        "classify",
        str(data),
        model="tfidf",
        settings={"model": LINEAR},
        out=tmp_path / "run",
        watch=lambda report: not report.finished,
    )
    assert trained.finished
    assert trained.step == 2
    assert {"task", "step", "score", "accuracy", "model"} <= trained.best.keys()
    assert isinstance(trained.load(), Classifier)


def test_a_linear_model_under_torchrun_is_refused_before_a_folder_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = write_texts(tmp_path / "texts.csv")
    for name, value in (("RANK", "0"), ("WORLD_SIZE", "2"), ("LOCAL_RANK", "0")):
        monkeypatch.setenv(name, value)
    with pytest.raises(UsageError, match="in one process; torchrun started 2"):
        api.train("classify", str(data), model="tfidf", settings={"model": LINEAR}, out=tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_a_linear_run_is_not_resumed_under_torchrun(tmp_path: Path) -> None:
    data = write_texts(tmp_path / "texts.csv")
    with new_run("classify", str(data), model="tfidf", settings={"model": LINEAR}, out=tmp_path / "run"):
        pass
    with pytest.raises(UsageError, match="in one process; torchrun started 3"):
        beginning.resume(open_run(tmp_path / "run"), Ranks(1, 3, 1))
