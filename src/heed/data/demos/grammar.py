"""What every built-in corpus shares: drawing without a random module, and dealing sentences to splits.

Everything rests on blake2b, so a corpus is the same on every machine and every Python. A sentence carries the
combination of words that it stands for (who does what to what). The combination alone decides the split, so a
combination met in valid or test is never met in train, in whatever tense or with whatever adverb.
"""

import bisect
import struct
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from itertools import accumulate
from typing import Generic, Literal, TypeVar

T = TypeVar("T")
Split = Literal["train", "valid", "test"]

_NUMBERS_PER_BLOCK = 16
_HELD_OUT_PER_MILLE = 40  # share of combinations for valid, and again for test


class Draws:
    """An endless stream of numbers that depends on its seed alone."""

    def __init__(self, seed: str) -> None:
        self._seed = seed.encode()
        self._block = 0
        self._numbers: list[int] = []

    def below(self, bound: int) -> int:
        """Return the next number in 0 … bound - 1."""
        if not self._numbers:
            digest = blake2b(self._seed + self._block.to_bytes(8, "little")).digest()
            self._numbers = list(struct.unpack(f"<{_NUMBERS_PER_BLOCK}I", digest))
            self._block += 1
        return (self._numbers.pop() * bound) >> 32

    def chance(self, percent: int) -> bool:
        """Return True in so many of a hundred draws."""
        return self.below(100) < percent

    def pick(self, options: Sequence[T]) -> T:
        """Return one of the options, all equally likely."""
        return options[self.below(len(options))]

    def pick_weighted(self, weighted: "Weighted[T]") -> T:
        """Return one of the options, each as often as its weight says."""
        place = self.below(weighted.cumulative[-1])
        return weighted.options[bisect.bisect_right(weighted.cumulative, place)]


@dataclass(frozen=True, slots=True)
class Weighted(Generic[T]):
    """Options with the running sum of their whole-number weights."""

    options: tuple[T, ...]
    cumulative: tuple[int, ...]


def weigh(rows: Iterable[tuple[T, int]]) -> Weighted[T]:
    """Return (option, weight) rows ready for drawing."""
    rows = list(rows)
    return Weighted(tuple(option for option, _ in rows), tuple(accumulate(weight for _, weight in rows)))


@dataclass(frozen=True, slots=True)
class Derivation:
    """One sentence of a grammar, its translation, and the combination that decides its split."""

    source: str
    target: str
    combination: str


@dataclass(frozen=True, slots=True)
class Corpus:
    """Three splits whose combinations are disjoint."""

    train: tuple[Derivation, ...]
    valid: tuple[Derivation, ...]
    test: tuple[Derivation, ...]
    seed: str


def split_of(combination: str) -> Split:
    """Return the split in which sentences of this combination belong."""
    place = int.from_bytes(blake2b(combination.encode(), digest_size=8).digest(), "little") % 1000
    if place < _HELD_OUT_PER_MILLE:
        return "test"
    return "valid" if place < 2 * _HELD_OUT_PER_MILLE else "train"


def assemble(
    derive: Callable[[Draws], Derivation | None],
    seed: str,
    pinned: Sequence[Derivation],
    train_size: int = 20_000,
    held_out_size: int = 500,
) -> Corpus:
    """Draw distinct sentences until all splits are full; pinned ones, and their combinations, open the test split.

    `derive` returns None for a draw that the grammar refuses.
    """
    sizes: dict[Split, int] = {"train": train_size, "valid": held_out_size, "test": held_out_size}
    splits: dict[Split, list[Derivation]] = {"train": [], "valid": [], "test": list(pinned)}
    pinned_combinations = {made.combination for made in pinned}
    target_of = {made.source: made.target for made in pinned}
    draws = Draws(seed)
    while any(len(splits[split]) < size for split, size in sizes.items()):
        made = derive(draws)
        if made is None:
            continue
        if made.source in target_of:
            known = target_of[made.source]
            assert known == made.target, f"two translations of {made.source!r}: {known!r} and {made.target!r}"
            continue
        target_of[made.source] = made.target
        split = "test" if made.combination in pinned_combinations else split_of(made.combination)
        if len(splits[split]) < sizes[split]:
            splits[split].append(made)
    return Corpus(tuple(splits["train"]), tuple(splits["valid"]), tuple(splits["test"]), seed)


def capitalised(text: str) -> str:
    """Return the text with its first letter in upper case and the rest untouched."""
    return text[:1].upper() + text[1:]


def joined(*parts: str) -> str:
    """Return the parts that are not empty, with one space between."""
    return " ".join(part for part in parts if part)


@cache
def differ(subject_head: str, complement_head: str) -> bool:
    """Return whether nobody stands on both sides: neither "Jane helps Jane" nor "Jane and Paul help Jane"."""
    return set(subject_head.split("&")).isdisjoint(complement_head.split("+"))
