"""`Answerer`: a run's best weights, ready to answer questions by stretches of paragraphs, and to be scored."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from heed.data.records import Question
from heed.errors import DataError, UsageError
from heed.models.span_reader import SpanReader
from heed.tasks.answer_scores import NO_ANSWER, AnswerScores, score_answers
from heed.tasks.answer_search import FoundSpan, SpanReading, SpanSearch, read_spans
from heed.tasks.answer_windows import WindowSettings, encode_questions
from heed.tokens.encoded import TokenCounts
from heed.tokens.tokenizer import Tokenizer

CHUNK = 1000  # questions read together; bounds memory on endless input, and is many batches

Pair = tuple[str, str]  # question and paragraph


@dataclass(frozen=True)
class AnswerOption:
    """A stretch of the paragraph that may be the answer."""

    text: str
    start: int  # characters of the paragraph: text is context[start:end]
    end: int
    probability: float


@dataclass(frozen=True)
class Answer:
    """What a model answers to a question on a paragraph."""

    question: str
    text: str  # "" where no answer is given
    start: int  # characters of the paragraph: text is context[start:end]
    end: int
    probability: float  # of the answer among all stretches (and "no answer", where the model knows it)
    no_answer_margin: float  # by how much "no answer" leads the best stretch; below 0 where it does not
    alternatives: tuple[AnswerOption, ...]  # the next best stretches; where no answer is given, the best
    cut: int  # tokens of the question beyond the longest length, which the model never saw
    unknown: int  # pieces of both texts that the vocabulary does not have


@dataclass(frozen=True)
class AnswererEvaluation:
    """An answerer's scores on questions that it was not trained on."""

    scores: AnswerScores
    counts: TokenCounts
    no_answer_threshold: float | None
    answers: tuple[Answer, ...]


@dataclass(frozen=True)
class _Read:
    """What the model says of one pair, and what it could not see of it."""

    reading: SpanReading
    counts: TokenCounts


class Answerer:
    """A model with its tokenizer. It never trains; results do not depend on what they are batched with."""

    def __init__(self, model: SpanReader, tokenizer: Tokenizer, windows: WindowSettings, search: SpanSearch) -> None:
        self.model = model.eval()
        self.tokenizer = tokenizer
        self.windows = windows
        self.search = search  # its threshold is None where every question is answered

    def predict(self, question: str, context: str, search: SpanSearch | None = None) -> Answer:
        """Return the answer to one question."""
        (answer,) = self.stream([(question, context)], search)
        return answer

    def stream(self, pairs: Iterable[Pair], search: SpanSearch | None = None) -> Iterator[Answer]:
        """Yield the answer to each question on its paragraph; any number of pairs, in bounded memory."""
        search = search or self.search
        waiting = (checked_pair(pair) for pair in pairs)
        while chunk := list(islice(waiting, CHUNK)):
            for pair, read in zip(chunk, self._read(chunk, search), strict=True):
                yield _say(pair, read, search.no_answer_threshold)

    def answer_from(self, pair: Pair, reading: SpanReading, counts: TokenCounts) -> Answer:
        """Return the answer to a question that the model has read already."""
        return _say(pair, _Read(reading, counts), self.search.no_answer_threshold)

    def evaluate(self, questions: Sequence[Question]) -> AnswererEvaluation:
        """Return the scores over all questions against their answers."""
        if not questions:
            raise DataError("There are no questions to evaluate on. Give a file with at least one.")
        pairs = [(question.question, question.context) for question in questions]
        search = self.search
        chunks = [pairs[first : first + CHUNK] for first in range(0, len(pairs), CHUNK)]
        read = [each for chunk in chunks for each in self._read(chunk, search)]
        answers = tuple(_say(pair, each, search.no_answer_threshold) for pair, each in zip(pairs, read, strict=True))
        return AnswererEvaluation(
            scores=score_answers([answer.text for answer in answers], questions),
            counts=sum((each.counts for each in read), TokenCounts()),
            no_answer_threshold=search.no_answer_threshold,
            answers=answers,
        )

    def _read(self, pairs: Sequence[Pair], search: SpanSearch) -> list[_Read]:
        encoded = encode_questions(pairs, self.tokenizer, self.model.settings, self.windows)
        readings = read_spans(self.model, encoded, search)
        return [_Read(reading, counts) for reading, counts in zip(readings, encoded.counts, strict=True)]


def checked_pair(pair: Pair) -> Pair:
    """Return a question and its paragraph, or refuse what is none."""
    if len(pair) != 2 or isinstance(pair, str):
        raise UsageError(f"A question goes with one paragraph, as a pair of texts; this came: {str(pair)[:80]!r}.")
    question, context = pair
    if not question.strip():
        raise UsageError(f"The question is {question!r}, without a word. Ask something.")
    if not context.strip():
        raise UsageError(f"The paragraph of the question {question[:80]!r} is empty. Give the text to answer from.")
    return question, context


def _say(pair: Pair, read: _Read, threshold: float | None) -> Answer:
    question, context = pair
    reading = read.reading
    options = [_option(context, reading, span, threshold) for span in reading.spans]
    if reading.is_answered(threshold):
        best, *others = options
    else:
        best = AnswerOption(NO_ANSWER, 0, 0, reading.probability(reading.no_answer_score, threshold))
        others = options
    return Answer(
        question=question,
        text=best.text,
        start=best.start,
        end=best.end,
        probability=best.probability,
        no_answer_margin=reading.margin,
        alternatives=tuple(others),
        cut=read.counts.cut,
        unknown=read.counts.unknown,
    )


def _option(context: str, reading: SpanReading, span: FoundSpan, threshold: float | None) -> AnswerOption:
    text, probability = context[span.start : span.end], reading.probability(span.score, threshold)
    return AnswerOption(text, span.start, span.end, probability)
