"""What several limits on the length of a text would cut off."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

LIMITS = (32, 64, 128, 256, 512)


@dataclass(frozen=True)
class ReadingLimit:
    """What a model that reads so far would not read."""

    longest: int
    unit: str  # "tokens", or "words" where no tokenizer was given (tokens are more)
    records: int  # that are longer
    record_share: float
    lost_share: float  # of all words or tokens, those beyond the limit


def find_limits(lengths: Sequence[int], unit: str, longest: int) -> tuple[ReadingLimit, ...]:
    """Return what the usual limits and `longest` would cut of records of these lengths."""
    return tuple(_limit(lengths, unit, limit) for limit in sorted({*LIMITS, longest}))


def limit_table(limits: Iterable[ReadingLimit]) -> list[str]:
    """Return the limits as lines for a terminal."""
    return [f"{'reading up to':<18}{'cut':>10}{'':>9}{'lost':>10}", *map(_row, limits)]


def _row(limit: ReadingLimit) -> str:
    name = f"{limit.longest:,} {limit.unit}"
    return f"{name:<18}{limit.records:>10,}{limit.record_share:>9.1%}{limit.lost_share:>10.1%}"


def _limit(lengths: Sequence[int], unit: str, longest: int) -> ReadingLimit:
    beyond = [length - longest for length in lengths if length > longest]
    return ReadingLimit(
        longest, unit, len(beyond), len(beyond) / max(1, len(lengths)), sum(beyond) / max(1, sum(lengths))
    )
