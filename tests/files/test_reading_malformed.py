"""Malformed files of every kind: each reader gives a result or a DataError, never anything else."""

import gzip
import random
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from heed.errors import DataError
from heed.files.lines import read_lines
from heed.files.tables import is_table, read_rows

GOOD = {
    "good.tsv": 'en\tfr\nGo.\tVa !\nHe said "no".\tIl a dit « non ».\nna\u0308ive\t\u2028é\n',
    "good.csv": 'en,fr\n"Go, go.",Va !\n"two\nlines","a ""quote"""\n,\nnaïve,é\n',
    "good.jsonl": '{"source": "Go.", "target": "Va !"}\n{"source": "\\u00e9\\n", "target": "x", "id": 3, "l": []}\n',
    "good.txt": "Go.\r\nHe said no.\n\n\ufeffnaïve é 😀\n",
}
PIECES = [
    b"\0", b"\xff\xfe", b"\xef\xbb\xbf", b"\xe9", b"\xed\xa0\x80", b"\n", b"\r", b"\r\n", b"\t", b",", b'"',
    b'""', b"\\", b"{", b"}", b"[" * 2000, b'{"a":' * 1500, b"NaN", b"-Infinity", b"1e999", b"9" * 5000,
    b'"\\ud800"', b"\\u0000", b"x" * 1_100_000, b"\xc3", "é\u2028".encode(), b"en", b"null", b"PK\x03\x04",
    b"\x1f\x8b", b"\x1a", b"\x85",
]  # fmt: skip


def flip(data: bytes, dice: random.Random) -> bytes:
    changed = bytearray(data)
    for _ in range(dice.randint(1, 8)):
        changed[dice.randrange(len(changed))] ^= 1 << dice.randrange(8)
    return bytes(changed)


def cut(data: bytes, dice: random.Random) -> bytes:
    return data[dice.randrange(len(data)) :] if dice.random() < 0.3 else data[: dice.randrange(len(data))]


def insert(data: bytes, dice: random.Random) -> bytes:
    at = dice.randrange(len(data) + 1)
    return data[:at] + dice.choice(PIECES) + data[at:]


def swap_word(data: bytes, dice: random.Random) -> bytes:
    words = list(re.finditer(rb'"[^"]*"|\w+', data))
    word = dice.choice(words)
    return data[: word.start()] + dice.choice([*PIECES, *(word[0] for word in words)]) + data[word.end() :]


def recode(data: bytes, dice: random.Random) -> bytes:
    encoding = dice.choice(["utf-16", "utf-16-le", "utf-32", "latin-1", "cp1252", "utf-7", "utf-8-sig"])
    return data.decode().encode(encoding, "replace")


def noise(data: bytes, dice: random.Random) -> bytes:
    return dice.randbytes(dice.randrange(300))


def shuffle_lines(data: bytes, dice: random.Random) -> bytes:
    lines = data.split(b"\n")
    return b"\n".join(dice.choice(lines) for _ in range(dice.randrange(12)))


MUTATIONS: list[Callable[[bytes, random.Random], bytes]] = [flip, cut, insert, swap_word, recode, noise, shuffle_lines]


def malformed(name: str, dice: random.Random) -> bytes:
    data = dice.choice(MUTATIONS)(GOOD[name].encode(), dice)
    if data and dice.random() < 0.5:
        data = dice.choice([flip, cut, insert])(data, dice)
    return data


def read_all(path: Path) -> str:
    try:
        values = read_rows(path) if is_table(path) else read_lines(path)
        for _ in values:
            pass
    except DataError as error:
        assert path.name.split(".")[0] in str(error)
        assert str(error).isprintable()
        return "refused"
    return "read"


def attack(folder: Path, count: int, seed: int) -> set[str]:
    dice, seen = random.Random(seed), set()
    for number in range(count):
        name = dice.choice(sorted(GOOD))
        data = malformed(name, dice)
        path = folder / name
        if number % 10 == 0:
            path = folder / f"{name}.gz"
            packed = gzip.compress(data, compresslevel=1)
            data = flip(packed, dice) if dice.random() < 0.5 else cut(packed, dice)
        path.write_bytes(data)
        seen.add(f"{name} {read_all(path)}")
        path.unlink()  # to write over a file is slow: the system then waits for the disk
    return seen


def outcomes() -> set[str]:
    return {f"{name} {outcome}" for name in GOOD for outcome in ("read", "refused")}


@pytest.mark.parametrize("name", sorted(GOOD))
def test_the_files_that_are_spoilt_were_good(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text(GOOD[name], newline="")
    assert read_all(tmp_path / name) == "read"


def test_a_few_hundred_malformed_files_are_read_or_refused(tmp_path: Path) -> None:
    assert attack(tmp_path, 400, seed=1) == outcomes()


@pytest.mark.slow
def test_ten_thousand_malformed_files_are_read_or_refused(tmp_path: Path) -> None:
    assert attack(tmp_path, 10_000, seed=2) == outcomes()
