"""All vectors of a file, and vectors written: exact on the way out and back, bounded, and whole or not at all."""

import gzip
from pathlib import Path

import numpy as np
import pytest

from heed.errors import DataError, MachineError, UsageError
from heed.files.vectors import read_all_vectors
from heed.files.vectors_writing import write_glove, write_word2vec

WORDS = ["the", "nhà_hàng", "2", "café"]


def odd_numbers() -> np.ndarray:
    """Return float32 of every size: the smallest, the largest, thirds, and bits drawn at random."""
    drawn = np.random.default_rng(1).integers(0, 2**32, 4000, dtype=np.uint32).view(np.float32)
    numbers = np.array([0, -0.0, 1 / 3, 1e-45, 3.4028235e38, -1.1754944e-38, 16777217, 0.1], dtype=np.float32)
    finite = np.concatenate([numbers, drawn[np.isfinite(drawn)]])
    return finite[: len(finite) // 4 * 4].reshape(4, -1)


@pytest.mark.parametrize("write", [write_word2vec, write_glove])
def test_what_is_written_comes_back_to_the_last_bit(write: object, tmp_path: Path) -> None:
    table_VD = odd_numbers()
    write(tmp_path / "vectors.txt", WORDS, table_VD)  # type: ignore[operator]
    vectors = read_all_vectors(tmp_path / "vectors.txt")
    assert list(vectors.rows) == WORDS
    assert vectors.table.tobytes() == table_VD.tobytes()
    assert (vectors.words, vectors.repeated) == (4, 0)


def test_the_two_formats_differ_by_the_first_line(tmp_path: Path) -> None:
    table_VD = np.array([[1, -2.5], [0.25, 3], [1e-7, 0], [1, 1]], dtype=np.float32)
    write_word2vec(tmp_path / "a", WORDS, table_VD)
    write_glove(tmp_path / "b", WORDS, table_VD)
    assert (tmp_path / "b").read_text() == "the 1 -2.5\nnhà_hàng 0.25 3\n2 1.00000001e-07 0\ncafé 1 1\n"
    assert (tmp_path / "a").read_text() == "4 2\n" + (tmp_path / "b").read_text()


def test_gensim_reads_what_is_written(tmp_path: Path) -> None:
    gensim = pytest.importorskip("gensim")
    table_VD = np.random.default_rng(2).normal(size=(4, 3)).astype(np.float32)
    write_word2vec(tmp_path / "vectors.txt", WORDS, table_VD)
    read = gensim.models.KeyedVectors.load_word2vec_format(str(tmp_path / "vectors.txt"))
    assert read.index_to_key == WORDS
    assert read.vectors.tobytes() == table_VD.tobytes()


@pytest.mark.parametrize("word", ["", "new york", "a\nb", "a\xa0b"])
def test_a_word_that_would_be_read_as_another_is_refused_and_the_old_file_stays(word: str, tmp_path: Path) -> None:
    path = tmp_path / "vectors.txt"
    path.write_text("old")
    with pytest.raises(DataError, match=r"cannot be written to .*vectors\.txt"):
        write_glove(path, ["the", word], np.zeros((2, 3), np.float32))
    assert path.read_text() == "old"


def test_a_place_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(MachineError, match=r"vectors\.txt cannot be written: .*There is no folder"):
        write_glove(tmp_path / "away" / "vectors.txt", ["the"], np.zeros((1, 3), np.float32))


def test_only_the_first_words_are_read_when_so_told(tmp_path: Path) -> None:
    (tmp_path / "v.txt.gz").write_bytes(gzip.compress(b"3 2\na 1 2\nb 3 4\nc x y\n"))
    vectors = read_all_vectors(tmp_path / "v.txt.gz", most_words=2)
    assert vectors.rows == {"a": 0, "b": 1}
    assert vectors.table.tolist() == [[1, 2], [3, 4]]


def test_a_repeated_word_keeps_its_first_vector_and_is_counted(tmp_path: Path) -> None:
    (tmp_path / "v.txt").write_text("a 1 2\nb 3 4\na 5 6\nc 7 8\n")
    vectors = read_all_vectors(tmp_path / "v.txt")
    assert vectors.rows == {"a": 0, "b": 1, "c": 2}
    assert vectors.table.tolist() == [[1, 2], [3, 4], [7, 8]]
    assert (vectors.words, vectors.repeated) == (4, 1)


def test_a_table_too_large_is_refused_with_what_it_would_take(tmp_path: Path) -> None:
    (tmp_path / "v.txt").write_text("a 1 2\nb 3 4\nc 5 6\n")
    with pytest.raises(DataError, match=r"v.txt holds 3 vectors of 2 numbers, which take 0.0 GB .* the first 2,"):
        read_all_vectors(tmp_path / "v.txt", largest=400)
    assert len(read_all_vectors(tmp_path / "v.txt", most_words=2, largest=400).rows) == 2


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a 1 2\nb 3 x\n", r'v.txt:2: number 2 of 2 is "x"'),
        ("a 1 2\nb 3\n", r"v.txt:2: 1 number\(s\) after the word"),
        ("3 2\na 1 2\nb 3 4\n", r"promises 3 words in line 1 and holds 2"),
        ("", r"v.txt holds no vectors"),
        ("3 999999999999\na 1 2\n", r"v.txt:2: 2 number\(s\) after the word"),
    ],
)
def test_a_bad_file_is_refused_with_the_place(text: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "v.txt").write_text(text)
    with pytest.raises(DataError, match=message):
        read_all_vectors(tmp_path / "v.txt")


def test_no_vectors_at_all_cannot_be_asked_for(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"number of vectors to read is 0"):
        read_all_vectors(tmp_path / "v.txt", most_words=0)
