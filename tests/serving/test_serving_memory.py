"""What a server keeps for the next batch is bounded; how much that saves, `benchmarks/serve_load.py` measures."""

import gc
import os
import subprocess
import sys
from pathlib import Path

import pytest

from heed.serving.memory import HEAPS, SHAPES, keep_little
from heed.serving.models import Models

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


def test_a_model_that_was_loaded_is_not_looked_through_again(colours: Path) -> None:
    gc.unfreeze()
    try:
        models = Models([colours])
        models.start()
        assert models.wait(60)
        model = models.get(models.runs[0].name)
        assert not any(each is model for each in gc.get_objects())
    finally:
        gc.unfreeze()
