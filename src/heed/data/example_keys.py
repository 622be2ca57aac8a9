"""The keys by which an example is recognised: two examples with one key have the same input, whatever their labels.

A run keeps a digest of each key, to tell later what it was trained on. Labelled and tagged texts and questions have
the keys of `record_keys`, by which duplicates are found; here are those of the other inputs.
"""

from collections.abc import Iterator
from pathlib import Path

from heed.data.documents import Document
from heed.data.passages import cut_passages
from heed.data.record_keys import composed
from heed.data.records import CaptionedImage, ImageSource, LabelledImage, TextPair
from heed.errors import DataError
from heed.files.digests import file_digest

Key = tuple[str, ...]


def source_key(pair: TextPair) -> Key:
    """Return the source: the input of a translation."""
    return (composed(pair.source),)


def document_key(document: Document) -> Key:
    """Return the sentences."""
    return tuple(map(composed, document.sentences))


def image_key(record: LabelledImage | CaptionedImage) -> Key:
    """Return the SHA-256 of the image's file; the file is read once, in pieces."""
    return (content_of(record.source),)


def content_of(source: ImageSource) -> str:
    """Return the SHA-256 of an image's file, or what a drawing is drawn from; the path of a file that is unreadable."""
    if not isinstance(source, Path):
        return f"{source.name} {source!r}"
    try:
        return file_digest(source)
    except DataError:
        return str(source)


def passage_keys(text: str) -> Iterator[Key]:
    """Yield the key of each passage of a text."""
    return ((passage.key,) for passage in cut_passages(text))
