"""Checks that all model settings share: a size below 1, or a dropout that is no share, is refused by name."""

from collections.abc import Mapping

from heed.errors import SettingsError


def check_sizes(sizes: Mapping[str, int]) -> None:
    """Refuse a size below 1."""
    for name, size in sizes.items():
        if size < 1:
            raise SettingsError(f"model.{name} is {size}. Use 1 or more.")


def check_longest(longest: int) -> None:
    """Refuse a length without room for one piece and the end."""
    if longest < 2:
        raise SettingsError(f"model.longest is {longest}. Use 2 or more: one position is for the end of the text.")


def check_shares(shares: Mapping[str, float]) -> None:
    """Refuse a share that is not from 0 up to, but not including, 1."""
    for name, share in shares.items():
        if not 0 <= share < 1:
            raise SettingsError(f"model.{name} is {share}. Use a share of at least 0 and below 1.")
