"""Malformed tables of every kind: labelled texts are read from them, or refused in one line that names the file."""

import random
from pathlib import Path

import pytest
from mutations import MUTATIONS, Mutation, attack, outcomes, peak_megabytes

from heed.data.labelled import read_labelled
from heed.errors import HeedError

ROWS = [("a good, long film", "yes it is", "1"), ('he said "no"', "n\u00e9 \U0001f600", "0"), ("x y", "y x", "1")]
GOOD = {
    "one.tsv": "label\ttext\n" + "".join(f"{label}\t{first}\n" for first, _, label in ROWS),
    "one.csv": "id,label,sentence\n" + "".join(f'{label}x,{label},"two\n{second}"\n' for _, second, label in ROWS),
    "one.jsonl": "".join(f'{{"text": "{second}", "label": {label}}}\n' for _, second, label in ROWS),
    "two.tsv": "\ufeffQuality\t#1 ID\t#1 String\t#2 String\n" + "".join(f"{c}\t7\t{a}\t{b}\n" for a, b, c in ROWS),
    "two.csv": "premise,hypothesis,label\n" + "".join(f'"{b}",{b},{c}.5\n' for _, b, c in ROWS),
    "two.jsonl": "".join(f'{{"s1": "{b}", "s2": "x", "score": {c}.25, "more": [1]}}\n' for _, b, c in ROWS),
}
HUGE = [b"9" * 900, b"-1e308", b"1e400", b"[" * 900 + b"]" * 900, b"{}", b'"' + b"a" * 300 + b'"', b"null", b"true"]


def other_label(data: bytes, dice: random.Random) -> bytes:
    return data.replace(b"1", dice.choice(HUGE), dice.randint(1, 3))


def ragged(data: bytes, dice: random.Random) -> bytes:
    lines = data.split(b"\n")
    at, mark = dice.randrange(len(lines)), dice.choice([b"\t", b",", b":"])
    pieces = lines[at].split(mark)
    del pieces[dice.randrange(len(pieces))]
    return b"\n".join([*lines[:at], mark.join(pieces), *lines[at + 1 :]])


def other_name(data: bytes, dice: random.Random) -> bytes:
    names = [b"label", b"text", b"Quality", b"s1", b"premise", b"sentence", b"score"]
    return data.replace(dice.choice(names), dice.choice([b"", b"x", b"text", b"label", b"\xc3\xa9", b"id"]))


def nothing(data: bytes, dice: random.Random) -> bytes:
    return dice.choice([b"", b"\n", b"\xef\xbb\xbf", data.split(b"\n")[0], b" \n\t\n"])


ALL: list[Mutation] = [*MUTATIONS, other_label, ragged, other_name, nothing]


def read(path: Path, texts: int) -> str:
    try:
        file = read_labelled([path], None, texts)
    except HeedError as error:
        assert str(path) in str(error)
        assert str(error).isprintable()  # so it is one line, too
        return "refused"
    for record in file.records:
        assert len(record.texts) == texts
        assert all(record.texts) and 0 < len(record.label) <= 200
        assert record.place.startswith(f"{path}:")
    return "read"


def read_drawn(path: Path, dice: random.Random) -> str:
    """Read a file as what its name says, and now and then as the other kind."""
    return read(path, 2 if dice.random() < 0.1 else texts_of(path.name))


def spoil(folder: Path, count: int, seed: int) -> set[str]:
    return attack(folder, {name: text.encode() for name, text in GOOD.items()}, ALL, read_drawn, count, seed)


def texts_of(name: str) -> int:
    return 1 if name.startswith("one") else 2


@pytest.mark.parametrize("name", sorted(GOOD))
def test_the_files_that_are_spoilt_were_good(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text(GOOD[name], newline="")
    assert read(tmp_path / name, texts_of(name)) == "read"


def test_a_few_hundred_malformed_files_are_read_or_refused(tmp_path: Path) -> None:
    assert spoil(tmp_path, 500, seed=1) == outcomes(GOOD)


@pytest.mark.slow
def test_ten_thousand_malformed_files_are_read_or_refused_in_little_memory(tmp_path: Path) -> None:
    before = peak_megabytes()
    assert spoil(tmp_path, 10_000, seed=2) == outcomes(GOOD)
    assert peak_megabytes() - before < 512
