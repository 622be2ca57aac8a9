"""The linear baseline: tf-idf weights of n-grams, and an SVM, logistic regression or ridge regression over them.

On thousands of texts it is often as good as a network and trains in a minute, so every comparison should hold it.
"""

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import torch
from torch import Tensor

from heed.errors import DataError, RunError, SettingsError
from heed.models.ranges import check_sizes
from heed.models.tfidf_features import TextFeatures, Texts
from heed.models.tfidf_ngrams import CHUNK, NgramTable, Unit
from heed.models.tfidf_storage import read_table, read_tensor, refuse_others, table_names, table_tensors
from heed.models.tfidf_words import cut_texts
from heed.settings import from_dict, settings, to_dict
from heed.tokens.encoded import TokenCounts

Method = Literal["logistic", "svm", "ridge"]


@settings
class TfidfSettings:
    """What is counted, and what is tried; validation decides between the strengths, methods and kinds of n-gram."""

    kind: Literal["tfidf"] = "tfidf"
    words: tuple[int, int] = (1, 2)  # shortest and longest run of words
    characters: tuple[int, int] | None = (2, 5)  # runs of characters within words, tried beside words alone; or none
    minimum_count: int = 2  # texts in which an n-gram must stand; what stands in one only says nothing about others
    largest_vocabulary: int = 400_000  # n-grams of either kind, the most frequent: bounds memory and the size on disk
    lowercase: bool = True
    sublinear: bool = True  # 1 + ln(count) for count
    # C of scikit-learn: how much the training texts weigh against small weights (for ridge regression, 1 / alpha).
    svm_strengths: tuple[float, ...] = (0.1, 0.3, 1.0, 3.0)
    logistic_strengths: tuple[float, ...] = (1.0, 4.0, 16.0, 64.0)
    ridge_strengths: tuple[float, ...] = (0.1, 0.3, 1.0, 3.0, 10.0)

    def __post_init__(self) -> None:
        check_sizes({"minimum_count": self.minimum_count, "largest_vocabulary": self.largest_vocabulary})
        _check_lengths("words", self.words)
        if self.characters is not None:
            _check_lengths("characters", self.characters)
        if not (self.svm_strengths or self.logistic_strengths):
            raise SettingsError("model.svm_strengths and model.logistic_strengths are both empty. Give one a number.")
        if not self.ridge_strengths:
            raise SettingsError("model.ridge_strengths is empty. Give it one or more numbers.")
        for name in ("svm_strengths", "logistic_strengths", "ridge_strengths"):
            for strength in getattr(self, name):
                if strength <= 0:
                    raise SettingsError(f"model.{name} has {strength}. Use numbers above 0.")


@settings
class TfidfCandidate:
    """One linear model that was tried."""

    characters: bool  # beside words
    method: Method
    strength: float
    score: float  # on validation, higher is better: accuracy; for numbers, minus the mean squared error


@settings
class TfidfFacts:
    """What is known of a trained model besides its weights."""

    kind: Literal["tfidf"] = "tfidf"
    settings: TfidfSettings
    texts: int  # in an example: 1, or 2 for pairs
    classes: int | None  # none: it foretells a number
    candidates: tuple[TfidfCandidate, ...]  # in the order in which they were tried
    chosen: int  # which of them this model is
    sharpness: float  # by which an SVM's margins were multiplied to become logits; 1 for the others

    @property
    def outputs(self) -> int:
        """The columns of the weights; two classes need but one, since the other's would be its negative."""
        return 1 if self.classes is None or self.classes == 2 else self.classes

    @property
    def lengths(self) -> dict[Unit, tuple[int, int]]:
        """The kinds of n-gram that the chosen model counts."""
        lengths: dict[Unit, tuple[int, int]] = {"words": self.settings.words}
        if self.candidates[self.chosen].characters and self.settings.characters is not None:
            lengths["characters"] = self.settings.characters
        return lengths


