"""Laws of atomic writing: at every failing file operation and at every kill, the old file or the new one, whole."""

import errno
import os
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from heed.errors import MachineError
from heed.files import atomic

OPERATIONS = ("_open", "_write", "_fsync", "_replace")


class FailAt:
    """Lets the file operations through and fails the n-th, after half of a write where it is one."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, nth: int, number: int) -> None:
        self.calls: list[str] = []
        self.nth, self.number = nth, number
        for name in OPERATIONS:
            monkeypatch.setattr(atomic, name, self.wrap(name, getattr(atomic, name)))

    # The four functions have four signatures.
    def wrap(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def called(*arguments: Any) -> Any:
            self.calls.append(name)
            if len(self.calls) == self.nth:
                if name == "_write":
                    os.write(arguments[0], arguments[1][: len(arguments[1]) // 2])
                raise OSError(self.number, os.strerror(self.number))
            return function(*arguments)

        return called


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    path = tmp_path / "x"
    atomic.write_bytes(path, b"\0\xff")
    assert path.read_bytes() == b"\0\xff"
    atomic.write_text(path, "é\n")
    assert path.read_bytes() == "é\n".encode()
    assert os.listdir(tmp_path) == ["x"]


def test_the_file_gets_the_mode_that_any_new_file_would(tmp_path: Path) -> None:
    (tmp_path / "plain").touch()
    atomic.write_bytes(tmp_path / "x", b"")
    assert stat.S_IMODE((tmp_path / "x").stat().st_mode) == stat.S_IMODE((tmp_path / "plain").stat().st_mode)


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "real")
    atomic.write_bytes(tmp_path / "link", b"new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_bytes() == b"new"


def test_the_operations_come_in_the_order_that_survives_a_crash(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    faults = FailAt(monkeypatch, nth=0, number=0)
    atomic.write_bytes(tmp_path / "x", b"new")
    assert faults.calls == ["_open", "_write", "_fsync", "_replace", "_open", "_fsync"]


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS, errno.EIO, errno.EACCES, errno.EDQUOT])
@pytest.mark.parametrize("nth", [1, 2, 3, 4, 5, 6])
def test_a_failure_at_any_operation_leaves_one_whole_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, nth: int, number: int
) -> None:
    path = tmp_path / "x"
    path.write_bytes(b"old")
    faults = FailAt(monkeypatch, nth, number)
    with pytest.raises(MachineError, match=rf"{path} cannot be written: {os.strerror(number)}\. .*{tmp_path}"):
        atomic.write_bytes(path, b"brand new")
    assert len(faults.calls) == nth
    # From the fifth on the rename has happened, and only its safety against a power cut is in doubt.
    assert path.read_bytes() == (b"old" if nth <= 4 else b"brand new")
    assert os.listdir(tmp_path) == ["x"]


KILLED_AT = """
import os, signal, sys
from pathlib import Path
from heed.files import atomic
left = int(sys.argv[2])
def wrap(function):
    def called(*arguments):
        global left
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return function(*arguments)
    return called
for name in ("_open", "_write", "_fsync", "_replace"):
    setattr(atomic, name, wrap(getattr(atomic, name)))
atomic.write_bytes(Path(sys.argv[1]), b"brand new")
"""


@pytest.mark.parametrize("nth", [1, 2, 3, 4, 5, 6, 7])
def test_a_kill_at_any_operation_leaves_one_whole_file(tmp_path: Path, nth: int) -> None:
    path = tmp_path / "x"
    path.write_bytes(b"old")
    source = Path(atomic.__file__).parents[2]
    command = [sys.executable, "-c", KILLED_AT, str(path), str(nth)]
    done = subprocess.run(command, env=os.environ | {"PYTHONPATH": str(source)}, check=False)
    assert done.returncode == (-9 if nth <= 6 else 0)
    assert path.read_bytes() == (b"old" if nth <= 4 else b"brand new")


def test_a_folder_that_does_not_know_fsync_is_no_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    FailAt(monkeypatch, nth=6, number=errno.EINVAL)
    atomic.write_bytes(tmp_path / "x", b"new")
    assert (tmp_path / "x").read_bytes() == b"new"


def test_a_missing_folder_and_a_folder_of_that_name_are_named(tmp_path: Path) -> None:
    with pytest.raises(MachineError, match=rf"create it with mkdir -p {tmp_path}/gone"):
        atomic.write_text(tmp_path / "gone" / "x", "a")
    with pytest.raises(MachineError, match=r"x cannot be written: .*A folder has that name"):
        (tmp_path / "x").mkdir()
        atomic.write_text(tmp_path / "x", "a")
    assert os.listdir(tmp_path) == ["x"]
