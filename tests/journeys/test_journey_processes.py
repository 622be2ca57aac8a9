"""What only a process of its own can show: a start without torch, pipes that break, limits of the system."""

import os
import resource
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

# What `conftest.py` makes; its answers have `code`, `out` and `err`.
Heed = Callable[..., Any]

HEED = [sys.executable, "-m", "heed"]


def environment(**more: str) -> dict[str, str]:
    return {**os.environ, "OMP_NUM_THREADS": "1", **more}


def test_help_comes_without_torch() -> None:
    command = [sys.executable, "-X", "importtime", "-m", "heed", "train", "--help"]
    child = subprocess.run(command, capture_output=True, text=True, check=False)
    assert child.returncode == 0
    assert "--budget" in child.stdout
    assert "import time" in child.stderr
    assert "torch" not in child.stderr


@pytest.mark.slow
def test_a_reader_that_goes_away_is_no_error(run: Path) -> None:
    child = subprocess.Popen(
        [*HEED, "predict", "run", "source.txt", "--greedy"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
    )
    assert child.stdout is not None
    assert child.stderr is not None
    assert child.stdout.readline()
    child.stdout.close()
    assert child.wait(120) == 0
    assert child.stderr.read() == b""


@pytest.mark.slow
def test_standard_input_that_is_closed_is_one_sentence(run: Path) -> None:
    child = subprocess.run(
        ["sh", "-c", '"$0" -m heed predict run <&-', sys.executable], capture_output=True, text=True, env=environment()
    )
    assert child.returncode == 2
    assert child.stderr == (
        "heed: No text is given, and standard input is closed. Give a text, a file, or lines to read.\n"
    )


@pytest.mark.slow
def test_a_limit_on_the_size_of_files_is_one_sentence(folder: Path) -> None:
    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (9000, 9000))

    child = subprocess.run(
        [*HEED, "train", "translate", "pairs.tsv", "--settings", "tiny.toml", "--steps", "2", "--out", "run"],
        preexec_fn=limit,
        capture_output=True,
        text=True,
        env=environment(),
    )
    assert child.returncode == 1
    assert "File too large" in child.stderr
    assert "Traceback" not in child.stderr
    assert "run" in child.stderr


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """Return a file system of 300 kB, or skip where this user may not mount one."""
    disk = tmp_path / "disk"
    disk.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=300k", "tmpfs", str(disk)]
    try:
        mounted = subprocess.run(command, capture_output=True, check=False).returncode == 0
    except FileNotFoundError:
        mounted = False
    if not mounted:
        pytest.skip("no file system can be mounted here")
    yield disk
    subprocess.run(["umount", str(disk)], check=True)


def test_a_disk_that_fills_up_is_one_sentence_and_the_last_checkpoint_is_good(
    heed: Heed, folder: Path, small_disk: Path
) -> None:
    from heed.runs.folder import open_run

    many = ("--set", "training.checkpoint_every=1", "--set", "training.keep_checkpoints=100", "--steps", "50")
    out = small_disk / "run"
    answer = heed("train", "translate", "pairs.tsv", "--settings", "tiny.toml", *many, "--out", out, "--quiet")
    assert answer.code == 1
    assert "No space left on device" in answer.err
    assert len(answer.err.splitlines()) == 1
    assert open_run(out).newest_checkpoint().checkpoint.step >= 0


@pytest.mark.slow
def test_python_m_heed_and_the_debug_variable_show_where_a_fault_lies(folder: Path) -> None:
    command = [*HEED, "resume", "nowhere"]
    plain = subprocess.run(command, capture_output=True, text=True, env=environment(), check=False)
    debug = subprocess.run(command, capture_output=True, text=True, env=environment(HEED_DEBUG="1"), check=False)
    assert plain.returncode == debug.returncode == 1
    assert "Traceback" not in plain.stderr
    assert "Traceback" in debug.stderr
