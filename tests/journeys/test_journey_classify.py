"""From labelled texts to a model that is used, as a person does it on the command line."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

# What `conftest.py` makes; its answers have `code`, `out` and `err`.
Heed = Callable[..., Any]
SMALL = ("--steps", "12", "--set", "training.validations=2", "--set", "training.threads=1")
TINY = (*SMALL, "--set", "tokens.kind=words", "--set", "model.longest=32")


def test_train_predict_evaluate_resume_a_classifier(heed: Heed, texts: Path) -> None:
    trained = heed("train", "classify", "texts.csv", "--model", "textcnn", *TINY)
    assert trained.code == 0, trained.err
    run = "runs/classify-textcnn-1"
    assert f"The run is in {run}" in trained.out
    assert "2 labels: " in trained.err
    predicted = heed("predict", run, "the soup was tasty", "the tea was stale")
    assert predicted.code == 0
    assert [line.split("\t")[0] in ("good", "bad") for line in predicted.out.splitlines()] == [True, True]
    whole = json.loads(heed("predict", run, "the soup was tasty", "--json").out)
    assert set(whole["probabilities"]) == {"good", "bad"}
    scored = heed("evaluate", run, "texts.csv")
    assert scored.code == 0
    assert "accuracy" in scored.out
    assert "expected ↓  predicted →" in scored.out
    seen = json.loads(heed("evaluate", run, "texts.csv", "--json").out)["seen"]
    assert seen["examples"] == seen["training"] + seen["validation"] + seen["unseen"] == 144
    assert seen["own_test"] == seen["unseen"] > 0
    assert "nothing is left to train" in heed("resume", run).err


@pytest.mark.parametrize("data", ["texts.csv", "texts.jsonl", "folders"])
def test_a_table_objects_and_a_folder_of_labels_are_all_read(heed: Heed, texts: Path, data: str) -> None:
    assert heed("train", "classify", data, "--model", "gru", *TINY, "--quiet", "--out", "run").code == 0
    assert heed("evaluate", "run", data).code == 0


def test_a_table_of_texts_is_labelled_row_by_row(heed: Heed, texts: Path) -> None:
    heed("train", "classify", "texts.csv", "--model", "textcnn", *TINY, "--quiet", "--out", "run")
    found = heed("predict", "run", "texts.csv", "--columns", "sentence", "--best", "2")
    assert found.code == 0, found.err
    assert len(found.out.splitlines()) == 144
    assert len(found.out.splitlines()[0].split("\t")) == 4


def test_check_tells_of_balance_before_training(heed: Heed, texts: Path) -> None:
    found = heed("check", "classify", "texts.csv")
    assert found.code == 0
    assert "good" in found.out


def test_search_options_are_refused_for_a_classifier(heed: Heed, texts: Path) -> None:
    heed("train", "classify", "texts.csv", "--model", "textcnn", *TINY, "--quiet", "--out", "run")
    assert "--beam means nothing here: this run is a classifier" in heed("predict", "run", "x", "--beam", "3").err
    assert heed("evaluate", "run", "texts.csv", "--greedy").code == 2


def test_an_evaluation_saves_the_label_of_each_text_in_order(heed: Heed, texts: Path) -> None:
    quickly = ("--set", "training.learning_rate=0.01")
    heed("train", "classify", "texts.csv", "--model", "textcnn", *TINY, *quickly, "--quiet", "--out", "run")
    rows = Path("texts.csv").read_text().splitlines()
    Path("texts.csv").write_text("\n".join([*rows[:37], "36,good,"]) + "\n")
    answer = heed("evaluate", "run", "texts.csv", "--save", "new/found.txt", "--json")
    assert answer.code == 0, answer.err
    assert "1 records without text or label were left out: texts.csv:38" in answer.err
    saved = Path("new/found.txt").read_text().splitlines()
    assert set(saved) == {"good", "bad"}  # a model that says one thing would hide another order
    _, *expected = (row.split(",")[1] for row in rows[:37])
    right = sum(found == label for found, label in zip(saved, expected, strict=True))
    assert json.loads(answer.out)["scores"]["accuracy"] == pytest.approx(right / 36)
    said = heed("predict", "run", *(row.split(",")[2] for row in rows[1:37]))
    assert saved == [line.split("\t")[0] for line in said.out.splitlines()]
