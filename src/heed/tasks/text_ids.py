"""A whole text as one row of ids, and back again.

Most vocabularies have no piece for a line end, so that lines are encoded one by one, and between them stands the
tokenizer's end: for a language model a line end is a token like any other. A vocabulary of bytes, such as GPT-2's, has
such pieces; there the text is encoded as it stands.
"""

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy

from heed.tasks.rows import Integers
from heed.tokens.tokenizer import Tokenizer

LINES_AT_ONCE = 4096  # encoded together; bounds the memory that the library takes for a long text


@dataclass(frozen=True)
class EncodedText:
    """N tokens, and what their loss is divided by to be compared with other models."""

    ids: Integers  # (N + 1,): the tokenizer's end, so that the first token has something to follow; then the tokens
    characters: int  # that the tokens give back when they are decoded, line ends included
    words: int  # what white space separates; a line end is one more
    unknown: int  # tokens that the vocabulary does not have

    def __len__(self) -> int:
        return len(self.ids) - 1


def encode_text(text: str, tokenizer: Tokenizer) -> EncodedText:
    """Return the text as ids, with its characters, words and unknown tokens counted."""
    parts = [numpy.asarray(ids, dtype=numpy.int32) for ids in _encoded(text, tokenizer)]
    ids = numpy.concatenate([numpy.asarray([tokenizer.end], dtype=numpy.int32), *parts])
    # A vocabulary of bytes knows every text, and gives its end the role of the unknown.
    unknown = 0 if tokenizer.unknown == tokenizer.end else int((ids == tokenizer.unknown).sum())
    return EncodedText(ids, _characters(text, tokenizer), len(text.split()) + text.count("\n"), unknown)


def decode_text(ids: Sequence[int], tokenizer: Tokenizer) -> str:
    """Return the text of the ids, with its line ends."""
    if has_line_ends(tokenizer):
        return tokenizer.decode(ids)
    lines: list[list[int]] = [[]]
    for id in ids:
        if id == tokenizer.end:
            lines.append([])
        else:
            lines[-1].append(id)
    return "\n".join(tokenizer.decode(line) for line in lines)


def has_line_ends(tokenizer: Tokenizer) -> bool:
    """Tell whether the vocabulary has pieces for line ends; if not, the tokenizer's end stands for one."""
    encoded = tokenizer.encode("a\nb")
    return encoded.unknown == 0 and tokenizer.decode(encoded.ids) == "a\nb"


def _characters(text: str, tokenizer: Tokenizer) -> int:
    """Return how many characters the tokens of a text stand for: what they do not tell, no model has predicted.

    Some vocabularies lose the space that a line begins with, and those of words all white space but one between words.
    """
    whole = unicodedata.normalize("NFC", text) if tokenizer.is_ours else text
    if not _gives_back("a  a", tokenizer):
        lines = whole.split("\n")
        return sum(len(" ".join(line.split())) for line in lines) + len(lines) - 1
    if not _gives_back(" a", tokenizer) and not has_line_ends(tokenizer):
        return len(whole) - sum(line.startswith(" ") for line in whole.split("\n"))
    return len(whole)


def _gives_back(text: str, tokenizer: Tokenizer) -> bool:
    """Tell whether a text comes back as long as it is: its letters may be unknown, and are shown as one sign each."""
    return len(tokenizer.decode(tokenizer.encode(text).ids)) == len(text)


def _encoded(text: str, tokenizer: Tokenizer) -> Iterator[list[int]]:
    lines, whole = text.split("\n"), has_line_ends(tokenizer)
    for first in range(0, len(lines), LINES_AT_ONCE):
        chunk = lines[first : first + LINES_AT_ONCE]
        last = first + LINES_AT_ONCE >= len(lines)
        if whole:
            yield tokenizer.ids_of(["\n".join(chunk) + ("" if last else "\n")])[0]
            continue
        ids = [id for line in tokenizer.ids_of(chunk) for id in (*line, tokenizer.end)]
        yield ids[:-1] if last else ids
