"""Runs that earlier versions made: each still opens, predicts and scores the same, resumes and verifies.

`make_runs.py` made the archive. Numbers are compared to four digits, for another processor rounds otherwise.
"""

import io
import json
import sys
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from heed.cli.main import main
from heed.runs import documents

ARCHIVE = Path(__file__).with_name("0.5.0.zip")
RECORDED_PLACE = "/tmp/heed-old-runs"  # where the data was when the runs were made
TIMES = ("seconds", "began", "ended_at")
# A second text is drawn by another rule since 0.6.0, so training goes on with other pairs than it began with.
DRAWN_ANEW = ("pretrain-bert",)

with zipfile.ZipFile(ARCHIVE) as _archive:
    EXPECTED: dict[str, dict[str, object]] = json.loads(_archive.read("expected.json"))
NAMES = list(EXPECTED)
STEPWISE = [name for name in NAMES if "metrics" in EXPECTED[name]]

Heed = Callable[..., str]


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the archive's runs, which find their data beside them."""
    home = tmp_path_factory.mktemp("old")
    with zipfile.ZipFile(ARCHIVE) as archive:
        archive.extractall(home)
    for settings in home.glob("*/*/settings.json"):
        moved = settings.read_text(encoding="utf-8").replace(RECORDED_PLACE, str(home))
        documents.write(settings.parent, "settings.json", moved.encode())
    return home


@pytest.fixture
def heed(unpacked: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Heed:
    """Return the command line as a function in the folder of the data: arguments in, standard output out."""
    monkeypatch.chdir(unpacked / "data")

    def run(*arguments: str) -> str:
        capsys.readouterr()
        monkeypatch.setattr(sys, "argv", ["heed", *arguments])
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO()))
        with pytest.raises(SystemExit) as leaving:
            main()
        captured = capsys.readouterr()
        assert leaving.value.code in (0, None), captured.err + captured.out
        return captured.out

    return run


def check_same(found: object, expected: object, place: str) -> None:
    """Hold that all that was there before is there now; new members of an object may stand beside it."""
    match expected:
        case Mapping():
            assert isinstance(found, Mapping), place
            for key in expected:
                if key not in TIMES:
                    assert key in found, f"{place}.{key} is gone"
                    check_same(found[key], expected[key], f"{place}.{key}")
        case list():
            assert isinstance(found, list) and len(found) == len(expected), place
            for number, (one, other) in enumerate(zip(found, expected, strict=True)):
                check_same(one, other, f"{place}[{number}]")
        case float():
            assert found == pytest.approx(expected, rel=1e-4, abs=1e-6), place
        case _:
            assert found == expected, place


@pytest.mark.parametrize("name", NAMES)
def test_a_run_of_an_earlier_version_predicts_what_it_predicted(name: str, heed: Heed) -> None:
    given = EXPECTED[name]["given"]
    assert isinstance(given, list)
    found = [json.loads(line) for line in heed("predict", f"../{name}/ended", *given, "--json").splitlines()]
    check_same(found, EXPECTED[name]["predicted"], name)


@pytest.mark.parametrize("name", [name for name in NAMES if "scores" in EXPECTED[name] and name not in DRAWN_ANEW])
def test_a_run_of_an_earlier_version_scores_what_it_scored(name: str, heed: Heed) -> None:
    found = json.loads(heed("evaluate", f"../{name}/ended", str(EXPECTED[name]["data"]), "--json"))
    check_same(found, EXPECTED[name]["scores"], name)


@pytest.mark.parametrize("name", [name for name in STEPWISE if name not in DRAWN_ANEW])
def test_an_interrupted_run_of_an_earlier_version_ends_as_it_would_have(name: str, heed: Heed, unpacked: Path) -> None:
    heed("resume", f"../{name}/interrupted", "--quiet")
    lines = (unpacked / name / "interrupted" / "metrics.jsonl").read_text(encoding="utf-8").splitlines()
    check_same([json.loads(line) for line in lines], EXPECTED[name]["metrics"], name)


@pytest.mark.parametrize("name", NAMES)
def test_a_run_of_an_earlier_version_verifies(name: str, heed: Heed) -> None:
    heed("verify", f"../{name}/ended", "--json")
