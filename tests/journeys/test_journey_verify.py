"""`heed verify`, as a person meets it: a table, a sentence, and an exit code that a script can ask."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from heed.layers.cache import BeamCache

# What `conftest.py` makes; its answers have `code`, `out` and `err`.
Heed = Callable[..., Any]
Refused = Callable[[Sequence[object], int, str], None]


def test_a_sound_run_is_proved_in_a_table_and_a_sentence(heed: Heed, run: Path) -> None:
    answer = heed("verify", run)
    assert answer.code == 0, answer.out + answer.err
    first, head, *rows = answer.out.splitlines()
    assert first.startswith("run: a run of translate, tried on 48 records of ")
    assert head.split() == ["check", "cases", "largest", "allowed", "verdict"]
    verdicts = {row.split()[0]: row.split()[-1] for row in rows[:11]}
    assert set(verdicts.values()) == {"passed", "apply"}
    assert "exporting does not apply: run cannot be exported: model.positions is sinusoid" in answer.out
    assert rows[-1].startswith("Proved on this model and 48 records of ")
    assert "a run stopped and resumed = the run uninterrupted, bit for bit" in rows[-1]
    assert "FAILED" not in answer.out


def test_a_broken_run_is_told_and_leaves_with_code_one(heed: Heed, run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(BeamCache, "position", property(lambda cache: len(cache.widths)))
    answer = heed("verify", run, "--only", "caching", "--only", "looking")
    assert answer.code == 1
    assert "caching failed: written step by step from a cache = read in one pass. First at example " in answer.out
    assert answer.out.splitlines()[-1].startswith("1 of 2 checks failed. This does not hold: caching: written step")


def test_programs_read_the_findings_as_json(heed: Heed, run: Path) -> None:
    answer = heed("verify", run, "--only", "batching", "--data", "pairs.csv", "--json")
    assert answer.code == 0
    said = json.loads(answer.out)
    assert said["passed"] is True
    assert said["origin"] == "48 records of pairs.csv"
    (finding,) = said["findings"]
    assert (finding["name"], finding["verdict"], finding["cases"]) == ("batching", "passed", 8)
    assert finding["largest"] <= finding["allowed"]


def test_what_cannot_be_verified_is_refused_in_one_sentence(check_refused: Refused, run: Path) -> None:
    check_refused(["verify", run, "--only", "magic"], 2, "There is no check 'magic'. Choose from: vocabulary,")
    check_refused(["verify", "nowhere"], 1, "There is no run at nowhere")
    check_refused(["verify", run, "--data", "gone.tsv"], 1, "gone.tsv")
