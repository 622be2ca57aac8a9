"""From results of trials to standings: means over seeds, and which gaps are more than chance."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from statistics import fmean

import numpy

from heed.comparing.inputs import TestData
from heed.comparing.results import Comparison, Standing, TrialResult
from heed.comparing.statistics import (
    Difference,
    holm,
    interval_over_seeds,
    paired_difference,
    paired_score_difference,
)
from heed.comparing.trials import Plan
from heed.tasks.number_scores import spearman_of_pairs
from heed.tasks.translation_scores import bleu_of_counts

Trials = Mapping[str, Sequence[TrialResult]]


def standings(trials: Sequence[TrialResult], metric: str, baseline: str | None) -> list[Standing]:
    """Return one row a contender, best first, each set against the best and the baseline."""
    by_name: dict[str, list[TrialResult]] = {}
    for trial in trials:
        by_name.setdefault(trial.contender, []).append(trial)
    ranked = sorted(by_name, key=lambda name: -fmean(trial.score for trial in by_name[name]))
    rows = [_standing(name, by_name, ranked[0], baseline, metric) for name in ranked]
    best = _corrected([row.against_best for row in rows])
    base = _corrected([row.against_baseline for row in rows])
    return [
        replace(row, against_best=one, against_baseline=other) for row, one, other in zip(rows, best, base, strict=True)
    ]


def conclude(
    plan: Plan,
    trials: Sequence[TrialResult],
    test: TestData,
    metric: str,
    labels: Sequence[str],
    facts: Mapping[str, str],
) -> Comparison:
    """Return the whole comparison."""
    settings = plan.contenders[0].settings
    baseline = plan.baseline if len(plan.contenders) > 1 else None
    return Comparison(
        task=settings.task,
        metric=metric,
        origin=test.origin,
        labels=labels,
        standings=standings(trials, metric, baseline),
        trials=trials,
        examples=test.examples(),
        baseline=baseline,
        budget=_budget(plan),
        facts=facts,
    )


def _standing(name: str, trials: Trials, best: str, baseline: str | None, metric: str) -> Standing:
    own = trials[name]
    tokens = max(1, sum(trial.tokens for trial in own))
    return Standing(
        name=name,
        seeds=len(own),
        score=interval_over_seeds([trial.score for trial in own]),
        values={key: fmean(trial.values[key] for trial in own) for key in own[0].values},
        against_best=_difference(own, trials[best], metric) if name != best else None,
        against_baseline=_difference(own, trials[baseline], metric) if baseline and name != baseline else None,
        parameters=own[0].parameters,
        seconds=fmean(trial.seconds for trial in own),
        latency=fmean(trial.latency for trial in own),
        texts_per_second=fmean(trial.texts_per_second for trial in own),
        bytes_on_disk=fmean(trial.bytes_on_disk for trial in own),
        unknown_share=sum(trial.unknown for trial in own) / tokens,
        cut_share=sum(trial.cut for trial in own) / tokens,
    )


def _corrected(differences: Sequence[Difference | None]) -> list[Difference | None]:
    """Return the differences with chances that hold for all of them at once: of twenty gaps, one would else be luck."""
    chances = iter(holm([each.p_value for each in differences if each is not None]))
    result: list[Difference | None] = []
    for each in differences:
        chance = None if each is None else next(chances)
        result.append(None if each is None or chance is None else replace(each, p_value=chance, real=chance < 0.05))
    return result


def _difference(own: Sequence[TrialResult], others: Sequence[TrialResult], metric: str) -> Difference:
    own_SNK, other_SNK = (numpy.asarray([trial.statistics for trial in side]) for side in (own, others))
    match metric:
        case "accuracy":
            return paired_difference(own_SNK[:, :, 0] > 0, other_SNK[:, :, 0] > 0)
        case "spearman":
            return paired_score_difference(own_SNK, other_SNK, spearman_of_pairs)
        case _:
            return paired_score_difference(own_SNK, other_SNK, lambda counts_NK: bleu_of_counts(counts_NK.sum(axis=0)))


def _budget(plan: Plan) -> str:
    training = plan.contenders[0].settings.training
    if training.minutes is not None:
        return f"{training.minutes:g} minutes" if training.minutes >= 1 else f"{60 * training.minutes:.0f} seconds"
    return f"{training.steps} steps" if training.steps is not None else f"{training.epochs} epochs"
