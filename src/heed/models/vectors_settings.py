"""How word vectors are learnt: word2vec, which foretells words from their neighbours, or GloVe, which counts first."""

from typing import Literal

from heed.errors import SettingsError, UsageError
from heed.models.ranges import check_sizes
from heed.settings import settings

Method = Literal["skipgram", "cbow"]


@settings
class Word2VecSettings:
    """word2vec with negative sampling (Mikolov et al. 2013); the defaults suit a few million words."""

    kind: Literal["word2vec"] = "word2vec"
    method: Method = (
        "skipgram"  # a word foretells each neighbour; cbow: the neighbours' mean foretells the word, faster
    )
    width: int = 100
    window: int = 5  # words on each side; how many are used is drawn afresh for each word, so near ones count more
    negative: int = 5  # words drawn against each true neighbour; 5 to 20 for small corpora, 2 to 5 for large ones
    minimum_count: int = 5  # rarer words are left out before windows are taken
    largest_vocabulary: int = 400_000  # words, the most frequent
    subsample: float = 1e-3  # share of the corpus above which a word is skipped more and more often; 0: never
    learning_rate: float = 0.025  # falls evenly to a 250th of it
    epochs: int = 5
    workers: int = 1  # threads; with one the same seed gives the same vectors, with more each run differs

    def __post_init__(self) -> None:
        _check_common(self.width, self.window, self.minimum_count, self.largest_vocabulary, self.epochs)
        check_sizes({"negative": self.negative, "workers": self.workers})
        _check_rate(self.learning_rate)
        if not 0 <= self.subsample < 1:
            raise SettingsError(f"model.subsample is {self.subsample}. Use a share of at least 0 and below 1.")


@settings
class GloveSettings:
    """GloVe (Pennington et al. 2014); the defaults suit a few million words."""

    kind: Literal["glove"] = "glove"
    width: int = 100
    window: int = 10  # words on each side; one at distance d counts 1/d
    minimum_count: int = 5  # rarer words are left out before windows are taken
    largest_vocabulary: int = 400_000  # words, the most frequent
    most_pairs: int = 20_000_000  # different pairs of words that are counted; they take 2 GB while they are merged
    cap: float = (
        10.0  # x_max of eq. 9: pairs that come more often weigh no more; the paper has 100 for billions of words
    )
    power: float = 0.75  # alpha of eq. 9
    learning_rate: float = 0.2  # four times the authors', whose steps are of one pair each
    batch: int = 4096  # pairs in one step
    epochs: int = 25

    def __post_init__(self) -> None:
        _check_common(self.width, self.window, self.minimum_count, self.largest_vocabulary, self.epochs)
        check_sizes({"most_pairs": self.most_pairs, "batch": self.batch})
        _check_rate(self.learning_rate)
        for name, value in (("cap", self.cap), ("power", self.power)):
            if value <= 0:
                raise SettingsError(f"model.{name} is {value}. Use more than 0.")


VectorsModelSettings = Word2VecSettings | GloveSettings

NAMES = ("word2vec", "cbow", "glove")


def preset(name: str) -> VectorsModelSettings:
    """Return the settings of the model that a person calls by this name."""
    match name:
        case "word2vec":
            return Word2VecSettings()
        case "cbow":
            return Word2VecSettings(method="cbow", learning_rate=0.05)
        case "glove":
            return GloveSettings()
    raise UsageError(f"There is no model {name!r} of word vectors. Choose one of: {', '.join(NAMES)}.")


def _check_common(width: int, window: int, minimum_count: int, largest_vocabulary: int, epochs: int) -> None:
    check_sizes({"width": width, "window": window, "minimum_count": minimum_count, "epochs": epochs})
    if largest_vocabulary < 2:
        raise SettingsError(f"model.largest_vocabulary is {largest_vocabulary}. Use 2 or more.")


def _check_rate(rate: float) -> None:
    if rate <= 0:
        raise SettingsError(f"model.learning_rate is {rate}. Use more than 0.")
