"""A piece of a user's text, made fit to stand in a message or a table."""

from collections.abc import Sequence


def quote(text: str, longest: int = 60) -> str:
    """Return the text in double quotes, cut to `longest` characters, with what cannot be printed escaped."""
    cut = text if len(text) <= longest else text[: longest - 1] + "…"
    return f'"{printable(cut)}"'


def printable(text: str) -> str:
    """Return the text with what cannot be printed escaped."""
    # A control character could move the cursor of a terminal, forge a second line in a log, or break a picture.
    return "".join(each if each.isprintable() else each.encode("unicode_escape").decode("ascii") for each in text)


def first_of(texts: Sequence[str], most: int) -> str:
    """Return the first texts with commas between them, and a sign where there are more."""
    return ", ".join(texts[:most]) + (", …" if len(texts) > most else "")


def shortened(text: str, longest: int) -> str:
    """Return the text in at most so many characters; the middle goes, because names often differ at their ends."""
    if len(text) <= longest:
        return text
    end = (longest - 1) // 2
    return f"{text[: longest - 1 - end]}…{text[len(text) - end :]}"
