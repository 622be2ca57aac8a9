"""A run's beginning: what is written before the first step, what is said, and what is refused in time."""

import json
import os
from pathlib import Path

import pytest
from resumable import SETTINGS, write_pairs

from heed import api
from heed.errors import DataError, MachineError
from heed.machine import Bf16Probe, Ranks
from heed.runs.folder import open_run
from heed.runs.run import TrainerRun
from heed.settings import to_dict


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return write_pairs(tmp_path / "pairs.tsv")


def begin(data: Path | str, out: Path, **parts: object) -> TrainerRun:
    with api.new_run("translate", str(data), settings={**SETTINGS, **parts}, out=out) as run:
        return run


def test_before_the_first_step_everything_to_resume_from_is_there(data: Path, tmp_path: Path) -> None:
    run = begin(data, tmp_path / "run")
    folder = open_run(tmp_path / "run")
    assert folder.newest_checkpoint().checkpoint.step == 0
    assert folder.read_settings() == to_dict(run.settings)
    facts = folder.read_data_facts()
    assert facts["train"]["records"] + facts["valid"]["records"] < 90  # the rest is kept to be scored on
    assert facts["source_tokens"]["tokens"] > 0
    assert folder.read_tokenizers().target is None
    assert not folder.is_finished


def test_the_notes_say_how_many_pairs_from_where_and_how_large_the_model_is(data: Path, tmp_path: Path) -> None:
    notes = "\n".join(begin(data, tmp_path / "run").notes)
    assert f"validation pairs from {data}" in notes
    assert "Split by the hash" in notes
    assert "parameters" in notes


def test_the_notes_say_what_is_cut_and_what_is_left_out(data: Path, tmp_path: Path) -> None:
    data.write_text(data.read_text() + "one\t\n")
    run = begin(data, tmp_path / "run", model={**SETTINGS["model"], "longest": 4})
    notes = "\n".join(run.notes)
    assert notes.count("empty side") == 1
    assert f"{data}:91" in notes
    assert "source: " in notes
    assert " cut (" in notes


def test_a_run_remembers_where_its_data_lies_and_is_resumed_from_any_folder(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    api.train("translate", "pairs.tsv", settings=SETTINGS, out="run", watch=lambda at: at.step < 2)
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert api.resume("../run").finished


def test_data_that_is_gone_is_told_before_anything_is_trained(data: Path, tmp_path: Path) -> None:
    api.train("translate", str(data), settings=SETTINGS, out=tmp_path / "run", watch=lambda at: False)
    data.unlink()
    with pytest.raises(DataError, match=r"pairs\.tsv does not exist"):
        api.resume(tmp_path / "run")


def test_two_vocabularies_of_one_size_share_no_table(data: Path, tmp_path: Path) -> None:
    run = begin(data, tmp_path / "run", shared_tokens=False)
    model, tokenizers = run.task.model, run.task.tokenizers
    assert tokenizers.source.size == tokenizers.target.size
    assert model.source_embedding is not model.target_embedding
    assert model.vocabulary.weight is model.target_embedding.weight


def test_two_vocabularies_come_back_and_the_model_translates(data: Path, tmp_path: Path) -> None:
    trained = api.train("translate", str(data), settings={**SETTINGS, "shared_tokens": False}, out=tmp_path / "run")
    assert (tmp_path / "run/tokenizer.target.json").exists()
    assert not trained.load().tokenizers.shared
    assert len(trained.load().predict(["one two"])) == 1


def test_threads_are_recorded_so_that_a_resume_uses_as_many(data: Path, tmp_path: Path) -> None:
    begin(data, tmp_path / "run", training={**SETTINGS["training"], "threads": None})
    threads = json.loads((tmp_path / "run/settings.json").read_text())["training"]["threads"]
    assert isinstance(threads, int)
    assert 1 <= threads <= (os.cpu_count() or 1)


@pytest.mark.parametrize(
    ("probe", "message"),
    [
        (Bf16Probe(False, None, 0.0, "it killed the trial process (SIGILL)"), r"SIGILL.*Use float32"),
        (Bf16Probe(True, "AVX512_CORE_BF16", 2.0, "works with X"), r"Set ONEDNN_MAX_CPU_ISA=AVX512_CORE_BF16"),
    ],
)
def test_bfloat16_that_would_kill_the_process_is_refused_first(
    probe: Bf16Probe, message: str, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("heed.runs.preparing.probe_bf16", lambda: probe)
    with pytest.raises(MachineError, match=message):
        begin(data, tmp_path / "run", training={**SETTINGS["training"], "precision": "bf16"})


def test_what_was_best_is_known_with_its_step_and_scores(data: Path, tmp_path: Path) -> None:
    trained = api.train("translate", str(data), settings=SETTINGS, out=tmp_path / "run")
    assert {"step", "score", "bleu", "chrf", "loss", "perplexity", "vocabulary", "task"} <= trained.best.keys()
    logged = open_run(tmp_path / "run").read_metrics()
    assert max(line.get("valid.bleu", -1) for line in logged) == trained.best["bleu"]
    assert sum("valid.bleu" in line for line in logged) == 5


def test_a_rank_that_is_not_the_first_never_reads_what_the_first_may_be_writing(data: Path, tmp_path: Path) -> None:
    run = begin(data, tmp_path / "run")
    run.trainer.ranks = Ranks(1, 2, 1)
    run.trainer.best_score = 5.0  # as after a validation, whose weights the first rank has not written yet
    assert api.trained(run).best == {}
