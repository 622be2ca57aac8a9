"""`AnswerTraining`: what a trainer needs of `answer`: batches of windows, loss, validation."""

from collections.abc import Sequence

import numpy

from heed.data.order import batches
from heed.data.question_splits import QuestionSplits
from heed.models.span_reader import SpanReader
from heed.tasks.answer import AnswerBatch, AnswerObjective, batch_of, find_spans
from heed.tasks.answer_scores import NO_ANSWER, score_each
from heed.tasks.answer_search import SpanSearch, read_spans, text_of
from heed.tasks.answer_windows import WindowSettings, encode_questions
from heed.tasks.no_answer import choose_threshold
from heed.tasks.validation import Sample, Validation, spread
from heed.tokens.tokenizer import Tokenizer


class AnswerTraining:
    """Training and validation questions around one model."""

    def __init__(
        self,
        model: SpanReader,
        tokenizer: Tokenizer,
        splits: QuestionSplits,
        windows: WindowSettings,
        search: SpanSearch,
        label_smoothing: float,
        validation_texts: int,
    ) -> None:
        self.model = model
        self.search = search
        self.objective = AnswerObjective(model, label_smoothing, tokenizer.unknown)
        asked = [(question.question, question.context) for question in splits.train]
        self.train = encode_questions(asked, tokenizer, model.settings, windows)
        self.gold = find_spans(self.train, splits.train)
        self.lengths = self.train.lengths()[self.gold.learnable]
        # A model that never met such a question has learnt nothing about leaving one unanswered.
        self.has_impossible = any(question.impossible for question in splits.train)
        chosen = spread(len(splits.valid), validation_texts)
        self.valid_questions = [splits.valid[index] for index in chosen]
        asked = [(question.question, question.context) for question in self.valid_questions]
        self.valid = encode_questions(asked, tokenizer, model.settings, windows)

    def order(self, seed: int, epoch: int, tokens_per_batch: int, window: int) -> list[list[int]]:
        """Return the windows of an epoch in batches of like length; those without a known answer are left out."""
        order = batches(self.lengths, seed, epoch, tokens_per_batch, window)
        return [self.gold.learnable[rows].tolist() for rows in order]

    def batch(self, rows: Sequence[int], epoch: int) -> AnswerBatch:
        """Return the chosen windows as one batch."""
        return batch_of(self.train, self.gold, rows)

    def validate(self) -> Validation:
        """Return exact match and F1 over the chosen validation questions, and one of them to look at.

        Where the model may leave questions unanswered, the threshold of that is chosen here, and is among the values.
        """
        readings = read_spans(self.model, self.valid, self.search)
        questions = self.valid_questions
        threshold = self.search.no_answer_threshold
        if threshold is None and self.has_impossible:
            spans = [text_of(*each, None) for each in zip(readings, self._contexts(), strict=True)]
            threshold = choose_threshold([reading.margin for reading in readings], spans, questions)
        said = [text_of(*each, threshold) for each in zip(readings, self._contexts(), strict=True)]
        exact, f1 = numpy.mean([(score.exact, score.f1) for score in score_each(said, questions)], axis=0) * 100
        values = {"exact": float(exact), "f1": float(f1)}
        if threshold is not None:
            values["no_answer_threshold"] = threshold
        middle = len(questions) // 2
        expected = " | ".join(answer.text for answer in questions[middle].answers)
        sample = Sample(questions[middle].question, _shown(expected), _shown(said[middle]))
        return Validation(score=float(f1), values=values, sample=sample)

    def _contexts(self) -> list[str]:
        return [question.context for question in self.valid_questions]


def _shown(answer: str) -> str:
    return "(no answer)" if answer == NO_ANSWER else answer
