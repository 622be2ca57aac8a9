"""Malformed files of vectors, analogies and pairs: each reader gives a result or a DataError, never anything else."""

import random
from collections.abc import Callable
from pathlib import Path

import pytest
from mutations import MUTATIONS, malformed, write_malformed

from heed.errors import DataError
from heed.files.analogies import is_analogies, read_analogies
from heed.files.similarities import read_similarities
from heed.files.vectors import read_all_vectors, read_vectors

GOOD: dict[str, tuple[str, list[Callable[[Path], object]]]] = {
    "word2vec.txt": (
        "3 2\nthe 0.5 -1\nnhà 1e-3 2\n. . 3 4\n",
        [read_all_vectors, lambda path: read_vectors(path, {"the", "nhà"})],
    ),
    "glove.txt": (
        "the 0.5 -1 3\r\nnhà 1e-3 2 0\nof 3 4 5\n",
        [read_all_vectors, lambda path: read_vectors(path, {"the", "nhà"})],
    ),
    "questions.txt": (": one\nAthens Greece Oslo Norway\n\n: gram two\na b c d\n", [is_analogies, read_analogies]),
    "pairs.tsv": ("# remark\nWord 1\tWord 2\tMean\nlove\tsex\t6.77\ntiger\tcat\t7.35\n", [read_similarities]),
}


def read_each(path: Path, readers: list[Callable[[Path], object]]) -> str:
    outcomes = set()
    for reader in readers:
        try:
            reader(path)
            outcomes.add("read")
        except DataError as error:
            assert path.name.split(".")[0] in str(error)
            assert str(error).isprintable()
            outcomes.add("refused")
    return "refused" if "refused" in outcomes else "read"


def attack(folder: Path, count: int, seed: int) -> set[str]:
    dice, seen = random.Random(seed), set()
    for number in range(count):
        name = dice.choice(sorted(GOOD))
        text, readers = GOOD[name]
        path = write_malformed(folder, name, malformed(text.encode(), dice, MUTATIONS), number % 10 == 0, dice)
        seen.add(f"{name} {read_each(path, readers)}")
        path.unlink()
    return seen


def outcomes() -> set[str]:
    return {f"{name} {outcome}" for name in GOOD for outcome in ("read", "refused")}


@pytest.mark.parametrize("name", sorted(GOOD))
def test_the_files_that_are_spoilt_were_good(name: str, tmp_path: Path) -> None:
    text, readers = GOOD[name]
    (tmp_path / name).write_bytes(text.encode())
    assert read_each(tmp_path / name, readers) == "read"


def test_a_few_hundred_malformed_files_are_read_or_refused(tmp_path: Path) -> None:
    assert attack(tmp_path, 400, seed=1) == outcomes()


@pytest.mark.slow
def test_ten_thousand_malformed_files_are_read_or_refused(tmp_path: Path) -> None:
    assert attack(tmp_path, 10_000, seed=2) == outcomes()
