"""Which gaps standings claim: all of a comparison at once, and none where seeds are not known."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from fake_comparisons import labelled

from heed.comparing.findings import answer, cautions, gap_sentences
from heed.comparing.results import Comparison, Standing, TrialResult
from heed.comparing.standings import standings
from heed.comparing.wording import verdict

TEXTS = 400


def trial(name: str, seed: int, share: float, deterministic: bool = False) -> TrialResult:
    """Return a trial that has a share of the texts right, the same easy ones for all."""
    generator = np.random.default_rng(seed)
    right_N = np.arange(TEXTS) / TEXTS + generator.normal(0, 0.02, TEXTS) < share
    statistics = [[float(each)] for each in right_N]
    some = replace(labelled(examples=3).trials[0], contender=name, seed=seed, statistics=statistics)
    said = [f"{name} {each}" for each in right_N.tolist()]
    return replace(some, score=float(right_N.mean()), predicted=said, deterministic=deterministic)


def gap_between(trials: Sequence[TrialResult]) -> Standing:
    """Return the second of the standings."""
    return standings(trials, "accuracy", None)[1]


def told(trials: Sequence[TrialResult], baseline: str | None = None) -> Comparison:
    """Return the whole comparison of these trials."""
    some = labelled(examples=3)
    found = standings(trials, "accuracy", baseline)
    return replace(some, standings=found, trials=trials, baseline=baseline)


def test_a_large_gap_of_several_seeds_is_real() -> None:
    trials = [trial(name, seed, share) for name, share in (("good", 0.9), ("bad", 0.6)) for seed in (1, 2, 3)]
    assert verdict(gap_between(trials).against_best) == "real"


def test_a_large_gap_of_one_seed_each_is_not_called_real() -> None:
    found = gap_between([trial("good", 1, 0.9), trial("bad", 1, 0.6)]).against_best
    assert not found.real
    assert found.one_seed
    assert found.high < 0  # over other texts, which the interval is about
    assert verdict(found) == "may be the seed"


def test_a_gap_of_one_seed_each_that_other_texts_would_explain_may_be_chance() -> None:
    found = gap_between([trial("good", 1, 0.9), trial("bad", 2, 0.899)]).against_best
    assert verdict(found) == "may be chance"


def test_a_model_that_uses_no_seed_is_known_from_one_run() -> None:
    trials = [trial("tfidf", 1, 0.9, deterministic=True), *(trial("gru", seed, 0.6) for seed in (1, 2, 3))]
    assert gap_between(trials).against_best.real
    both = [trial("tfidf", 1, 0.9, deterministic=True), trial("other", 1, 0.6, deterministic=True)]
    assert gap_between(both).against_best.real


def test_what_one_seed_does_not_tell_is_said() -> None:
    comparison = told([trial("good", 1, 0.9), trial("bad", 1, 0.6)])
    assert "Its lead over bad may be the luck of one seed." in answer(comparison)
    assert gap_sentences(comparison)[0].endswith(
        "more than other test texts would change, but it may be the luck of one seed"
    )
    assert "no gap is called real. Give --seeds 3 or more." in cautions(comparison)[0]


def test_a_baseline_without_seeds_is_not_told_to_use_more_of_them() -> None:
    comparison = told([trial("tfidf", 1, 0.9, deterministic=True), trial("other", 1, 0.6, deterministic=True)])
    assert cautions(comparison)[0] == "tfidf and other use no seed: training again gives the same model."


def test_gaps_to_the_baseline_are_of_the_same_family_as_those_to_the_best() -> None:
    names = ("a", "b", "c", "d")
    trials = [trial(name, seed, 0.9 - 0.02 * place) for place, name in enumerate(names) for seed in (1, 2, 3)]
    found = {each.name: each for each in standings(trials, "accuracy", "d")}
    assert found["a"].against_baseline.mean == -found["d"].against_best.mean
    assert found["a"].against_baseline.p_value == found["d"].against_best.p_value
    assert found["d"].against_baseline is None
    assert found["a"].against_best is None


def test_contenders_that_answer_alike_throughout_are_told() -> None:
    twins = [replace(trial("one", seed, 0.9), contender=name) for name in ("one", "other") for seed in (1, 2)]
    assert any("one and other gave exactly the same answers" in each for each in cautions(told(twins)))
    apart = [trial(name, seed, share) for name, share in (("one", 0.9), ("other", 0.8)) for seed in (1, 2)]
    assert not any("exactly the same answers" in each for each in cautions(told(apart)))


def test_models_that_different_versions_trained_are_told() -> None:
    versions = {"one": "0.5.0", "other": "0.6.0"}
    trials = [
        replace(trial(name, seed, 0.9), circumstances={"heed": versions[name], "torch": "2.13.0"})
        for name in versions
        for seed in (1, 2)
    ]
    said = [each for each in cautions(told(trials)) if "version" in each]
    assert said == [
        "The models were not all trained by the same version (one by heed 0.5.0, torch 2.13.0; "
        "other by heed 0.6.0, torch 2.13.0): gaps may come from that."
    ]


@pytest.mark.parametrize("metric", ["spearman", "bleu"])
def test_scores_that_are_no_means_have_standings_too(metric: str) -> None:
    generator = np.random.default_rng(1)
    trials = []
    for name in ("one", "other"):
        for seed in (1, 2):
            numbers = generator.integers(1, 9, size=(30, 2 if metric == "spearman" else 10)).tolist()
            trials.append(replace(trial(name, seed, 0.5), statistics=numbers))
    found = standings(trials, metric, None)[1].against_best
    assert found.low < found.mean < found.high
    assert not found.real
