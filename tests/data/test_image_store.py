"""Pictures decoded once to one file: the same for any number of workers, whole or not there, checked when opened."""

import hashlib
import json
import os
import signal
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from heed.data import image_reading
from heed.data.image_store import Broken, build_store, fingerprint, open_store
from heed.data.records import ImageSource
from heed.data.squares import squared
from heed.errors import DataError, MachineError, RunError, UsageError

SIDE = 4


@dataclass(frozen=True)
class Flat:
    """A picture of one colour."""

    colour: int

    @property
    def name(self) -> str:
        return f"flat {self.colour}"

    def draw(self) -> Image.Image:
        return Image.new("L", (7, 5), self.colour)


@dataclass(frozen=True)
class Deadly:
    """A picture that takes the process with it that draws it, unless that is `spared`."""

    spared: int
    name: str = "deadly"

    def draw(self) -> Image.Image:
        assert os.getpid() != self.spared
        os.kill(os.getpid(), signal.SIGKILL)
        raise AssertionError("still here")


@dataclass(frozen=True)
class Slow:
    """A picture that takes its time, and says when it was begun."""

    begun: Path
    name: str = "slow"

    def draw(self) -> Image.Image:
        self.begun.write_text(str(os.getpid()))
        time.sleep(60)
        return Image.new("RGB", (5, 5))


def silent(done: int, of: int) -> None:
    assert 0 < done <= of


def picture(path: Path, seed: int) -> Path:
    numbers = np.random.default_rng(seed).integers(0, 256, (9, 6, 3), dtype=np.uint8)
    Image.fromarray(numbers).save(path)
    return path


def some_sources(folder: Path) -> list[ImageSource]:
    """Return six sources, of which numbers 1 and 4 are broken."""
    (folder / "b.png").write_bytes(picture(folder / "whole.png", 9).read_bytes()[:-60])
    paths = [picture(folder / "a.png", 1), folder / "b.png", picture(folder / "c.png", 2)]
    return [*paths, Flat(70), folder / "absent.png", picture(folder / "d.bmp", 3)]


def store_of(sources: list[ImageSource], path: Path, workers: int = 0) -> bytes:
    build_store(sources, SIDE, "crop", path, workers, silent)
    return path.read_bytes()


def test_what_is_in_the_store_are_the_squares_of_the_pictures_that_can_be_read(tmp_path: Path) -> None:
    sources, told = some_sources(tmp_path), []
    report = build_store(sources, SIDE, "squash", tmp_path / "store", 0, lambda done, of: told.append((done, of)))
    assert report.kept == (0, 2, 3, 5)
    assert report.images.shape == (4, SIDE, SIDE, 3)
    assert len(report) == 4
    assert isinstance(report.images, np.memmap)
    for number, name in [(0, "a.png"), (1, "c.png"), (3, "d.bmp")]:
        assert np.array_equal(report.images[number], squared(Image.open(tmp_path / name), SIDE, "squash"))
    assert (report.images[2] == 70).all()
    assert told == [(6, 6)]


def test_broken_pictures_are_named_with_their_reasons(tmp_path: Path) -> None:
    report = build_store(some_sources(tmp_path), SIDE, "crop", tmp_path / "store", 0, silent)
    cut, absent = report.broken
    assert cut.name == str(tmp_path / "b.png")
    assert cut.reason.startswith("is no picture that can be read (")
    assert absent == Broken(str(tmp_path / "absent.png"), absent.reason)
    assert absent.reason.startswith("does not exist.")


def test_a_store_that_is_opened_again_is_the_one_that_was_built(tmp_path: Path) -> None:
    sources = some_sources(tmp_path)
    report = build_store(sources, SIDE, "crop", tmp_path / "store", 0, silent)
    store = open_store(tmp_path / "store")
    assert np.array_equal(store.images, report.images)
    assert (store.kept, store.broken, store.fit) == (report.kept, report.broken, "crop")
    assert store.built_from == fingerprint(sources, SIDE, "crop")


