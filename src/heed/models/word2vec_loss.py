"""The loss of word2vec on a fixed sample of the corpus.

gensim adds up the loss of an epoch in 32 bits, which loses count after a few million words. Here the same predictions,
against the same drawn words, are scored after every epoch (Mikolov et al. 2013, eq. 4), so the numbers can be compared.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from heed.errors import DataError
from heed.models.vectors_settings import Word2VecSettings

SAMPLE = 2000  # words that are foretold, or foretell, the first of the corpus

Integers = NDArray[np.int64]
Floats = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Predictions:
    """What foretells which word, and which words were drawn against it; all are rows of the vocabulary."""

    inputs: Integers  # (N,) words that foretell
    prediction: Integers  # (N,) which prediction each belongs to: with cbow several have one
    expected: Integers  # (P,)
    drawn: Integers  # (P, K)


def draw_predictions(
    settings: Word2VecSettings, counts: Mapping[str, int], sentences: Iterable[Sequence[str]], seed: int
) -> Predictions:
    """Return the predictions of the first words of the corpus, with the whole window."""
    rows = {word: row for row, word in enumerate(counts)}
    found = list(islice(_windows(rows, sentences, settings.window), SAMPLE))
    if not found:
        raise DataError(f"No two of the {len(rows)} words stand in one sentence. Give sentences of two words or more.")
    if settings.method == "skipgram":
        found = [(word, [neighbour]) for word, neighbours in found for neighbour in neighbours]
    inputs = np.concatenate([neighbours for _, neighbours in found]).astype(np.int64)
    prediction = np.repeat(np.arange(len(found)), [len(neighbours) for _, neighbours in found])
    expected = np.array([word for word, _ in found], dtype=np.int64)
    shares = np.array(list(counts.values()), dtype=np.float64) ** 0.75
    drawn = np.random.default_rng(seed).choice(len(rows), (len(found), settings.negative), p=shares / shares.sum())
    return Predictions(inputs, prediction, expected, drawn)


def mean_loss(predictions: Predictions, inputs_VD: Floats, outputs_VD: Floats) -> float:
    """Return the mean loss of a prediction: of the word that was there, and of those drawn against it."""
    hidden_PD = np.zeros((len(predictions.expected), inputs_VD.shape[1]), dtype=np.float32)
    np.add.at(hidden_PD, predictions.prediction, inputs_VD[predictions.inputs])
    hidden_PD /= np.bincount(predictions.prediction)[:, None]
    right_P = (hidden_PD * outputs_VD[predictions.expected]).sum(axis=1)
    wrong_PK = np.einsum("pd,pkd->pk", hidden_PD, outputs_VD[predictions.drawn])
    # log(1 + exp(-x)) is minus the logarithm of the logistic function, without overflow.
    return float((np.logaddexp(0, -right_P) + np.logaddexp(0, wrong_PK).sum(axis=1)).mean())


def _windows(
    rows: Mapping[str, int], sentences: Iterable[Sequence[str]], window: int
) -> Iterator[tuple[int, list[int]]]:
    """Yield each known word with the known words around it, where there are any."""
    for sentence in sentences:
        known = [rows[word] for word in sentence if word in rows]
        for place, word in enumerate(known):
            neighbours = known[max(0, place - window) : place] + known[place + 1 : place + 1 + window]
            if neighbours:
                yield word, neighbours
