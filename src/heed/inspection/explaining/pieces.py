"""`Axis` of a text: each of its tokens as a person reads it, and where it stands in the text that was given."""

from collections import Counter
from collections.abc import Sequence

from torch import nn

from heed.errors import UsageError
from heed.files.quoting import quote
from heed.inspection.explanation import Axis
from heed.models.encoder import Encoder
from heed.tokens.tokenizer import Tokenizer

MADE = (0, 0)  # the span of what stands in no text


def label_of(id: int, tokenizer: Tokenizer) -> str:
    """Return a token as a person reads it, without the marks of its vocabulary."""
    return tokenizer.decode([id]).strip() or tokenizer.piece(id)


def labels_of(ids: Sequence[int], tokenizer: Tokenizer) -> tuple[str, ...]:
    """Return each token as a person reads it."""
    return tuple(label_of(id, tokenizer) for id in ids)


def told_apart(labels: Sequence[str]) -> tuple[str, ...]:
    """Return the labels, of equal ones the second with (2) behind it, the third with (3), and so on."""
    counts: Counter[str] = Counter()
    apart = []
    for label in labels:
        counts[label] += 1
        apart.append(label if counts[label] == 1 else f"{label} ({counts[label]})")
    return tuple(apart)


def axis_of_texts(
    name: str, ids: Sequence[int], tokenizer: Tokenizer, texts: Sequence[str], begins: Sequence[int]
) -> Axis:
    """Return the axis of a sequence in which the texts begin at these places, each as far as it was read.

    Of one text the places of its tokens are told; of two it would not be clear which text is meant.
    """
    labels, spans = list(labels_of(ids, tokenizer)), [MADE] * len(ids)
    for text, begin in zip(texts, begins, strict=True):
        encoded = tokenizer.encode(text)
        for place, (id, (start, end)) in enumerate(zip(encoded.ids, encoded.offsets, strict=True), start=begin):
            if place >= len(ids) or ids[place] != id:
                break  # what was cut
            labels[place] = text[start:end].strip() or labels[place]
            spans[place] = (start, end)
    return Axis(name, tuple(labels), spans=tuple(spans) if len(texts) == 1 else ())


def second_begins(ids: Sequence[int], tokenizer: Tokenizer, first: str, begin: int, between: int) -> int:
    """Return where the second text of a joined pair begins: behind what was read of the first, and what parts them."""
    read = 0
    for id, known in zip(ids[begin:], tokenizer.encode(first).ids, strict=False):
        if id != known:
            break
        read += 1
    return begin + read + between


def vectors_before(encoder: nn.Module) -> int:
    """Return how many vectors an encoder puts before those of the tokens."""
    return 1 if isinstance(encoder, Encoder) and encoder.first_D is not None else 0


def with_first(axis: Axis, label: str = "[CLS]") -> Axis:
    """Return the axis with a vector before it that the model has learnt and that stands for no word."""
    return Axis(axis.name, (label, *axis.labels), axis.grid, (MADE, *axis.spans) if axis.spans else ())


def one_piece(text: str, tokenizer: Tokenizer) -> int:
    """Return the id of a text that is one piece, or refuse it with those that it is made of."""
    encoded = tokenizer.encode(text)
    if len(encoded.ids) != 1 or encoded.unknown:
        made = "unknown to" if encoded.unknown else "not one piece of"
        parts = " ".join(map(quote, encoded.pieces[:10])) or "nothing"
        raise UsageError(f"{quote(text)} is {made} the vocabulary: it is cut into {parts}. Give one piece.")
    return encoded.ids[0]
