"""A trained run measured on test data: its scores, what each example adds to them, its speed and its size."""

import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy

from heed.comparing.inputs import TestData, inputs_facts
from heed.comparing.results import CurvePoint, TrialResult
from heed.comparing.trials import Trial
from heed.data.records import LabelledText, TextPair
from heed.errors import UsageError
from heed.prediction.classifier import Classifier
from heed.prediction.loading import kind_of, load_predictor
from heed.prediction.translator import Translator
from heed.runs.folder import RunFolder
from heed.runs.recording import circumstances
from heed.tasks.classification_scores import ClassificationScores
from heed.tasks.labelled_scores import example_statistics, headline
from heed.tasks.targets import Classes
from heed.tasks.translation_scores import sentence_counts
from heed.tokens.encoded import TokenCounts

ALONE = 50  # texts that are timed one at a time
TOGETHER = 2000  # texts that are timed all at once

Item = TypeVar("Item")


@dataclass(frozen=True)
class Scored:
    """What a model says of the test data, and how good it is."""

    score: float
    values: dict[str, float]
    statistics: list[list[float]]
    predicted: list[str]
    confidence: list[float]
    confusion: list[list[int]]
    counts: TokenCounts


def measure(trial: Trial, folder: RunFolder, test: TestData, trained_now: bool) -> TrialResult:
    """Return what a finished run is worth; one that was found finished may be of another version of heed."""
    match load_predictor(folder.path):
        case Classifier() as classifier:
            scored = _score_labels(classifier, test.labelled)
            latency, rate = _time(classifier.predict, [record.texts for record in test.labelled])
        case Translator() as translator:
            scored = _score_translations(translator, test.pairs)
            latency, rate = _time(translator.predict, [pair.source for pair in test.pairs])
        case other:
            raise UsageError(f"{folder.path} holds {kind_of(other)}, which cannot be compared yet.")
    finished, metrics = folder.read_finished(), folder.read_metrics()
    return TrialResult(
        contender=trial.contender.name,
        seed=trial.seed,
        score=scored.score,
        values=scored.values,
        statistics=scored.statistics,
        predicted=scored.predicted,
        confidence=scored.confidence,
        confusion=scored.confusion,
        curve=_curve(metrics),
        parameters=sum(tensor.numel() for tensor in folder.read_best().tensors.values() if tensor.is_floating_point()),
        steps=int(_number(finished.get("step"))),
        seconds=_number(metrics[-1].get("seconds")) if metrics else 0.0,
        latency=latency,
        texts_per_second=rate,
        bytes_on_disk=folder.bytes_to_predict(),
        tokens=scored.counts.tokens,
        unknown=scored.counts.unknown,
        cut=scored.counts.cut,
        inputs=inputs_facts(test.inputs[trial.contender.name]),
        deterministic=trial.contender.is_deterministic,
        circumstances=_circumstances(folder, trained_now),
    )


def _circumstances(folder: RunFolder, trained_now: bool) -> dict[str, str]:
    """Return what trained the run: as its last checkpoint says, or this process. A linear model keeps no checkpoint."""
    now = circumstances()
    facts = folder.newest_facts() or (now if trained_now else {})
    return {name: str(facts[name]) for name in now if name in facts}


def _score_labels(model: Classifier, records: Sequence[LabelledText]) -> Scored:
    found = model.evaluate(records)
    expected = model.targets.encode(records).numpy()
    score, values = headline(found.scores)
    confusion = found.scores.confusion if isinstance(found.scores, ClassificationScores) else ()
    labels = isinstance(model.targets, Classes)
    return Scored(
        score=score,
        values=values,
        statistics=example_statistics(model.targets, found.outputs, expected).tolist(),
        predicted=[each.label if each.label is not None else f"{each.number:.3f}" for each in found.predictions],
        confidence=[round(each.probability or 0.0, 4) for each in found.predictions] if labels else [],
        confusion=[list(row) for row in confusion],
        counts=found.counts,
    )


def _score_translations(model: Translator, pairs: Sequence[TextPair]) -> Scored:
    found = model.evaluate(pairs)
    texts = [each.text for each in found.translations]
    values = {"bleu": found.scores.bleu, "chrf": found.scores.chrf, "loss": found.loss}
    counts = sentence_counts(texts, [pair.target for pair in pairs])
    return Scored(found.scores.bleu, values, counts.tolist(), texts, [], [], found.source_counts)


def _time(predict: Callable[[Sequence[Item]], object], texts: Sequence[Item]) -> tuple[float, float]:
    """Return the median seconds of one text alone, and texts a second of many together."""
    chosen = [texts[index] for index in numpy.linspace(0, len(texts) - 1, min(ALONE, len(texts))).astype(int)]
    predict(chosen[:2])  # the first call of a process is slower than all others
    alone = statistics.median(_seconds_of(predict, [text]) for text in chosen)
    many = list(texts[:TOGETHER])
    return alone, len(many) / _seconds_of(predict, many)


def _seconds_of(predict: Callable[[Sequence[Item]], object], texts: Sequence[Item]) -> float:
    began = time.perf_counter()
    predict(texts)
    return time.perf_counter() - began


def _curve(metrics: Sequence[Mapping[str, object]]) -> list[CurvePoint]:
    points = []
    for line in metrics:
        score = next((line[name] for name in ("valid.accuracy", "valid.spearman", "valid.bleu") if name in line), None)
        if score is not None:
            step, seconds, loss = (_number(line.get(name)) for name in ("step", "seconds", "valid.loss"))
            points.append(CurvePoint(int(step), seconds, _number(score), loss))
    return points


def _number(value: object) -> float:
    return float(value) if isinstance(value, int | float) else 0.0
