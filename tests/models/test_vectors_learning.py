"""Both ways of learning word vectors solve the analogies of the built-in corpus, and refuse settings out of range."""

from typing import Any

import numpy as np
import pytest

from heed.data.demos import royals
from heed.data.sentences import count_words, load_sentences
from heed.errors import SettingsError, UsageError
from heed.models.vectors_settings import GloveSettings, VectorsModelSettings, Word2VecSettings, preset
from heed.models.vectors_training import learn_vectors
from heed.models.word_space import WordSpace, parse_sum

SMALL: dict[str, VectorsModelSettings] = {
    "skipgram": Word2VecSettings(width=32),
    "cbow": Word2VecSettings(method="cbow", learning_rate=0.05, width=32, epochs=10),
    "glove": GloveSettings(),
}


@pytest.mark.slow
@pytest.mark.parametrize("model", SMALL)
def test_vectors_of_the_demo_know_kings_and_capitals(model: str) -> None:
    if model != "glove":
        pytest.importorskip("gensim")
    corpus = load_sentences(["demo:royals"])
    counts = count_words(corpus).frequent(5, 1000)
    *_, last = learn_vectors(SMALL[model], counts, corpus, seed=1)
    space = WordSpace(list(counts), last.table_VD)
    assert space.solve(parse_sum("king - man + woman"), 1)[0].word == "queen"
    assert space.solve(parse_sum("paris - france + italy"), 1)[0].word == "rome"
    for section in royals.questions().values():
        rows_Q4 = np.array([[space.row(word) for word in question] for question in section])
        right = space.analogies(rows_Q4[:, :3], len(space.words)) == rows_Q4[:, 3]
        assert right.mean() > 0.95


@pytest.mark.parametrize(
    ("chosen", "values", "message"),
    [
        (Word2VecSettings, {"width": 0}, "model.width is 0"),
        (Word2VecSettings, {"negative": 0}, "model.negative is 0"),
        (Word2VecSettings, {"workers": -1}, "model.workers is -1"),
        (Word2VecSettings, {"subsample": 1.0}, "model.subsample is 1.0"),
        (Word2VecSettings, {"learning_rate": 0.0}, "model.learning_rate is 0.0"),
        (GloveSettings, {"window": 0}, "model.window is 0"),
        (GloveSettings, {"cap": -1.0}, "model.cap is -1.0"),
        (GloveSettings, {"power": 0.0}, "model.power is 0.0"),
        (GloveSettings, {"largest_vocabulary": 1}, "model.largest_vocabulary is 1"),
    ],
)
def test_settings_out_of_range_are_refused_by_name(chosen: Any, values: dict[str, Any], message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        chosen(**values)


def test_models_go_by_name_and_another_name_is_refused_with_all() -> None:
    assert [preset(name).kind for name in ("word2vec", "cbow", "glove")] == ["word2vec", "word2vec", "glove"]
    with pytest.raises(UsageError, match=r"no model 'fasttext' of word vectors. Choose one of: word2vec, cbow, glove"):
        preset("fasttext")
