"""The `os` module with a fault at the N-th operation, the states a save can start from, and what must hold after it."""

import errno
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

import pytest
import torch
from torch import Tensor

from heed.errors import RunError
from heed.runs import durable
from heed.runs.checkpoint import Checkpoint, newest_checkpoint, save_checkpoint

CHANGING = ("open", "write", "fsync", "close", "mkdir", "rename", "unlink", "rmdir", "ftruncate")
LOOKING = ("read", "pread", "stat", "fstat", "lstat", "listdir")
ERRORS = (errno.EIO, errno.ENOSPC, errno.EROFS)


@dataclass
class FaultyOs:
    """Stands in for `os` in heed.runs.durable and calls `fault` at operation number `at`, or from then on."""

    at: int
    fault: Callable[[], None]
    lasting: bool = False
    count: int = 0
    trace: list[tuple[str, Any]] = field(default_factory=list)  # Any: what each function of os takes first

    def __getattr__(self, name: str) -> Any:  # Any: whatever os holds under that name
        real = getattr(os, name)
        if name not in CHANGING + LOOKING:
            return real

        def counted(*arguments: Any, **named: Any) -> Any:
            self.count += 1
            hit = self.count == self.at or (self.lasting and self.count > self.at and name in CHANGING)
            if hit:
                self._do_half(name, arguments)
                self.fault()
            # Without the wait for the disk: neither a kill nor an error loses what was written, only power does.
            result = None if name == "fsync" else real(*arguments, **named)
            self.trace.append((name, (arguments, result)))
            return result

        return counted

    def _do_half(self, name: str, arguments: tuple[Any, ...]) -> None:
        if name == "write":
            os.write(arguments[0], bytes(arguments[1])[: len(arguments[1]) // 2])
        if name == "close":
            os.close(arguments[0])


@contextmanager
def standing_in(faulty: FaultyOs) -> Iterator[None]:
    """Let `faulty` take the place of `os` in heed.runs.durable while the block runs."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(durable, "os", faulty)
        yield


def no_fault() -> None:
    """Let the operation through."""


def kill() -> None:
    """End this process as kill -9 does."""
    os.kill(os.getpid(), signal.SIGKILL)


def failing_with(code: int) -> Callable[[], NoReturn]:
    """Return a fault that raises the error of that number."""

    def fail() -> NoReturn:
        raise OSError(code, os.strerror(code))

    return fail


def run_child(*arguments: str) -> str:
    """Run Python on the arguments in a process of its own, one thread, and return what it printed."""
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    done = subprocess.run([sys.executable, *arguments], env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return done.stdout


def sample(step: int, tag: float = 0.0) -> Checkpoint:
    """Return a small checkpoint; another tag gives other contents."""
    generator = torch.Generator().manual_seed(step)
    weights = {"first": torch.rand(3, 2, generator=generator) + tag, "second": torch.arange(5)}
    optimizer = {"first.moment": torch.rand(3, 2, generator=generator)}
    return Checkpoint(step, {"weights": weights, "optimizer": optimizer}, {"tag": tag, "words": "phở, 水"})


def same(one: Checkpoint, other: Checkpoint) -> bool:
    """Whether two checkpoints hold the same steps, facts and tensors, bit for bit."""
    return (
        one.step == other.step
        and dict(one.facts) == dict(other.facts)
        and one.tensors.keys() == other.tensors.keys()
        and all(same_tensors(one.tensors[stem], other.tensors[stem]) for stem in one.tensors)
    )


def same_tensors(one: Mapping[str, Tensor], other: Mapping[str, Tensor]) -> bool:
    """Whether the names, kinds, shapes and values are all equal."""
    return one.keys() == other.keys() and all(
        one[name].dtype == other[name].dtype and torch.equal(one[name], other[name]) for name in one
    )


@dataclass(frozen=True)
class Start:
    """A state of the checkpoints folder, the save that is then interrupted, and what was good before it."""

    prepare: Callable[[Path], None]
    saved: Checkpoint
    good: tuple[Checkpoint, ...]


def _nothing(folder: Path) -> None:
    folder.mkdir()


def _one_before(folder: Path) -> None:
    save_checkpoint(folder, sample(10))


def _same_step_before(folder: Path) -> None:
    save_checkpoint(folder, sample(20, tag=1.0))


def _equal_before(folder: Path) -> None:
    save_checkpoint(folder, sample(20, tag=2.0))


def _damaged_and_left_over(folder: Path) -> None:
    """One good, a damaged one of this very step, a later damaged one, and what two kills left."""
    save_checkpoint(folder, sample(10))
    for step in (20, 30):
        shutil.copytree(folder / "step-00000010", folder / f"step-{step:08d}")
        (folder / f"step-{step:08d}" / "weights.safetensors").write_bytes(b"")
    shutil.copytree(folder / "step-00000010", folder / ".saving-step-00000020")
    shutil.copytree(folder / "step-00000010", folder / ".deleting-step-00000005")


def _killed_between_two_of_one_step(folder: Path) -> None:
    save_checkpoint(folder, sample(20, tag=1.0))
    (folder / "step-00000020").rename(folder / "step-00000020-again")
    save_checkpoint(folder.with_name("aside"), sample(20, tag=0.5))
    shutil.move(folder.with_name("aside") / "step-00000020", folder / "step-00000020")


def _again_is_damaged(folder: Path) -> None:
    save_checkpoint(folder, sample(20, tag=1.0))
    (folder / "step-00000020-again").mkdir()


NEW = sample(20, tag=2.0)
STARTS = {
    "nothing": Start(_nothing, NEW, ()),
    "one before": Start(_one_before, NEW, (sample(10),)),
    "same step before": Start(_same_step_before, NEW, (sample(20, tag=1.0),)),
    "equal before": Start(_equal_before, NEW, (NEW,)),
    "damaged and left over": Start(_damaged_and_left_over, NEW, (sample(10),)),
    "killed between": Start(_killed_between_two_of_one_step, NEW, (sample(20, tag=1.0),)),
    "again is damaged": Start(_again_is_damaged, NEW, (sample(20, tag=1.0),)),
}


def check_after(folder: Path, start: Start) -> None:
    """Raise AssertionError unless a good checkpoint is there, whole, and the next save succeeds and tidies up."""
    allowed = (start.saved, *start.good)
    try:
        found = newest_checkpoint(folder).checkpoint
        assert any(same(found, one) for one in allowed), f"a mixture was loaded: {found}"
    except RunError:
        assert not start.good, "there was a good checkpoint and now there is none"
    following = sample(40)
    with standing_in(FaultyOs(0, no_fault)):
        save_checkpoint(folder, following, keep=1)
    assert same(newest_checkpoint(folder).checkpoint, following)
    assert [path.name for path in folder.iterdir()] == ["step-00000040"]