@dataclass(frozen=True, eq=False)
class TfidfModel:
    """A trained linear model. What it says of a text never depends on the texts beside it."""

    facts: TfidfFacts
    features: TextFeatures
    weights_FK: np.ndarray
    bias_K: np.ndarray

    def log_probabilities(self, examples: Sequence[Texts]) -> np.ndarray:
        """Return the logarithms (N, C) of the probability of each class.

        An SVM knows no probabilities: its margins became logits by the one factor that suits the validation texts best.
        """
        assert self.facts.classes is not None, "a model of numbers knows no classes"
        return log_softmax(class_logits(self._outputs(examples)))

    def numbers(self, examples: Sequence[Texts]) -> np.ndarray:
        """Return the number (N,) foretold for each example."""
        assert self.facts.classes is None, "a model of classes foretells no number"
        return self._outputs(examples)[:, 0]

    def count_words(self, examples: Sequence[Texts]) -> list[TokenCounts]:
        """Return how many words each example has, and how many of them stand in no n-gram that the model knows."""
        check_examples(examples, self.facts.texts)
        lowercase = self.facts.settings.lowercase
        counts = []
        for texts in examples:
            words = [word for cut in cut_texts(texts, lowercase=lowercase) for word in cut]
            counts.append(TokenCounts(len(words), sum(word not in self._known_words for word in words)))
        return counts

    def to_tensors(self) -> dict[str, Tensor]:
        """Return all weights and n-grams by name; with `to_facts` they are the whole model."""
        tensors = {"weights": torch.from_numpy(self.weights_FK), "bias": torch.from_numpy(self.bias_K)}
        for table in self.features.tables:
            tensors |= table_tensors(table)
        return {name: tensor.clone() for name, tensor in tensors.items()}

    def to_facts(self) -> dict[str, object]:
        """Return the facts as plain values, ready for JSON."""
        return to_dict(self.facts)

    @classmethod
    def from_parts(cls, tensors: Mapping[str, Tensor], facts: Mapping[str, object]) -> "TfidfModel":
        """Return the model that gave these tensors and facts, or raise RunError if they are not whole."""
        known = _read_facts(facts)
        tables = tuple(read_table(tensors, unit, lengths) for unit, lengths in known.lengths.items())
        features = build_features(known.settings, known.texts, tables)
        weights_FK = read_tensor(tensors, "weights", torch.float64, (features.width, known.outputs))
        bias_K = read_tensor(tensors, "bias", torch.float64, (known.outputs,))
        refuse_others(tensors, ["weights", "bias", *(name for unit in known.lengths for name in table_names(unit))])
        return cls(known, features, weights_FK, bias_K)

    @functools.cached_property
    def _known_words(self) -> frozenset[str]:
        return frozenset(word for ngram in self.features.tables[0].ngrams for word in ngram.split(" "))

    def _outputs(self, examples: Sequence[Texts]) -> np.ndarray:
        check_examples(examples, self.facts.texts)
        outputs = [np.empty((0, self.facts.outputs))]
        for start in range(0, len(examples), CHUNK):
            outputs.append(self.features(examples[start : start + CHUNK]) @ self.weights_FK + self.bias_K)
        return np.concatenate(outputs)


def build_features(settings: TfidfSettings, texts: int, tables: tuple[NgramTable, ...]) -> TextFeatures:
    """Return what turns examples of so many texts into features."""
    return TextFeatures(tables, texts, lowercase=settings.lowercase, sublinear=settings.sublinear)


def class_logits(outputs_NK: np.ndarray) -> np.ndarray:
    """Return logits (N, C): as they are, or for the one output of two classes with a first class that is always 0."""
    if outputs_NK.shape[1] > 1:
        return outputs_NK
    return np.hstack([np.zeros_like(outputs_NK), outputs_NK])


def log_softmax(logits_NC: np.ndarray) -> np.ndarray:
    """Return the logarithms of the probabilities that the logits stand for."""
    shifted_NC = logits_NC - logits_NC.max(axis=1, keepdims=True)
    return shifted_NC - np.log(np.exp(shifted_NC).sum(axis=1, keepdims=True))


def check_examples(examples: Sequence[Texts], texts: int) -> None:
    """Refuse an example that has not so many texts; a bare string would be read letter by letter."""
    for example in examples:
        if isinstance(example, str) or len(example) != texts:
            raise DataError(
                f"The example {str(example)[:60]!r} is not of {texts} text{'s' * (texts > 1)}. "
                f"Give a tuple of {texts} for each example."
            )


def _check_lengths(name: str, lengths: tuple[int, int]) -> None:
    shortest, longest = lengths
    if not 1 <= shortest <= longest:
        raise SettingsError(f"model.{name} is {list(lengths)}. Give the shortest and the longest run, 1 or more.")


def _read_facts(facts: Mapping[str, object]) -> TfidfFacts:
    try:
        known = from_dict(TfidfFacts, facts, "The facts of the tf-idf model")
    except SettingsError as error:
        raise RunError(f"{error} Restore the model from a copy, or train again.") from error
    classes_fit = known.classes is None or known.classes >= 2
    if not (0 <= known.chosen < len(known.candidates) and known.texts in (1, 2) and classes_fit):
        raise RunError(
            f"The facts of the tf-idf model cannot be: texts is {known.texts}, classes is {known.classes}, chosen is "
            f"{known.chosen} of {len(known.candidates)} candidates. Restore the model from a copy, or train again."
        )
    return known
