"""`WordVectors`: the vectors of a run or a file, ready to be asked for neighbours and analogies, and to be scored."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from heed.data.demo_words import demo_name, names_demo
from heed.data.demos import royals
from heed.data.sentences import DEMOS
from heed.errors import UsageError
from heed.files.analogies import AnalogySection, is_analogies, read_analogies
from heed.files.similarities import read_similarities
from heed.files.vectors import read_all_vectors
from heed.models.word_space import Neighbour, WordSpace, WordSum, parse_sum
from heed.tasks.vector_scores import AnalogyScores, SimilarityScore, score_analogies, score_similarities

COUNT = 10  # neighbours that are told unless another number is asked for


@dataclass(frozen=True)
class WordAnswer:
    """The words nearest to what was asked, best first."""

    question: str
    asked: WordSum
    neighbours: tuple[Neighbour, ...]


@dataclass(frozen=True)
class VectorsEvaluation:
    """Scores by the name of the file that asked."""

    analogies: Mapping[str, AnalogyScores]
    similarities: Mapping[str, SimilarityScore]


class WordVectors:
    """Words and their vectors. They never change."""

    def __init__(self, space: WordSpace) -> None:
        self.space = space

    def predict(self, texts: Sequence[str], count: int = COUNT) -> list[WordAnswer]:
        """Return the answer to each question: a word ("king"), or a sum of words ("king - man + woman")."""
        return list(self.stream(texts, count))

    def stream(self, texts: Iterable[str], count: int = COUNT) -> Iterator[WordAnswer]:
        """Yield the answer to each question; any number of them."""
        for text in texts:
            asked = parse_sum(text)
            yield WordAnswer(text, asked, tuple(self.space.solve(asked, count)))

    def nearest(self, word: str, count: int = COUNT) -> list[Neighbour]:
        """Return the words nearest to a word."""
        return self.space.nearest(word, count)

    def analogy(self, positive: Sequence[str], negative: Sequence[str] = (), count: int = COUNT) -> list[Neighbour]:
        """Return the words nearest to a sum: analogy(["king", "woman"], ["man"]) begins with queen."""
        return self.space.solve(WordSum(tuple(positive), tuple(negative)), count)

    def similarity(self, first: str, second: str) -> float:
        """Return the cosine of the angle between two words, from -1 to 1."""
        return self.space.similarity(first, second)

    def evaluate(self, names: Sequence[str | Path], most_words: int | None = None) -> VectorsEvaluation:
        """Return the scores on files of analogies (`: section` lines) and of pairs, or on those of the demo.

        Analogies are answered among the first `most_words` words, which are the most frequent.
        """
        if not names:
            raise UsageError("There are 0 files to evaluate on. Give one of analogies, or of pairs of words.")
        analogies, similarities = {}, {}
        for name in map(str, names):
            if names_demo([name]):
                analogies[name] = score_analogies(self.space, _demo_sections(name), most_words)
            elif is_analogies(Path(name)):
                analogies[name] = score_analogies(self.space, read_analogies(Path(name)), most_words)
            else:
                similarities[name] = score_similarities(self.space, read_similarities(Path(name)))
        return VectorsEvaluation(analogies, similarities)


def read_word_vectors(path: Path, most_words: int | None = None) -> WordVectors:
    """Return the vectors of a text file as word2vec or GloVe write it, or the first of them."""
    vectors = read_all_vectors(path, most_words)
    return WordVectors(WordSpace(list(vectors.rows), vectors.table))


def _demo_sections(name: str) -> tuple[AnalogySection, ...]:
    demo_name([name], False, DEMOS)
    return tuple(AnalogySection(section, questions) for section, questions in royals.questions().items())
