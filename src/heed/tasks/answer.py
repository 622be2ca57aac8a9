"""Task `answer`: where in each window the answer stands, batches of windows, and the loss."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy
import torch
from torch import Tensor, nn

from heed.data.records import Question
from heed.layers.digits import with_digits
from heed.layers.drawing import happens
from heed.models.span_reader import SpanReader
from heed.models.text_input import TextInput
from heed.tasks.answer_windows import EncodedQuestions, Integers, candidates, inputs_of
from heed.tasks.paragraphs import trimmed

NO_ANSWER_AT = 0  # position of the start token, where windows without the answer point


@dataclass(frozen=True)
class GoldSpans:
    """Where the answers stand."""

    spans: Integers  # (N, 2) first and last position in each window; twice NO_ANSWER_AT where it holds no answer
    learnable: Integers  # windows to learn from
    lost: int  # questions with an answer that no window holds as a whole: none of their windows is learnt from


@dataclass(frozen=True)
class AnswerBatch:
    """Windows, the positions that are in question, and where the answers stand."""

    text: TextInput
    candidates: Tensor  # (B, T), True = an answer may begin or end there
    spans: Tensor  # (B, 2)

    @property
    def tokens(self) -> int:
        """Return the number of real tokens."""
        return int(self.text.keep.sum())

    @property
    def targets(self) -> int:
        """Return the number of windows: what the loss is divided by."""
        return len(self.spans)


def find_spans(encoded: EncodedQuestions, questions: Sequence[Question]) -> GoldSpans:
    """Return where in each window the first answer of its question stands."""
    spans_N2 = numpy.full((len(encoded.begins), 2), NO_ANSWER_AT, dtype=numpy.int64)
    learnable: list[int] = []
    lost = 0
    for number, question in enumerate(questions):
        rows = range(int(encoded.first_windows[number]), int(encoded.first_windows[number + 1]))
        if not question.impossible:
            pieces = _pieces_of_answer(encoded, number, question)
            holding = [] if pieces is None else [row for row in rows if _holds(encoded, row, pieces)]
            for row in holding:
                spans_N2[row] = encoded.places[row] - encoded.begins[row] + numpy.asarray(pieces)
            if not holding:
                lost += 1
                continue
        learnable.extend(rows)
    return GoldSpans(spans_N2, numpy.asarray(learnable, dtype=numpy.int64), lost)


def batch_of(encoded: EncodedQuestions, gold: GoldSpans, rows: Sequence[int]) -> AnswerBatch:
    """Return the chosen windows as one batch."""
    chosen = list(rows)
    return AnswerBatch(inputs_of(encoded, chosen), candidates(encoded, chosen), torch.from_numpy(gold.spans[chosen]))


class AnswerObjective(nn.Module):
    """The loss of a batch, summed over its windows: the mean of the cross entropies of start and end.

    They are taken over the paragraph and the first position alone: padding and question are not in question.
    """

    def __init__(self, model: SpanReader, label_smoothing: float, unknown: int) -> None:
        super().__init__()
        self.model = model
        self.label_smoothing = label_smoothing
        self.unknown = unknown  # the id that hides a word
        self.word_dropout = model.settings.word_dropout

    def forward(self, batch: AnswerBatch) -> Tensor:
        """Return the summed loss."""
        logits_BT2 = self.model(self._with_words_dropped(batch) if self.training else batch.text)
        return span_loss(logits_BT2, batch.candidates, batch.spans, self.label_smoothing).sum()

    def _with_words_dropped(self, batch: AnswerBatch) -> TextInput:
        """Hide some words of the paragraph; without those of the question nobody could answer."""
        if self.word_dropout == 0:
            return batch.text
        chosen = happens(self, self.word_dropout, batch.candidates.shape, batch.candidates.device)
        hidden = chosen & batch.candidates
        hidden[:, NO_ANSWER_AT] = False
        return replace(batch.text, token_ids=batch.text.token_ids.masked_fill(hidden, self.unknown))


def span_loss(logits_BT2: Tensor, candidates: Tensor, spans: Tensor, label_smoothing: float = 0.0) -> Tensor:
    """Return the loss (B,) of each window, start and end each counting half."""
    logits_BT2 = with_digits(logits_BT2)
    log_probs_BT2 = logits_BT2.masked_fill(~candidates[..., None], float("-inf")).log_softmax(dim=1)
    right_B2 = log_probs_BT2.gather(1, spans[:, None, :]).squeeze(1)
    # The mean over candidates alone: torch's own smoothing would multiply the others' infinities by 0.
    even_B2 = log_probs_BT2.masked_fill(~candidates[..., None], 0.0).sum(dim=1) / candidates.sum(dim=1, keepdim=True)
    return -((1 - label_smoothing) * right_B2 + label_smoothing * even_B2).mean(dim=1)


def _pieces_of_answer(encoded: EncodedQuestions, number: int, question: Question) -> tuple[int, int] | None:
    answer = question.answers[0]
    return encoded.paragraphs[number].pieces_of(*trimmed(question.context, answer.start, answer.end))


def _holds(encoded: EncodedQuestions, row: int, pieces: tuple[int, int]) -> bool:
    begin = int(encoded.begins[row])
    return begin <= pieces[0] and pieces[1] < begin + int(encoded.pieces[row])
