"""The table of faults fits the source, and the runner tells a fault that lives from one that was noticed."""

import dataclasses
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from faults import ROOT, Fault, plant, problems, read_faults
from plant import Workshop, judge_all

MASKS = ROOT / "src" / "heed" / "layers" / "masks.py"
NOTICED = Fault(
    "a position attends to the next one",
    "layers/masks.py",
    ".tril()[None, None]",
    ".tril(1)[None, None]",
    ("tests/layers/test_layer_masks.py",),
)
LIVING = dataclasses.replace(NOTICED, name="nothing changes", new=".tril(0)[None, None]")
BROKEN = dataclasses.replace(NOTICED, name="it cannot be imported", new=".tril()[None, None]\n\nassert False\n")


def test_every_fault_of_the_table_fits_the_source_and_the_tests() -> None:
    assert problems(read_faults()) == []


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"old": "no such line"}, "the old text occurs 0 times in layers/masks.py, not once"),
        ({"old": "Return"}, r"the old text occurs \d+ times in layers/masks.py, not once"),
        ({"new": ".tril()[None, None]"}, "the old text and the new one are equal"),
        ({"new": ".tril(]"}, "with the new text layers/masks.py is not valid Python"),
        ({"file": "layers/nowhere.py"}, "there is no file layers/nowhere.py"),
        ({"tests": ("tests/nowhere.py",)}, "there is no test file tests/nowhere.py"),
        ({"tests": ("tests/test_house.py::test_no_such",)}, "tests/test_house.py has no test_no_such"),
    ],
)
def test_a_fault_that_no_longer_fits_is_named(change: dict[str, object], problem: str) -> None:
    found = problems([dataclasses.replace(NOTICED, **change)])
    assert len(found) == 1
    assert re.search(problem, found[0])


def test_two_faults_of_one_name_are_refused() -> None:
    assert problems([NOTICED, NOTICED]) == ["a position attends to the next one: several faults have this name"]


def test_an_entry_without_tests_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text('[[fault]]\nname = "a"\nfile = "b"\nold = "c"\nnew = "d"\ntests = []\n')
    with pytest.raises(ValueError, match=r"a\.toml, fault 1"):
        read_faults(tmp_path)


def test_planting_drops_compiled_code_of_the_file(tmp_path: Path) -> None:
    folder = tmp_path / "heed" / "layers"
    (folder / "__pycache__").mkdir(parents=True)
    (folder / "masks.py").write_text(MASKS.read_text(encoding="utf-8"), encoding="utf-8")
    compiled = [folder / "__pycache__" / f"{name}.cpython-311.pyc" for name in ("masks", "scores")]
    for path in compiled:
        path.touch()
    plant(NOTICED, tmp_path)
    assert ".tril(1)" in (folder / "masks.py").read_text(encoding="utf-8")
    assert [path.exists() for path in compiled] == [False, True]


@pytest.mark.slow
def test_a_fault_is_killed_lives_or_cannot_be_judged_and_the_source_stays_as_it_is(tmp_path: Path) -> None:
    before = MASKS.read_bytes()
    workshop = Workshop(tmp_path)
    workshop.refuse_other_package()
    verdicts = {verdict.name: verdict for verdict in judge_all([NOTICED, LIVING, BROKEN], 2, workshop)}
    assert verdicts[NOTICED.name].outcome == "killed"
    assert "test_a_position_may_look_at_itself_and_the_past" in verdicts[NOTICED.name].detail
    assert verdicts[LIVING.name].outcome == "lives"
    assert verdicts[BROKEN.name].outcome == "error"
    assert MASKS.read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["clean"]


@pytest.mark.slow
@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM])
def test_an_interruption_ends_its_processes_and_leaves_nothing_behind(sign: int, tmp_path: Path) -> None:
    command = [sys.executable, str(ROOT / "tests" / "mutants" / "plant.py"), "--only", "masks.py", "--json"]
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    with subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as child:
        assert child.stderr is not None
        child.stderr.readline()  # it has begun
        time.sleep(1)
        child.send_signal(sign)
        _, error = child.communicate(timeout=30)
    assert child.returncode == 130
    assert "the working tree is unchanged" in error
    assert list(tmp_path.iterdir()) == []
