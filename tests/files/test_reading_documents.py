"""Laws of reading folders of text files: sorted, whole, bounded, and strict about encodings."""

import os
from pathlib import Path

import pytest

from heed.errors import DataError
from heed.files import documents
from heed.files.documents import list_folder, read_document


def test_a_document_is_its_lines_joined(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes("\ufeffone\r\n\ntwo\u2028three\n".encode())
    assert read_document(path) == "one\n\ntwo\u2028three"


def test_an_empty_document_is_an_empty_text(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"")
    assert read_document(tmp_path / "a.txt") == ""


def test_a_document_that_is_not_text_is_refused_with_its_place(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"fine\ncaf\xe9\n")
    with pytest.raises(DataError, match=r"a.txt:2: byte 0xE9"):
        read_document(tmp_path / "a.txt")


def test_a_document_that_is_too_long_is_refused_at_the_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(documents, "LONGEST_DOCUMENT", 10)
    (tmp_path / "a.txt").write_text("1234\n6789\n")
    assert read_document(tmp_path / "a.txt") == "1234\n6789"
    (tmp_path / "a.txt").write_text("1234\n6789\n1\n")
    with pytest.raises(DataError, match=r"a.txt:3: the file goes on beyond 10 characters"):
        read_document(tmp_path / "a.txt")


def test_a_folder_is_listed_in_order_without_hidden_names(tmp_path: Path) -> None:
    for name in ("b.txt", "a.txt", ".DS_Store", "B.txt"):
        (tmp_path / name).write_text("")
    assert [path.name for path in list_folder(tmp_path)] == ["B.txt", "a.txt", "b.txt"]


def test_a_folder_that_is_not_there_is_refused_with_the_nearest(tmp_path: Path) -> None:
    (tmp_path / "reviews").mkdir()
    with pytest.raises(DataError, match=r"reviewz does not exist. Did you mean \S+reviews\?"):
        list_folder(tmp_path / "reviewz")


def test_a_name_that_is_not_utf8_is_refused_in_print(tmp_path: Path) -> None:
    name = os.fsencode(tmp_path) + b"/caf\xe9.txt"
    try:
        os.close(os.open(name, os.O_CREAT | os.O_WRONLY))
    except OSError:
        pytest.skip("this file system takes only names in UTF-8")
    with pytest.raises(DataError, match=r'the name "caf\\udce9.txt" in it is not UTF-8') as caught:
        list_folder(tmp_path)
    assert str(caught.value).isprintable()
