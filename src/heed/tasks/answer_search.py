"""From a model's numbers to answers: the best stretches of a paragraph over all windows of a question.

A stretch begins and ends at a piece with a letter in it, is at most `longest_answer` tokens long, and scores the sum of
its start's and its end's number. It counts in the window that shows most of what is around its first piece, so none is
counted twice. Probabilities are shares among all such stretches, and "no answer" where a model has learnt of it.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy
import torch
from torch import Tensor
from torch.nn import functional

from heed.data.order import valid_batches
from heed.errors import SettingsError
from heed.models.span_reader import SpanReader
from heed.settings import settings
from heed.tasks.answer import NO_ANSWER_AT
from heed.tasks.answer_scores import NO_ANSWER
from heed.tasks.answer_windows import EncodedQuestions, inputs_of
from heed.tasks.side_by_side import one_for_each_thread, side_by_side

POSITIONS_PER_BATCH = 4096  # without gradients; larger ones leave the processor's cache and are slower
NOTHING_TO_SAY = 1e6  # margin of a paragraph without a single stretch to give


@settings
class SpanSearch:
    """How answers are looked for."""

    longest_answer: int = 30  # tokens
    answers: int = 5  # of each question that are told with their probabilities, the best among them
    # How far "no answer" must lead the best stretch to be given. None: where validation was best, if the data of
    # training had impossible questions; if not, every question is answered.
    no_answer_threshold: float | None = None

    def __post_init__(self) -> None:
        for name in ("longest_answer", "answers"):
            if getattr(self, name) < 1:
                raise SettingsError(f"search.{name} is {getattr(self, name)}. Use 1 or more.")


@dataclass(frozen=True, slots=True)
class FoundSpan:
    """A stretch of a paragraph, in characters, and its score."""

    start: int
    end: int
    score: float


@dataclass(frozen=True, slots=True)
class SpanReading:
    """What a model says of one question."""

    spans: tuple[FoundSpan, ...]  # the best, best first; none where the paragraph has no word
    no_answer_score: float
    total: float  # logarithm of the summed exp(score) of every stretch, also those not among the best

    @property
    def margin(self) -> float:
        """Return by how much "no answer" leads the best stretch."""
        return self.no_answer_score - self.spans[0].score if self.spans else NOTHING_TO_SAY

    def is_answered(self, threshold: float | None) -> bool:
        """Tell whether an answer is given; without a threshold, whenever there is one."""
        return bool(self.spans) and (threshold is None or self.margin <= threshold)

    def probability(self, score: float, threshold: float | None) -> float:
        """Return the share of a score; "no answer" takes part in it where there is a threshold."""
        whole = self.total if threshold is None else float(numpy.logaddexp(self.total, self.no_answer_score))
        return math.exp(score - whole) if math.isfinite(whole) else 1.0


def text_of(reading: SpanReading, context: str, threshold: float | None) -> str:
    """Return the answer as text, as the scores want it."""
    if not reading.is_answered(threshold):
        return NO_ANSWER
    return context[reading.spans[0].start : reading.spans[0].end]


@dataclass(frozen=True)
class _WindowSpans:
    """The best stretches of some windows, as positions in them."""

    scores: list[list[float]]  # -inf where a window has fewer
    starts: list[list[int]]
    ends: list[list[int]]
    totals: list[float]
    no_answer: list[float]


def read_spans(model: SpanReader, questions: EncodedQuestions, search: SpanSearch) -> list[SpanReading]:
    """Return what the model says of each question, in their order."""
    chosen = one_for_each_thread(valid_batches(questions.lengths(), POSITIONS_PER_BATCH))

    def read(rows: Sequence[int]) -> _WindowSpans:
        with torch.inference_mode():  # of the thread, so each worker says it itself
            return best_of_windows(model(inputs_of(questions, rows)), *_allowed(questions, rows), search)

    found: list[tuple[_WindowSpans, int]] = [(_WindowSpans([], [], [], [], []), 0)] * len(questions.begins)
    for rows, part in zip(chosen, side_by_side(read, chosen), strict=True):
        for number, row in enumerate(rows):
            found[row] = (part, number)
    firsts = questions.first_windows.tolist()
    return [
        _merge(questions, number, found, range(*firsts[number : number + 2]), search)
        for number in range(len(questions))
    ]


def best_of_windows(logits_BT2: Tensor, may_start_BT: Tensor, may_end_BT: Tensor, search: SpanSearch) -> _WindowSpans:
    """Return the best stretches of each window."""
    lost = float("-inf")
    logits_BT2 = logits_BT2.float()
    starts_BT = logits_BT2[..., 0].masked_fill(~may_start_BT, lost)
    ends_BT = logits_BT2[..., 1].masked_fill(~may_end_BT, lost)
    longest = min(search.longest_answer, ends_BT.shape[1])
    # Entry (t, n): the stretch from t to t + n; those that reach beyond the window end at nothing.
    ends_BTX = functional.pad(ends_BT, (0, longest - 1), value=lost).unfold(1, longest, 1)
    scores_BX = (starts_BT[..., None] + ends_BTX).flatten(1)
    best_BX, at_BX = scores_BX.topk(min(search.answers, scores_BX.shape[1]), dim=1)
    starts_BX = at_BX // longest
    return _WindowSpans(
        scores=best_BX.tolist(),
        starts=starts_BX.tolist(),
        ends=(starts_BX + at_BX % longest).tolist(),
        totals=scores_BX.double().logsumexp(dim=1).tolist(),
        no_answer=logits_BT2[:, NO_ANSWER_AT].sum(dim=1).tolist(),
    )


def _allowed(questions: EncodedQuestions, rows: Sequence[int]) -> tuple[Tensor, Tensor]:
    """Return (B, T) twice: where a stretch may begin, and where it may end."""
    may_start = numpy.zeros((len(rows), int(questions.windows.lengths[list(rows)].max())), dtype=numpy.bool_)
    may_end = may_start.copy()
    question_of = numpy.searchsorted(questions.first_windows, list(rows), side="right") - 1
    for number, (row, question) in enumerate(zip(rows, question_of.tolist(), strict=True)):
        begin, pieces, place = (int(column[row]) for column in (questions.begins, questions.pieces, questions.places))
        solid = questions.paragraphs[question].solid
        may_end[number, place : place + pieces] = solid[begin : begin + pieces]
        first, last = questions.owned[row].tolist()
        shift = place - begin
        may_start[number, first + shift : last + shift] = solid[first:last]
    return torch.from_numpy(may_start), torch.from_numpy(may_end)


def _merge(
    questions: EncodedQuestions, number: int, found: Sequence[tuple[_WindowSpans, int]], rows: range, search: SpanSearch
) -> SpanReading:
    """Return the best of all windows of a question."""
    ranked: list[tuple[float, int, int]] = []
    for row in rows:
        part, at = found[row]
        shift = int(questions.begins[row] - questions.places[row])
        for score, first, last in zip(part.scores[at], part.starts[at], part.ends[at], strict=True):
            if math.isfinite(score):
                ranked.append((-score, first + shift, last + shift))
    paragraph = questions.paragraphs[number]
    best: dict[tuple[int, int], float] = {}  # two pieces may share a character: the same stretch is told once
    for negative, first, last in sorted(ranked):
        best.setdefault(paragraph.characters_of(first, last), -negative)
    spans = tuple(FoundSpan(start, end, score) for (start, end), score in best.items())[: search.answers]
    totals = [found[row][0].totals[found[row][1]] for row in rows]
    # The window that is surest of an answer decides (Devlin et al. 2019, as published with the code).
    no_answer = min(found[row][0].no_answer[found[row][1]] for row in rows)
    return SpanReading(spans, no_answer, float(numpy.logaddexp.reduce(totals)))
