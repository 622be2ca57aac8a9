"""Plain text files as one stream: joined, split at the end, refused with the reason; and the built-in text."""

import gzip
from pathlib import Path

import pytest

from heed.data import text_stream
from heed.data.demos import hello, load_text_demo
from heed.data.text_splits import split_text
from heed.data.text_stream import load_text, read_text
from heed.errors import DataError, UsageError

SHAKESPEARE = Path(__file__).resolve().parents[3] / "shared/data/tinyshakespeare/input.txt"


def written(path: Path, data: bytes) -> str:
    path.write_bytes(data)
    return str(path)


def test_every_line_ends_with_one_line_end_however_the_file_writes_it(tmp_path: Path) -> None:
    unix = written(tmp_path / "unix.txt", b"one\n\n two \n")
    windows = written(tmp_path / "windows.txt", b"three\r\nfour")
    packed = written(tmp_path / "packed.txt.gz", gzip.compress("fünf\u2028sechs".encode()))
    assert read_text([unix, windows, packed]) == "one\n\n two \nthree\nfour\nfünf\u2028sechs\n"


def test_without_a_file_for_validation_the_last_tenth_is_kept_to_the_character(tmp_path: Path) -> None:
    data = written(tmp_path / "text.txt", b"0123456789" * 3 + b"abcdefghi\n")
    splits = load_text([data])
    assert (splits.train, splits.valid, splits.test) == ("0123456789" * 3 + "abcdef", "ghi\n", "")
    assert "The last tenth, 4 of 40 characters, is for validation." in splits.note


def test_files_for_validation_and_test_are_taken_whole(tmp_path: Path) -> None:
    train, valid, test = (written(tmp_path / f"{name}.txt", name.encode()) for name in ("train", "valid", "test"))
    splits = load_text([train], [valid], [test])
    assert (splits.train, splits.valid, splits.test) == ("train\n", "valid\n", "test\n")
    assert splits.origin == f"{train}; {valid}; {test}"
    assert load_text([train], [valid]).test == ""


def test_a_file_for_the_test_alone_leaves_the_last_tenth_for_validation(tmp_path: Path) -> None:
    train, test = written(tmp_path / "train.txt", b"abcdefghij" * 5), written(tmp_path / "test.txt", b"test")
    splits = load_text([train], test=[test])
    assert (splits.train + splits.valid, splits.test) == ("abcdefghij" * 5 + "\n", "test\n")
    assert len(splits.valid) == 6


@pytest.mark.parametrize("data", [b"", b"\n \n\t\n"])
def test_a_file_without_text_is_refused_by_name(data: bytes, tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"empty\.txt holds no text"):
        load_text([written(tmp_path / "empty.txt", data)])


def test_a_text_too_short_to_split_is_refused_with_its_length() -> None:
    with pytest.raises(DataError, match=r"short\.txt has 4 characters, too few"):
        split_text("abc\n", "short.txt")


def test_a_text_that_would_not_fit_in_memory_is_refused_at_its_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(text_stream, "LONGEST_TEXT", 10)
    with pytest.raises(DataError, match=r"long\.txt:3: the text goes on beyond 10 characters"):
        read_text([written(tmp_path / "long.txt", b"four\nfour\nfour\n")])


def test_what_is_not_utf8_is_refused_with_its_place(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"latin\.txt:2: byte 0xE9"):
        read_text([written(tmp_path / "latin.txt", "one\nété\n".encode("latin-1"))])


def test_the_demo_is_five_words_and_hel_is_always_followed_by_l() -> None:
    splits = load_text(["demo:hello"])
    assert set(splits.train.split()) == {"hello", "hole", "oleo", "lo", "oh"}
    assert (len(splits.train.split()), len(splits.valid.split()), len(splits.test.split())) == (1600, 200, 200)
    assert len({splits.train[:900], splits.valid[:900], splits.test[:900]}) == 3
    text = splits.train
    assert {text[place + 3] for place in range(len(text) - 3) if text.startswith("hel", place)} == {"l"}
    assert {text[place + 1] for place in range(len(text) - 1) if text[place] == "l"} == {"l", "o", "e"}


def test_the_demo_is_drawn_from_its_seed_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    again = hello.corpus.__wrapped__()
    assert again == load_text_demo("hello")
    monkeypatch.setattr(hello, "SEED", "hello-2")
    assert hello.corpus.__wrapped__().train != again.train


def test_a_demo_of_another_task_is_refused_with_those_that_fit() -> None:
    with pytest.raises(DataError, match=r"demo:reviews is for the task classify.*demo:hello"):
        load_text(["demo:reviews"])
    with pytest.raises(DataError, match=r"no built-in corpus 'helo'.*demo:hello"):
        load_text_demo("helo")


def test_a_demo_beside_files_is_refused() -> None:
    with pytest.raises(UsageError, match=r"demo:hello more\.txt: a demo stands alone"):
        load_text(["demo:hello"], ["more.txt"])


@pytest.mark.skipif(not SHAKESPEARE.exists(), reason="tinyshakespeare is not at ../shared/data")
def test_the_split_of_tinyshakespeare_is_the_usual_one() -> None:
    splits = load_text([str(SHAKESPEARE)])
    assert (len(splits.train), len(splits.valid)) == (1_003_854, 111_540)
    assert splits.valid.startswith("?\n\nGREMIO:\nGood morrow, neighbour Baptista.")
