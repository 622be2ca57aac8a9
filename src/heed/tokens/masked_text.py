"""`encode_gaps`: a text with gaps, written [MASK], as ids, each gap one mask.

A gap stands in the place of a word. In vocabularies that we train, marks between words depend on what stands beside
them ("here￭?"), so a sign that no text holds is put there first, the text is cut as usual, and the pieces of the sign
become the mask. Vocabularies that others made are cut at their own special piece, as their library does it.
"""

from heed.errors import DataError
from heed.tokens.pipeline import SPACE
from heed.tokens.tokenizer import Tokenizer

GAP = "[MASK]"
_SIGN = "\ue000"  # for private use: it stands in no text, and counts as punctuation


def encode_gaps(text: str, tokenizer: Tokenizer) -> list[int]:
    """Return the ids of a text with its gaps."""
    assert tokenizer.mask is not None, "the vocabulary has a mask"
    if _SIGN in text:
        raise DataError(f"The text holds the character U+E000, which is for private use: {text[:60]!r}. Remove it.")
    if not tokenizer.is_ours:
        *before, last = text.split(GAP)
        parts = tokenizer.ids_of([*(each.rstrip() if tokenizer.mask_takes_space else each for each in before), last])
        return [id for number, part in enumerate(parts) for id in ([tokenizer.mask, *part] if number else part)]
    marked = text.replace(GAP, _SIGN)
    encoded = tokenizer.encode(marked)
    gaps = [_SIGN in marked[start:end] for start, end in encoded.offsets]
    pieces = zip(encoded.ids, encoded.pieces, gaps, [*gaps[1:], False], strict=True)
    return [
        tokenizer.mask if is_gap else id
        for id, piece, is_gap, gap_follows in pieces
        # The space before a word belongs to the word, and so to the gap; only characters have it for themselves.
        if not (gap_follows and piece == SPACE and tokenizer.has_words)
    ]
