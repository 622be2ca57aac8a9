"""From results of trials to standings: means over seeds, and which gaps are more than chance."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from statistics import fmean

import numpy

from heed.comparing.inputs import TestData
from heed.comparing.results import Comparison, Standing, TrialResult
from heed.comparing.statistics import (
    Difference,
    Spread,
    differences,
    interval_over_seeds,
    spread_of_means,
    spread_of_scores,
)
from heed.comparing.trials import Plan
from heed.tasks.number_scores import spearman_of_pairs
from heed.tasks.translation_scores import bleu_of_counts


def standings(trials: Sequence[TrialResult], metric: str, baseline: str | None) -> list[Standing]:
    """Return one row a contender, best first, each set against the best and the baseline."""
    by_name: dict[str, list[TrialResult]] = {}
    for trial in trials:
        by_name.setdefault(trial.contender, []).append(trial)
    ranked = sorted(by_name, key=lambda name: -fmean(trial.score for trial in by_name[name]))
    gaps = _gaps([by_name[name] for name in ranked], metric)
    base = ranked.index(baseline) if baseline else None
    return [
        _standing(name, by_name[name], row[0] if place else None, row[base] if base not in (None, place) else None)
        for place, (name, row) in enumerate(zip(ranked, gaps, strict=True))
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


def _standing(name: str, own: Sequence[TrialResult], best: Difference | None, baseline: Difference | None) -> Standing:
    tokens = max(1, sum(trial.tokens for trial in own))
    return Standing(
        name=name,
        seeds=len(own),
        score=interval_over_seeds([trial.score for trial in own]),
        values={key: fmean(trial.values[key] for trial in own) for key in own[0].values},
        against_best=best,
        against_baseline=baseline,
        parameters=own[0].parameters,
        seconds=fmean(trial.seconds for trial in own),
        latency=fmean(trial.latency for trial in own),
        texts_per_second=fmean(trial.texts_per_second for trial in own),
        bytes_on_disk=fmean(trial.bytes_on_disk for trial in own),
        unknown_share=sum(trial.unknown for trial in own) / tokens,
        cut_share=sum(trial.cut for trial in own) / tokens,
    )


def _gaps(contenders: Sequence[Sequence[TrialResult]], metric: str) -> list[list[Difference]]:
    """Return the difference of every contender to every other."""
    found = differences(_spread([numpy.asarray([trial.statistics for trial in own]) for own in contenders], metric))
    lucky = [len(own) == 1 and not own[0].deterministic for own in contenders]
    return [
        [_known_for(gap, lucky[one] or lucky[other]) for other, gap in enumerate(row)] for one, row in enumerate(found)
    ]


def _known_for(gap: Difference, one_seed: bool) -> Difference:
    """Return the gap, never called real where one seed says nothing of what another would have given."""
    return replace(gap, real=False, one_seed=True) if one_seed else gap


def _spread(statistics_SNK: Sequence[numpy.ndarray], metric: str) -> Spread:
    match metric:
        case "accuracy":
            return spread_of_means([own_SNK[:, :, 0] > 0 for own_SNK in statistics_SNK])
        case "spearman":
            return spread_of_scores(statistics_SNK, spearman_of_pairs)
        case _:
            return spread_of_scores(statistics_SNK, lambda counts_NK: bleu_of_counts(counts_NK.sum(axis=0)))


def _budget(plan: Plan) -> str:
    training = plan.contenders[0].settings.training
    if training.minutes is not None:
        return f"{training.minutes:g} minutes" if training.minutes >= 1 else f"{60 * training.minutes:.0f} seconds"
    return f"{training.steps} steps" if training.steps is not None else f"{training.epochs} epochs"
