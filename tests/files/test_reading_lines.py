"""Laws of read_lines: where a line ends, what is not text, and how little memory a bad file takes."""

import errno
import gzip
import tracemalloc
from pathlib import Path

import pytest

from heed.errors import DataError
from heed.files import lines as lines_module
from heed.files import opening
from heed.files.lines import LONGEST_LINE, Line, read_lines


def texts(path: Path) -> list[str]:
    return [line.text for line in read_lines(path)]


def written(folder: Path, data: bytes, name: str = "text.txt") -> Path:
    path = folder / name
    path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    return path


def test_a_line_ends_at_a_newline_and_nowhere_else(tmp_path: Path) -> None:
    inside = "a\u2028b\x0bc\x85d\re\x1cf\u2029g"
    assert texts(written(tmp_path, f"{inside}\nz".encode())) == [inside, "z"]


def test_one_carriage_return_of_a_crlf_is_dropped(tmp_path: Path) -> None:
    assert texts(written(tmp_path, b"a\r\nb\r\r\nc\r")) == ["a", "b\r", "c\r"]


def test_lines_are_numbered_from_one_and_a_last_line_end_adds_no_line(tmp_path: Path) -> None:
    assert list(read_lines(written(tmp_path, b"a\n\nb\n"))) == [Line(1, "a"), Line(2, ""), Line(3, "b")]


def test_an_empty_file_has_no_lines(tmp_path: Path) -> None:
    assert texts(written(tmp_path, b"")) == []


def test_a_byte_order_mark_is_removed_from_the_first_line_alone(tmp_path: Path) -> None:
    mark = "\ufeff".encode()
    assert texts(written(tmp_path, mark + b"a\n" + mark + b"b\n")) == ["a", "\ufeffb"]


def test_gzip_is_read_like_the_plain_file(tmp_path: Path) -> None:
    assert texts(written(tmp_path, "é\nb\n".encode(), "text.txt.gz")) == ["é", "b"]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be", "utf-32"])
def test_utf_16_and_32_are_named_with_their_cure(tmp_path: Path, encoding: str) -> None:
    mark = b"\xfe\xff" if encoding == "utf-16-be" else b""
    path = written(tmp_path, mark + "één\n".encode(encoding))
    with pytest.raises(DataError, match=rf"text.txt:1: .*0xF[EF] .* iconv -f {encoding[:6].upper()} -t UTF-8"):
        texts(path)


def test_a_nul_byte_is_named_with_line_and_position(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"text.txt:2: NUL byte 0x00 at byte 3 .*iconv"):
        texts(written(tmp_path, b"ok\nab\0c\n"))


def test_a_latin_1_byte_is_named_with_line_position_letter_and_cure(tmp_path: Path) -> None:
    with pytest.raises(
        DataError, match=r"text.txt:2: byte 0xE9 at byte 4 .*'é'.*iconv -f WINDOWS-1252 -t UTF-8 \S+txt > "
    ):
        texts(written(tmp_path, b"ok\ncaf\xe9\n"))


def test_the_cure_for_a_gzip_file_unpacks_it_first(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"zcat \S+text.txt.gz \| iconv"):
        texts(written(tmp_path, b"caf\xe9\n", "text.txt.gz"))


def test_encoded_surrogates_and_a_cut_character_are_refused(tmp_path: Path) -> None:
    for data in (b"\xed\xa0\x80\n", "é".encode()[:1], b"\xc0\xaf"):
        with pytest.raises(DataError, match=r"text.txt:1: byte 0x(ED|C3|C0) at byte 1 "):
            texts(written(tmp_path, data))


def test_gzip_under_another_name_and_a_spreadsheet_are_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"packed by gzip. Name it text.txt.gz"):
        texts(written(tmp_path, gzip.compress(b"a")))
    with pytest.raises(DataError, match=r"PK 0x03 0x04.*CSV"):
        texts(written(tmp_path, b"PK\x03\x04rest"))


@pytest.mark.parametrize("ending", [b"\n", b"\r\n", b""])
def test_the_longest_line_is_read_and_one_byte_more_is_refused(tmp_path: Path, ending: bytes) -> None:
    assert len(texts(written(tmp_path, b"x" * LONGEST_LINE + ending))[0]) == LONGEST_LINE
    with pytest.raises(DataError, match=r"text.txt:2: this line is 1,000,00[12] bytes long"):
        texts(written(tmp_path, b"ok\n" + b"x" * (LONGEST_LINE + 1) + ending))


@pytest.mark.parametrize("name", ["text.txt", "text.txt.gz"])
def test_a_giant_line_is_refused_in_little_memory(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    if name.endswith(".gz"):
        path.write_bytes(gzip.compress(bytes(120_000_000), compresslevel=1))
    else:
        with open(path, "wb") as file:
            file.truncate(1 << 30)
    tracemalloc.start()
    try:
        with pytest.raises(DataError, match=rf"{name}:1: this line is over 100,000,000 bytes long"):
            texts(path)
        assert tracemalloc.get_traced_memory()[1] < 16_000_000
    finally:
        tracemalloc.stop()


def test_a_gzip_file_that_unpacks_beyond_reason_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines_module, "GZIP_FREE", 10_000)
    path = written(tmp_path, b"\n" * 1_000_000, "text.txt.gz")
    with pytest.raises(DataError, match=r"text.txt.gz unpacks to more than \d+,\d+ bytes"):
        for _ in read_lines(path):
            pass


@pytest.mark.parametrize("damage", ["cut", "flipped", "not gzip"])
def test_a_damaged_gzip_file_is_a_data_error(tmp_path: Path, damage: str) -> None:
    packed = gzip.compress(b"line\n" * 1000)
    data = {"cut": packed[:-12], "flipped": packed[:12] + b"\xff\xff" + packed[14:], "not gzip": b"plain text"}[damage]
    path = tmp_path / "text.gz"
    path.write_bytes(data)
    with pytest.raises(DataError, match=r"text.gz is not a whole gzip file"):
        texts(path)


def test_a_missing_file_is_met_with_the_nearest_name(tmp_path: Path) -> None:
    written(tmp_path, b"a", "train.tsv")
    with pytest.raises(DataError, match=r"trian.tsv does not exist. Did you mean \S+/train.tsv\?"):
        texts(tmp_path / "trian.tsv")
    with pytest.raises(DataError, match=r"No name in \S+ is like it"):
        texts(tmp_path / "zzz")
    with pytest.raises(DataError, match=r"There is no folder \S+gone either"):
        texts(tmp_path / "gone" / "train.tsv")
    with pytest.raises(DataError, match=r"cannot be a file name"):
        texts(tmp_path / "a\0b")


def test_a_folder_is_met_with_an_example_from_it(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"is a folder, not a file. It holds no file"):
        texts(tmp_path)
    written(tmp_path, b"a", "b.tsv")
    with pytest.raises(DataError, match=r"Give a file in it, for example \S+/b.tsv"):
        texts(tmp_path)


@pytest.mark.parametrize(("number", "said"), [(errno.EACCES, "chmod u\\+r"), (errno.EIO, "Input/output error.*disk")])
def test_an_unreadable_file_is_a_data_error(monkeypatch: pytest.MonkeyPatch, number: int, said: str) -> None:
    def refuse(path: Path) -> None:
        raise OSError(number, "Input/output error")

    monkeypatch.setattr(opening, "_open", refuse)
    with pytest.raises(DataError, match=f"text.txt .*{said}"):
        texts(Path("text.txt"))
