"""Malformed CoNLL files of every kind: sentences are read from them, or refused in one line that names the file."""

import random
from pathlib import Path

import pytest
from mutations import MUTATIONS, Mutation, attack, outcomes, peak_megabytes

from heed.data.entity_tags import find_fault
from heed.data.tagged import read_tagged
from heed.errors import HeedError

DOCUMENT = "-DOCSTART- -X- O\n\n"
GOOD = {
    "tabs.conll": "Ada\tB-PER\nLovelace\tI-PER\nn\u00e9\tO\n\nin\tO\nRome\tB-LOC\n\U0001f600\tO\n",
    "spaces.conll": DOCUMENT + "EU NNP I-ORG\nrejects VBZ O\n\nGerman JJ I-MISC\nAda NNP I-PER\nBob NNP B-PER\n",
    "comments.conll": "# id = 1\n# text = a b\na S-X\nb O\n\n# id = 2\nc B-Y\nd I-Y\ne E-Y\n",
    "plain.conll": "\ufeffthe DT\ndog NN\r\nran VBD\n\na DT\ncaf\u00e9 NN\n",
}
TAGS = [b"B-PER", b"I-PER", b"E-Y", b"S-X", b"U-", b"O", b"o", b"B-\xc3\xa9", b"-", b"B-" + b"k" * 300, b"\xe2\x80\xa8"]


def other_tag(data: bytes, dice: random.Random) -> bytes:
    return data.replace(dice.choice([b"O", b"B-", b"I-", b"NN"]), dice.choice(TAGS), dice.randint(1, 3))


def ragged(data: bytes, dice: random.Random) -> bytes:
    lines = data.split(b"\n")
    at, mark = dice.randrange(len(lines)), dice.choice([b"\t", b" ", b"\xc2\xa0"])
    pieces = lines[at].split(mark)
    pieces.insert(dice.randrange(len(pieces) + 1), dice.choice([b"", b"x", mark]))
    return b"\n".join([*lines[:at], mark.join(pieces), *lines[at + 1 :]])


def without_blank_lines(data: bytes, dice: random.Random) -> bytes:
    return data.replace(b"\n\n", b"\n") * dice.choice([1, 1, 1, 40])


def nothing(data: bytes, dice: random.Random) -> bytes:
    return dice.choice([b"", b"\n", b"\xef\xbb\xbf", b"# only\n", b"-DOCSTART- O\n", b" \n\t\n"])


ALL: list[Mutation] = [*MUTATIONS, other_tag, ragged, without_blank_lines, nothing]


def read(path: Path, columns: list[str] | None) -> str:
    try:
        file = read_tagged([path], columns)
    except HeedError as error:
        assert str(path) in str(error) or "The columns are" in str(error)
        assert str(error).isprintable()  # so it is one line, too
        return "refused"
    for record in file.records:
        assert len(record.words) == len(record.tags) > 0
        assert all(record.words) and all(record.tags)
        assert record.place.startswith(f"{path}:")
        assert file.scheme is None or find_fault(record.tags, "IOB2") is None
    return "read"


def read_drawn(path: Path, dice: random.Random) -> str:
    """Read a file, now and then by two columns."""
    return read(path, ["1", "2"] if dice.random() < 0.1 else None)


def spoil(folder: Path, count: int, seed: int) -> set[str]:
    return attack(folder, {name: text.encode() for name, text in GOOD.items()}, ALL, read_drawn, count, seed)


@pytest.mark.parametrize("name", sorted(GOOD))
def test_the_files_that_are_spoilt_were_good(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text(GOOD[name], newline="")
    assert read(tmp_path / name, None) == "read"


def test_a_few_hundred_malformed_files_are_read_or_refused(tmp_path: Path) -> None:
    assert spoil(tmp_path, 500, seed=1) == outcomes(GOOD)


@pytest.mark.slow
def test_ten_thousand_malformed_files_are_read_or_refused_in_little_memory(tmp_path: Path) -> None:
    before = peak_megabytes()
    assert spoil(tmp_path, 10_000, seed=2) == outcomes(GOOD)
    assert peak_megabytes() - before < 512
