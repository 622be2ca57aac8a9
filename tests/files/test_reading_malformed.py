"""Malformed files of every kind: each reader gives a result or a DataError, never anything else."""

import random
from pathlib import Path

import pytest
from mutations import MUTATIONS, malformed, write_malformed

from heed.errors import DataError
from heed.files.lines import read_lines
from heed.files.tables import is_table, read_rows

GOOD = {
    "good.tsv": 'en\tfr\nGo.\tVa !\nHe said "no".\tIl a dit « non ».\nna\u0308ive\t\u2028é\n',
    "good.csv": 'en,fr\n"Go, go.",Va !\n"two\nlines","a ""quote"""\n,\nnaïve,é\n',
    "good.jsonl": '{"source": "Go.", "target": "Va !"}\n{"source": "\\u00e9\\n", "target": "x", "id": 3, "l": []}\n',
    "good.txt": "Go.\r\nHe said no.\n\n\ufeffnaïve é 😀\n",
}


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
        data = malformed(GOOD[name].encode(), dice, MUTATIONS)
        path = write_malformed(folder, name, data, number % 10 == 0, dice)
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
