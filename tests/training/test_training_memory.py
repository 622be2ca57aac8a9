"""Memory that a run frees is not asked for again, and goes back in the end."""

import platform
import subprocess
import sys
from pathlib import Path

import pytest

from heed.training.memory import memory_kept

# In a process of its own, since what was allocated before decides what glibc does. Blocks as large as activations, from
# malloc itself: Python's own objects may not come to lie between them.
PROGRAM = """
import ctypes, resource, sys
from heed.runs.session import new_run

BLOCKS, SIZE = 24, 1 << 22
library = ctypes.CDLL(None)
library.malloc.restype = ctypes.c_void_p
library.malloc.argtypes = [ctypes.c_size_t]
library.free.argtypes = [ctypes.c_void_p]
library.memset.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_size_t]

def faults_of_a_step():
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    blocks = [library.malloc(SIZE) for _ in range(BLOCKS)]
    for block in blocks:
        library.memset(block, 1, SIZE)
    for block in blocks:
        library.free(block)
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before

def resident():
    with open("/proc/self/statm") as facts:
        return int(facts.read().split()[1])

def faults():
    return min(faults_of_a_step() for _ in range(4))

before = faults()
settings = {"training": {"threads": 1}, "tokens": {"kind": "words"}, "data": {"valid": sys.argv[1:2]}}
with new_run("classify", sys.argv[1:2], settings=settings, out=sys.argv[2]) as run:
    reports = run.reports()
    next(reports)
    within = faults()
    held = resident()
    reports.close()
print(before, within, faults(), held - resident())
"""
PAGES = 24 * (1 << 22) // 4096  # of one step


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="this is about glibc")
def test_a_step_of_a_run_takes_the_memory_of_the_one_before_and_the_end_gives_it_back(tmp_path: Path) -> None:
    (tmp_path / "texts.tsv").write_text("text\tlabel\ngood\tyes\nbad\tno\n" * 8)
    arguments = [str(tmp_path / "texts.tsv"), str(tmp_path / "run")]
    done = subprocess.run([sys.executable, "-c", PROGRAM, *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    before, within, after, returned = map(int, done.stdout.split())
    assert within < PAGES / 100
    assert min(before, after, returned) > PAGES / 2


def test_another_c_library_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(_: None) -> None:
        raise AssertionError("no library is to be opened")

    monkeypatch.setattr("platform.libc_ver", lambda: ("", ""))
    monkeypatch.setattr("ctypes.CDLL", missing)
    with memory_kept():
        pass
