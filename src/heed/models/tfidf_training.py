"""Training of the linear baseline: several small models, of which validation chooses one.

Nothing is drawn at random: the same texts and settings give the same model.
"""

import time
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from scipy import sparse  # type: ignore[import-untyped]

from heed.errors import DataError
from heed.models.tfidf import (
    Method,
    TfidfCandidate,
    TfidfFacts,
    TfidfModel,
    TfidfSettings,
    build_features,
    check_examples,
    class_logits,
    log_softmax,
)
from heed.models.tfidf_features import Texts, block
from heed.models.tfidf_ngrams import NgramTable, Unit, Words, learn_ngrams
from heed.models.tfidf_words import cut_texts

# Wide enough for any margins that training gives, narrow enough that a few validation texts, all of them right, do not
# make the model certain of everything.
_SHARPNESS = (0.05, 20.0)


@dataclass(frozen=True, slots=True)
class TfidfProgress:
    """A candidate that is done, which of how many it was, and the seconds that it took with its features."""

    candidate: TfidfCandidate
    number: int  # from 1
    total: int
    seconds: float
    model: TfidfModel | None  # the best of all, once the last candidate is done


def search_tfidf(
    settings: TfidfSettings,
    texts: Sequence[Texts],
    expected: np.ndarray,
    classes: int | None,
    valid_texts: Sequence[Texts],
    valid_expected: np.ndarray,
) -> Iterator[TfidfProgress]:
    """Yield each candidate as it is done, the last one with the best model of all.

    What is expected are labels, of which the best gets most right on the validation texts, or without `classes`
    numbers, where it has the smallest mean squared error.
    """
    plan = _plan(settings, expected, classes)
    data = _Data(texts, expected, valid_texts, valid_expected)
    total = len(plan) * (1 if settings.characters is None else 2)
    candidates: list[TfidfCandidate] = []
    best: _Attempt | None = None
    started = time.perf_counter()
    for attempt in _attempts(settings, data, plan, classes):
        candidates.append(attempt.candidate)
        # Among equals the simplest: they are tried in the order without character n-grams, logistic regression before
        # SVM, smaller weights. Only the best one's weights are kept.
        if best is None or attempt.candidate.score > best.candidate.score:
            best = attempt
        seconds = time.perf_counter() - started
        model = _model(settings, data, candidates, best, classes) if len(candidates) == total else None
        yield TfidfProgress(attempt.candidate, len(candidates), total, seconds, model)
        started = time.perf_counter()


@dataclass(frozen=True)
class _Data:
    texts: Sequence[Texts]
    expected: np.ndarray
    valid_texts: Sequence[Texts]
    valid_expected: np.ndarray

    def __post_init__(self) -> None:
        _check_part("training", self.texts, self.expected)
        _check_part("validation", self.valid_texts, self.valid_expected)
        for examples in (self.texts, self.valid_texts):
            check_examples(examples, self.texts_in_example)

    @property
    def texts_in_example(self) -> int:
        return 1 if isinstance(self.texts[0], str) else len(self.texts[0])


@dataclass(frozen=True)
class _Attempt:
    """A candidate, its weights, and its outputs for the validation texts."""

    candidate: TfidfCandidate
    tables: tuple[NgramTable, ...]
    weights_FK: np.ndarray
    bias_K: np.ndarray
    valid_NK: np.ndarray


def _plan(settings: TfidfSettings, expected: np.ndarray, classes: int | None) -> list[tuple[Method, float]]:
    """Return what is tried with each set of n-grams, the simplest first."""
    if classes is None:
        return [("ridge", strength) for strength in sorted(settings.ridge_strengths)]
    _check_classes(expected.tolist(), classes)
    return [
        *(("logistic", strength) for strength in sorted(settings.logistic_strengths)),
        *(("svm", strength) for strength in sorted(settings.svm_strengths)),
    ]


def _model(
    settings: TfidfSettings, data: _Data, candidates: Sequence[TfidfCandidate], best: _Attempt, classes: int | None
) -> TfidfModel:
    sharpness = _sharpness(best.valid_NK, data.valid_expected) if best.candidate.method == "svm" else 1.0
    facts = TfidfFacts(
        settings=settings,
        texts=data.texts_in_example,
        classes=classes,
        candidates=tuple(candidates),
        chosen=candidates.index(best.candidate),
        sharpness=sharpness,
    )
    features = build_features(settings, data.texts_in_example, best.tables)
    return TfidfModel(facts, features, best.weights_FK * sharpness, best.bias_K * sharpness)


