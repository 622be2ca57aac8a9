"""`learn_vectors`: word vectors from sentences, whichever way the settings say."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import assert_never

from heed.models.cooccurrence import count_pairs
from heed.models.glove import learn_glove
from heed.models.vectors_epoch import VectorsEpoch
from heed.models.vectors_settings import GloveSettings, VectorsModelSettings, Word2VecSettings
from heed.models.word2vec import learn_word2vec


def learn_vectors(
    settings: VectorsModelSettings, counts: Mapping[str, int], sentences: Iterable[Sequence[str]], seed: int
) -> Iterator[VectorsEpoch]:
    """Yield the vectors after each epoch, in the order of `counts`, the vocabulary with its frequencies."""
    match settings:
        case Word2VecSettings():
            return learn_word2vec(settings, counts, sentences, seed)
        case GloveSettings():
            return _glove(settings, counts, sentences, seed)
        case _:
            assert_never(settings)


def _glove(
    settings: GloveSettings, counts: Mapping[str, int], sentences: Iterable[Sequence[str]], seed: int
) -> Iterator[VectorsEpoch]:
    rows = {word: row for row, word in enumerate(counts)}
    pairs = count_pairs(sentences, rows, settings.window, settings.most_pairs)
    yield from learn_glove(settings, pairs, len(rows), seed)
