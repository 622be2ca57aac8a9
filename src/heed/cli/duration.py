"""Durations as people write them: 90s, 10m, 1h30m."""

import re

from heed.errors import UsageError

_PATTERN = re.compile(r"(?:(?P<h>\d+(?:\.\d+)?)h)?(?:(?P<m>\d+(?:\.\d+)?)m)?(?:(?P<s>\d+(?:\.\d+)?)s)?")


def minutes(text: str) -> float:
    """Return the minutes that a duration such as 1h30m stands for."""
    match = _PATTERN.fullmatch(text.strip())
    if match is None or not any(match.groups()):
        raise UsageError(f"{text!r} is no duration. Write it like 90s, 10m or 1h30m.")
    hours, minutes, seconds = (float(match[name] or 0) for name in "hms")
    return 60 * hours + minutes + seconds / 60


def spoken(seconds: float) -> str:
    """Return seconds as a person reads them: 48s, 3m 05s, 1h 12m."""
    if seconds < 60:
        return f"{seconds:.0f}s"
    if seconds < 3600:
        return f"{int(seconds // 60)}m {int(seconds % 60):02d}s"
    return f"{int(seconds // 3600)}h {int(seconds % 3600 // 60):02d}m"
