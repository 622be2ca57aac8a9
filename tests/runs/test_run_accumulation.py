"""Accumulation promises the step of one large batch; with batch norm that would be false."""

from pathlib import Path

import pytest
from resumable import SETTINGS, differences, write_pairs

from heed import api
from heed.errors import SettingsError

BOTH = {
    **SETTINGS,
    "model": {**SETTINGS["model"], "norm": "batch"},
    "training": {**SETTINGS["training"], "accumulate": 3},
}


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_pairs(tmp_path_factory.mktemp("data") / "pairs.tsv")


def test_a_new_run_with_accumulation_and_batch_norm_is_refused_before_anything_is_written(
    data: Path, tmp_path: Path
) -> None:
    with pytest.raises(
        SettingsError,
        match=r"accumulate is 3, but the model's norm is batch.*norm=layer, or .*tokens_per_batch=750\.",
    ):
        api.train("translate", str(data), settings=BOTH, out=tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_it_is_refused_before_data_is_read(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"accumulate is 3"):
        api.train("translate", str(tmp_path / "nowhere.tsv"), settings=BOTH, out=tmp_path / "run")


def test_batch_norm_that_comes_with_a_base_is_refused_too(tmp_path: Path) -> None:
    (tmp_path / "lines.txt").write_text("one two three four five\n" * 80)
    own = {"model": {"width": 8, "heads": 2, "layers": 1, "feedforward": 12, "longest": 8, "norm": "batch"}}
    quick = {"steps": 2, "tokens_per_batch": 90, "threads": 1, "validations": 1}
    base = {**own, "tokens": {"kind": "words"}, "training": quick}
    api.train("write", str(tmp_path / "lines.txt"), settings=base, out=tmp_path / "base")
    going_on = {"base": str(tmp_path / "base"), "training": {**quick, "accumulate": 2}}
    with pytest.raises(SettingsError, match=r"accumulate is 2, but the model's norm is batch"):
        api.train("write", str(tmp_path / "lines.txt"), settings=going_on, out=tmp_path / "run")


def test_a_run_that_has_both_already_goes_on_as_it_began_and_says_what_that_means(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as before:
        before.setattr("heed.runs.beginning.check_accumulation", lambda settings: None)
        api.train("translate", str(data), settings=BOTH, out=tmp_path / "whole")
        api.train("translate", str(data), settings=BOTH, out=tmp_path / "run", watch=lambda at: at.step < 2)
    with api.stopped_run(tmp_path / "run") as run:
        assert any("accumulate is 3 and the norm is batch" in note and "as it began" in note for note in run.notes)
        api.follow(run, None)
    assert differences(tmp_path / "run", tmp_path / "whole") == []


def test_accumulation_with_another_norm_says_nothing(data: Path, tmp_path: Path) -> None:
    settings = {**BOTH, "model": SETTINGS["model"]}
    api.train("translate", str(data), settings=settings, out=tmp_path / "run", watch=lambda at: at.step < 2)
    with api.stopped_run(tmp_path / "run") as run:
        assert not any("accumulate" in note for note in run.notes)
