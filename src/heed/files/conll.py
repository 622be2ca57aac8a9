r"""`read_sentences`: the sentences of a CoNLL file, a word a line with its tag, blank lines between sentences.

    -DOCSTART-  -X-  O          such a line begins a document and is no word

    EU          NNP  B-ORG      columns are parted by tabs if the first row has one, else by spaces
    rejects     VBZ  O          the first column is the word and the last its tag, unless columns are chosen by number

Lines that begin with "# " before the first word of a sentence are comments, as in WNUT and CoNLL-U, unless they end in
a tag: "# O" is a word. Every row must have as many columns as the first one, or a word could get the tag of another.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from heed.errors import DataError, UsageError
from heed.files.columns import why_empty
from heed.files.lines import Line, read_lines
from heed.files.quoting import quote

LONGEST_SENTENCE = 10_000  # words; longer is a file without blank lines
LONGEST_WORD = 1_000  # characters; the longest addresses of web pages have some hundreds
LONGEST_TAG = 200  # characters

DOCUMENT = "-DOCSTART-"
COMMENT = "# "
_ENDS_IN_TAG = re.compile(r".*[ ](O|[BIELSU]-\S+)[ ]*")
_SPACES = re.compile("[ \t]+")


@dataclass(frozen=True, slots=True)
class Sentence:
    """Words and their tags as they stand in the file; word n stands on line `number` + n."""

    number: int
    words: tuple[str, ...]
    tags: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Layout:
    """How the rows of a file are read."""

    has_tabs: bool
    width: int  # columns
    word: int  # counted from 0
    tag: int


def read_sentences(path: Path, columns: Sequence[str] | None = None) -> Iterator[Sentence]:
    """Yield the sentences of a file, plain or `.gz`; `columns` are the numbers of word and tag, counted from 1."""
    wanted = _wanted(columns)
    layout: _Layout | None = None
    words: list[str] = []
    tags: list[str] = []
    first, found = 0, False
    for line in read_lines(path):
        if _ends_sentence(line.text):
            if words:
                yield Sentence(first, tuple(words), tuple(tags))
                words, tags = [], []
            continue
        if not words and _is_comment(line.text):
            continue
        layout = layout or _layout(path, line, wanted)
        word, tag = _word_and_tag(path, line, layout)
        first, found = first if words else line.number, True
        words.append(word)
        tags.append(tag)
        if len(words) > LONGEST_SENTENCE:
            raise DataError(
                f"{path}:{first}: the sentence that begins here has over {LONGEST_SENTENCE:,} words. "
                f"Put a blank line between sentences."
            )
    if words:
        yield Sentence(first, tuple(words), tuple(tags))
    if not found:
        raise DataError(_without_words(path))


def _ends_sentence(text: str) -> bool:
    return not text.strip() or text.split(maxsplit=1)[0] == DOCUMENT


def _is_comment(text: str) -> bool:
    return text.startswith(COMMENT) and "\t" not in text and _ENDS_IN_TAG.fullmatch(text) is None


def _wanted(columns: Sequence[str] | None) -> tuple[int, int] | None:
    if columns is None:
        return None
    match [int(name) if name.isascii() and name.isdigit() and len(name) < 5 else 0 for name in columns]:
        case [word, tag] if word > 0 and tag > 0 and word != tag:
            return word - 1, tag - 1
    named = ", ".join(map(quote, columns))
    raise UsageError(f"The columns are {named}; name those of word and tag by two numbers from 1 on, such as 1,4.")


def _layout(path: Path, line: Line, wanted: tuple[int, int] | None) -> _Layout:
    """Return how the file is read, by its first row."""
    has_tabs = "\t" in line.text
    width = len(_fields(line.text, has_tabs))
    word, tag = wanted if wanted is not None else (0, width - 1)
    if width > 1 and max(word, tag) >= width:
        raise DataError(
            f"{path}:{line.number}: there is no column {max(word, tag) + 1}: this first row has {width} columns, "
            f"{_shown(line.text)}. Choose others with --columns."
        )
    return _Layout(has_tabs, width, word, tag)


def _word_and_tag(path: Path, line: Line, layout: _Layout) -> tuple[str, str]:
    place, fields = f"{path}:{line.number}", _fields(line.text, layout.has_tabs)
    if len(fields) == 1:
        parted = "a tab" if layout.has_tabs else "a space or a tab"
        raise DataError(f"{place}: only one column, {_shown(line.text)}. Put {parted} between a word and its tag.")
    if len(fields) != layout.width:
        raise DataError(
            f"{place}: {len(fields)} columns, but the first row has {layout.width}: {_shown(line.text)}. "
            f"Every row has as many as the first."
        )
    word, tag = fields[layout.word], fields[layout.tag]
    if not word or not tag:
        raise DataError(f"{place}: the {'tag' if word else 'word'} is empty: {_shown(line.text)}. Fill it in.")
    _refuse_long(place, "word", word, LONGEST_WORD)
    _refuse_long(place, "tag", tag, LONGEST_TAG)
    return word, tag


def _fields(text: str, has_tabs: bool) -> list[str]:
    # Only these two part columns: a word may itself be a no-break space.
    return [field.strip(" ") for field in text.split("\t")] if has_tabs else _SPACES.split(text.strip(" \t"))


def _refuse_long(place: str, what: str, text: str, longest: int) -> None:
    if len(text) > longest:
        raise DataError(
            f"{place}: the {what} {quote(text)} has {len(text):,} characters; at most {longest:,} are read. "
            f"Is this a CoNLL file, with a word a line?"
        )


def _without_words(path: Path) -> str:
    if any(line.text.strip() for line in read_lines(path)):
        return f"{path} holds only comments and beginnings of documents ({DOCUMENT}), no word. Give a file with words."
    return why_empty(path)


def _shown(text: str) -> str:
    return quote(text.replace("\t", " "))
