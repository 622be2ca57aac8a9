"""From labelled texts to a model that is used and compared, as a person does it on the command line."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

# What `conftest.py` makes; its answers have `code`, `out` and `err`.
Heed = Callable[..., Any]
WORDS = {"good": "tasty fresh lovely", "bad": "stale cold awful"}
SMALL = ("--steps", "12", "--set", "training.validations=2", "--set", "training.threads=1")
TINY = (*SMALL, "--set", "tokens.kind=words", "--set", "model.longest=32")


@pytest.fixture
def texts(folder: Path) -> Path:
    """Write labelled texts in every format that is read."""
    rows = [
        (f"the {noun} was {word} {number}", label)
        for number in range(8)
        for noun in ("soup", "bread", "tea")
        for label, words in WORDS.items()
        for word in words.split()
    ]
    (folder / "texts.csv").write_text(
        "id,label,sentence\n" + "".join(f"{n},{b},{t}\n" for n, (t, b) in enumerate(rows))
    )
    (folder / "texts.jsonl").write_text("".join(json.dumps({"text": t, "label": b}) + "\n" for t, b in rows))
    for number, (text, label) in enumerate(rows):
        (folder / "folders" / label).mkdir(parents=True, exist_ok=True)
        (folder / "folders" / label / f"{number:03}.txt").write_text(text)
    return folder


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
    assert json.loads(heed("evaluate", run, "texts.csv", "--json").out)["scores"]["count"] == 144
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
    assert "for translators" in heed("predict", "run", "x", "--beam", "3").err
    assert heed("evaluate", "run", "texts.csv", "--greedy").code == 2


def test_compare_trains_every_model_with_every_seed_and_writes_its_reports(heed: Heed, texts: Path) -> None:
    options = ("--models", "tfidf,textcnn", "--seeds", "2", *SMALL_COMPARE)
    found = heed("compare", "classify", "texts.csv", *options, "--out", "comparison")
    assert found.code == 0, found.err
    assert "tfidf" in found.out
    for name in ("report.html", "comparison.png", "comparison.json", "plan.json"):
        assert Path("comparison", name).stat().st_size > 0
    again = heed("compare", "classify", "texts.csv", *options, "--out", "comparison", "--json")
    assert {each["name"] for each in json.loads(again.out)["standings"]} == {"tfidf", "textcnn"}
    other = heed("compare", "classify", "texts.csv", "--models", "tfidf", *SMALL_COMPARE, "--out", "comparison")
    assert other.code == 1
    assert "holds another comparison" in other.err


SMALL_COMPARE = ("--set", "training.steps=6", "--set", "training.validations=1", "--set", "training.threads=1")


def test_ablate_changes_one_setting_at_a_time(heed: Heed, texts: Path) -> None:
    sizes = (
        "--set",
        "model.width=16",
        "--set",
        "model.heads=2",
        "--set",
        "model.layers=1",
        "--set",
        "model.feedforward=16",
    )
    heed("train", "classify", "texts.csv", "--model", "transformer", *TINY, *sizes, "--quiet", "--out", "run")
    found = heed("ablate", "run", "--over", "positions=learned,none", "--out", "ablation", "--json")
    assert found.code == 0, found.err
    names = {each["name"] for each in json.loads(found.out)["standings"]}
    assert names == {"unchanged", "positions=learned", "positions=none"}


def test_ablate_works_for_a_translator_too(heed: Heed, run: Path) -> None:
    found = heed("ablate", run, "--over", "activation=gelu", "--out", "ablation", "--json")
    assert found.code == 0, found.err
    assert {each["name"] for each in json.loads(found.out)["standings"]} == {"unchanged", "activation=gelu"}
