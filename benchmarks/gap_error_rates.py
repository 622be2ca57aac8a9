"""How often a comparison of equal models calls a gap real, and how often it finds a gap that there is.

python benchmarks/gap_error_rates.py --comparisons 2000
python benchmarks/gap_error_rates.py --score spearman --comparisons 300 --texts 150

Runs are simulated: what a text gives depends on the text, on the model, on the seed and on chance. Nothing but the
numbers that `heed compare` keeps of each test text is made up; they are tested by the code that it runs. The column
"before" is what heed 0.5.0 did: the best against each of the others, corrected for their number by Holm (1979) and not
for the choice of the best.
"""

import argparse
from collections.abc import Callable, Sequence
from statistics import fmean

import numpy as np

from heed.comparing.statistics import Difference, Spread, differences, spread_of_means, spread_of_scores
from heed.tasks.number_scores import spearman_of_pairs
from heed.tasks.translation_scores import bleu_of_counts

# In units of how far texts differ in ease. About nine texts in ten are right.
EASE, MODEL, CHANCE = 1.5, 0.4, 0.5
LUCK = (0.0, 0.05, 0.1, 0.4)  # spread of what a seed is worth; 0.1 is one and a half points of accuracy
LEAD = 0.5  # of the model that is better: five points of accuracy
LENGTH = 12  # words of a simulated sentence

Simulate = Callable[[np.random.Generator, int, Sequence[int], float, float], Spread]


def main() -> None:
    """Print one line for each number of models, number of seeds, and luck."""
    options = _options()
    simulate = {"accuracy": accuracies, "spearman": spearmans, "bleu": bleus}[options.score]
    print(f"{options.score}, {options.texts} texts, {options.comparisons} comparisons a line, shares in percent")
    print("models  seeds  luck  before  now  found")
    for runs in options.seeds:
        for luck in LUCK if runs > 1 else (0.0,):
            for models in options.models:
                rates = error_rates(simulate, options.texts, [runs] * models, luck, options.comparisons)
                print(f"{models:6} {runs:6} {luck:5}  {rates[0]:6.1%} {rates[1]:5.1%} {rates[2]:5.0%}", flush=True)


def error_rates(
    simulate: Simulate, texts: int, runs: Sequence[int], luck: float, comparisons: int
) -> tuple[float, float, float]:
    """Return how many comparisons of equal models call a gap real, before and now, and the share of true gaps found."""
    generator = np.random.default_rng(17)
    before, now, found = [], [], []
    for _ in range(comparisons):
        equal = simulate(generator, texts, runs, luck, 0.0)
        before.append(_best_by_holm(equal))
        now.append(any_real(differences(equal)))
        led = differences(simulate(generator, texts, runs, luck, LEAD))
        found.append(fmean(gap.real and gap.mean > 0 for gap in led[0][1:]))
    return fmean(before), fmean(now), fmean(found)


def any_real(gaps: Sequence[Sequence[Difference]]) -> bool:
    """Tell whether any gap is called real."""
    return any(gap.real for row in gaps for gap in row)


def accuracies(
    generator: np.random.Generator, texts: int, runs: Sequence[int], luck: float, lead: float = 0.0
) -> Spread:
    """Return simulated classifiers; the first is ahead by `lead`."""
    return spread_of_means([worth_SN > 0 for worth_SN in _worth(generator, texts, runs, luck, lead)])


def spearmans(
    generator: np.random.Generator, texts: int, runs: Sequence[int], luck: float, lead: float = 0.0
) -> Spread:
    """Return simulated models that predict numbers: the more a text is worth to a run, the smaller its error."""
    expected_N = generator.normal(size=texts)
    models = []
    for worth_SN in _worth(generator, texts, runs, luck, lead):
        predicted_SN = expected_N + 0.8 * np.exp(-worth_SN / 2) * generator.normal(size=worth_SN.shape)
        models.append(np.stack([predicted_SN, np.broadcast_to(expected_N, predicted_SN.shape)], axis=2))
    return spread_of_scores(models, spearman_of_pairs, resamples=200)


def bleus(generator: np.random.Generator, texts: int, runs: Sequence[int], luck: float, lead: float = 0.0) -> Spread:
    """Return simulated translators: each word is right with a chance that depends on what the text is worth."""
    models = []
    for worth_SN in _worth(generator, texts, runs, luck, lead):
        right_SNW = generator.normal(size=(*worth_SN.shape, LENGTH)) < worth_SN[:, :, None] / 2
        windows = [
            np.lib.stride_tricks.sliding_window_view(right_SNW, size, axis=2).all(axis=3).sum(axis=2)
            for size in range(1, 5)
        ]
        totals = [np.full(worth_SN.shape, LENGTH + 1 - size) for size in range(1, 5)]
        models.append(np.stack([*windows, *totals, *[np.full(worth_SN.shape, LENGTH)] * 2], axis=2))
    return spread_of_scores(models, lambda counts_NK: bleu_of_counts(counts_NK.sum(axis=0)), resamples=200)


def _worth(
    generator: np.random.Generator, texts: int, runs: Sequence[int], luck: float, lead: float
) -> list[np.ndarray]:
    """Return what each text is worth to each run of each model, (S, N)."""
    ease_N = generator.normal(EASE, 1.0, size=texts)
    models = []
    for place, count in enumerate(runs):
        model_N = ease_N + (lead if place == 0 else 0.0) + generator.normal(0, MODEL, size=texts)
        luck_S1 = generator.normal(0, luck, size=(count, 1))
        models.append(model_N + luck_S1 + generator.normal(0, CHANCE, size=(count, texts)))
    return models


def _best_by_holm(spread: Spread) -> bool:
    """Tell whether the best is called better than any other by tests of two models at a time."""
    best = int(spread.mean_M.argmax())
    chances = [
        differences(_only(spread, [best, other]))[0][1].p_value for other in range(len(spread.mean_M)) if other != best
    ]
    return min(chances) * len(chances) < 0.05


def _only(spread: Spread, places: list[int]) -> Spread:
    return Spread(
        mean_M=spread.mean_M[places],
        texts_MM=spread.texts_MM[np.ix_(places, places)],
        runs_M=spread.runs_M[places],
        whole_M=spread.whole_M[places],
        due_M=spread.due_M[places],
        texts=spread.texts,
    )


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--score", choices=["accuracy", "spearman", "bleu"], default="accuracy")
    parser.add_argument("--models", type=int, nargs="+", default=[2, 3, 4, 5, 6, 7, 8, 9, 10])
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3, 5])
    parser.add_argument("--texts", type=int, default=400)
    parser.add_argument("--comparisons", type=int, default=2000)
    return parser.parse_args()


if __name__ == "__main__":
    main()