def test_the_bytes_do_not_depend_on_workers_or_chunks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sources = [*some_sources(tmp_path), *[Flat(colour) for colour in range(8)]]
    alone = store_of(sources, tmp_path / "alone")
    monkeypatch.setattr(image_reading, "AT_ONCE", 2)
    assert store_of(sources, tmp_path / "in twos") == alone
    assert store_of(sources, tmp_path / "by two", workers=2) == alone


def test_memory_does_not_grow_with_the_number_of_pictures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(image_reading, "AT_ONCE", 5)

    def peak(pictures: int) -> int:
        tracemalloc.start()
        build_store([Flat(1)] * pictures, 300, "crop", tmp_path / "store", 0, silent)
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return most

    assert peak(60) < 1.5 * peak(15)  # of 270,000 bytes each


def test_progress_is_told_after_each_chunk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(image_reading, "AT_ONCE", 2)
    told: list[tuple[int, int]] = []
    build_store([Flat(1)] * 5, SIDE, "crop", tmp_path / "s", 0, lambda done, of: told.append((done, of)))
    assert told == [(2, 5), (4, 5), (5, 5)]


def test_a_store_knows_from_what_it_was_built(tmp_path: Path) -> None:
    sources: list[ImageSource] = [picture(tmp_path / "a.png", 1), Flat(3)]
    build_store(sources, SIDE, "crop", tmp_path / "store", 0, silent)
    built_from = open_store(tmp_path / "store").built_from
    assert fingerprint(sources, SIDE, "crop") == built_from
    others = [
        fingerprint(sources, SIDE + 1, "crop"),
        fingerprint(sources, SIDE, "squash"),
        fingerprint(sources[::-1], SIDE, "crop"),
        fingerprint([sources[0], Flat(4)], SIDE, "crop"),
        fingerprint([tmp_path / "absent.png", Flat(3)], SIDE, "crop"),
    ]
    os.utime(tmp_path / "a.png", ns=(5, 5))
    assert built_from not in [*others, fingerprint(sources, SIDE, "crop")]


@pytest.mark.parametrize("workers", [0, 1])
def test_if_no_picture_is_left_nothing_is_written(tmp_path: Path, workers: int) -> None:
    (tmp_path / "text.png").write_text("no picture")
    with pytest.raises(DataError, match=r"None of 2 pictures can be used\. The first, .*text\.png: is no picture"):
        build_store([tmp_path / "text.png"] * 2, SIDE, "crop", tmp_path / "store", workers, silent)
    with pytest.raises(DataError, match="There are no pictures: 0 were given"):
        build_store([], SIDE, "crop", tmp_path / "store", 0, silent)
    assert os.listdir(tmp_path) == ["text.png"]


@pytest.mark.parametrize(("side", "workers"), [(0, 0), (4, -1)])
def test_sizes_and_workers_that_cannot_be_are_refused(tmp_path: Path, side: int, workers: int) -> None:
    with pytest.raises(UsageError, match=f"side {side} by {workers} workers"):
        build_store([Flat(1)], side, "crop", tmp_path / "store", workers, silent)


def test_a_changed_byte_is_seen_wherever_it_is(tmp_path: Path) -> None:
    whole = store_of(some_sources(tmp_path), tmp_path / "store")
    for at in range(0, len(whole), 7):
        (tmp_path / "store").write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        with pytest.raises(RunError, match=r"store (is not as it was written|is no store of pictures).*Remove it"):
            open_store(tmp_path / "store")


def test_a_file_cut_off_absent_or_of_another_kind_is_refused(tmp_path: Path) -> None:
    whole = store_of([Flat(1)], tmp_path / "store")
    for data in (b"", whole[:-1], whole[1:], whole[:50], whole + b"\n", b"x" * 300):
        (tmp_path / "store").write_bytes(data)
        with pytest.raises(RunError, match=rf"it has {len(data)} bytes|is not as it was written"):
            open_store(tmp_path / "store")
    with pytest.raises(RunError, match="absent cannot be read: No such file"):
        open_store(tmp_path / "absent")


