"""A corpus as documents: what parts them, where sentences end, and which are kept to choose by."""

from pathlib import Path

import pytest

from heed.data.documents import Corpus, Document, cut_sentences, read_documents
from heed.errors import DataError, UsageError


def write(path: Path, text: str) -> str:
    path.write_text(text)
    return str(path)


def test_blank_lines_and_headings_stand_between_documents(tmp_path: Path) -> None:
    text = " = A title = \n\nOne. Two!\nThree\n\n\n# Another\nFour? Five\n== Part ==\nSix\n"
    path = write(tmp_path / "a.txt", text)
    assert list(read_documents([path])) == [
        Document(("One.", "Two!", "Three"), f"{path}:3"),
        Document(("Four?", "Five"), f"{path}:8"),
        Document(("Six",), f"{path}:10"),
    ]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("One. Two", ["One.", "Two"]),
        ("3.14 is pi. Yes!", ["3.14 is pi.", "Yes!"]),
        ("quán ngon . giá rẻ .", ["quán ngon .", "giá rẻ ."]),
        ("no end", ["no end"]),
        ("好。 吃", ["好。", "吃"]),
        ("   ", []),
    ],
)
def test_a_line_is_cut_after_its_sentences(line: str, expected: list[str]) -> None:
    assert list(cut_sentences(line)) == expected


def test_every_row_of_a_table_is_a_document(tmp_path: Path) -> None:
    path = write(tmp_path / "a.csv", 'id,sentence,label\n1,"One. Two",x\n2,,y\n3,Three,x\n')
    found = list(read_documents([path], "sentence"))
    assert [document.sentences for document in found] == [("One.", "Two"), ("Three",)]


def test_several_files_come_one_after_the_other(tmp_path: Path) -> None:
    names = [write(tmp_path / "a.txt", "One"), write(tmp_path / "b.txt", "Two")]
    assert [document.sentences for document in read_documents(names)] == [("One",), ("Two",)]


def test_a_file_without_text_and_a_column_of_no_table_are_refused(tmp_path: Path) -> None:
    empty = write(tmp_path / "empty.txt", "\n# only a heading\n\n")
    with pytest.raises(DataError, match=r"empty\.txt holds no text"):
        list(read_documents([empty]))
    with pytest.raises(UsageError, match=r"--columns text is for tables; .*a\.txt is none"):
        list(read_documents([write(tmp_path / "a.txt", "One")], "text"))


def test_a_document_falls_to_one_side_alone_and_always_to_the_same(tmp_path: Path) -> None:
    path = write(tmp_path / "a.txt", "\n\n".join(f"Document {number}." for number in range(2000)))
    corpus = Corpus((path,), (), None)
    train, valid = list(corpus.training()), list(corpus.validation())
    assert {document.place for document in train}.isdisjoint(document.place for document in valid)
    assert len(train) + len(valid) == 2000
    assert 15 <= len(valid) <= 80
    assert list(corpus.validation()) == valid


def test_files_for_validation_leave_all_of_the_corpus_to_learn_from(tmp_path: Path) -> None:
    train, valid = write(tmp_path / "a.txt", "One\n\nTwo"), write(tmp_path / "b.txt", "Three")
    corpus = Corpus((train,), (valid,), None)
    assert len(list(corpus.training())) == 2
    assert [document.sentences for document in corpus.validation()] == [("Three",)]


def test_a_demo_has_its_own_parts() -> None:
    corpus = Corpus(("demo:reviews",), (), None)
    train, valid = list(corpus.training()), list(corpus.validation())
    assert all(":train:" in document.place for document in train)
    assert all(":valid:" in document.place for document in valid)
    assert train and valid
