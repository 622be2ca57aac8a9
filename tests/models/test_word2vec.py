"""word2vec: as gensim alone would do it, repeatable, its loss by hand, and clear when something is missing."""

import math
from collections.abc import Iterator

import numpy as np
import pytest

from heed.errors import DataError, MachineError
from heed.models import word2vec
from heed.models.vectors_settings import Word2VecSettings
from heed.models.word2vec import learn_word2vec
from heed.models.word2vec_loss import Predictions, draw_predictions, mean_loss

gensim = pytest.importorskip("gensim")

DRAW = np.random.default_rng(2)
SENTENCES = [[f"w{DRAW.integers(12)}" for _ in range(DRAW.integers(2, 9))] for _ in range(200)]
COUNTS = {f"w{row}": sum(sentence.count(f"w{row}") for sentence in SENTENCES) for row in (3, 1, 0, 2, 5, 4, 7, 6, 9, 8)}


def settings(method: str = "skipgram", epochs: int = 3) -> Word2VecSettings:
    return Word2VecSettings(method=method, width=6, window=3, epochs=epochs, subsample=0.0)


@pytest.mark.parametrize("method", ["skipgram", "cbow"])
def test_the_same_seed_gives_the_same_vectors_and_another_does_not(method: str) -> None:
    tables = [list(learn_word2vec(settings(method), COUNTS, SENTENCES, seed))[-1].table_VD for seed in (1, 1, 2)]
    assert tables[0].tobytes() == tables[1].tobytes()
    assert tables[0].tobytes() != tables[2].tobytes()


@pytest.mark.parametrize("method", ["skipgram", "cbow"])
def test_one_epoch_is_what_gensim_alone_learns_in_the_order_of_the_counts(method: str) -> None:
    (epoch,) = learn_word2vec(settings(method, epochs=1), COUNTS, SENTENCES, seed=7)
    alone = gensim.models.Word2Vec(
        vector_size=6, window=3, min_count=1, sg=int(method == "skipgram"), negative=5, sample=0, alpha=0.025,
        min_alpha=0.0001, seed=7, workers=1, sorted_vocab=0, batch_words=100,
    )  # fmt: skip
    alone.build_vocab_from_freq(COUNTS)
    alone.train(SENTENCES, total_words=sum(COUNTS.values()), epochs=1)
    for row, word in enumerate(COUNTS):
        np.testing.assert_allclose(epoch.table_VD[row], alone.wv[word], rtol=1e-5)


def test_epochs_are_numbered_and_the_learning_rate_falls_evenly_to_a_250th() -> None:
    epochs = list(learn_word2vec(settings(), COUNTS, SENTENCES, seed=1))
    assert [(epoch.number, epoch.total) for epoch in epochs] == [(1, 3), (2, 3), (3, 3)]
    rates = [0.025, *(epoch.learning_rate for epoch in epochs)]
    assert rates[-1] == pytest.approx(0.0001)
    assert np.diff(rates) == pytest.approx([-0.0083] * 3)


def test_vectors_of_an_epoch_are_not_changed_by_the_next() -> None:
    stream = learn_word2vec(settings(), COUNTS, SENTENCES, seed=1)
    first = next(stream).table_VD
    copy = first.copy()
    list(stream)
    assert (first == copy).all()


def test_a_file_that_fails_in_the_middle_of_training_ends_it_with_its_error() -> None:
    class Corpus:
        passes = 0

        def __iter__(self) -> Iterator[list[str]]:
            self.passes += 1
            yield from SENTENCES
            if self.passes > 2:
                raise DataError("corpus.txt is gone")

    with pytest.raises(DataError, match=r"corpus\.txt is gone"):
        list(learn_word2vec(settings(), COUNTS, Corpus(), seed=1))


def test_without_gensim_the_way_to_install_it_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(word2vec, "ENGINE", "an_engine_that_nobody_has")
    with pytest.raises(MachineError, match=r"pip install 'heed\[vectors\]'"):
        next(learn_word2vec(settings(), COUNTS, SENTENCES, seed=1))


def test_the_loss_of_a_prediction_is_that_worked_by_hand() -> None:
    # Inputs 0 and 1, mean (1, 1): product 2 with the word that was there, 1 and -3 with the two drawn against it.
    inputs_VD = np.array([[2, 0], [0, 2], [5, 5]], np.float32)
    outputs_VD = np.array([[1, 1], [1, 0], [0, -3]], np.float32)
    made = Predictions(np.array([0, 1]), np.array([0, 0]), np.array([0]), np.array([[1, 2]]))
    expected = math.log1p(math.exp(-2)) + math.log1p(math.exp(1)) + math.log1p(math.exp(-3))
    assert mean_loss(made, inputs_VD, outputs_VD) == pytest.approx(expected, rel=1e-6)


def test_skipgram_foretells_each_neighbour_by_itself_and_cbow_by_all_of_them() -> None:
    counts = {"a": 3, "b": 2, "c": 1}
    pairs = draw_predictions(settings("skipgram"), counts, [["a", "?", "b", "c"]], seed=1)
    assert list(zip(pairs.expected[pairs.prediction], pairs.inputs, strict=True)) == [
        (0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1),
    ]  # fmt: skip
    means = draw_predictions(settings("cbow"), counts, [["a", "?", "b", "c"]], seed=1)
    assert means.expected.tolist() == [0, 1, 2]
    assert means.prediction.tolist() == [0, 0, 1, 1, 2, 2]
    assert means.drawn.shape == (3, 5)


def test_a_corpus_without_a_pair_is_refused() -> None:
    with pytest.raises(DataError, match=r"No two of the 10 words stand in one sentence"):
        next(learn_word2vec(settings(), COUNTS, [["w1"], ["w2"]], seed=1))
