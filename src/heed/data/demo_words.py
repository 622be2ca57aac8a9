"""`demo:NAME` as a word after a command: which demo it names, or the sentence that says which would do."""

import difflib
from collections.abc import Sequence

from heed.data.demos.catalogue import TASKS
from heed.errors import DataError, UsageError

DEMO = "demo:"


def names_demo(words: Sequence[str]) -> bool:
    """Tell whether one of the words is a demo."""
    return any(word.startswith(DEMO) for word in words)


def demo_name(words: Sequence[str], has_columns: bool, known: Sequence[str], group: str | None = None) -> str:
    """Return the name of the demo that stands alone among the words; `known` are those of the task at hand."""
    if len(words) > 1 or has_columns:
        raise UsageError(
            f"{' '.join(words)}: a demo stands alone, for it brings its own columns and its own parts for "
            f"validation and test. Leave out the other files and columns."
        )
    if group is not None:
        raise UsageError(f"{words[0]} has its own split and no column {group!r} to group by. Leave --group out.")
    name = words[0].removeprefix(DEMO)
    if name in known:
        return name
    listed = ", ".join(DEMO + each for each in known)
    if name in TASKS:
        raise DataError(f"{DEMO}{name} is for the task {TASKS[name]}. The demos that fit here: {listed}.")
    close = difflib.get_close_matches(name, known, n=1)
    hint = f" Did you mean {DEMO}{close[0]}?" if close else ""
    raise DataError(f"There is no demo {name!r}. The demos: {listed}.{hint}")