@pytest.mark.parametrize("change", [{"side": 5}, {"sources": 10**12}, {"left_out": 3}, {"side": "4"}])
def test_facts_that_do_not_fit_the_pictures_are_refused(tmp_path: Path, change: dict[str, object]) -> None:
    whole = store_of([Flat(1)], tmp_path / "store")
    pictures = whole[: SIDE * SIDE * 3]
    facts = json.loads(whole[len(pictures) :].split(b"\n")[0])
    line = json.dumps({**facts, **change}).encode() + b"\n"
    rest = pictures + line + f"heed-images-1 {len(line):012} ".encode()
    (tmp_path / "store").write_bytes(rest + f"{hashlib.sha256(rest).hexdigest()}\n".encode())
    with pytest.raises(RunError, match="store does not say what a store of pictures holds: "):
        open_store(tmp_path / "store")


def test_a_worker_that_is_killed_is_one_error_and_nothing_is_written(tmp_path: Path) -> None:
    sources = [Flat(1), Deadly(os.getpid()), Flat(2)]
    with pytest.raises(MachineError, match=r"One of 2 processes .* one of the 3 pictures from flat 1 on\. If memory"):
        build_store(sources, SIDE, "crop", tmp_path / "store", 2, silent)
    assert os.listdir(tmp_path) == []


def test_a_place_that_cannot_be_written_is_one_error(tmp_path: Path) -> None:
    with pytest.raises(MachineError, match="There is no folder"):
        build_store([Flat(1)], SIDE, "crop", tmp_path / "absent" / "store", 1, silent)


STORING = """
import faulthandler, signal, sys
from pathlib import Path

signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell lets what runs in its background ignore Ctrl-C
faulthandler.dump_traceback_later(40)  # where it stands, if it does not end

sys.path.insert(0, sys.argv[1])
from test_image_store import Flat, Slow
from heed.data import image_reading
from heed.data.image_store import build_store

if __name__ == "__main__":
    folder, image_reading.AT_ONCE = Path(sys.argv[2]), 1
    build_store([Flat(1), Slow(folder / "begun")], 4, "crop", folder / "store", 2, lambda done, of: None)
"""


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self").exists(), reason="processes are looked for in /proc")
@pytest.mark.parametrize("kind", [signal.SIGINT, signal.SIGKILL])
def test_workers_end_with_the_process_that_began_them(tmp_path: Path, kind: signal.Signals) -> None:
    (tmp_path / "storing.py").write_text(STORING)
    command = [sys.executable, tmp_path / "storing.py", Path(__file__).parent, tmp_path]
    child = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True)
    wait_until(lambda: (tmp_path / "begun").exists() and (tmp_path / "begun").read_text() != "")
    worker = int((tmp_path / "begun").read_text())
    if kind is signal.SIGINT:
        os.killpg(child.pid, kind)  # a terminal sends Ctrl-C to all of them
    else:
        child.kill()
    said = ended(child)
    wait_until(lambda: not Path(f"/proc/{worker}").exists())
    assert not (tmp_path / "store").exists()
    if kind is signal.SIGINT:  # after a kill nobody can remove what was begun
        assert sorted(os.listdir(tmp_path)) == ["begun", "storing.py"]
        assert said.count("Traceback") == 1


def ended(child: "subprocess.Popen[str]") -> str:
    """Return what the process said once it has ended; one that does not has told where it stands."""
    try:
        return child.communicate(timeout=60)[1]
    except subprocess.TimeoutExpired:
        os.killpg(child.pid, signal.SIGKILL)
        pytest.fail(f"The process did not end:\n{child.communicate()[1]}")


def wait_until(holds: Callable[[], bool]) -> None:
    end = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.05)


def test_a_worker_loads_neither_torch_nor_much_of_heed() -> None:
    program = "import sys, heed.data.image_reading; print(*sys.modules)"
    child = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    loaded = {name for name in child.stdout.split() if name.partition(".")[0] in ("heed", "torch")}
    assert "heed.data.image_reading" in loaded
    assert "torch" not in loaded
    assert len(loaded) < 20
