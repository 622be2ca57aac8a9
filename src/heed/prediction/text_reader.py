"""The two kinds of model behind a classifier: one that reads tokens, and one that counts n-grams."""

from collections.abc import Sequence

import numpy

from heed.models.text_classifier import TextClassifier
from heed.models.tfidf import TfidfModel
from heed.prediction.classifier import Readout
from heed.tasks.classify import Reading, Texts, encode_texts
from heed.tasks.reading import read_outputs
from heed.tasks.targets import Classes, Targets
from heed.tokens.tokenizer import Tokenizer


class NeuralReader:
    """A neural model with its tokenizer."""

    def __init__(self, model: TextClassifier, tokenizer: Tokenizer, reading: Reading) -> None:
        self.model = model.eval()
        self.tokenizer = tokenizer
        self.reading = reading

    def read(self, texts: Sequence[Texts]) -> Readout:
        """Return what the model says of each text."""
        encoded = encode_texts(texts, self.tokenizer, self.model.settings, self.reading)
        return Readout(read_outputs(self.model, encoded), encoded.counts)


class LinearReader:
    """A linear model over n-grams; nothing is ever cut; words that it does not know are counted."""

    def __init__(self, model: TfidfModel, targets: Targets) -> None:
        self.model = model
        self.targets = targets

    def read(self, texts: Sequence[Texts]) -> Readout:
        """Return what the model says of each text."""
        if isinstance(self.targets, Classes):
            outputs_NC = self.model.log_probabilities(texts)
        else:
            outputs_NC = self.model.numbers(texts)[:, None]
        return Readout(outputs_NC.astype(numpy.float32), self.model.count_words(texts))
