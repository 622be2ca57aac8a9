"""Laws of read_vectors: both formats give the same, only what is wanted is kept, and a bad line is named."""

import gzip
import tracemalloc
from pathlib import Path

import numpy as np
import pytest

from heed.errors import DataError
from heed.files.vectors import Vectors, read_vectors

ALL = {"the", "of", ".", "New York", ". . .", "café"}


def written(folder: Path, text: str, name: str = "vectors.txt") -> Path:
    path = folder / name
    path.write_bytes(gzip.compress(text.encode()) if name.endswith(".gz") else text.encode())
    return path


def plain(vectors: Vectors) -> dict[str, list[float]]:
    return {word: vectors.table[row].tolist() for word, row in vectors.rows.items()}


LINES = "the 0.5 -1 2e-1\nof 1 2 3\n"
FOUND = {"the": [0.5, -1.0, np.float32(0.2).item()], "of": [1.0, 2.0, 3.0]}


FORMATS = {
    "glove": LINES,
    "word2vec": f"2 3\n{LINES}",
    "a space at each end": f"2 3\n{LINES}".replace("\n", " \n"),
    "crlf": LINES.replace("\n", "\r\n"),
    "a blank line after": LINES + "\n",
    "a blank line before": "\n" + LINES,
}


@pytest.mark.parametrize("text", list(FORMATS.values()), ids=list(FORMATS))
@pytest.mark.parametrize("name", ["vectors.txt", "vectors.vec.gz"])
def test_all_text_formats_give_the_same(tmp_path: Path, text: str, name: str) -> None:
    vectors = read_vectors(written(tmp_path, text, name), ALL)
    assert plain(vectors) == FOUND
    assert vectors.table.dtype == np.float32
    assert (vectors.words, vectors.repeated) == (2, 0)


def test_only_the_wanted_words_are_kept_and_all_are_counted(tmp_path: Path) -> None:
    vectors = read_vectors(written(tmp_path, LINES + "and 4 5 6\n"), ["of", "absent"])
    assert plain(vectors) == {"of": [1.0, 2.0, 3.0]}
    assert vectors.words == 3


def test_nothing_found_is_an_empty_table_of_the_right_width(tmp_path: Path) -> None:
    vectors = read_vectors(written(tmp_path, LINES), [])
    assert vectors.rows == {}
    assert vectors.table.shape == (0, 3)


def test_a_word_may_have_spaces_in_it(tmp_path: Path) -> None:
    text = LINES + "New York 4 5 6\n. . . 7 8 9\n. 1 1 1\n"
    assert plain(read_vectors(written(tmp_path, text), ALL)) == {
        **FOUND, "New York": [4.0, 5.0, 6.0], ". . .": [7.0, 8.0, 9.0], ".": [1.0, 1.0, 1.0],
    }  # fmt: skip


def test_a_word_that_is_a_number_is_a_word(tmp_path: Path) -> None:
    assert plain(read_vectors(written(tmp_path, "2 7 8 9\n1.5 4 5 6\n"), {"2", "1.5"})) == {
        "2": [7.0, 8.0, 9.0],
        "1.5": [4.0, 5.0, 6.0],
    }


def test_odd_characters_do_not_end_a_line_or_part_a_word(tmp_path: Path) -> None:
    odd = "a\x85b\u2028c\xa0d"
    assert plain(read_vectors(written(tmp_path, f"{odd} 1 2\n"), {odd})) == {odd: [1.0, 2.0]}


def test_letters_and_accents_apart_are_put_together(tmp_path: Path) -> None:
    assert set(read_vectors(written(tmp_path, "cafe\u0301 1 2\n"), ALL).rows) == {"café"}


def test_a_repeated_word_keeps_its_first_vector_and_is_counted(tmp_path: Path) -> None:
    vectors = read_vectors(written(tmp_path, LINES + "the 9 9 9\nof 8 8 8\nthe 7 7 7\nand 1 1 1\nand 2 2 2\n"), ALL)
    assert plain(vectors) == FOUND
    assert (vectors.words, vectors.repeated) == (7, 3)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("of 1 2", r"vectors.txt:2: 2 number\(s\) after the word, but by its first line the file has 3: \"of 1 2\""),
        ("and 1 2", r"vectors.txt:2: 2 number\(s\)"),
        ("and 1 2 3 4", r"vectors.txt:2: 4 number\(s\)"),
        ("New York 1 2 3 4", r"vectors.txt:2: 5 number\(s\)"),
        ("of", r"vectors.txt:2: 0 number\(s\)"),
        ("of\t1\t2\t3", r"vectors.txt:2: 0 number\(s\).*parted by one space"),
        ("of 1  2", r'vectors.txt:2: number 2 of 3 is ""'),
        ("of 1 x 3", r'vectors.txt:2: number 2 of 3 is "x", which is no finite number'),
        ("of 1 2 nan", r'vectors.txt:2: number 3 of 3 is "nan"'),
        ("of inf 2 3", r'vectors.txt:2: number 1 of 3 is "inf"'),
        ("of 1 2 1e39", r'vectors.txt:2: number 3 of 3 is "1e39"'),
        ("of 1 2_0 3", r'vectors.txt:2: number 2 of 3 is "2_0"'),
    ],
)  # fmt: skip
def test_a_bad_line_is_named_with_its_value(tmp_path: Path, line: str, message: str) -> None:
    with pytest.raises(DataError, match=message):
        read_vectors(written(tmp_path, f"the 1 2 3\n{line}\n"), ALL)


def test_the_numbers_of_a_word_that_nobody_wants_are_not_read(tmp_path: Path) -> None:
    assert plain(read_vectors(written(tmp_path, LINES + "and x y z\n"), ALL)) == FOUND


@pytest.mark.parametrize(("promised", "held"), [(3, 2), (1, 2), (400_000, 2)])
def test_a_file_with_other_words_than_it_promises_is_refused(tmp_path: Path, promised: int, held: int) -> None:
    with pytest.raises(DataError, match=rf"promises {promised:,} words in line 1 and holds {held}. It seems to be cut"):
        read_vectors(written(tmp_path, f"{promised} 3\n{LINES}"), ALL)


def test_a_promised_width_is_held_against_every_line(tmp_path: Path) -> None:
    with pytest.raises(
        DataError, match=r"vectors.txt:2: 3 number\(s\) after the word, but by its first line .* has 300"
    ):
        read_vectors(written(tmp_path, f"2 300\n{LINES}"), ALL)


@pytest.mark.parametrize("text", ["", "\n\n", " \n"])
def test_an_empty_file_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(DataError, match=r"vectors.txt holds no vectors"):
        read_vectors(written(tmp_path, text), ALL)


def test_a_file_of_words_alone_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r'vectors.txt:1: no numbers after the word "the"'):
        read_vectors(written(tmp_path, "the\nof\n"), ALL)


def test_a_binary_file_is_refused_with_the_way_out(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"vectors.bin ends in .bin.*binary=False"):
        read_vectors(tmp_path / "vectors.bin", ALL)


def test_a_large_file_takes_the_memory_of_what_is_wanted(tmp_path: Path) -> None:
    numbers = " 0.25" * 300
    path = written(tmp_path, "".join(f"word{n}{numbers}\n" for n in range(20_000)), "vectors.txt.gz")
    tracemalloc.start()
    try:
        vectors = read_vectors(path, {"word7", "word19999"})
        assert tracemalloc.get_traced_memory()[1] < 1_000_000
    finally:
        tracemalloc.stop()
    assert (len(vectors.rows), vectors.words) == (2, 20_000)
