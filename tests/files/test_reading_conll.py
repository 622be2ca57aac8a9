"""CoNLL files: which lines are words, which column is the tag, and every mistake told with its place."""

import gzip
from pathlib import Path

import pytest

from heed.errors import DataError, HeedError, UsageError
from heed.files import conll
from heed.files.conll import Sentence, read_sentences


def read(folder: Path, text: str, columns: list[str] | None = None) -> list[Sentence]:
    path = folder / "words.conll"
    path.write_text(text, encoding="utf-8", newline="")
    return list(read_sentences(path, columns))


def test_words_and_tags_of_each_sentence_come_with_the_line_of_the_first_word(tmp_path: Path) -> None:
    assert read(tmp_path, "\nEU\tB-ORG\nrejects\tO\n\n\nGerman\tB-MISC\n") == [
        Sentence(2, ("EU", "rejects"), ("B-ORG", "O")),
        Sentence(6, ("German",), ("B-MISC",)),
    ]


def test_the_first_column_is_the_word_and_the_last_its_tag(tmp_path: Path) -> None:
    assert read(tmp_path, "EU NNP B-NP B-ORG\nrejects VBZ  B-VP O\r\n") == [
        Sentence(1, ("EU", "rejects"), ("B-ORG", "O"))
    ]


def test_columns_are_chosen_by_number_counted_from_one(tmp_path: Path) -> None:
    assert read(tmp_path, "1\tEU\tNNP\tO\n2\truns\tVBZ\tO\n", ["2", "3"]) == [
        Sentence(1, ("EU", "runs"), ("NNP", "VBZ"))
    ]


def test_a_row_of_tabs_may_hold_a_word_with_a_space_and_a_word_that_is_a_no_break_space(tmp_path: Path) -> None:
    assert read(tmp_path, "New York\tB-LOC\n\u00a0\tO\n\u200d\tO\n")[0].words == ("New York", "\u00a0", "\u200d")


def test_the_beginning_of_a_document_ends_a_sentence_and_is_no_word(tmp_path: Path) -> None:
    found = read(tmp_path, "-DOCSTART- -X- O\n\na x O\n-DOCSTART- -X- O\nb x O\n")
    assert [(each.number, each.words) for each in found] == [(3, ("a",)), (5, ("b",))]


def test_a_comment_stands_before_the_first_word_and_a_hash_with_a_tag_is_a_word(tmp_path: Path) -> None:
    text = "# id = 7\n# text = a b\na O\n# O\n\n# O\n# B-product\n\n# more\n# 1 O\n"
    with pytest.raises(DataError, match=r"words\.conll:10: 3 columns, but the first row has 2"):
        read(tmp_path, text)
    assert [each.words for each in read(tmp_path, text[:-6])] == [("a", "#"), ("#", "#")]


def test_a_hash_in_the_middle_of_a_sentence_is_a_word_whatever_its_tag(tmp_path: Path) -> None:
    assert read(tmp_path, "# a comment\nthe DT\n# NN\n")[0].words == ("the", "#")


def test_a_hash_is_a_word_wherever_columns_are_parted_by_tabs(tmp_path: Path) -> None:
    assert read(tmp_path, "# \tO\nx\tO\n")[0].words == ("#", "x")


def test_a_packed_file_is_read_like_a_plain_one(tmp_path: Path) -> None:
    path = tmp_path / "words.conll.gz"
    path.write_bytes(gzip.compress("é\tO\n".encode()))
    assert list(read_sentences(path)) == [Sentence(1, ("é",), ("O",))]


def test_sentences_come_before_the_whole_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "words.conll"
    path.write_text("a O\n\nb\n")
    sentences = read_sentences(path)
    assert next(sentences).words == ("a",)
    with pytest.raises(DataError, match=r'words\.conll:3: only one column, "b"\. Put a space or a tab'):
        next(sentences)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a\tO\nb O\n", r"words\.conll:2: only one column, \"b O\"\. Put a tab"),
        ("lonely\n", r"words\.conll:1: only one column, \"lonely\""),
        ("a x O\nb O\n", r"words\.conll:2: 2 columns, but the first row has 3: \"b O\""),
        ("a\tO\n\tO\n", r"words\.conll:2: the word is empty"),
        ("a\tO\nb\t \n", r"words\.conll:2: the tag is empty: \"b"),
        ("a O\n" + "b" * 1001 + " O\n", r"words\.conll:2: the word \"b+…\" has 1,001 characters; at most 1,000"),
        ("a " + "T" * 201 + "\n", r"words\.conll:1: the tag \"T+…\" has 201 characters; at most 200"),
        ("", r"words\.conll is empty \(0 lines\)"),
        (" \n\n", r"words\.conll holds only blank lines \(2\)"),
        ("# a comment\n\n-DOCSTART- O\n", r"words\.conll holds only comments"),
        ("a O\n\0 O\n", r"words\.conll:2: NUL byte"),
    ],
)
def test_what_is_no_row_of_words_is_refused_with_its_place(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(DataError, match=message):
        read(tmp_path, text)


@pytest.mark.parametrize("columns", [["word", "tag"], ["1"], ["1", "1"], ["0", "2"], ["1", "2", "3"], ["1", "99999"]])
def test_columns_that_are_not_two_numbers_are_refused(tmp_path: Path, columns: list[str]) -> None:
    with pytest.raises(UsageError, match=f'The columns are "{columns[0]}".*two numbers from 1 on'):
        read(tmp_path, "a O\n", columns)


def test_a_column_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r'words\.conll:1: there is no column 4: this first row has 2 columns, "a O"'):
        read(tmp_path, "a O\n", ["1", "4"])


def test_a_sentence_without_end_is_refused_at_its_beginning(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conll, "LONGEST_SENTENCE", 4)
    assert len(read(tmp_path, "a O\n" * 4)[0].words) == 4
    with pytest.raises(DataError, match=r"words\.conll:3: the sentence that begins here has over 4 words"):
        read(tmp_path, "a O\n\n" + "b O\n" * 5)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(HeedError, match=r"nowhere\.conll does not exist"):
        list(read_sentences(tmp_path / "nowhere.conll"))
