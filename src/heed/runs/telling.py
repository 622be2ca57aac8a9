"""`Tell`: how work that comes before training says how far it is, to whoever wants to show it."""

from collections.abc import Callable

Tell = Callable[[str, float | None], None]  # what is being done, and the share that is done, where that is known


def silent(what: str, share: float | None) -> None:
    """Say nothing."""
