"""One process at a time trains into a run."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from heed.errors import RunError
from heed.runs.folder import create

HOLDER = """
import sys, time
from pathlib import Path
from heed.runs.lock import locked
with locked(Path(sys.argv[1])):
    sys.stdout.write("held\\n")
    sys.stdout.flush()
    time.sleep(600)
"""


def _hold(path: Path) -> subprocess.Popen[str]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(path / ".lock")], stdout=subprocess.PIPE, text=True, env=environment
    )
    assert holder.stdout is not None
    assert holder.stdout.readline() == "held\n"
    return holder


def test_a_second_process_is_told_the_first_and_a_killed_one_leaves_no_lock(tmp_path: Path) -> None:
    run = create(tmp_path / "run")
    run.write_settings({})
    holder = _hold(run.path)
    try:
        with pytest.raises(RunError, match=rf"run is in use by process {holder.pid}\."), run.lock():
            pytest.fail("two processes hold the run")
        with pytest.raises(RunError, match=f"process {holder.pid}"):
            create(run.path, force=True)
        assert run.read_settings() == {}
    finally:
        holder.send_signal(signal.SIGKILL)
        holder.wait()
        if holder.stdout is not None:
            holder.stdout.close()
    with run.lock():
        assert (run.path / ".lock").read_text() == f"{os.getpid()}\n"


def test_the_same_process_cannot_hold_a_run_twice_and_can_hold_it_again_after(tmp_path: Path) -> None:
    run = create(tmp_path / "run")
    with run.lock(), pytest.raises(RunError, match=f"process {os.getpid()}"), run.lock():
        pytest.fail("one process holds the run twice")
    with run.lock():
        pass


def test_an_error_inside_frees_the_lock(tmp_path: Path) -> None:
    run = create(tmp_path / "run")
    with pytest.raises(ZeroDivisionError), run.lock():
        raise ZeroDivisionError
    with run.lock():
        pass
