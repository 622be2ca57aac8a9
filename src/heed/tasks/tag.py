"""Task `tag`: sentences of words become batches, batches become a loss.

The words of a sentence are joined by one space and encoded as one text, so that every tokenizer sees them as it sees
any text; which pieces belong to which word is told by their places. A word of which nothing is left (some characters
have no width) becomes one unknown piece. What a model cannot read to the end is cut behind, and the cut is counted.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy
from torch import Tensor, nn
from torch.nn import functional

from heed.data.word_spans import WordSpan, spans_of_words
from heed.layers.digits import with_digits
from heed.layers.drawing import happens
from heed.models.tagger import Tagger, WordInput
from heed.models.text_input import TextInput
from heed.models.token_encoder import TokenEncoderSettings
from heed.tasks.framing import Frame, frame_of
from heed.tasks.rows import Rows, pad_rows, rows_from
from heed.tokens.encoded import Encoded, TokenCounts, count_tokens
from heed.tokens.pipeline import SPACE
from heed.tokens.tokenizer import Tokenizer

Integers = numpy.ndarray[tuple[int, ...], numpy.dtype[numpy.int64]]


@dataclass(frozen=True)
class EncodedWords:
    """Sentences as ids, and which of these belong to which word."""

    tokens: Rows
    starts: Rows  # of each word that is read, its first token
    stops: Rows  # and the one behind its last
    words: tuple[int, ...]  # that each sentence has, those beyond the cut too
    counts: tuple[TokenCounts, ...]  # of each sentence: what the model could not see

    def __len__(self) -> int:
        return len(self.words)

    def lengths(self) -> Integers:
        """Return the tokens (N, 2) of each sentence, as the order of batches wants them."""
        lengths_N = self.tokens.lengths
        return numpy.stack([lengths_N, numpy.zeros_like(lengths_N)], axis=1)

    def cut_words(self) -> list[int]:
        """Return for each sentence how many of its words the model never saw."""
        return [max(0, words - int(read)) for words, read in zip(self.words, self.starts.lengths, strict=True)]


@dataclass(frozen=True)
class TagBatch:
    """Words of sentences and the numbers of their tags."""

    words: WordInput
    expected: Tensor  # (B, W)

    @property
    def tokens(self) -> int:
        """Return the number of real tokens."""
        return int(self.words.text.keep.sum())

    @property
    def targets(self) -> int:
        """Return the number of words: what the loss is divided by."""
        return int(self.words.keep.sum())


def encode_words(sentences: Sequence[Sequence[str]], tokenizer: Tokenizer, model: TokenEncoderSettings) -> EncodedWords:
    """Return the sentences as ids, cut to what the model reads; what was cut and unknown is counted."""
    frame = frame_of(model, tokenizer)
    room = frame.room(model.longest)
    pieces = tokenizer.encode_many([" ".join(words) for words in sentences])
    aligned = [
        _align(encoded, spans_of_words(words), tokenizer.unknown)
        for encoded, words in zip(pieces, sentences, strict=True)
    ]
    counts = tuple(count_tokens(each.ids, room, tokenizer.unknown) for each in aligned)
    read = [_framed(_some(_cut(each, room), tokenizer.unknown), frame) for each in aligned]
    return EncodedWords(
        tokens=rows_from([each.ids for each in read]),
        starts=rows_from([each.starts for each in read]),
        stops=rows_from([each.stops for each in read]),
        words=tuple(map(len, sentences)),
        counts=counts,
    )


def words_of(sentences: EncodedWords, chosen: Sequence[int]) -> WordInput:
    """Return the chosen sentences as padded input of a model."""
    starts, keep = pad_rows(sentences.starts, chosen)
    stops, _ = pad_rows(sentences.stops, chosen)
    return WordInput(TextInput(*pad_rows(sentences.tokens, chosen)), starts, stops, keep)


class TagObjective(nn.Module):
    """The loss of a batch, summed over its words: cross entropy, or what a field says of all tags of a sentence."""

    def __init__(self, model: Tagger, label_smoothing: float, unknown: int) -> None:
        super().__init__()
        self.model = model
        self.label_smoothing = label_smoothing  # of cross entropy; a field has none
        self.unknown = unknown  # the id that hides a word
        self.word_dropout = model.settings.encoder.word_dropout

    def forward(self, batch: TagBatch) -> Tensor:
        """Return the summed loss."""
        words = self._with_words_dropped(batch.words) if self.training else batch.words
        scores_BWC = self.model(words)
        if self.model.crf is not None:
            return -self.model.crf.log_likelihood(scores_BWC, batch.expected, words.keep).sum()
        scores_NC = with_digits(scores_BWC[words.keep])
        return functional.cross_entropy(
            scores_NC, batch.expected[words.keep], reduction="sum", label_smoothing=self.label_smoothing
        )

    def _with_words_dropped(self, words: WordInput) -> WordInput:
        """Hide some words with all their pieces, so that a model looks at what stands around a name, too."""
        if self.word_dropout == 0:
            return words
        chosen_BW = happens(self, self.word_dropout, words.keep.shape, words.keep.device)
        hidden_BT = (words.covered() & chosen_BW[..., None]).any(dim=1)
        return replace(
            words, text=replace(words.text, token_ids=words.text.token_ids.masked_fill(hidden_BT, self.unknown))
        )


@dataclass(frozen=True)
class _Aligned:
    """The ids of a sentence, and of each word its first id and the one behind its last."""

    ids: list[int]
    starts: list[int]
    stops: list[int]


def _align(encoded: Encoded, words: Sequence[WordSpan], unknown: int) -> _Aligned:
    """Find the pieces of each word by their places; one that reaches over two words belongs to both."""
    ids: list[int] = []
    starts: list[int] = []
    stops: list[int] = []
    place, reached = 0, -1  # the next piece, and where the last one ended
    for word in words:
        while place < len(encoded.ids) and _stands_before(encoded, place, word):
            ids.append(encoded.ids[place])
            place += 1
        first = len(ids) - int(reached > word.start)
        while place < len(encoded.ids) and _begins_within(encoded.offsets[place], word):
            ids.append(encoded.ids[place])
            reached = encoded.offsets[place][1]
            place += 1
        if len(ids) == first:
            ids.append(unknown)
        starts.append(first)
        stops.append(len(ids))
    return _Aligned([*ids, *encoded.ids[place:]], starts, stops)


def _stands_before(encoded: Encoded, place: int, word: WordSpan) -> bool:
    start, end = encoded.offsets[place]
    # The mark of a space belongs to no word; before the first, where there is no space, it has the place of a letter.
    return (end <= word.start and start < word.start) or encoded.pieces[place] == SPACE


def _begins_within(offsets: tuple[int, int], word: WordSpan) -> bool:
    start, end = offsets
    # A mark without width, such as that of a joint, belongs to the word that it follows.
    return start < word.end or start == end == word.end


def _cut(sentence: _Aligned, room: int) -> _Aligned:
    read = sum(start < room for start in sentence.starts)
    stops = [min(stop, room) for stop in sentence.stops[:read]]
    return _Aligned(sentence.ids[:room], sentence.starts[:read], stops)


def _some(sentence: _Aligned, unknown: int) -> _Aligned:
    """Return at least one word: a sentence without any is one unknown word, for no model can read nothing."""
    return sentence if sentence.starts else _Aligned([unknown], [0], [1])


def _framed(sentence: _Aligned, frame: Frame) -> _Aligned:
    before = len(frame.before)
    return _Aligned(
        frame.around(sentence.ids),
        [before + start for start in sentence.starts],
        [before + stop for stop in sentence.stops],
    )
