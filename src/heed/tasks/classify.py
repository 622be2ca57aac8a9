"""Tasks `classify` and `pair`: labelled texts become batches, batches become a loss.

A pair of texts is read in one of two ways. Joined: one sequence, first text, end, second text, so that attention can go
from one to the other. Towers: each text by itself through the same encoder, and only the results meet.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy
import torch
from torch import Tensor, nn
from torch.nn import functional

from heed.layers.digits import with_digits
from heed.layers.drawing import happens
from heed.models.bert import BertSettings
from heed.models.encoder import EncoderSettings
from heed.models.text_classifier import TextClassifier, TextClassifierSettings
from heed.models.text_input import TextInput
from heed.tasks.framing import Frame, frame_of
from heed.tasks.rows import Rows, pad_rows, rows_from
from heed.tasks.targets import Classes, Targets
from heed.tokens.encoded import TokenCounts, count_tokens
from heed.tokens.tokenizer import Tokenizer

Reading = Literal["joined", "towers"]
Integers = numpy.ndarray[tuple[int, ...], numpy.dtype[numpy.int64]]
Texts = tuple[str, ...]  # one, or the two of a pair


@dataclass(frozen=True)
class EncodedTexts:
    """Texts as ids: one sequence for each input of the model."""

    inputs: tuple[Rows, ...]
    firsts: Integers | None  # where the second text of a joined pair begins, if the model tells the two apart
    counts: tuple[TokenCounts, ...]  # of each text: what the model could not see

    def __len__(self) -> int:
        return len(self.counts)

    def lengths(self) -> Integers:
        """Return the tokens (N, 2) of each example's inputs, as the order of batches wants them."""
        columns = [rows.lengths for rows in self.inputs]
        return numpy.stack([columns[0], columns[1] if len(columns) == 2 else numpy.zeros_like(columns[0])], axis=1)


@dataclass(frozen=True)
class ClassificationBatch:
    """Inputs of a model and what it should say: class numbers, or numbers."""

    inputs: tuple[TextInput, ...]
    expected: Tensor  # (B,)

    @property
    def tokens(self) -> int:
        """Return the number of real tokens."""
        return sum(int(text.keep.sum()) for text in self.inputs)

    @property
    def targets(self) -> int:
        """Return the number of examples: what the loss is divided by."""
        return len(self.expected)


def encode_texts(
    texts: Sequence[Texts], tokenizer: Tokenizer, model: TextClassifierSettings, reading: Reading
) -> EncodedTexts:
    """Return the texts as ids, cut to what the model reads; what was cut and unknown is counted."""
    frame = frame_of(model, tokenizer)
    sides = [tokenizer.ids_of(side) for side in zip(*texts, strict=True)]
    if len(sides) == 2 and reading == "joined":
        joined = _joined(sides[0], sides[1], tokenizer, frame, model.longest)
        told_apart = isinstance(model, EncoderSettings | BertSettings) and model.segments == 2
        return joined if told_apart else replace(joined, firsts=None)
    room = frame.room(model.longest)
    inputs = tuple(rows_from([frame.around(_some(ids[:room], tokenizer)) for ids in side]) for side in sides)
    per_side = [[count_tokens(ids, room, tokenizer.unknown) for ids in side] for side in sides]
    return EncodedTexts(inputs, None, tuple(sum(each, TokenCounts()) for each in zip(*per_side, strict=True)))


def inputs_of(texts: EncodedTexts, chosen: Sequence[int]) -> tuple[TextInput, ...]:
    """Return the chosen texts as padded inputs of a model."""
    inputs = tuple(TextInput(*pad_rows(rows, chosen)) for rows in texts.inputs)
    if texts.firsts is None:
        return inputs
    (joined,) = inputs
    begins_B = torch.from_numpy(texts.firsts[list(chosen)])
    places_T = torch.arange(joined.token_ids.shape[1])
    return (replace(joined, segments=(places_T[None, :] >= begins_B[:, None]).long()),)


class ClassificationObjective(nn.Module):
    """The loss of a batch, summed over its examples: cross entropy of labels, squared error of numbers."""

    def __init__(
        self, model: TextClassifier, targets: Targets, label_smoothing: float, unknown: int, frame: Frame
    ) -> None:
        super().__init__()
        self.model = model
        self.targets = targets
        self.label_smoothing = label_smoothing
        self.unknown = unknown  # the id that hides a word
        self.frame = frame  # of the texts: its tokens are no words, and are never hidden
        self.word_dropout = model.settings.word_dropout

    def forward(self, batch: ClassificationBatch) -> Tensor:
        """Return the summed loss."""
        inputs = [self._with_words_dropped(text) for text in batch.inputs] if self.training else batch.inputs
        outputs_BC = with_digits(self.model(inputs))
        if isinstance(self.targets, Classes):
            return functional.cross_entropy(
                outputs_BC, batch.expected, reduction="sum", label_smoothing=self.label_smoothing
            )
        return functional.mse_loss(outputs_BC.squeeze(1), batch.expected, reduction="sum")

    def _with_words_dropped(self, text: TextInput) -> TextInput:
        """Hide some words (Iyyer et al. 2015, section 4), so that a model does not rely on a few alone."""
        if self.word_dropout == 0:
            return text
        hidden = happens(self, self.word_dropout, text.token_ids.shape, text.token_ids.device)
        words = text.keep & ~torch.isin(text.token_ids, torch.tensor(self.frame.ids()))
        return replace(text, token_ids=text.token_ids.masked_fill(hidden & words, self.unknown))


def _joined(
    firsts: Sequence[list[int]], seconds: Sequence[list[int]], tokenizer: Tokenizer, frame: Frame, longest: int
) -> EncodedTexts:
    rows, begins, counts = [], [], []
    for first, second in zip(firsts, seconds, strict=True):
        kept_first, kept_second = _room(len(first), len(second), frame.room_for_both(longest))
        rows.append(frame.around_both(first[:kept_first], second[:kept_second]))
        begins.append(frame.second_begins(kept_first))
        counts.append(count_tokens([*first, *second], kept_first + kept_second, tokenizer.unknown))
    return EncodedTexts((rows_from(rows),), numpy.asarray(begins, dtype=numpy.int64), tuple(counts))


def _room(first: int, second: int, room: int) -> tuple[int, int]:
    """Return how much of each text is kept: the longer one gives way until both are equally long."""
    if first + second <= room:
        return first, second
    half = room // 2
    if min(first, second) >= half:
        return room - half, half
    return (first, room - first) if first < second else (room - second, second)


def _some(ids: list[int], tokenizer: Tokenizer) -> list[int]:
    """Return at least one id: an empty text is one unknown word, for no model can read nothing."""
    return ids or [tokenizer.unknown]
