"""A save that fails or is killed at any of its file operations leaves a good checkpoint, whole."""

import errno
import json
import os
import shutil
from pathlib import Path

import pytest
from faulty_disk import (
    ERRORS,
    STARTS,
    FaultyOs,
    check_after,
    failing_with,
    no_fault,
    run_child,
    same,
    sample,
    standing_in,
)

from heed.errors import MachineError, UsageError
from heed.runs import checkpoint, durable
from heed.runs.checkpoint import Checkpoint, load_checkpoint, newest_checkpoint, save_checkpoint

HERE = Path(__file__).parent


@pytest.mark.slow
@pytest.mark.parametrize("lasting", [False, True], ids=["once", "from then on"])
@pytest.mark.parametrize("code", ERRORS, ids=[errno.errorcode[code] for code in ERRORS])
@pytest.mark.parametrize("name", STARTS)
def test_an_error_at_any_operation_leaves_a_good_checkpoint(
    name: str, code: int, lasting: bool, memory_path: Path
) -> None:
    start = STARTS[name]
    start.prepare(memory_path / "pristine")
    for number in range(1, 1000):
        folder = memory_path / f"fault-{number}"
        shutil.copytree(memory_path / "pristine", folder)
        faulty = FaultyOs(number, failing_with(code), lasting)
        with standing_in(faulty):
            completed = _saves(folder, start.saved)
        check_after(folder, start)
        if faulty.count < number:
            assert completed
            break
    assert number > 30, "too few operations were counted to believe that all of them were"


def _saves(folder: Path, saved: Checkpoint) -> bool:
    try:
        save_checkpoint(folder, saved, keep=1)
    except MachineError as error:
        assert "untouched" in str(error)
        return False
    return True


@pytest.mark.slow
def test_a_kill_at_any_operation_leaves_a_good_checkpoint(memory_path: Path) -> None:
    counts = json.loads(run_child(str(HERE / "kill_each_operation.py"), str(memory_path)))
    assert counts.keys() == STARTS.keys()
    assert min(counts.values()) > 30


