"""Comparisons as they come out of real work, made in milliseconds: nothing is trained, all numbers are drawn."""

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from statistics import fmean, stdev

from heed.comparing.results import Comparison, CurvePoint, Standing, TestExample, TrialResult
from heed.comparing.statistics import Difference, Interval

NAMES = ("textcnn", "transformer", "gru", "lstm", "tfidf")
TWO = ("negative", "positive")
FIVE = ("anger", "fear", "joy", "sadness", "surprise")
MANY = tuple(f"label {number}" for number in range(60))
FACTS = {
    "command": "heed compare classify demo:opinions --models textcnn,transformer,gru,lstm,tfidf --seeds 3",
    "versions": "heed 0.1.0, torch 2.13.0, Python 3.11.9",
    "machine": "x86_64, 2 threads",
}
WORDS = [
    "the",
    "a",
    "film",
    "was",
    "never",
    "less",
    "than",
    "warm",
    "and",
    "strangely",
    "funny",
    "though",
    "its",
    "plot",
    "wanders",
    "far",
    "too",
    "long",
]


def labelled(
    names: Sequence[str] = NAMES, seeds: int = 3, examples: int = 200, labels: Sequence[str] = TWO, luck: int = 7
) -> Comparison:
    """Return a comparison of classifiers; each is a little worse than the one before it."""
    chance = random.Random(luck)
    test = [_example(chance, number, chance.choice(labels)) for number in range(examples)]
    difficulty = [chance.random() for _ in test]
    trials = []
    for seed in range(1, seeds + 1):
        for place, name in enumerate(names):
            skill = 0.9 - 0.012 * place + chance.uniform(-0.008, 0.008)
            right = [hard + chance.uniform(-0.15, 0.15) < skill for hard in difficulty]
            trials.append(_labelled_trial(chance, name, seed, test, right, labels))
    baseline = "tfidf" if "tfidf" in names else None
    return _concluded("classify", "accuracy", labels, trials, test, baseline)


def numbered(names: Sequence[str] = NAMES, seeds: int = 3, examples: int = 200) -> Comparison:
    """Return a comparison whose outcome is a number: pairs of texts, no labels, no probabilities."""
    chance = random.Random(3)
    test = [
        replace(_example(chance, number, f"{chance.uniform(0, 5):.1f}"), texts=(_sentence(chance), _sentence(chance)))
        for number in range(examples)
    ]
    trials = []
    for seed in range(1, seeds + 1):
        for place, name in enumerate(names):
            numbers = [float(example.expected) + chance.gauss(0, 0.4 + 0.1 * place) for example in test]
            trial = _trial(chance, name, seed, 0.85 - 0.03 * place + chance.uniform(-0.01, 0.01))
            statistics = [[number, float(example.expected)] for number, example in zip(numbers, test, strict=True)]
            trials.append(replace(trial, predicted=[f"{number:.3f}" for number in numbers], statistics=statistics))
    return _concluded("pair", "spearman", (), trials, test, "tfidf" if "tfidf" in names else None)


def translated(names: Sequence[str] = ("transformer-tiny", "lstm"), seeds: int = 2, examples: int = 60) -> Comparison:
    """Return a comparison of translators: every answer is a text, and there is no probability."""
    chance = random.Random(5)
    test = [_example(chance, number, _sentence(chance)) for number in range(examples)]
    trials = []
    for seed in range(1, seeds + 1):
        for place, name in enumerate(names):
            said = [_mistranslated(chance, example.expected, 0.1 + 0.15 * place) for example in test]
            trial = _trial(chance, name, seed, 35 - 4 * place + chance.uniform(-0.5, 0.5))
            statistics = [_overlap(text, example.expected) for text, example in zip(said, test, strict=True)]
            curve = [replace(point, score=100 * point.score) for point in trial.curve]
            trials.append(replace(trial, predicted=said, statistics=statistics, curve=curve))
    return _concluded("translate", "bleu", (), trials, test, None)


def with_one_seed_of(comparison: Comparison, name: str) -> Comparison:
    """Return the comparison as if a contender had been trained once only."""
    trials = [trial for trial in comparison.trials if trial.contender != name or trial.seed == 1]
    return _concluded(
        comparison.task, comparison.metric, comparison.labels, trials, comparison.examples, comparison.baseline
    )


def _labelled_trial(
    chance: random.Random,
    name: str,
    seed: int,
    test: Sequence[TestExample],
    right: Sequence[bool],
    labels: Sequence[str],
) -> TrialResult:
    said, confidence = [], []
    confusion = [[0] * len(labels) for _ in labels]
    for example, is_right in zip(test, right, strict=True):
        others = [label for label in labels if label != example.expected]
        said.append(example.expected if is_right else chance.choice(others))
        confidence.append(round(chance.uniform(0.5, 1.0), 4))
        confusion[labels.index(example.expected)][labels.index(said[-1])] += 1
    score = sum(right) / len(right)
    trial = _trial(chance, name, seed, score)
    values = {"accuracy": score, "macro_f1": score - 0.01, "log_loss": 0.3}
    statistics = [[float(each)] for each in right]
    return replace(
        trial, predicted=said, confidence=confidence, confusion=confusion, values=values, statistics=statistics
    )