def _attempts(
    settings: TfidfSettings, data: _Data, plan: Sequence[tuple[Method, float]], classes: int | None
) -> Iterator[_Attempt]:
    for tables, train_NF, valid_NF in _feature_sets(settings, data):
        for method, strength in plan:
            weights_FK, bias_K = _fit(method, strength, train_NF, data.expected)
            valid_NK = valid_NF @ weights_FK + bias_K
            score = _score(valid_NK, data.valid_expected, classes)
            candidate = TfidfCandidate(characters=len(tables) > 1, method=method, strength=strength, score=score)
            yield _Attempt(candidate, tables, weights_FK, bias_K, valid_NK)


def _feature_sets(
    settings: TfidfSettings, data: _Data
) -> Iterator[tuple[tuple[NgramTable, ...], sparse.csr_array, sparse.csr_array]]:
    """Yield the tables and the features of training and validation texts: words alone, then characters beside them."""
    parts = [_cut(settings, part) for part in (data.texts, data.valid_texts)]
    units: list[tuple[Unit, tuple[int, int]]] = [("words", settings.words)]
    if settings.characters is not None:
        units.append(("characters", settings.characters))
    tables: tuple[NgramTable, ...] = ()
    train_NF, valid_NF = (sparse.csr_array((len(part[0]), 0)) for part in parts)
    for unit, lengths in units:
        tables = (*tables, _learn_table(settings, unit, lengths, parts[0]))
        train_NF, valid_NF = (
            sparse.hstack([before_NF, block(tables[-1], sides, sublinear=settings.sublinear)], format="csr")
            for before_NF, sides in zip((train_NF, valid_NF), parts, strict=True)
        )
        yield tables, train_NF, valid_NF


def _cut(settings: TfidfSettings, examples: Sequence[Texts]) -> list[list[list[str]]]:
    return [cut_texts(side, lowercase=settings.lowercase) for side in zip(*examples, strict=True)]


def _learn_table(
    settings: TfidfSettings, unit: Unit, lengths: tuple[int, int], sides: Sequence[Sequence[Words]]
) -> NgramTable:
    texts = [words for side in sides for words in side]
    table = learn_ngrams(texts, unit, lengths, settings.minimum_count, settings.largest_vocabulary)
    if not table.ngrams:
        raise DataError(
            f"No run of {lengths[0]} to {lengths[1]} {unit} stands in {settings.minimum_count} or more of the "
            f"{len(texts)} training texts. Use model.minimum_count=1, or give more texts."
        )
    return table


def _fit(
    method: Method, strength: float, features_NF: sparse.csr_array, expected: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return the weights (F, K) and bias (K,) that fit best."""
    # Here, and not above: it takes a second to load, and what other models learn does not need it.
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.linear_model import LogisticRegression, Ridge
    from sklearn.svm import LinearSVC

    match method:
        case "logistic":
            model = LogisticRegression(C=strength, max_iter=200)
        case "svm":
            # In the primal form the solver draws nothing at random.
            model = LinearSVC(C=strength, dual=False)
        case "ridge":
            model = Ridge(alpha=1 / strength, solver="sparse_cg")
    with warnings.catch_warnings():
        # One that has not quite arrived is judged on validation like the rest.
        warnings.simplefilter("ignore", ConvergenceWarning)
        model.fit(features_NF, expected)
    weights_KF = np.atleast_2d(model.coef_)
    return np.ascontiguousarray(weights_KF.T), np.atleast_1d(np.asarray(model.intercept_, dtype=np.float64))


def _score(valid_NK: np.ndarray, expected: np.ndarray, classes: int | None) -> float:
    if classes is None:
        return -float(np.mean((valid_NK[:, 0] - expected) ** 2))
    return float(np.mean(class_logits(valid_NK).argmax(axis=1) == expected))


def _sharpness(valid_NK: np.ndarray, expected: np.ndarray) -> float:
    """Return the factor that makes logits of margins with the smallest log loss (Guo et al. 2017, section 4.2).

    One factor for all classes, above 0, so that the class that is chosen stays the same.
    """
    from scipy import optimize  # here for the same reason as in `_fit`

    logits_NC = class_logits(valid_NK)
    rows = np.arange(len(expected))

    def log_loss(log_factor: float) -> float:
        return -float(log_softmax(logits_NC * np.exp(log_factor))[rows, expected].mean())

    found = optimize.minimize_scalar(log_loss, bounds=np.log(_SHARPNESS), method="bounded")
    return float(np.exp(found.x))


def _check_part(name: str, texts: Sequence[Texts], expected: np.ndarray) -> None:
    if not texts or len(texts) != len(expected):
        raise DataError(
            f"There are {len(texts)} {name} texts and {len(expected)} outcomes. "
            f"Give one outcome for each, and at least one text."
        )


def _check_classes(labels: Sequence[int], classes: int) -> None:
    if classes < 2:
        raise DataError(f"There is {classes} class to tell apart. Give training texts of at least two labels.")
    missing = sorted(set(range(classes)) - set(labels))
    if missing:
        raise DataError(f"No training text has the label number {missing[0]} of {classes}. Give each label some texts.")
