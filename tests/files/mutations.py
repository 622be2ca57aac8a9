"""Ways to spoil a good file, for the tests that no reader may fall over what it is given."""

import gzip
import random
import re
import resource
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

Mutation = Callable[[bytes, random.Random], bytes]

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


MUTATIONS: list[Mutation] = [flip, cut, insert, swap_word, recode, noise, shuffle_lines]


def malformed(data: bytes, dice: random.Random, mutations: list[Mutation]) -> bytes:
    """Return the data spoilt in one way, or in two."""
    data = dice.choice(mutations)(data, dice)
    if data and dice.random() < 0.5:
        data = dice.choice([flip, cut, insert])(data, dice)
    return data


def attack(
    folder: Path, good: Mapping[str, bytes], mutations: list[Mutation], read: Callable[[Path, random.Random], str],
    count: int, seed: int,
) -> set[str]:  # fmt: skip
    """Spoil so many of the good files, and return what `read` made of each kind of them: "read" or "refused"."""
    dice, seen = random.Random(seed), set()
    for number in range(count):
        name = dice.choice(sorted(good))
        path = write_malformed(folder, name, malformed(good[name], dice, mutations), number % 10 == 0, dice)
        seen.add(f"{name} {read(path, dice)}")
        path.unlink()
    return seen


def outcomes(names: Iterable[str]) -> set[str]:
    """Return what an attack on files of these names should have seen."""
    return {f"{name} {outcome}" for name in names for outcome in ("read", "refused")}


def peak_megabytes() -> float:
    """Return the most memory that this process ever held."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def write_malformed(folder: Path, name: str, data: bytes, packed: bool, dice: random.Random) -> Path:
    """Write the data to a file of this name, or packed by gzip and spoilt once more; return its path."""
    path = folder / (f"{name}.gz" if packed else name)
    if packed:
        data = gzip.compress(data, compresslevel=1)
        data = flip(data, dice) if dice.random() < 0.5 else cut(data, dice)
    path.write_bytes(data)
    return path
