"""word2vec with negative sampling (Mikolov et al. 2013), on the engine of gensim, an epoch at a time."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING

import numpy as np

from heed.errors import HeedError, MachineError
from heed.models.vectors_epoch import VectorsEpoch
from heed.models.vectors_settings import Word2VecSettings
from heed.models.word2vec_loss import Predictions, draw_predictions, mean_loss

if TYPE_CHECKING:
    from gensim.models.word2vec import Word2Vec

ENGINE = "gensim"  # an extra, loaded by those who learn with it: everything else works without it, and starts sooner
LOWEST_RATE = 250  # of its start, the part to which the learning rate falls, as in the authors' program


def check_engine() -> None:
    """Refuse where gensim is not installed."""
    if find_spec(ENGINE) is None:
        raise MachineError(
            "word2vec needs gensim, which is not installed. Install it with: pip install 'heed[vectors]'; "
            "or use --model glove, which needs nothing more."
        )


def learn_word2vec(
    settings: Word2VecSettings, counts: Mapping[str, int], sentences: Iterable[Sequence[str]], seed: int
) -> Iterator[VectorsEpoch]:
    """Yield the vectors after each pass over the sentences; with one worker the same seed gives the same vectors.

    `counts` is the vocabulary, in whose order the vectors stand; `sentences` are gone through once for each epoch.
    """
    check_engine()
    corpus = _Corpus(sentences)
    predictions = draw_predictions(settings, counts, corpus, seed)
    model = _engine(settings, counts, seed)
    model.build_vocab_from_freq(counts)
    for number in range(1, settings.epochs + 1):
        end = _rate(settings, number)
        model.train(
            corpus,
            total_words=sum(counts.values()),
            epochs=1,
            start_alpha=_rate(settings, number - 1),
            end_alpha=end,
        )
        corpus.check()
        loss = _loss(predictions, model)
        yield VectorsEpoch(number, settings.epochs, loss, end, np.array(model.wv.vectors, dtype=np.float32))


def _rate(settings: Word2VecSettings, epochs: int) -> float:
    """Return the learning rate after so many epochs: it falls evenly."""
    lowest = settings.learning_rate / LOWEST_RATE
    return settings.learning_rate - (settings.learning_rate - lowest) * epochs / settings.epochs


def _engine(settings: Word2VecSettings, counts: Mapping[str, int], seed: int) -> "Word2Vec":
    from gensim.models.word2vec import Word2Vec

    return Word2Vec(
        vector_size=settings.width,
        window=settings.window,
        min_count=1,  # the counts hold only what is frequent enough …
        sorted_vocab=0,  # … in the order that the vectors keep
        sg=1 if settings.method == "skipgram" else 0,
        negative=settings.negative,
        sample=settings.subsample,
        alpha=settings.learning_rate,
        min_alpha=settings.learning_rate / LOWEST_RATE,
        seed=seed,
        workers=settings.workers,
        # The learning rate falls from one batch to the next: a small corpus needs small ones.
        batch_words=max(100, min(10_000, sum(counts.values()) // (20 * settings.workers))),
    )


def _loss(predictions: Predictions, model: "Word2Vec") -> float:
    return mean_loss(predictions, model.wv.vectors, model.syn1neg)


class _Corpus:
    """Sentences for gensim, which reads them in a thread of its own and would wait for ever for one that failed."""

    def __init__(self, sentences: Iterable[Sequence[str]]) -> None:
        self.sentences = sentences
        self.failure: HeedError | None = None

    def __iter__(self) -> Iterator[Sequence[str]]:
        try:
            yield from self.sentences
        except HeedError as error:
            self.failure = error

    def check(self) -> None:
        """Raise what went wrong while the sentences were read."""
        if self.failure is not None:
            raise self.failure
