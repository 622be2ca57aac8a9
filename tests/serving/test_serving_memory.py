"""What a server keeps for the next batch is bounded; how much that saves, `benchmarks/serve_load.py` measures."""

import os
import subprocess
import sys

import pytest

from heed.serving.memory import HEAPS, SHAPES, keep_little

NAME = "ONEDNN_PRIMITIVE_CACHE_CAPACITY"
# Eight threads at once would have eight heaps; malloc_info lists those that there are.
THREADS = """
import ctypes, sys, threading
from heed.serving.memory import keep_little
if sys.argv[1] == "few":
    keep_little()
library, begin = ctypes.CDLL(None), threading.Barrier(8)
def work():
    begin.wait()
    library.malloc(1000)
    begin.wait()
threads = [threading.Thread(target=work) for _ in range(8)]
for each in threads: each.start()
for each in threads: each.join()
library.fdopen.restype = ctypes.c_void_p
stream = ctypes.c_void_p(library.fdopen(1, b"w"))
library.malloc_info(0, stream)
library.fflush(stream)
"""


def heaps(how: str) -> int:
    run = [sys.executable, "-c", THREADS, how]
    return subprocess.run(run, capture_output=True, text=True, check=True).stdout.count("<heap nr=")


@pytest.mark.skipif(sys.platform != "linux", reason="heaps of threads are a matter of glibc")
def test_threads_share_few_heaps() -> None:
    assert heaps("few") <= HEAPS < heaps("many")


def test_few_shapes_are_kept_unless_the_person_has_said_how_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(NAME, "7")
    keep_little()
    assert os.environ[NAME] == "7"
    monkeypatch.delenv(NAME)
    keep_little()
    assert os.environ[NAME] == str(SHAPES)
