"""Looking inside trained models from the command line."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

import heed as package

# What `conftest.py` makes; its answers have `code`, `out` and `err`.
Heed = Callable[..., Any]
Refused = Callable[[Sequence[object], int, str], None]


def test_a_translation_is_explained_in_the_terminal_and_in_every_kind_of_file(heed: Heed, run: Path) -> None:
    said = heed("explain", run, "one two three")
    assert said.code == 0, said.err
    assert said.out.splitlines()[0].startswith(heed("predict", run, "one two three").out.strip())
    assert "decoder.0.cross" in said.out
    assert "not why it answered" in said.out
    for name in ("page.html", "all.json", "picture.png"):
        written = heed("explain", run, "one two three", "--out", name)
        assert written.code == 0, written.err
        assert f"It is in {name}" in written.out
        assert Path(name).stat().st_size > 1000
    assert "one two three" in Path("page.html").read_text()
    assert json.loads(Path("all.json").read_text())["given"] == ["one two three"]


def test_json_on_standard_output_has_heads_and_steps_only_if_asked(heed: Heed, run: Path) -> None:
    plain = json.loads(heed("explain", run, "one two", "--json").out)
    assert plain["heads"] == []
    assert {share["method"] for share in plain["shares"]} == {"gradient x input", "rollout"}
    asked = ("--heads", "--steps", "3", "--site", "*cross", "--beam", "2")
    whole = json.loads(heed("explain", run, "one two", "--json", *asked).out)
    assert [each["site"] for each in whole["looked"]] == ["decoder.0.cross"]
    assert {off["site"] for off in whole["heads"]} == {"decoder.0.cross"}
    assert "integrated gradients" in {share["method"] for share in whole["shares"]}


def test_a_pair_is_explained_with_the_label_that_is_asked_for(heed: Heed, pair_runs: Path) -> None:
    said = heed("explain", pair_runs / "labels", "one two", "one two", "--answer", "other")
    assert said.code == 0, said.err
    assert "What moved 'other'" in said.out


def test_a_text_alone_in_a_file_is_explained_and_several_are_not(heed: Heed, run: Path, check_refused: Refused) -> None:
    Path("one.txt").write_text("one two\n")
    assert heed("explain", run, "one.txt").out == heed("explain", run, "one two").out
    check_refused(["explain", run, "source.txt"], 2, "more than one came")
    check_refused(["explain", run, "one", "two"], 2, "more than one came")


def test_mistakes_are_told_in_one_sentence(heed: Heed, run: Path, pair_runs: Path, check_refused: Refused) -> None:
    check_refused(["explain", run, "one", "--site", "encoder.9.self"], 2, "no attention 'encoder.9.self'")
    check_refused(["explain", run, "one", "--out", "page.doc"], 2, "page.doc ends with '.doc'")
    check_refused(["explain", run, "one", "--answer", "zebra"], 2, '"zebra" is no piece of what was said')
    check_refused(["explain", run, "one", "--steps", "5000"], 2, "5000 steps")
    check_refused(["explain", pair_runs / "labels", "one", "two", "--beam", "3"], 2, "3 beams")
    check_refused(["explain", pair_runs / "labels", "one", "two", "--answer", "equal"], 2, 'no label "equal"')
    check_refused(["explain", pair_runs / "labels", "one"], 2, "A pair is two texts; 1 came")


def test_the_same_is_to_be_had_from_python(run: Path) -> None:
    found = package.explain(run, "one two", sites="decoder.*")
    assert {each.site for each in found.looked} == {"decoder.0.self", "decoder.0.cross"}
    again = package.explain(package.load(run), "one two", heads=True)
    assert (again.answer, len(again.heads)) == (found.answer, 6)


@pytest.mark.parametrize("name", ["one.png", "one.json"])
def test_a_file_that_cannot_be_written_is_one_sentence(name: str, run: Path, check_refused: Refused) -> None:
    Path("wall").write_text("in the way")
    check_refused(["explain", run, "one", "--out", f"wall/{name}"], 1, "cannot be written")