def _trial(chance: random.Random, name: str, seed: int, score: float) -> TrialResult:
    linear = name == "tfidf"
    minutes = 0.05 if linear else chance.uniform(4, 9)
    last = 1 if linear else 20
    curve = [
        CurvePoint(step=100 * at, seconds=60 * minutes * at / last, score=_curved(chance, score, at, last), loss=1 / at)
        for at in range(1, last + 1)
    ]
    return TrialResult(
        contender=name,
        seed=seed,
        score=score,
        values={"score": score},
        statistics=[],
        predicted=[],
        confidence=[],
        confusion=[],
        curve=curve,
        parameters=41_000 if linear else 1_234_567,
        steps=1 if linear else 2000,
        seconds=60 * minutes,
        latency=0.0004 if linear else chance.uniform(0.002, 0.009),
        texts_per_second=21_000 if linear else chance.uniform(900, 2500),
        bytes_on_disk=700_000 if linear else 5_100_000,
        tokens=4000,
        unknown=23,
        cut=0 if linear else 91,
    )


def _curved(chance: random.Random, score: float, at: int, last: int) -> float:
    final = score if score <= 1 else score / 100
    return final * (1 - 0.4 * 0.7 ** (8 * at / last)) + chance.uniform(-0.006, 0.006) * (at < last)


def _concluded(
    task: str,
    metric: str,
    labels: Sequence[str],
    trials: Sequence[TrialResult],
    test: Sequence[TestExample],
    baseline: str | None,
) -> Comparison:
    by_name: dict[str, list[TrialResult]] = {}
    for trial in trials:
        by_name.setdefault(trial.contender, []).append(trial)
    ranked = sorted(by_name.values(), key=lambda own: -fmean(trial.score for trial in own))
    noise = 1.2 if metric == "bleu" else 0.02
    standings = [_standing(own, ranked[0], by_name.get(baseline or ""), noise) for own in ranked]
    return Comparison(
        task, metric, "demo:opinions", labels, standings, trials, test, baseline, "5 minutes", dict(FACTS)
    )


def _standing(
    own: Sequence[TrialResult], best: Sequence[TrialResult], baseline: Sequence[TrialResult] | None, noise: float
) -> Standing:
    first = own[0]
    return Standing(
        name=first.contender,
        seeds=len(own),
        score=_interval([trial.score for trial in own]),
        values={key: fmean(trial.values[key] for trial in own) for key in first.values},
        against_best=None if own is best else _difference(own, best, noise),
        against_baseline=None if baseline is None or own is baseline else _difference(own, baseline, noise),
        parameters=first.parameters,
        seconds=fmean(trial.seconds for trial in own),
        latency=fmean(trial.latency for trial in own),
        texts_per_second=fmean(trial.texts_per_second for trial in own),
        bytes_on_disk=first.bytes_on_disk,
        unknown_share=first.unknown / first.tokens,
        cut_share=first.cut / first.tokens,
    )


def _interval(scores: Sequence[float]) -> Interval:
    if len(scores) == 1:
        return Interval(scores[0], None, None)
    half = 2 * stdev(scores)
    return Interval(fmean(scores), fmean(scores) - half, fmean(scores) + half)


def _difference(own: Sequence[TrialResult], others: Sequence[TrialResult], noise: float) -> Difference:
    mean = fmean(trial.score for trial in own) - fmean(trial.score for trial in others)
    real = abs(mean) > noise
    return Difference(mean, mean - noise, mean + noise, 0.0004 if real else 0.31, real)


def _example(chance: random.Random, number: int, expected: str) -> TestExample:
    return TestExample((_sentence(chance),), expected, f"reviews.tsv:{number + 2}")


def _sentence(chance: random.Random) -> str:
    return " ".join(chance.choice(WORDS) for _ in range(chance.choice([6, 9, 14, 20, 60])))


def _mistranslated(chance: random.Random, text: str, share: float) -> str:
    return " ".join(chance.choice(WORDS) if chance.random() < share else word for word in text.split())


def _overlap(said: str, expected: str) -> list[float]:
    """Return counts such as BLEU is made of: matches and n-grams of one to four words, and both lengths."""
    one, other = said.split(), expected.split()
    matches, totals = [], []
    for length in range(1, 5):
        own, wanted = (
            Counter(tuple(words[start : start + length]) for start in range(len(words) - length + 1))
            for words in (one, other)
        )
        matches.append(float((own & wanted).total()))
        totals.append(float(own.total()))
    return [*matches, *totals, float(len(one)), float(len(other))]
