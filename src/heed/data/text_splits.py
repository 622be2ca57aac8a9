"""`TextSplits`: a text to train on, one to choose by and one to be scored on; `split_text` makes them from one text."""

from dataclasses import dataclass

from heed.errors import DataError

VALID_SHARE = 10  # the last tenth is for validation, as is usual for one text


@dataclass(frozen=True)
class TextSplits:
    """Three texts, and where they come from."""

    train: str
    valid: str
    test: str  # empty where the user gave none
    origin: str  # the files, or the demo
    note: str  # a sentence for the user: how it was split


def split_text(text: str, origin: str) -> TextSplits:
    """Return the text with its last tenth, to the character, for validation.

    The end, not a hash of lines: a language model learns what follows what, so a text must stay in one piece. Nothing
    is held back for a test: who wants one gives a file.
    """
    cut = len(text) * (VALID_SHARE - 1) // VALID_SHARE
    if not text[:cut].strip() or not text[cut:].strip():
        raise DataError(
            f"{origin} has {len(text):,} characters, too few to keep the last tenth for validation. "
            f"Give more text, or a file for validation."
        )
    note = f"The last tenth, {len(text) - cut:,} of {len(text):,} characters, is for validation."
    return TextSplits(text[:cut], text[cut:], "", origin, note)
