"""The benchmarks of quality: every built-in corpus is scored, both optimizers try the same rates, a run goes on."""

import importlib
import json
import sys
from pathlib import Path
from types import ModuleType

import pytest

from heed.data.demos.catalogue import TASKS

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"


def module_of(name: str) -> ModuleType:
    sys.path.insert(0, str(BENCHMARKS))
    try:
        return importlib.import_module(name)
    finally:
        sys.path.remove(str(BENCHMARKS))


demos, optimizers, trials = (module_of(name) for name in ("demos", "optimizers", "trials"))
FOUND = {"seconds": 60.0, "training": {"step": 7}, "evaluation": {"scores": {"bleu": [1.0, 2.0], "exact": 0.5}}}


def test_every_built_in_corpus_is_measured_by_every_task_that_it_is_made_for() -> None:
    expected = {f"{task}-{corpus}" for corpus, named in TASKS.items() for task in named.split(" or ")}
    assert expected | {"pretrain-reviews"} == {demo.name for demo in demos.DEMOS}


def test_both_optimizers_try_the_same_rates_with_the_same_seeds_and_steps() -> None:
    subject = optimizers.SUBJECTS[0]
    commands = {name: optimizers._trial(subject, name, "1e-3", 2, 9).arguments for name in optimizers.OPTIMIZERS}
    assert commands["muon"] == tuple(each.replace("=adamw", "=muon") for each in commands["adamw"])
    assert {"training.learning_rate=1e-3", "training.seed=2", "9"} < set(commands["muon"])


def test_a_cell_has_the_mean_and_the_extremes_of_the_seeds() -> None:
    measure = demos.Measure("exact", "scores.exact", demos.PERCENT, " %")
    assert measure.value(FOUND) == 50.0
    assert measure.cell([92.0, 97.0, 93.0]) == "exact 94.0 % (92.0 to 97.0)"
    assert demos.Measure("BLEU-2", "scores.bleu.1").value(FOUND) == 2.0


def test_the_table_is_put_between_the_marks_of_a_page(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"before\n{demos.BEGIN}\nold\n{demos.END}\nafter\n")
    demos.put_into(page, "| new |")
    assert page.read_text() == f"before\n{demos.BEGIN}\n\n| new |\n\n{demos.END}\nafter\n"
    page.write_text("no marks")
    with pytest.raises(SystemExit, match="has no lines"):
        demos.put_into(page, "| new |")


def test_what_was_measured_is_kept_and_another_command_is_measured_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run: list[tuple[str, ...]] = []

    def command(arguments: list[str]) -> dict[str, object]:
        run.append(tuple(arguments))
        if arguments[0] == "train":
            (tmp_path / "a.run").mkdir()
        return {"step": 1}

    monkeypatch.setattr(trials, "_heed", command)
    first, other = (trials.Trial("a", ("train", task), "demo:a") for task in ("tag", "pair"))
    for trial in (first, first, other):
        trials.run_trials([trial], tmp_path)
    assert [each[:2] for each in run if each[0] == "train"] == [("train", "tag"), ("train", "pair")]
    assert json.loads((tmp_path / "a.json").read_text())["command"] == ["train", "pair", "evaluate", "demo:a"]
    assert [path.name for path in tmp_path.iterdir()] == ["a.json"]
