"""`read_documents`: a corpus as documents of sentences, streamed, so that it may be larger than memory.

    a text file      a blank line or a heading ("= Title =", "# Title") stands between documents
    a table          (.tsv, .csv, .jsonl) every row is a document: the text of one column
    demo:reviews     every review is a document

A line may hold several sentences: it is cut after . ! ? … where white space follows.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from heed.data.dealing import point_of
from heed.data.demo_words import demo_name, names_demo
from heed.data.demos import labelled_demos, load_labelled_demo
from heed.data.group_column import checked_group, group_of, refuse_group, with_group
from heed.data.records import LabelledText
from heed.errors import DataError, UsageError
from heed.files.columns import find_columns
from heed.files.lines import read_lines
from heed.files.tables import is_table, read_rows

VALID_SHARE = 0.02  # of the documents, where there is no file for validation
_HEADING = re.compile(r"\s*(=+ .* =+|#{1,6} .*)\s*")
_SENTENCE_END = re.compile(r"(?<=[.!?…。！？])\s+")


@dataclass(frozen=True, slots=True)
class Document:
    """Sentences that belong together, in order."""

    sentences: tuple[str, ...]
    place: str  # "path:line" where it begins
    group: str | None = None  # the value of the group column; None: none was named


@dataclass(frozen=True)
class Corpus:
    """Where documents come from; they can be read any number of times."""

    train: tuple[str, ...]
    valid: tuple[str, ...]  # none: a stable part of `train`
    column: str | None  # of a table
    group: str | None = None  # the column of a table whose values stay on one side

    @property
    def origin(self) -> str:
        """Return the names of all files as one text."""
        return " + ".join(self.train)

    def training(self) -> Iterator[Document]:
        """Yield the documents to learn from."""
        if self.valid or names_demo(self.train):
            return self._read(self.train)
        return (document for document in self._read(self.train) if not _is_valid(document))

    def validation(self) -> Iterator[Document]:
        """Yield the documents to choose by."""
        if self.valid:
            return self._read(self.valid)
        if names_demo(self.train):
            return self._read(self.train, "valid")
        return (document for document in self._read(self.train) if _is_valid(document))

    def _read(self, names: Sequence[str], part: str = "train") -> Iterator[Document]:
        return read_documents(names, self.column, part, self.group)


def read_documents(
    names: Sequence[str], column: str | None = None, part: str = "train", group: str | None = None
) -> Iterator[Document]:
    """Yield the documents of the files in order; of a demo, those of its part `train`, `valid` or `test`."""
    if names_demo(names):
        yield from _demo_documents(demo_name(names, column is not None, labelled_demos(1), group), part)
        return
    for name in names:
        path = Path(name)
        if is_table(path):
            yield from _table_documents(path, column, group)
        elif column is not None:
            raise UsageError(f"--columns {column} is for tables; {path} is none. Leave it out, or name a table.")
        else:
            refuse_group(group, f"{path}, plain text,")
            yield from _text_documents(path)


def cut_sentences(line: str) -> Iterator[str]:
    """Yield the sentences of a line; what has no end is one."""
    return (sentence for sentence in _SENTENCE_END.split(line.strip()) if sentence)


def _text_documents(path: Path) -> Iterator[Document]:
    sentences: list[str] = []
    place, any_text = "", False
    for line in read_lines(path):
        if line.text.strip() and not _HEADING.fullmatch(line.text):
            place = place or f"{path}:{line.number}"
            sentences.extend(cut_sentences(line.text))
            continue
        if sentences:
            any_text = True
            yield Document(tuple(sentences), place)
        sentences, place = [], ""
    if sentences:
        yield Document(tuple(sentences), place)
    elif not any_text:
        raise DataError(f"{path} holds no text. Give a file with text in it.")


def _table_documents(path: Path, column: str | None, group: str | None) -> Iterator[Document]:
    usual = (("text",), ("sentence",))
    columns = find_columns(path, None if column is None else [column], usual, 1, "one column of text")
    (name,) = columns.names
    for row in read_rows(path, with_group(path, columns, group)):
        text = row.values[name]
        sentences = tuple(sentence for line in text.splitlines() for sentence in cut_sentences(line))
        if sentences:
            yield Document(sentences, row.place, checked_group(row.place, group_of(row, group)))


def _demo_documents(name: str, part: str) -> Iterator[Document]:
    splits = load_labelled_demo(name)
    records: dict[str, Sequence[LabelledText]] = {"train": splits.train, "valid": splits.valid, "test": splits.test}
    return (Document(tuple(cut_sentences(record.texts[0])), record.place) for record in records[part])


def _is_valid(document: Document) -> bool:
    key = "\n".join(document.sentences) if document.group is None else document.group
    return point_of(key) < VALID_SHARE
