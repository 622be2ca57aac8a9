"""The log of numbers: every line once, in order, whatever kills and resumes come between."""

import errno
from pathlib import Path

import pytest
from faulty_disk import FaultyOs, failing_with, standing_in

from heed.errors import MachineError, RunError
from heed.runs.folder import RunFolder, create


@pytest.fixture
def run(tmp_path: Path) -> RunFolder:
    made = create(tmp_path / "run")
    for step in (1, 2, 3, 4):
        made.append_metrics({"step": step, "loss": 1 / step, "sample": "một\u2028hai"})
    return made


def _steps(run: RunFolder) -> list[object]:
    return [line.get("step") for line in run.read_metrics()]


def _file(run: RunFolder) -> Path:
    return run.path / "metrics.jsonl"


def test_lines_come_back_in_order_and_exactly(run: RunFolder) -> None:
    assert run.read_metrics() == [{"step": step, "loss": 1 / step, "sample": "một\u2028hai"} for step in (1, 2, 3, 4)]


def test_a_run_that_logged_nothing_has_no_lines(tmp_path: Path) -> None:
    run = create(tmp_path / "run")
    run.rewind_metrics(0)
    assert run.read_metrics() == []


def test_rewinding_drops_the_later_lines_and_leaves_the_others_as_they_were(run: RunFolder) -> None:
    before = _file(run).read_bytes().split(b"\n")
    run.rewind_metrics(2)
    assert _file(run).read_bytes().split(b"\n") == [*before[:2], b""]
    run.append_metrics({"step": 3})
    assert _steps(run) == [1, 2, 3]


def test_rewinding_to_the_last_step_changes_nothing(run: RunFolder) -> None:
    before = _file(run).stat().st_ino
    run.rewind_metrics(4)
    assert _file(run).stat().st_ino == before


def test_a_line_without_a_step_stays(run: RunFolder) -> None:
    run.append_metrics({"note": "resumed"})
    run.rewind_metrics(1)
    assert _steps(run) == [1, None]


@pytest.mark.parametrize("cut", range(1, 20))
def test_a_line_torn_by_a_kill_is_left_out_and_written_over(cut: int, run: RunFolder) -> None:
    data = _file(run).read_bytes()
    _file(run).write_bytes(data[:-cut])
    assert _steps(run) == [1, 2, 3]
    run.append_metrics({"step": 4})
    assert _steps(run) == [1, 2, 3, 4]


def test_a_torn_line_of_many_chunks_is_cut_off(run: RunFolder) -> None:
    with _file(run).open("ab") as stream:
        stream.write(b"\0" * 3_000_000)
    run.append_metrics({"step": 5})
    assert _steps(run) == [1, 2, 3, 4, 5]


def test_rewinding_removes_a_torn_line(run: RunFolder) -> None:
    with _file(run).open("ab") as stream:
        stream.write(b'{"step": 5, "lo')
    run.rewind_metrics(4)
    assert _file(run).read_bytes().endswith(b"}\n")


def test_a_damaged_line_inside_is_named(run: RunFolder) -> None:
    _file(run).write_bytes(_file(run).read_bytes().replace(b'"step": 2', b'"step"; 2'))
    with pytest.raises(RunError, match=r"metrics\.jsonl:2 is damaged"):
        run.read_metrics()


def test_a_loss_that_is_not_a_number_is_written_as_null(run: RunFolder) -> None:
    run.append_metrics({"step": 5, "loss": float("nan"), "scores": {"bleu": [float("inf"), 1.0]}})
    assert run.read_metrics()[-1] == {"step": 5, "loss": None, "scores": {"bleu": [None, 1.0]}}


def test_a_full_disk_while_logging_loses_no_earlier_line(run: RunFolder) -> None:
    for number in range(1, 100):
        faulty = FaultyOs(number, failing_with(errno.ENOSPC))
        with standing_in(faulty):
            try:
                run.append_metrics({"step": 5})
            except MachineError as error:
                assert "Free 1 MB" in str(error)
        assert _steps(run)[:4] == [1, 2, 3, 4]
        run.rewind_metrics(4)
        if faulty.count < number:
            break
    assert number > 4


def test_rewinding_that_fails_leaves_the_old_lines_or_the_new(run: RunFolder) -> None:
    data = _file(run).read_bytes()
    for number in range(1, 100):
        _file(run).write_bytes(data)
        faulty = FaultyOs(number, failing_with(errno.EIO), lasting=True)
        with standing_in(faulty):
            try:
                run.rewind_metrics(2)
            except MachineError as error:
                assert "metrics.jsonl" in str(error) or str(run.path) in str(error)
        assert _steps(run) in ([1, 2, 3, 4], [1, 2])
        if faulty.count < number:
            break
    assert _steps(run) == [1, 2]
    assert number > 10
