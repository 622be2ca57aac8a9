"""`read_tags`: what a tagger says of many sentences, in batches of like length, several at a time."""

from collections.abc import Sequence
from dataclasses import dataclass

import torch

from heed.data.entity_tags import OUTSIDE
from heed.data.order import valid_batches
from heed.models.tagger import Tagger
from heed.tasks.known_tags import KnownTags
from heed.tasks.side_by_side import one_for_each_thread, side_by_side
from heed.tasks.tag import EncodedWords, words_of

POSITIONS_PER_BATCH = 4096  # without gradients; larger ones leave the processor's cache and are slower


@dataclass(frozen=True)
class TagReading:
    """The tags of one sentence, O for words beyond the longest length; and how probable each is by itself."""

    tags: tuple[str, ...]
    probabilities: tuple[float, ...] | None  # None where tags are judged together; 0 beyond the longest length


def read_tags(model: Tagger, sentences: EncodedWords, known: KnownTags) -> list[TagReading]:
    """Return what the model says of each sentence, in their order."""
    chosen = one_for_each_thread(valid_batches(sentences.lengths(), POSITIONS_PER_BATCH))

    def read(rows: Sequence[int]) -> list[tuple[list[int], list[float] | None]]:
        words = words_of(sentences, rows)
        with torch.inference_mode():  # of the thread, so each worker says it itself
            scores_BWC = model(words)
            best_BW = model.best(scores_BWC, words.keep)
            if model.crf is not None:
                return [(numbers, None) for numbers in best_BW.tolist()]
            top_BW = scores_BWC.softmax(dim=2).gather(2, best_BW[..., None]).squeeze(2)
            return list(zip(best_BW.tolist(), top_BW.tolist(), strict=True))

    found: list[TagReading | None] = [None] * len(sentences)
    for rows, part in zip(chosen, side_by_side(read, chosen), strict=True):
        for row, (numbers, top) in zip(rows, part, strict=True):
            found[row] = _reading(sentences, row, known.decode(numbers), top)
    return [reading for reading in found if reading is not None]


def _reading(sentences: EncodedWords, row: int, tags: Sequence[str], top: Sequence[float] | None) -> TagReading:
    """Return the tags without those of padding, and with those of the words that were cut."""
    words = sentences.words[row]
    seen = min(words, int(sentences.starts.lengths[row]))
    beyond = words - seen
    probabilities = None if top is None else (*top[:seen], *(0.0,) * beyond)
    return TagReading((*tags[:seen], *(OUTSIDE,) * beyond), probabilities)
