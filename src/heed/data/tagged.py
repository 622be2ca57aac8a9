"""`read_tagged`: tagged sentences from a CoNLL file, whatever its scheme; entities become IOB2.

A file whose tags are plain labels, such as parts of speech, keeps them. A tag that is not in order is refused with its
line and the scheme, for to guess what was meant would change what a model learns.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from heed.data.entity_tags import EntityScheme, find_fault, find_scheme, to_iob2
from heed.data.record_keys import composed
from heed.data.records import TaggedText
from heed.errors import DataError, UsageError
from heed.files.conll import Sentence, read_sentences
from heed.files.opening import open_input


@dataclass(frozen=True)
class TaggedFile:
    """The sentences of one file, and what was done to get them."""

    records: tuple[TaggedText, ...]
    scheme: EntityScheme | None  # of the file; None: plain labels
    columns: str  # a sentence: which columns became word and tag, and the scheme
    empty: int = 0  # a CoNLL file has no sentence without words
    empty_places: tuple[str, ...] = ()


def read_tagged(paths: Sequence[Path], columns: Sequence[str] | None = None) -> TaggedFile:
    """Read one CoNLL file; `columns` are the numbers of the columns of word and tag, counted from 1."""
    if len(paths) != 1:
        raise UsageError(_wrong_paths(paths))
    (path,) = paths
    # Tags of one spelling are one string, and composed: no two labels look alike.
    spelled: dict[str, str] = {}
    sentences = [_composed(sentence, spelled) for sentence in read_sentences(path, columns)]
    scheme = find_scheme(sentence.tags for sentence in sentences)
    return TaggedFile(tuple(_records(path, sentences, scheme)), scheme, _sentence(path, columns, scheme))


def _composed(sentence: Sentence, spelled: dict[str, str]) -> Sentence:
    tags = tuple(spelled.setdefault(tag, composed(tag)) for tag in sentence.tags)
    return Sentence(sentence.number, sentence.words, tags)


def _records(path: Path, sentences: Sequence[Sentence], scheme: EntityScheme | None) -> Iterator[TaggedText]:
    for sentence in sentences:
        tags = sentence.tags
        if scheme is not None:
            fault = find_fault(tags, scheme)
            if fault is not None:
                raise DataError(f"{path}:{sentence.number + fault.place}: {fault.reason}. Correct the tag.")
            tags = to_iob2(tags)
        yield TaggedText(sentence.words, tags, f"{path}:{sentence.number}")


def _sentence(path: Path, columns: Sequence[str] | None, scheme: EntityScheme | None) -> str:
    chosen = "the first and the last column" if columns is None else f"columns {' and '.join(columns)}"
    what = "plain labels, one for each word" if scheme is None else f"entities in {scheme}"
    return f"word and tag from {chosen} of {path}; the tags are {what}"


def _wrong_paths(paths: Sequence[Path]) -> str:
    way = "Give one CoNLL file: a word and its tag on each line, a blank line between sentences."
    if not paths:
        return f"No data is given. {way}"
    for path in paths:
        with open_input(path):  # a name that is mistyped is the first thing to be told
            pass
    return f"{len(paths)} files ({', '.join(map(str, paths[:5]))}) are not one set of sentences. {way}"
