"""Numbers from files that anyone may have written, and how a report spells them."""

import math

from heed.runs.strict_json import JSON

LARGEST = 2**63  # of a count; a longer one is no count, and could not become a float


def number_of(value: JSON) -> float | None:
    """Return the finite number that the value is, or None."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    if isinstance(value, int) and abs(value) > LARGEST:
        return None
    return float(value) if math.isfinite(value) else None


def count_of(value: JSON) -> int | None:
    """Return the count that the value is, or None."""
    return value if type(value) is int and 0 <= value <= LARGEST else None


def spelled(value: float) -> str:
    """Return a score or a loss in four digits."""
    return f"{value:.4g}".replace("-", "−")


def share_of(part: int, whole: int) -> str:
    """Return what share of the whole a part is; a small one is never called nothing."""
    if not whole:
        return "0 %"
    share = 100 * part / whole
    return "under 0.01 %" if 0 < share < 0.01 else f"{share:.2f} %"


def size_text(size: int) -> str:
    """Return a number of bytes as a person reads it."""
    for unit, factor in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if size >= factor:
            return f"{size / factor:.3g} {unit}" if size / factor < 999.5 else f"{size / factor:,.0f} {unit}"
    return f"{size} bytes"


def duration_text(seconds: float) -> str:
    """Return seconds as a person reads them: 48 s, 3 min 5 s, 1 h 12 min."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600:,} h {whole % 3600 // 60} min"
