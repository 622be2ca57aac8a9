"""Word vectors that are asked: answers to words and sums, files that judge them, and vectors read from a file."""

from pathlib import Path

import numpy as np
import pytest

from heed.errors import DataError, UsageError
from heed.files.vectors_writing import write_glove
from heed.models.word_space import WordSpace, WordSum
from heed.prediction.word_vectors import WordVectors, read_word_vectors

WORDS = {"king": (3, 1), "queen": (3, -1), "man": (1, 1), "woman": (1, -1), "far": (-9, 0)}
TABLE = np.array([(*where, 4) for where in WORDS.values()], dtype=np.float32)


@pytest.fixture
def vectors() -> WordVectors:
    return WordVectors(WordSpace(list(WORDS), TABLE))


def test_a_word_is_answered_with_its_neighbours_and_a_sum_with_its_nearest(vectors: WordVectors) -> None:
    word, total = vectors.predict(["King", "king - man + woman"], count=2)
    assert word.asked == WordSum(("King",))
    assert [each.word for each in word.neighbours] == ["man", "queen"]  # cosines 0.9245 and 0.9231
    assert total.question == "king - man + woman"
    assert total.neighbours[0].word == "queen"
    assert list(total.neighbours) == vectors.analogy(["king", "woman"], ["man"], count=2)
    assert list(word.neighbours) == vectors.nearest("king", 2)


def test_questions_are_answered_as_they_come(vectors: WordVectors) -> None:
    def endless() -> object:
        while True:
            yield "king"

    assert next(vectors.stream(endless())).neighbours  # type: ignore[arg-type]


def test_similarity_is_that_of_the_vectors(vectors: WordVectors) -> None:
    assert vectors.similarity("king", "king") == pytest.approx(1)
    assert vectors.similarity("king", "queen") == pytest.approx((9 - 1 + 16) / 26)


def test_each_file_is_scored_by_what_it_asks(vectors: WordVectors, tmp_path: Path) -> None:
    (tmp_path / "analogies.txt").write_text(": family\nman woman king queen\n")
    (tmp_path / "pairs.tsv").write_text("king\tqueen\t9\nking\tfar\t1\nman\twoman\t8\n")
    found = vectors.evaluate([tmp_path / "analogies.txt", str(tmp_path / "pairs.tsv")])
    assert found.analogies[str(tmp_path / "analogies.txt")].total.correct == 1
    assert found.similarities[str(tmp_path / "pairs.tsv")].covered == 3


def test_the_demo_brings_its_own_questions(vectors: WordVectors) -> None:
    scores = vectors.evaluate(["demo:royals"]).analogies["demo:royals"]
    assert [section.name for section in scores.sections] == ["family", "capital-common-countries"]
    assert (scores.total.covered, scores.total.questions) == (2, 222)


@pytest.mark.parametrize(
    ("names", "problem", "message"),
    [
        ([], UsageError, "There are 0 files to evaluate on"),
        (["away.txt"], DataError, "away.txt does not exist"),
        (["demo:reviews"], DataError, "demo:reviews is for the task classify"),
    ],
)
def test_what_cannot_be_evaluated_on_is_named(
    vectors: WordVectors, names: list[str], problem: type[Exception], message: str
) -> None:
    with pytest.raises(problem, match=message):
        vectors.evaluate(names)


def test_vectors_of_a_file_answer_as_those_it_was_written_from(vectors: WordVectors, tmp_path: Path) -> None:
    write_glove(tmp_path / "vectors.txt", list(WORDS), TABLE)
    read = read_word_vectors(tmp_path / "vectors.txt")
    assert read.predict(["king - man + woman"]) == vectors.predict(["king - man + woman"])
    assert len(read_word_vectors(tmp_path / "vectors.txt", most_words=2).space.words) == 2
