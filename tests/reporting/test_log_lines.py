"""A log is read in bounds: few lines of a long one, the ends always, and a sentence for whatever is wrong in it."""

import json
import os
from pathlib import Path

import pytest
from made_runs import write_lines

from heed.reporting import log_lines
from heed.reporting.log_lines import evenly, read_log


def numbered(count: int) -> list[bytes]:
    return [json.dumps({"step": step}).encode() for step in range(count)]


def steps_in(path: Path, most: int, mark: bytes | None = None) -> list[object]:
    return [line["step"] for line in read_log(path, most, mark).lines]


@pytest.mark.parametrize("count", [1, 2, 7, 8, 1000])
def test_of_a_long_log_the_first_and_the_last_line_and_at_most_so_many_are_read(count: int, tmp_path: Path) -> None:
    steps = steps_in(write_lines(tmp_path / "log", numbered(count)), most=7)
    assert (steps[0], steps[-1]) == (0, count - 1)
    assert len(steps) == min(count, 7)
    assert steps == sorted(set(steps))


def test_lines_with_the_mark_are_read_wherever_they_stand(tmp_path: Path) -> None:
    lines = numbered(100)
    lines[41] = b'{"step": 41, "valid.loss": 1}'
    assert 41 in steps_in(write_lines(tmp_path / "log", lines), 3, b'"valid.')
    assert 41 not in steps_in(tmp_path / "log", 3)


def test_places_are_spread_evenly() -> None:
    assert evenly(range(9), 5) == [0, 2, 4, 6, 8]
    assert evenly(range(3), 5) == range(3)


def test_a_line_that_a_kill_cut_short_is_left_out_in_silence(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_bytes(b'{"step": 1}\n{"step": 2')
    assert steps_in(path, 5) == [1]
    assert read_log(path, 5).faults == ()


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (b"not JSON", "log:2 is damaged: "),
        (b'{"loss": NaN}', "log:2 is damaged: NaN is not a number of JSON"),
        (b'{"loss": 1e999}', "log:2 is damaged: the number 1e999 is too large"),
        (b"[" * 5000, "log:2 is damaged: it is nested too deeply"),
        (b"\xff\xfe", "log:2 is damaged: it is not UTF-8 text"),
        (b"[1]", "log:2 is damaged: it holds a list, not an object"),
        (b'{"step": ' + b"9" * 5000 + b"}", "log:2 is damaged: Exceeds the limit"),
    ],
)
def test_a_damaged_line_is_left_out_with_a_sentence_that_names_it(line: bytes, said: str, tmp_path: Path) -> None:
    log = read_log(write_lines(tmp_path / "log", [b'{"step": 1}', line, b'{"step": 3}']), 9)
    assert [each["step"] for each in log.lines] == [1, 3]
    (fault,) = log.faults
    assert said in fault
    assert fault.endswith("It is left out.")


def test_many_damaged_lines_are_one_sentence(tmp_path: Path) -> None:
    log = read_log(write_lines(tmp_path / "log", [b"x"] * 5), 9)
    assert log.lines == ()
    assert len(log.faults) == 1
    assert "and so are 4 more lines" in log.faults[0]


def test_a_line_without_end_is_not_read_into_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log_lines, "LONGEST_LINE", 20)
    log = read_log(write_lines(tmp_path / "log", [b'{"step": 1}', b'{"text": "' + b"x" * 100]), 9)
    assert [each["step"] for each in log.lines] == [1]
    assert "log:2 has more than 20 bytes" in log.faults[0]


def test_a_log_of_too_many_lines_is_read_as_far_as_the_bound(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log_lines, "MOST_LINES", 5)
    log = read_log(write_lines(tmp_path / "log", numbered(9)), 9)
    assert [each["step"] for each in log.lines] == [0, 1, 2, 3, 4]
    assert "has more than 5 lines" in log.faults[0]


def test_a_log_that_is_not_there_is_an_empty_one_and_a_pipe_does_not_block(tmp_path: Path) -> None:
    assert read_log(tmp_path / "none", 9) == log_lines.Log((), ())
    os.mkfifo(tmp_path / "pipe")
    assert read_log(tmp_path / "pipe", 9) == log_lines.Log((), ())


def test_a_log_that_cannot_be_read_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "circle").symlink_to("circle")
    (fault,) = read_log(tmp_path / "circle", 9).faults
    assert "circle cannot be read: Too many levels of symbolic links" in fault
