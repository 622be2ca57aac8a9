"""A corpus as numbers on disk: what was written is what is read, and a changed byte is seen."""

import json
import tracemalloc
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from heed.data.documents import Document
from heed.data.token_store import DOCUMENTS, FACTS, SENTENCES, TOKENS, open_store, write_store
from heed.errors import DataError, RunError


@dataclass
class Letters:
    """Letters as numbers; "?" is not known, and white space is nothing."""

    size: int = 30
    unknown: int = 1

    def ids_of(self, texts: Sequence[str]) -> list[list[int]]:
        return [[1 if letter == "?" else ord(letter) - 92 for letter in text if letter != " "] for text in texts]


CORPUS = [Document(("abc", "?d"), "a:1"), Document(("  ",), "a:3"), Document(("e", " ", "fg"), "a:5")]


def test_what_was_written_is_what_is_read(tmp_path: Path) -> None:
    facts = write_store(tmp_path, CORPUS, Letters())
    store = open_store(tmp_path)
    assert store.facts == facts
    assert store.tokens.tolist() == [5, 6, 7, 1, 8, 9, 10, 11]
    assert store.sentence_ends.tolist() == [3, 5, 6, 8]
    assert store.document_ends.tolist() == [2, 4]  # a document without a token is left out
    assert (facts.tokens, facts.unknown, facts.sentences, facts.documents) == (8, 1, 4, 2)


@pytest.mark.parametrize(("size", "bytes_each"), [(30, 2), (2**16, 2), (2**16 + 1, 4)])
def test_a_token_takes_as_many_bytes_as_the_vocabulary_needs(size: int, bytes_each: int, tmp_path: Path) -> None:
    facts = write_store(tmp_path, CORPUS, Letters(size))
    assert facts.bytes_each == bytes_each
    assert (tmp_path / TOKENS).stat().st_size == 8 * bytes_each
    assert open_store(tmp_path).tokens.tolist() == [5, 6, 7, 1, 8, 9, 10, 11]


def test_more_documents_than_are_encoded_at_once_keep_their_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "at_once").mkdir()
    (tmp_path / "one_by_one").mkdir()
    whole = write_store(tmp_path / "at_once", CORPUS * 5, Letters())
    monkeypatch.setattr("heed.data.token_store.AT_ONCE", 1)
    assert write_store(tmp_path / "one_by_one", iter(CORPUS * 5), Letters()) == whole


@pytest.mark.parametrize("name", [TOKENS, SENTENCES, DOCUMENTS])
def test_a_changed_byte_is_refused_by_the_name_of_its_file(name: str, tmp_path: Path) -> None:
    write_store(tmp_path, CORPUS, Letters())
    data = bytearray((tmp_path / name).read_bytes())
    data[3] ^= 1
    (tmp_path / name).write_bytes(data)
    with pytest.raises(RunError, match=f"{name} is not as it was written"):
        open_store(tmp_path)


def test_files_that_are_gone_or_say_nothing_are_refused(tmp_path: Path) -> None:
    with pytest.raises(RunError, match=r"store\.json cannot be read"):
        open_store(tmp_path)
    write_store(tmp_path, CORPUS, Letters())
    values = json.loads((tmp_path / FACTS).read_text())
    for text in ("", "[]", "[" * 100_000, json.dumps({**values, "digests": {}}), json.dumps({**values, "more": 1})):
        (tmp_path / FACTS).write_text(text)
        with pytest.raises(RunError, match="does not say what a store of tokens holds"):
            open_store(tmp_path)
    (tmp_path / FACTS).write_text(json.dumps(values))
    (tmp_path / TOKENS).unlink()
    with pytest.raises(RunError, match=r"tokens\.bin cannot be read"):
        open_store(tmp_path)


def test_a_corpus_without_a_token_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="holds no text that has tokens"):
        write_store(tmp_path, [Document(("  ",), "a:1")], Letters())


def test_memory_does_not_grow_with_the_corpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("heed.data.token_store.AT_ONCE", 100)

    def peak(documents: int) -> int:
        folder = tmp_path / str(documents)
        folder.mkdir()
        tracemalloc.start()
        write_store(folder, (Document(("abc" * 20,) * 5, "a:1") for _ in range(documents)), Letters())
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return most

    assert peak(20_000) < 1.5 * peak(4_000)  # which has more to hash than is hashed at a time
