"""How good word vectors are: analogies that they solve, and whether they find alike what people find alike.

A question or pair counts only if all its words have a vector; how many do is said with every score, for scores on
different questions cannot be compared. Words are taken in lower case.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from heed.errors import DataError, UsageError
from heed.files.analogies import AnalogySection
from heed.files.similarities import WordPair
from heed.models.word_space import WordSpace
from heed.tasks import number_scores
from heed.tasks.bootstrap import BootstrapInterval

SYNTACTIC = "gram"  # how the names of sections on grammar begin in questions-words.txt


@dataclass(frozen=True)
class AnalogyScore:
    """How many questions there were, how many had vectors for all words, and how many of those were solved."""

    name: str
    questions: int
    covered: int
    correct: int

    @property
    def accuracy(self) -> float:
        """Return the share of the covered questions that were solved; 0 where none was covered."""
        return self.correct / self.covered if self.covered else 0.0


@dataclass(frozen=True)
class AnalogyScores:
    """Scores of each section, of those on meaning, of those on grammar, and of all."""

    sections: tuple[AnalogyScore, ...]
    semantic: AnalogyScore
    syntactic: AnalogyScore
    total: AnalogyScore
    words: int  # among which answers were looked for


@dataclass(frozen=True)
class SimilarityScore:
    """How the order of the cosines agrees with the order that people gave."""

    pairs: int
    covered: int
    spearman: float
    interval: BootstrapInterval
    note: str  # why a correlation is 0 that has no value; else empty


def score_analogies(
    space: WordSpace, sections: Sequence[AnalogySection], most_words: int | None = None
) -> AnalogyScores:
    """Return how many analogies the vectors solve, with answers and questions among the first `most_words` words."""
    if most_words is not None and most_words < 4:
        raise UsageError(f"The number of words to look among is {most_words}. Use 4 or more.")
    words = min(len(space.words), most_words or len(space.words))
    scores = [_score_section(space, section, words) for section in sections]
    total = _together("total", scores)
    if total.covered == 0:
        raise DataError(
            f"None of the {total.questions:,} questions has all its words among the {words:,} that have a vector. "
            f"Give questions in the language of the vectors, or vectors of more words."
        )
    return AnalogyScores(
        sections=tuple(scores),
        semantic=_together("semantic", (score for score in scores if not score.name.startswith(SYNTACTIC))),
        syntactic=_together("syntactic", (score for score in scores if score.name.startswith(SYNTACTIC))),
        total=total,
        words=words,
    )


def score_similarities(space: WordSpace, pairs: Sequence[WordPair]) -> SimilarityScore:
    """Return Spearman's correlation of the cosines with what people said."""
    rows = [(_row(space, pair.first), _row(space, pair.second), pair.score) for pair in pairs]
    covered = [(first, second, score) for first, second, score in rows if first is not None and second is not None]
    if not covered:
        raise DataError(
            f"None of the {len(pairs):,} pairs has both words among the {len(space.words):,} that have a vector. "
            f"Give pairs in the language of the vectors, or vectors of more words."
        )
    firsts, seconds, expected = (list(column) for column in zip(*covered, strict=True))
    cosines_N = (space.unit_VD[firsts] * space.unit_VD[seconds]).sum(axis=1)
    scores = number_scores.score(cosines_N, expected)
    return SimilarityScore(len(pairs), len(covered), scores.spearman, scores.spearman_interval, scores.note)


def _score_section(space: WordSpace, section: AnalogySection, words: int) -> AnalogyScore:
    rows = [[_row(space, word) for word in question] for question in section.questions]
    known = [row for row in rows if all(place is not None and place < words for place in row)]
    rows_Q4 = np.array(known, dtype=np.int64).reshape(-1, 4)
    answers_Q = space.analogies(rows_Q4[:, :3], words)
    return AnalogyScore(section.name, len(rows), len(known), int((answers_Q == rows_Q4[:, 3]).sum()))


def _together(name: str, scores: Iterable[AnalogyScore]) -> AnalogyScore:
    scores = list(scores)
    return AnalogyScore(
        name,
        sum(score.questions for score in scores),
        sum(score.covered for score in scores),
        sum(score.correct for score in scores),
    )


def _row(space: WordSpace, word: str) -> int | None:
    return space.rows.get(word.lower())
