"""How well a language model foretells a text: each of its tokens is predicted exactly once, with what stood before it.

The loss of a token depends on what a token is, so it compares models of one vocabulary alone. Two measures compare all:

    bits per character      all nats of the text / ln 2 / its characters, of which only those count that the tokens tell
    perplexity per word     exp(all nats of the text / its words)

Words are what white space separates in the text as it was given, and each line end counts as one more, as is usual for
WikiText-2 and the Penn Treebank, where a line end is the token <eos>. Sub-words and characters are only other ways to
spell these words, so published perplexities of words compare, provided that no token is unknown: a model that may say
"unknown" for every rare word has an easier task. Their share is told beside.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy
import torch
from torch import Tensor
from torch.nn import functional

from heed.errors import DataError
from heed.layers.recurrent import RecurrentState
from heed.layers.vocabulary_loss import vocabulary_loss
from heed.models.language import LanguageModel
from heed.models.language_rnn import LanguageRnn
from heed.models.language_transformer import LanguageTransformer
from heed.tasks.rows import Integers
from heed.tasks.side_by_side import one_for_each_thread, side_by_side
from heed.tasks.text_ids import EncodedText
from heed.tasks.windows import Lanes, cut_windows

POSITIONS_PER_BATCH = 4096  # without gradients; larger ones leave the processor's cache and are slower
READ_AT_ONCE = 256  # tokens that a recurrent network reads before its logits are made
LANES = 16  # of a long text, read side by side by a recurrent network: one alone would wait for every single token
WARM_UP = 512  # tokens read before a lane, unscored, so that its state is that of a reader who came along

LARGEST = 700.0  # exp() of more does not fit in a float


@dataclass(frozen=True)
class TextScores:
    """What a text cost a model, and what it is divided by."""

    nats: float  # of the whole text: minus its log probability
    tokens: int
    characters: int
    words: int  # line ends counted as words
    unknown: int  # tokens that the vocabulary does not have

    @property
    def loss(self) -> float:
        """Return nats per token."""
        return self.nats / self.tokens

    @property
    def perplexity(self) -> float:
        """Return the perplexity per token: among how many equally probable tokens the model hesitates."""
        return math.exp(min(self.loss, LARGEST))

    @property
    def nats_per_character(self) -> float:
        """Return nats per character of the text."""
        return self.nats / self.characters

    @property
    def bits_per_character(self) -> float:
        """Return bits per character of the text."""
        return self.nats_per_character / math.log(2)

    @property
    def word_perplexity(self) -> float:
        """Return the perplexity per word of the text, line ends counted as words."""
        return math.exp(min(self.nats / self.words, LARGEST))

    @property
    def unknown_share(self) -> float:
        """Return the share of the tokens that the vocabulary does not have."""
        return self.unknown / self.tokens


def score_text(model: LanguageModel, text: EncodedText) -> TextScores:
    """Return what the text costs the model, which must be in evaluation mode."""
    if not len(text):
        raise DataError(f"There is nothing to score: the text has {text.characters} characters and no token. Give one.")
    if not text.characters:
        raise DataError(f"There is nothing to score: the text has {len(text)} tokens for white space only. Give text.")
    match model:
        case LanguageTransformer():
            nats = _nats_by_windows(model, text.ids)
        case LanguageRnn():
            nats = _nats_by_lanes(model, text.ids)
    return TextScores(nats, len(text), text.characters, text.words, text.unknown)


def _nats_by_windows(model: LanguageTransformer, ids: Integers) -> float:
    """Read windows that overlap by half; of each but the first only the later half is scored."""
    longest, tokens = model.settings.longest, len(ids) - 1
    half = longest // 2
    firsts = [0, *range(half, tokens - longest + half, half)]
    rows = max(1, POSITIONS_PER_BATCH // longest)
    batches = [firsts[begin : begin + rows] for begin in range(0, len(firsts), rows)]

    def read(chosen: Sequence[int]) -> float:
        windows = cut_windows(ids, chosen, longest)
        scored = windows.keep.clone()
        scored[torch.tensor(chosen) > 0, : longest - half] = False
        with torch.inference_mode():  # of the thread, so each worker says it itself
            return _nats(model, model.hidden(windows.token_ids)[scored], windows.next_ids[scored])

    return math.fsum(side_by_side(read, one_for_each_thread(batches)))


def _nats_by_lanes(model: LanguageRnn, ids: Integers) -> float:
    """Read the text from its beginning to its end, the state being carried; a long one in lanes side by side."""
    lanes = Lanes(ids, READ_AT_ONCE, wanted=min(LANES, (len(ids) - 1) // (8 * WARM_UP)))

    def read(rows: Sequence[int]) -> float:
        nats = []
        with torch.inference_mode():
            state = _warmed_up(model, lanes, rows)
            for window in range(lanes.windows):
                windows = lanes.cut(window)
                hidden_BTD, state = model.read(windows.token_ids[rows], state)
                keep = windows.keep[rows]
                nats.append(_nats(model, hidden_BTD[keep], windows.next_ids[rows][keep]))
        return math.fsum(nats)

    return math.fsum(side_by_side(read, one_for_each_thread([list(range(lanes.count))])))


def _warmed_up(model: LanguageRnn, lanes: Lanes, rows: Sequence[int]) -> RecurrentState | None:
    """Return the state in which each of these lanes begins: what stood before it was read."""
    later = [row for row in rows if row > 0]
    if not later:
        return None
    begins = numpy.asarray(later) * lanes.length
    before = lanes.ids[begins[:, None] + numpy.arange(-WARM_UP, 0)]
    _, state = model.read(torch.from_numpy(before).long(), None)
    return tuple(functional.pad(each, (0, 0, len(rows) - len(later), 0)) for each in state)


def _nats(model: LanguageModel, hidden_ND: Tensor, next_N: Tensor) -> float:
    return float(vocabulary_loss(hidden_ND, model.vocabulary, next_N, label_smoothing=0.0))
