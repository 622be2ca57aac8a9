"""What a report reads of a run without loading its weights, and whether a process is at work on it."""

import os
from pathlib import Path

import pytest
import torch
from made_runs import made_run

from heed.comparing import outcome
from heed.errors import RunError
from heed.runs import best, lock
from heed.runs.checkpoint import Checkpoint


def test_the_facts_of_the_best_weights_are_those_that_loading_gives(tmp_path: Path) -> None:
    folder = made_run(tmp_path / "run")
    assert folder.read_best_facts() == folder.read_best().facts
    folder.report.with_name("model.safetensors").unlink()
    assert folder.read_best_facts() == {}


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "its header claims 0 bytes and the file has 0"),
        ((9_999).to_bytes(8, "little") + b"{}", "its header claims 9999 bytes and the file has 10"),
        ((2).to_bytes(8, "little") + b"{}", "its header holds no note of ours"),
    ],
)
def test_a_header_that_lies_is_refused_before_it_is_read(data: bytes, said: str, tmp_path: Path) -> None:
    (tmp_path / "model.safetensors").write_bytes(data)
    with pytest.raises(RunError, match=said):
        best.read_facts(tmp_path / "model.safetensors")


def test_weights_that_cannot_be_opened_are_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "circle").symlink_to("circle")
    with pytest.raises(RunError, match="circle cannot be read: Too many levels of symbolic links"):
        best.read_facts(tmp_path / "circle")


def test_the_facts_of_the_newest_checkpoint_come_without_its_tensors(tmp_path: Path) -> None:
    folder = made_run(tmp_path / "run", steps=4)
    assert folder.newest_facts() == {}
    for step in (2, 4):
        folder.save_checkpoint(Checkpoint(step, {"weights": {"a": torch.zeros(3)}}, {"threads": step}))
    (folder.path / "checkpoints" / "step-00000004" / "weights.safetensors").unlink()
    assert folder.newest_facts() == {"threads": 4}
    (folder.path / "checkpoints" / "step-00000004" / "facts.json").write_text("{}")
    with pytest.raises(RunError, match=r"facts\.json is damaged: it has 2 bytes"):
        folder.newest_facts()


def test_checkpoints_that_cannot_be_listed_are_a_sentence(tmp_path: Path) -> None:
    folder = made_run(tmp_path / "run", steps=4)
    (folder.path / "checkpoints").rmdir()
    assert folder.newest_facts() == {}
    (folder.path / "checkpoints").symlink_to("checkpoints")
    with pytest.raises(RunError, match="checkpoints cannot be read: Too many levels of symbolic links"):
        folder.newest_facts()


def test_a_lock_is_seen_while_it_is_held_and_looking_does_not_take_it(tmp_path: Path) -> None:
    path = tmp_path / ".lock"
    assert not lock.is_held(path)
    assert not path.exists()
    with lock.locked(path):
        assert lock.is_held(path)
    assert not lock.is_held(path)
    with lock.locked(path):
        pass


def test_a_pipe_in_the_place_of_a_lock_does_not_block(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / ".lock")
    assert not lock.is_held(tmp_path / ".lock")


def test_a_plan_that_is_huge_is_refused_before_it_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "plan.json").write_text(" " * 50)
    monkeypatch.setattr(outcome, "LARGEST", 20)
    with pytest.raises(RunError, match=r"plan\.json has 50 bytes; at most 20 are read"):
        outcome.read_outcome(tmp_path)