def test_removing_the_old_before_the_new_is_named_turns_the_fault_test_red(
    memory_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The broken variant: the second save of a step discards the first at once."""
    put = checkpoint._put

    def careless(folder: Path, saved: Checkpoint) -> Path:
        path = folder / f"step-{saved.step:08d}"
        if path.exists():
            checkpoint._discard(path)
        return put(folder, saved)

    monkeypatch.setattr(checkpoint, "_put", careless)
    with pytest.raises(AssertionError, match="now there is none"):
        test_an_error_at_any_operation_leaves_a_good_checkpoint("same step before", errno.EIO, True, memory_path)


def test_without_the_manifest_last_and_one_rename_the_fault_test_turns_red(
    memory_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The broken variant: the only checkpoint is written over in place."""

    def in_place(folder: Path, saved: Checkpoint) -> Path:
        path = folder / f"step-{saved.step:08d}"
        checkpoint._write(path, saved)
        return path

    monkeypatch.setattr(checkpoint, "_put", in_place)
    with pytest.raises(AssertionError, match="now there is none"):
        test_an_error_at_any_operation_leaves_a_good_checkpoint("same step before", errno.ENOSPC, True, memory_path)


def test_a_full_disk_is_told_with_the_path_and_the_space_to_free(tmp_path: Path) -> None:
    full = FaultyOs(12, failing_with(errno.ENOSPC), lasting=True)
    with standing_in(full), pytest.raises(MachineError, match=r"checkpoints.*No space left on device\. Free 2 MB"):
        save_checkpoint(tmp_path / "checkpoints", sample(10))


def test_a_checkpoint_that_reads_back_wrong_removes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save_checkpoint(tmp_path, sample(10))
    write_file = durable.write_file

    def lying(path: Path, data: bytes) -> None:
        write_file(path, data[:-1] + b"!" if path.name == "facts.json" else data)

    monkeypatch.setattr(durable, "write_file", lying)
    with pytest.raises(MachineError, match=r"step-00000020 does not read back.*facts\.json"):
        save_checkpoint(tmp_path, sample(20), keep=1)
    loaded = newest_checkpoint(tmp_path)
    assert loaded.checkpoint.step == 10
    assert [one.path.name for one in loaded.passed_over] == ["step-00000020"]


def test_the_disk_has_every_file_before_the_rename_and_the_rename_before_a_removal(
    tmp_path: Path,
) -> None:
    save_checkpoint(tmp_path, sample(10))
    events = _events_of_a_save(tmp_path)
    named = events.index("rename step-00000020")
    removed = events.index("rename .deleting-step-00000010")
    for file in ("weights.safetensors", "optimizer.safetensors", "facts.json", "manifest.json"):
        written = max(place for place, event in enumerate(events) if event == f"write {file}")
        assert f"fsync {file}" in events[written:named]
    last_file = events.index("fsync manifest.json")
    assert "fsync .saving-step-00000020" in events[last_file:named]
    assert f"fsync {tmp_path.name}" in events[named:removed]
    assert events.index("write manifest.json") > events.index("fsync facts.json")


def _events_of_a_save(folder: Path) -> list[str]:
    recording = FaultyOs(0, no_fault)
    with standing_in(recording):
        save_checkpoint(folder, sample(20), keep=1)
    events: list[str] = []
    names: dict[int, str] = {}
    for name, (arguments, result) in recording.trace:
        if name == "open":
            names[result] = Path(arguments[0]).name
        elif name in ("write", "fsync"):
            events.append(f"{name} {names[arguments[0]]}")
        elif name == "rename":
            events.append(f"rename {Path(arguments[1]).name}")
    return events


@pytest.mark.slow
def test_every_change_on_disk_goes_through_the_counted_operations(tmp_path: Path) -> None:
    """Python reports each opening, rename and removal by itself; the counted ones must be all of them."""
    program = """
import sys
from pathlib import Path
from faulty_disk import FaultyOs, no_fault, sample
from heed.runs import durable
from heed.runs.checkpoint import save_checkpoint
folder = Path(sys.argv[1])
save_checkpoint(folder, sample(10)); save_checkpoint(folder, sample(20, tag=1.0))
seen = []
names = ("open", "os.rename", "os.remove", "os.rmdir", "os.mkdir", "os.listdir", "os.truncate", "shutil.rmtree")
sys.addaudithook(lambda event, arguments: seen.append(event) if event in names else None)
durable.os = FaultyOs(0, no_fault)
save_checkpoint(folder, sample(20), keep=1)
counted = [name for name, _ in durable.os.trace if name in ("open", "rename", "unlink", "rmdir", "mkdir", "listdir")]
print(len(seen), len(counted))
"""
    seen, counted = run_child("-c", program, str(tmp_path)).split()
    assert seen == counted
    assert int(seen) > 20


def test_a_disk_that_takes_a_few_bytes_at_a_time_gets_them_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write, read = os.write, os.read
    monkeypatch.setattr(os, "write", lambda descriptor, data: write(descriptor, data[:7]))
    monkeypatch.setattr(os, "read", lambda descriptor, size: read(descriptor, min(size, 5)))
    assert same(load_checkpoint(save_checkpoint(tmp_path, sample(10))), sample(10))


def test_facts_that_json_cannot_hold_lose_nothing(tmp_path: Path) -> None:
    save_checkpoint(tmp_path, sample(10))
    with pytest.raises(ValueError, match="not JSON compliant"):
        save_checkpoint(tmp_path, Checkpoint(20, {}, {"score": float("nan")}))
    assert newest_checkpoint(tmp_path).checkpoint.step == 10


def test_keeping_no_checkpoint_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="keep is 0"):
        save_checkpoint(tmp_path, sample(1), keep=0)
