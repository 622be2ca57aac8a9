"""Question and paragraph as windows that a model can read:

    [start] question [end] a stretch of the paragraph [end]

A paragraph that is too long for one window is cut into several that overlap; nothing of it is lost. A long question is
cut, and the cut is counted. Places are always characters of the paragraph as it was given: pieces are never joined to
text again.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy
import torch
from torch import Tensor

from heed.errors import SettingsError
from heed.models.bert import BertSettings
from heed.models.span_reader import SpanReaderSettings
from heed.models.text_input import TextInput
from heed.settings import settings
from heed.tasks.framing import Frame
from heed.tasks.paragraphs import Paragraph, encode_paragraphs
from heed.tasks.rows import Rows, pad_rows, rows_from
from heed.tokens.encoded import TokenCounts
from heed.tokens.tokenizer import Tokenizer

Integers = numpy.ndarray[tuple[int, ...], numpy.dtype[numpy.int64]]
LEAST_ROOM = 8  # tokens of a paragraph that a window must hold beside the longest question


@settings
class WindowSettings:
    """How question and paragraph share the positions of a model."""

    stride: int = 128  # tokens that a window shares with the one before it; never more than half of either
    longest_question: int = 64  # tokens; longer questions are cut, and the cut is counted

    def __post_init__(self) -> None:
        if self.stride < 0:
            raise SettingsError(f"windows.stride is {self.stride}. Use 0 or more.")
        if self.longest_question < 1:
            raise SettingsError(f"windows.longest_question is {self.longest_question}. Use 1 or more.")

    def check_room(self, longest: int) -> None:
        """Refuse a model whose positions a question could fill alone."""
        if longest < self.longest_question + LEAST_ROOM:
            raise SettingsError(
                f"model.longest is {longest} and windows.longest_question {self.longest_question}: fewer than "
                f"{LEAST_ROOM} tokens are left for the paragraph. Raise the one or lower the other."
            )


@dataclass(frozen=True)
class EncodedQuestions:
    """Questions as windows; those of question q are `first_windows[q]` up to, not including, `first_windows[q + 1]`."""

    windows: Rows
    first_windows: Integers  # (Q + 1,)
    places: Integers  # (N,) position of each window at which its stretch of the paragraph begins
    begins: Integers  # (N,) the piece of the paragraph that stands there
    pieces: Integers  # (N,) how many pieces of the paragraph the window holds
    owned: Integers  # (N, 2) of these, from which up to which piece no other window shows more of what is around them
    paragraphs: tuple[Paragraph, ...]  # of each question
    counts: tuple[TokenCounts, ...]  # of each question: what the model could not see
    has_segments: bool  # whether the model is told which text each token belongs to

    def __len__(self) -> int:
        return len(self.paragraphs)

    def question_of(self) -> Integers:
        """Return the question (N,) of each window."""
        return numpy.repeat(numpy.arange(len(self)), numpy.diff(self.first_windows))

    def lengths(self) -> Integers:
        """Return the tokens (N, 2) of each window, as the order of batches wants them."""
        lengths_N = self.windows.lengths
        return numpy.stack([lengths_N, numpy.zeros_like(lengths_N)], axis=1)


@dataclass(frozen=True)
class Stretch:
    """The pieces of a paragraph in one window, and which of them no other window shows with more around them."""

    begin: int
    end: int
    owned: tuple[int, int]


def encode_questions(
    pairs: Sequence[tuple[str, str]], tokenizer: Tokenizer, model: SpanReaderSettings, settings: WindowSettings
) -> EncodedQuestions:
    """Return pairs of question and paragraph as windows."""
    frame = question_frame(model, tokenizer)
    asked = tokenizer.ids_of([question for question, _ in pairs])
    paragraphs = encode_paragraphs([context for _, context in pairs], tokenizer)
    rows: list[list[int]] = []
    table: list[tuple[int, int, int, int, int]] = []
    first_windows = [0]
    for ids, paragraph in zip(asked, paragraphs, strict=True):
        question = ids[: settings.longest_question]
        room = frame.room_for_both(model.longest) - len(question)
        for stretch in stretches(len(paragraph.ids), room, settings.stride):
            rows.append(frame.around_both(question, paragraph.ids[stretch.begin : stretch.end].tolist()))
            place = frame.second_begins(len(question))
            table.append((place, stretch.begin, stretch.end - stretch.begin, *stretch.owned))
        first_windows.append(len(rows))
    columns = numpy.asarray(table, dtype=numpy.int64).reshape(-1, 5)
    return EncodedQuestions(
        windows=rows_from(rows),
        first_windows=numpy.asarray(first_windows, dtype=numpy.int64),
        places=columns[:, 0],
        begins=columns[:, 1],
        pieces=columns[:, 2],
        owned=columns[:, 3:],
        paragraphs=paragraphs,
        counts=tuple(
            _counts(ids, paragraph, settings.longest_question, tokenizer.unknown)
            for ids, paragraph in zip(asked, paragraphs, strict=True)
        ),
        has_segments=model.segments == 2,
    )


def stretches(pieces: int, room: int, stride: int) -> list[Stretch]:
    """Return the windows over so many pieces; a paragraph without any has one, which is empty."""
    step = room - min(stride, room // 2)
    begins = [0, *range(step, pieces - room + step, step)]
    spans = [(begin, min(begin + room, pieces)) for begin in begins]
    edges = [0, *(_edge(*here, *there) for here, there in pairwise(spans)), pieces]
    return [Stretch(*span, owned) for span, owned in zip(spans, pairwise(edges), strict=True)]


def inputs_of(questions: EncodedQuestions, chosen: Sequence[int]) -> TextInput:
    """Return the chosen windows as padded input of a model."""
    token_ids, keep = pad_rows(questions.windows, chosen)
    if not questions.has_segments:
        return TextInput(token_ids, keep)
    begins_B = torch.from_numpy(questions.places[list(chosen)])
    return TextInput(token_ids, keep, (torch.arange(token_ids.shape[1]) >= begins_B[:, None]).long())


def candidates(questions: EncodedQuestions, chosen: Sequence[int]) -> Tensor:
    """Return (B, T): which positions an answer may begin or end at: the paragraph, and the first, for no answer."""
    rows = list(chosen)
    places_B1 = torch.from_numpy(questions.places[rows])[:, None]
    ends_B1 = places_B1 + torch.from_numpy(questions.pieces[rows])[:, None]
    positions_T = torch.arange(int(questions.windows.lengths[rows].max()))
    return ((positions_T >= places_B1) & (positions_T < ends_B1)) | (positions_T == 0)


def question_frame(model: SpanReaderSettings, tokenizer: Tokenizer) -> Frame:
    """Return what stands around question and paragraph: also for models that read single texts without any."""
    # RoBERTa, which has no segments to tell two texts apart, puts two tokens between them.
    between = 2 if isinstance(model, BertSettings) and model.segments == 1 else 1
    return Frame((tokenizer.start,), (tokenizer.end,) * between, (tokenizer.end,))


def _edge(begin: int, end: int, next_begin: int, next_end: int) -> int:
    """Return the first piece of which the next window shows more, by the rule of BERT.

    What counts is the smaller of what stands before and after, and then the longer window (Devlin et al. 2019, as
    published with the code). Between two windows the choice changes once, for the difference only ever falls.
    """
    shared = numpy.arange(next_begin, end)
    here = numpy.minimum(shared - begin, end - 1 - shared) + 0.01 * (end - begin)
    there = numpy.minimum(shared - next_begin, next_end - 1 - shared) + 0.01 * (next_end - next_begin)
    return next_begin + int((here >= there).sum())


def _counts(question: Sequence[int], paragraph: Paragraph, longest_question: int, unknown: int) -> TokenCounts:
    return TokenCounts(
        tokens=len(question) + len(paragraph.ids),
        unknown=question.count(unknown) + paragraph.unknown,
        cut=max(0, len(question) - longest_question),
    )
