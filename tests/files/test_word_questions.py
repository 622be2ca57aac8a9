"""Files that word vectors are judged by: analogies in sections, and pairs that people found more or less alike."""

from pathlib import Path

import pytest

from heed.errors import DataError
from heed.files import analogies, similarities
from heed.files.analogies import is_analogies, read_analogies
from heed.files.similarities import WordPair, read_similarities

DATA = Path(__file__).resolve().parents[2] / "../shared/data/analogies"


def written(folder: Path, text: str, name: str = "file.txt") -> Path:
    (folder / name).write_text(text)
    return folder / name


def test_sections_hold_their_questions_in_order(tmp_path: Path) -> None:
    path = written(tmp_path, "\n: capitals\nAthens Greece Paris France\n\n: gram1 x\r\na\tb  c d\n: empty\n")
    assert [(section.name, section.questions) for section in read_analogies(path)] == [
        ("capitals", (("Athens", "Greece", "Paris", "France"),)),
        ("gram1 x", (("a", "b", "c", "d"),)),
        ("empty", ()),
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (": one\na b c\n", r'file.txt:2: 3 word\(s\) instead of four: "a b c"'),
        (": one\na b c d e\n", r"file.txt:2: 5 word\(s\) instead of four"),
        ("a b c d\n", r'file.txt:1: "a b c d" stands before the first section'),
        (": \na b c d\n", r'file.txt:1: a section without a name, ":"'),
        ("", r"file.txt holds no questions"),
        (": one\n: two\n", r"file.txt holds no questions"),
    ],
)
def test_a_malformed_file_of_analogies_is_refused_with_the_place(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(DataError, match=message):
        read_analogies(written(tmp_path, text))


def test_too_many_questions_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analogies, "MOST_QUESTIONS", 2)
    with pytest.raises(DataError, match=r"more than 2 questions"):
        read_analogies(written(tmp_path, ": one\n" + "a b c d\n" * 3))


@pytest.mark.parametrize(("text", "expected"), [("\n : x\na b c d", True), ("a\tb\t1\n: x", False), ("", False)])
def test_a_file_of_analogies_begins_with_a_section(text: str, expected: bool, tmp_path: Path) -> None:
    assert is_analogies(written(tmp_path, text)) is expected


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("# a remark\nlove\tsex\t6.77\ntiger\ttiger\t10.00\n", "pairs.tsv"),
        ("Word 1\tWord 2\tHuman (mean)\nlove\tsex\t6.77\n\ntiger\ttiger\t1e1\n", "pairs.txt"),
        ("Word 1,Word 2,Human (mean)\r\nlove,sex,6.77\r\ntiger,tiger,10\r\n", "pairs.csv"),
    ],
)
def test_pairs_are_read_with_remarks_and_with_a_header(text: str, name: str, tmp_path: Path) -> None:
    assert read_similarities(written(tmp_path, text, name)) == (
        WordPair("love", "sex", 6.77),
        WordPair("tiger", "tiger", 10.0),
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a\tb\t1\nc\td\tmuch\n", r'file.txt:2: "much" is no finite number'),
        ("a\tb\t1\nc\td\tnan\n", r'file.txt:2: "nan" is no finite number'),
        ("a\tb\t1\nc\td\t1_0\n", r'file.txt:2: "1_0" is no finite number'),
        ("a b 1\n", r'file.txt:1: 1 field\(s\) instead of two words and a number, parted by tabs: "a b 1"'),
        ("a\tb\t1\t2\n", r"file.txt:1: 4 field\(s\)"),
        ("a\t\t1\n", r"file.txt:1: 3 field\(s\) instead"),
        ("# only\n", r"file.txt holds no pairs"),
        ("word1\tword2\tscore\n", r"file.txt holds no pairs"),
    ],
)
def test_a_malformed_file_of_pairs_is_refused_with_the_place(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(DataError, match=message):
        read_similarities(written(tmp_path, text))


def test_too_many_pairs_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(similarities, "MOST_PAIRS", 2)
    with pytest.raises(DataError, match=r"more than 2 pairs"):
        read_similarities(written(tmp_path, "a\tb\t1\n" * 3))


@pytest.mark.skipif(not DATA.is_dir(), reason="the real files are not here")
def test_the_published_files_are_read_whole() -> None:
    sections = read_analogies(DATA / "questions-words.txt")
    assert len(sections) == 14
    assert sum(len(section.questions) for section in sections) == 19_544
    assert len(read_similarities(DATA / "wordsim353.tsv")) == 353
    assert len(read_similarities(DATA / "simlex999.txt")) == 999
