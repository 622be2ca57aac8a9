"""What a reader gives to a worked example: matrices in files and on the line, texts, and what is refused."""

from pathlib import Path

import pytest

from heed.errors import DataError, UsageError
from heed.inspection.given import LONGEST_TEXT, MOST_TEXTS, read_given, read_matrix, words_of


@pytest.mark.parametrize("text", ["1 2; 3 -4.5", "1, 2 ; 3, -4.5;", " 1\t2;3  -4.5"])
def test_rows_on_the_line_are_read(text: str) -> None:
    assert read_matrix(text) == ((1, 2), (3, -4.5))


@pytest.mark.parametrize("written", ["1,2\n3,-4.5\n", "1;2\r\n3;-4.5\r\n", "1\t2\n\n3\t-4.5", "1 2\n3 -4.5"])
def test_rows_of_a_file_are_read(written: str, tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_bytes(written.encode())
    assert read_matrix(str(path)) == ((1, 2), (3, -4.5))


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("1 2; 3 x", "row 2 of the matrix holds 'x', which is no number"),
        ("1 2; 3", "have 1 and 2 numbers"),
        ("1 nan", "row 1 of the matrix holds nan"),
        ("1 -inf", "row 1 of the matrix holds -inf"),
        ("1 2e6", "row 1 of the matrix holds 2e6"),
        (" ; ", "' ; ' holds no number"),
        (",", "',' holds no number"),
        (" ".join("1" * 13), "has 13 numbers; at most 12"),
        (";".join("1" * 13), "has 13 rows; at most 12"),
        ("y" * 90, "'y{20}…y{19}', which is no number"),
        ("absent.csv", "absent.csv does not exist"),
    ],
)
def test_a_matrix_that_cannot_be_shown_is_refused_with_what_is_wrong(
    text: str, fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(DataError, match=fault):
        read_matrix(text)


def test_a_fault_in_a_file_is_told_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_text("1,2\n\n3,four\n")
    with pytest.raises(DataError, match=r"rows\.csv:3 holds 'four'"):
        read_matrix(str(path))


def test_a_file_too_large_for_a_matrix_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_text("1 " * 60_000)
    with pytest.raises(DataError, match="at most 100,000 bytes"):
        read_matrix(str(path))


@pytest.mark.parametrize(
    ("texts", "fault"),
    [
        (["a"] * (MOST_TEXTS + 1), "9 texts were given; at most 8"),
        (["fine", "  "], "'  ' is empty"),
        (["a" * (LONGEST_TEXT + 1)], "has 401 characters; at most 400"),
        (["a\x1b[2J"], "cannot be printed"),
    ],
)
def test_texts_that_cannot_be_shown_are_refused(texts: list[str], fault: str) -> None:
    with pytest.raises(UsageError, match=fault):
        read_given(texts)


def test_more_words_than_a_picture_holds_are_refused() -> None:
    assert words_of("a b  c", 3) == ("a", "b", "c")
    with pytest.raises(UsageError, match="'a b c' has 3 words; at most 2"):
        words_of("a b c", 2)


def test_a_file_that_is_no_picture_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "no.png"
    path.write_text("hello")
    with pytest.raises(DataError, match=r"no\.png"):
        read_given(image=path)
