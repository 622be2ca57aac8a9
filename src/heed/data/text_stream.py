"""`load_text`: the words after a command (`demo:NAME`, or paths) as one long text to train on, and others to score.

Files are plain text, one or more, also `.gz`; they are read one after the other. Every line ends with a line end, the
last too, so that files do not run together; a line end is one "\\n", however the file writes it.
"""

import dataclasses
from collections.abc import Iterator, Sequence
from pathlib import Path

from heed.data.demo_words import demo_name, names_demo
from heed.data.demos import TEXT_DEMOS, load_text_demo
from heed.data.reading_notes import origin_of
from heed.data.text_splits import TextSplits, split_text
from heed.errors import DataError
from heed.files.lines import read_lines

LONGEST_TEXT = 400_000_000  # characters: all of it is held in memory, as text and then as numbers


def load_text(data: Sequence[str], valid: Sequence[str] = (), test: Sequence[str] = ()) -> TextSplits:
    """Return the texts of a demo or of files; without files for validation, the end of the text is kept for it."""
    if names_demo(data):
        return load_text_demo(demo_name([*data, *valid, *test], has_columns=False, known=TEXT_DEMOS))
    text, origin = read_text(data), origin_of(data, valid, test)
    splits = TextSplits(text, read_text(valid), "", origin, "") if valid else split_text(text, origin)
    return dataclasses.replace(splits, test=read_text(test)) if test else splits


def read_text(names: Sequence[str]) -> str:
    """Return the files as one text."""
    text = "".join(_lines([Path(name) for name in names]))
    if not text.strip():
        raise DataError(f"{origin_of(names) or 'The data'} holds no text. Give a file with text in it.")
    return text


def _lines(paths: Sequence[Path]) -> Iterator[str]:
    size = 0
    for path in paths:
        for line in read_lines(path):
            size += len(line.text) + 1
            if size > LONGEST_TEXT:
                raise DataError(
                    f"{path}:{line.number}: the text goes on beyond {LONGEST_TEXT:,} characters, which would not fit "
                    f"in memory. Give a part of it."
                )
            yield f"{line.text}\n"
