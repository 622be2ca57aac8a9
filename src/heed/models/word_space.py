"""`WordSpace`: words and their vectors, and what can be asked of them: neighbours, analogies, similarity."""

import difflib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from heed.errors import DataError, UsageError

Floats = NDArray[np.float32]

BLOCK_QUESTIONS = 256  # asked together …
BLOCK_WORDS = 50_000  # … of so many words: 51 MB of scores at a time, whatever the vocabulary
SPELLINGS = 50_000  # of the first words, the frequent ones where they are ranked, the nearest spelling is looked for


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A word and the cosine of the angle between its vector and the one that was asked about."""

    word: str
    similarity: float


@dataclass(frozen=True, slots=True)
class WordSum:
    """What is added and what is taken away: `king - man + woman`."""

    positive: tuple[str, ...]
    negative: tuple[str, ...] = ()

    @property
    def words(self) -> tuple[str, ...]:
        """Return all words of the sum."""
        return self.positive + self.negative


class WordSpace:
    """Vectors of words. A word is looked for as it is spelt, and else in lower case."""

    def __init__(self, words: Sequence[str], table_VD: Floats) -> None:
        assert table_VD.shape[0] == len(words), f"{len(words)} words, {table_VD.shape[0]} vectors"
        self.words = tuple(words)
        self.table = table_VD
        self.rows = {word: row for row, word in enumerate(self.words)}
        self.unit_VD = unit_rows(table_VD)

    def row(self, word: str) -> int:
        """Return where the vector of a word stands; refuse a word without one, with the nearest that has."""
        for spelling in (word, word.lower()):
            if spelling in self.rows:
                return self.rows[spelling]
        raise DataError(f"{word!r} is none of the {len(self.words):,} words that have a vector. {self._hint(word)}")

    def nearest(self, word: str, count: int = 10) -> list[Neighbour]:
        """Return the words nearest to a word, itself left out."""
        return self.solve(WordSum((word,)), count)

    def nearest_to(self, vector_D: Floats, count: int = 10) -> list[Neighbour]:
        """Return the words nearest to a vector."""
        if vector_D.shape != self.table.shape[1:]:
            raise UsageError(f"The vector has shape {vector_D.shape}; those of the words have {self.table.shape[1:]}.")
        return self._ranked(unit_rows(vector_D[None])[0], frozenset(), count)

    def solve(self, asked: WordSum, count: int = 10) -> list[Neighbour]:
        """Return the words nearest to a sum of unit vectors, those of the sum left out.

        With one word taken away and two added this is the analogy of Mikolov et al. 2013 (3CosAdd in Levy and
        Goldberg 2014, eq. 3): king - man + woman is queen.
        """
        if not asked.positive:
            raise UsageError(
                f"Nothing is added in {' '.join(('-', *asked.negative))!r}. Ask for example: king - man + woman"
            )
        added, taken = ([self.row(word) for word in side] for side in (asked.positive, asked.negative))
        target_D = self.unit_VD[added].sum(axis=0) - self.unit_VD[taken].sum(axis=0)
        return self._ranked(unit_rows(target_D[None])[0], frozenset(added + taken), count)

    def similarity(self, first: str, second: str) -> float:
        """Return the cosine of the angle between the vectors of two words."""
        return float(self.unit_VD[self.row(first)] @ self.unit_VD[self.row(second)])

    def analogies(self, questions_Q3: NDArray[np.int64], words: int) -> NDArray[np.int64]:
        """Return for each question (a, b, c), given as rows, the row of the word that is to c as b is to a.

        Asked are the first `words` of the vocabulary, the three of the question left out.
        """
        answers_Q = np.empty(len(questions_Q3), dtype=np.int64)
        for start in range(0, len(questions_Q3), BLOCK_QUESTIONS):
            block_B3 = questions_Q3[start : start + BLOCK_QUESTIONS]
            a_BD, b_BD, c_BD = (self.unit_VD[block_B3[:, place]] for place in range(3))
            answers_Q[start : start + len(block_B3)] = self._best(b_BD - a_BD + c_BD, block_B3, words)
        return answers_Q

    def _best(self, targets_BD: Floats, without_B3: NDArray[np.int64], words: int) -> NDArray[np.int64]:
        best_B = np.full(len(targets_BD), -np.inf, dtype=np.float32)
        rows_B = np.zeros(len(targets_BD), dtype=np.int64)
        for start in range(0, words, BLOCK_WORDS):
            scores_BV = targets_BD @ self.unit_VD[start : min(start + BLOCK_WORDS, words)].T
            question, place = np.nonzero((without_B3 >= start) & (without_B3 < start + scores_BV.shape[1]))
            scores_BV[question, without_B3[question, place] - start] = -np.inf
            found_B = scores_BV.argmax(axis=1)
            score_B = scores_BV[np.arange(len(found_B)), found_B]
            better_B = score_B > best_B
            best_B[better_B], rows_B[better_B] = score_B[better_B], found_B[better_B] + start
        return rows_B

    def _ranked(self, target_D: Floats, without: frozenset[int], count: int) -> list[Neighbour]:
        if count < 1:
            raise UsageError(f"The number of neighbours is {count}. Use 1 or more.")
        scores_V = self.unit_VD @ target_D
        scores_V[list(without)] = -np.inf
        count = min(count, len(self.words) - len(without))
        # Only the best are sorted; equals stand in the order of the vocabulary.
        chosen = np.sort(np.argpartition(-scores_V, max(0, count - 1))[:count])
        order = chosen[np.argsort(-scores_V[chosen], kind="stable")]
        return [Neighbour(self.words[row], float(scores_V[row])) for row in order]

    def _hint(self, word: str) -> str:
        lowered = word[:100].lower()
        likely = [known for known in self.words[:SPELLINGS] if abs(len(known) - len(lowered)) <= 2]
        near = difflib.get_close_matches(lowered, likely, n=1)
        return (
            f"Did you mean {near[0]!r}?" if near else "Ask for a word of the corpus that the vectors were learnt from."
        )


def parse_sum(text: str) -> WordSum:
    """Return what "king - man + woman" adds and takes away; a sign stands alone, so that "well-known" is a word."""
    sides: dict[str, list[str]] = {"+": [], "-": []}
    sign: str | None = "+"
    for part in text.split():
        if part in sides and sign is None:
            sign = part
        elif part not in sides and sign is not None:
            sides[sign].append(part)
            sign = None
        else:
            raise _malformed(text)
    if sign is not None:
        raise _malformed(text)
    return WordSum(tuple(sides["+"]), tuple(sides["-"]))


def unit_rows(table_VD: Floats) -> Floats:
    """Return the rows at length 1; a row of zeros, which points nowhere, stays as it is."""
    lengths_V1 = np.linalg.norm(table_VD, axis=1, keepdims=True)
    return np.divide(table_VD, lengths_V1, out=np.zeros_like(table_VD), where=lengths_V1 > 0)


def _malformed(text: str) -> UsageError:
    return UsageError(f"{text[:80]!r} cannot be read. Ask for a word (king), or a sum of words: king - man + woman")
