"""Laws of check_captions: each fault that is planted is counted, named with its place, and nothing else is said."""

import dataclasses
import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from PIL import Image

from heed.data.caption_checks import CaptionReport, check_captions
from heed.data.caption_splits import CaptionSplits
from heed.data.captions import UnknownPicture
from heed.data.records import CaptionedImage
from heed.errors import DataError


def pictures(folder: Path, count: int, each: int = 2, first: int = 0) -> list[CaptionedImage]:
    records = []
    for number in range(first, first + count):
        path = folder / f"{number}.png"
        Image.new("RGB", (40, 50), (number, 0, 0)).save(path)
        records.append(CaptionedImage(path, tuple(f"picture {number} said {n}" for n in range(each)), f"t:{number}"))
    return records


def check(
    train: Sequence[CaptionedImage], valid: Sequence[CaptionedImage] = (), test: Sequence[CaptionedImage] = ()
) -> CaptionReport:
    return check_captions(CaptionSplits(train, valid, test, origin="files", note=""))


def said(report: CaptionReport) -> list[tuple[str, str]]:
    return [(finding.level, finding.text) for finding in report.findings]


def test_clean_captions_have_no_findings(tmp_path: Path) -> None:
    report = check(pictures(tmp_path, 5), pictures(tmp_path, 3, first=5), pictures(tmp_path, 2, first=8))
    assert said(report) == []
    assert report.captions_each == {2: 10}
    lines = report.lines()
    assert lines[:2] == ["files", "                    pictures  captions"]
    assert [line.split() for line in lines[2:5]] == [["train", "5", "10"], ["valid", "3", "6"], ["test", "2", "4"]]
    assert ["caption", "words", "4", "4", "4", "4"] in [line.split() for line in lines]
    assert lines[-1] == "Nothing odd was found."


def test_the_report_goes_to_json_and_back(tmp_path: Path) -> None:
    report = check(pictures(tmp_path, 4), pictures(tmp_path, 1, first=4))
    values = json.loads(json.dumps(dataclasses.asdict(report), allow_nan=False))
    assert values["counts"]["train"] == {"pictures": 4, "captions": 8}
    assert values["sizes"]["formats"] == {"PNG": 5}


def test_pictures_with_other_numbers_of_captions_are_told(tmp_path: Path) -> None:
    report = check([*pictures(tmp_path, 3), *pictures(tmp_path, 2, each=5, first=3)])
    assert said(report) == [
        ("note", "Not all pictures have the same number of captions: 3 with 2, 2 with 5."),
    ]


def test_captions_that_stand_twice_are_told(tmp_path: Path) -> None:
    train = pictures(tmp_path, 30)
    train[0] = dataclasses.replace(train[0], captions=("A dog", "a  dog"))
    train[1] = dataclasses.replace(train[1], captions=("a dog", "b"))
    report = check(train)
    assert said(report) == [
        ("note", "1 picture(s) have the same caption twice (t:0)."),
        ("note", '2 picture(s) (6.7%) share captions with others; "a  dog" stands with 2.'),
    ]
    same = [dataclasses.replace(record, captions=("a thing", "c")) for record in train[:6]]
    assert said(check([*same, *train[6:]]))[0] == (
        "warning",
        '6 picture(s) (20.0%) share captions with others; "a thing" stands with 6.',
    )


def test_long_captions_are_told_in_words_or_in_tokens(tmp_path: Path) -> None:
    train = pictures(tmp_path, 4)
    splits = CaptionSplits(train, (), (), "", "")
    assert [text for _, text in said(check_captions(splits, longest=3))] == [
        "8 record(s) (100.0%) are longer than 3 words (tokens are more than words) and would be cut: 25.0% of all "
        "words would not be read.",
    ]
    report = check_captions(splits, lengths=len, longest=20)
    assert {row.unit for row in report.lengths} == {"characters", "words", "tokens"} and said(report) == []


def test_a_picture_on_two_sides_is_a_leak_and_one_that_stands_twice_is_told(tmp_path: Path) -> None:
    train = pictures(tmp_path, 20)
    copy = tmp_path / "copy.png"
    copy.write_bytes((tmp_path / "3.png").read_bytes())
    again = CaptionedImage(copy, ("another", "one"), "copy")
    assert said(check([*train, again])) == [("note", "1 record(s) of train (4.76%) stand there more than once.")]
    assert said(check(train, [again])) == [
        (
            "error",
            "1 of the 1 validation pictures (100.00%) also occur in train (copy), so validation scores are inflated. "
            "Remove them from train.",
        ),
    ]


def test_unknown_and_broken_pictures_and_empty_rows_are_told(tmp_path: Path) -> None:
    train = pictures(tmp_path, 20)
    (tmp_path / "4.png").write_text("no picture")
    unknown = (UnknownPicture("t.csv:9", "gone.jpg", "does not exist"),)
    report = check_captions(CaptionSplits(train, (), (), "", "", 2, ("t.csv:3",), unknown))
    (error, empty, broken) = said(report)
    assert error == (
        "error",
        '1 picture(s) have captions and are not there: "gone.jpg" does not exist (t.csv:9). Training leaves out '
        "those of Flickr8k; a table that names one is refused.",
    )
    assert empty == ("warning", "2 row(s) without path or caption are left out (t.csv:3).")
    assert broken[0] == "warning" and "1 of 20 picture(s) (5.0%) cannot be read" in broken[1] and "4.png" in broken[1]


def test_characters_that_look_wrong_are_named_with_the_place_of_the_picture(tmp_path: Path) -> None:
    train = pictures(tmp_path, 4)
    train[2] = dataclasses.replace(train[2], captions=("lost \ufffd", "fine"))
    assert said(check(train)) == [
        ("warning", "1 caption(s) have the replacement character U+FFFD, left by a lost letter (t:2).")
    ]


def test_how_far_it_is_is_told_after_each_picture(tmp_path: Path) -> None:
    heard: list[tuple[int, int]] = []
    splits = CaptionSplits(pictures(tmp_path, 2), pictures(tmp_path, 1, first=2), (), "", "")
    check_captions(splits, tell=lambda done, of: heard.append((done, of)))
    assert heard == [(1, 3), (2, 3), (3, 3)]


def test_no_pictures_at_all_are_refused() -> None:
    with pytest.raises(DataError, match="files holds 0 training pictures"):
        check([])
