"""A linear baseline trained at once, for tests of the model rather than of the search for it."""

from collections.abc import Sequence

import numpy as np

from heed.models.tfidf import TfidfModel, TfidfSettings
from heed.models.tfidf_features import Texts
from heed.models.tfidf_training import search_tfidf


def train_tfidf(
    settings: TfidfSettings,
    texts: Sequence[Texts],
    expected: Sequence[float],
    classes: int | None,
    valid_texts: Sequence[Texts],
    valid_expected: Sequence[float],
) -> TfidfModel:
    """Return the best model of the search; without `classes`, what is expected are numbers."""
    *_, last = search_tfidf(settings, texts, np.asarray(expected), classes, valid_texts, np.asarray(valid_expected))
    assert last.model is not None
    return last.model
