"""`heed compare` and `heed ablate` for every task, as a person meets them on the command line."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

# What `conftest.py` makes; its answers have `code`, `out` and `err`.
Heed = Callable[..., Any]


def assigned(*settings: str) -> tuple[str, ...]:
    """Return the options that set these."""
    return tuple(word for setting in settings for word in ("--set", setting))


FEW = assigned("training.steps=6", "training.validations=1", "training.threads=1", "tokens.kind=words")


def test_compare_trains_every_model_with_every_seed_and_writes_its_reports(heed: Heed, texts: Path) -> None:
    options = ("--models", "tfidf,textcnn", "--seeds", "2", *FEW)
    found = heed("compare", "classify", "texts.csv", *options, "--out", "comparison")
    assert found.code == 0, found.err
    assert "tfidf" in found.out
    for name in ("report.html", "comparison.png", "comparison.json", "plan.json"):
        assert Path("comparison", name).stat().st_size > 0
    again = heed("compare", "classify", "texts.csv", *options, "--out", "comparison", "--json")
    assert {each["name"] for each in json.loads(again.out)["standings"]} == {"tfidf", "textcnn"}
    other = heed("compare", "classify", "texts.csv", "--models", "textcnn", *FEW, "--out", "comparison")
    assert other.code == 1
    assert "holds another comparison" in other.err


@pytest.mark.parametrize(
    ("task", "data", "models", "metric", "sizes"),
    [
        ("pair", "labels.tsv", "tfidf,textcnn", "accuracy", ()),
        ("pair", "numbers.tsv", "tfidf,textcnn", "spearman", ()),
        (
            "translate",
            "pairs.tsv",
            "transformer-tiny,gru",
            "bleu",
            ("model.width=32", "model.longest=9", "search.beams=1"),
        ),
    ],
)
def test_every_task_is_compared_by_what_evaluate_gives(
    heed: Heed, judged: Path, task: str, data: str, models: str, metric: str, sizes: tuple[str, ...]
) -> None:
    options = ("--models", models, "--seeds", "1", "--valid", data, "--test", data, *FEW, *assigned(*sizes))
    found = heed("compare", task, data, *options, "--out", "comparison")
    assert found.code == 0, found.err
    assert metric in found.out.splitlines()[0].lower()
    standings = json.loads(Path("comparison/comparison.json").read_text())["standings"]
    assert {each["name"] for each in standings} == set(models.split(","))
    for each in standings:
        scored = json.loads(heed("evaluate", f"comparison/trials/{each['name']}-1", data, "--json").out)["training"][
            "scores"
        ]
        assert scored["count"] == 120
        assert each["score"]["mean"] == pytest.approx(scored[metric], abs=1e-6)
    assert Path("comparison/report.html").stat().st_size > 0


@pytest.mark.parametrize(
    ("data", "code", "said"),
    [
        (("pairs.tsv", "--valid", "pairs.tsv"), 2, "no test data to compare on: --valid was given without --test."),
        (("pairz.tsv",), 1, "pairz.tsv does not exist. Did you mean pairs.tsv"),
    ],
    ids=["without test", "mistyped"],
)
def test_a_mistake_in_the_data_is_one_sentence_and_leaves_nothing_in_the_way_of_the_corrected_command(
    heed: Heed, folder: Path, data: tuple[str, ...], code: int, said: str
) -> None:
    before = sorted(folder.rglob("*"))
    answer = heed("compare", "translate", *data, *FEW)
    assert answer.code == code
    assert said in answer.err
    assert len(answer.err.splitlines()) == 1
    assert answer.out == ""
    assert sorted(folder.rglob("*")) == before


def test_ablate_changes_one_setting_at_a_time(heed: Heed, texts: Path) -> None:
    sizes = assigned("model.width=16", "model.heads=2", "model.layers=1", "model.feedforward=16", "model.longest=32")
    heed("train", "classify", "texts.csv", "--model", "transformer", *FEW, *sizes, "--quiet", "--out", "run")
    found = heed("ablate", "run", "--over", "positions=learned,none", "--out", "ablation", "--json")
    assert found.code == 0, found.err
    names = {each["name"] for each in json.loads(found.out)["standings"]}
    assert names == {"unchanged", "positions=learned", "positions=none"}


def test_ablate_works_for_a_translator_too(heed: Heed, run: Path) -> None:
    found = heed("ablate", run, "--over", "activation=gelu", "--out", "ablation", "--json")
    assert found.code == 0, found.err
    assert {each["name"] for each in json.loads(found.out)["standings"]} == {"unchanged", "activation=gelu"}


@pytest.mark.parametrize("changed", ["train.csv", "valid.csv", "test.csv"])
def test_compare_does_not_reuse_results_once_the_data_changed_under_the_same_name(
    heed: Heed, texts: Path, changed: str
) -> None:
    rows = Path("texts.csv").read_text().splitlines()
    for name, part in (("train.csv", rows[1:80]), ("valid.csv", rows[80:100]), ("test.csv", rows[100:])):
        Path(name).write_text("\n".join([rows[0], *part]) + "\n")
    command = ("compare", "classify", "train.csv", "--valid", "valid.csv", "--test", "test.csv", "--models", "tfidf")
    command = (*command, "--seeds", "1", "--out", "comparison")
    assert heed(*command).code == 0
    before = Path("comparison/comparison.json").read_bytes()
    Path(changed).write_text("\n".join(Path(changed).read_text().splitlines()[:-1]) + "\n")
    again = heed(*command)
    assert (again.code, again.out) == (1, "")
    assert len(again.err.splitlines()) == 1
    assert "data of comparison changed" in again.err
    assert Path("comparison/comparison.json").read_bytes() == before


@pytest.mark.parametrize("command", [("compare", "classify", "texts.csv"), ("ablate", "run", "--over", "layers=1")])
def test_compare_under_torchrun_is_refused_in_one_sentence(
    check_refused: Callable[..., None], texts: Path, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]
) -> None:
    for name, value in (("RANK", "0"), ("WORLD_SIZE", "2"), ("LOCAL_RANK", "0")):
        monkeypatch.setenv(name, value)
    check_refused(command, 2, "A comparison trains each model in one process; torchrun started 2.")
    assert not Path("runs").exists()
