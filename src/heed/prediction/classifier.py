"""`Classifier`: a run's best weights, ready to label texts or pairs of texts, and to be scored."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Protocol

import numpy

from heed.data.records import LabelledText
from heed.errors import DataError, UsageError
from heed.tasks.classify import Texts
from heed.tasks.labelled_scores import LabelledScores, probabilities_of, score_outputs
from heed.tasks.reading import Outputs
from heed.tasks.targets import Classes, Targets
from heed.tokens.encoded import TokenCounts

CHUNK = 4000  # texts read together; bounds memory on endless input, and is many batches


@dataclass(frozen=True)
class Readout:
    """What a model says of some texts, and what it could not see of each."""

    outputs: Outputs  # (N, C): logits or log-probabilities of labels, or (N, 1) numbers as they were learnt
    counts: Sequence[TokenCounts]


class TextReader(Protocol):
    """The model behind a classifier, neural or linear."""

    def read(self, texts: Sequence[Texts]) -> Readout:
        """Return what the model says of each text."""
        ...


@dataclass(frozen=True)
class Classification:
    """What a model says of a text."""

    texts: Texts
    label: str | None  # the most probable one; None where numbers are predicted
    probability: float | None  # of that label
    probabilities: Mapping[str, float]  # of every label, in the order of labels.json
    number: float | None  # where numbers are predicted
    unknown: int  # pieces that the vocabulary does not have
    cut: int  # pieces beyond the longest length, which the model never saw


@dataclass(frozen=True)
class ClassifierEvaluation:
    """A classifier's scores on texts that it was not trained on."""

    scores: LabelledScores
    counts: TokenCounts
    outputs: Outputs
    predictions: tuple[Classification, ...]


class Classifier:
    """A model with its labels. It never trains; results do not depend on what they are batched with."""

    def __init__(self, reader: TextReader, targets: Targets, texts_each: int) -> None:
        self.reader = reader
        self.targets = targets
        self.texts_each = texts_each  # 1, or 2 for pairs

    def predict(self, texts: Sequence[str] | Sequence[Texts]) -> list[Classification]:
        """Return what the model says of each text, in order; a pair is a tuple of two."""
        return list(self.stream(texts))

    def stream(self, texts: Iterable[str | Texts]) -> Iterator[Classification]:
        """Yield what the model says of each text; any number of texts, in bounded memory."""
        waiting = map(self.texts_of, texts)
        while chunk := list(islice(waiting, CHUNK)):
            yield from self._say(chunk, self.reader.read(chunk))

    def evaluate(self, records: Sequence[LabelledText]) -> ClassifierEvaluation:
        """Return the scores over all records against their labels."""
        if not records:
            raise DataError("There are no texts to evaluate on. Give a file with at least one.")
        texts = [record.texts for record in records]
        read = self.reader.read(texts)
        return ClassifierEvaluation(
            scores=score_outputs(self.targets, read.outputs, self.targets.encode(records).numpy()),
            counts=sum(read.counts, TokenCounts()),
            outputs=read.outputs,
            predictions=tuple(self._say(texts, read)),
        )

    def texts_of(self, given: str | Texts) -> Texts:
        """Return one example as a tuple of as many texts as the model reads; refuse others."""
        texts = (given,) if isinstance(given, str) else tuple(given)
        if len(texts) != self.texts_each:
            needed = "one text" if self.texts_each == 1 else "a pair of two texts"
            raise UsageError(f"This model reads {needed} at a time; {len(texts)} came: {str(texts)[:80]}.")
        return texts

    def _say(self, texts: Sequence[Texts], read: Readout) -> Iterator[Classification]:
        if not isinstance(self.targets, Classes):
            numbers = self.targets.decode(read.outputs[:, 0])
            for text, number, counts in zip(texts, numbers, read.counts, strict=True):
                yield Classification(text, None, None, {}, number, counts.unknown, counts.cut)
            return
        names = self.targets.labels.names
        for text, row, counts in zip(texts, probabilities_of(read.outputs), read.counts, strict=True):
            best = int(numpy.argmax(row))
            every = dict(zip(names, row.tolist(), strict=True))
            yield Classification(text, names[best], float(row[best]), every, None, counts.unknown, counts.cut)
