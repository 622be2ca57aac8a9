"""AdamW and Muon on built-in corpora with equally many learning rates and seeds each.

    python benchmarks/optimizers.py                       five rates, three seeds, two corpora: 60 trainings
    python benchmarks/optimizers.py --only image --seeds 1
    python benchmarks/optimizers.py --write docs/notes/optimizers.md

The rate of each optimizer is chosen by its mean validation score over the seeds; the test score is that of the chosen
rate. Both see the same data and take the same number of steps. An interrupted run goes on from what --folder has.
"""

import argparse
import statistics
from dataclasses import dataclass
from pathlib import Path

from demos import ACCURACY, BLEU, Measure, put_into, setting
from trials import Found, Trial, run_trials

RATES = ("5e-4", "1e-3", "2e-3", "4e-3", "8e-3")
OPTIMIZERS = ("adamw", "muon")


@dataclass(frozen=True)
class Subject:
    """A task on a built-in corpus, with half of its usual steps: there is something left to gain."""

    task: str
    corpus: str
    steps: int
    measure: Measure


SUBJECTS = (
    Subject("image", "demo:flowers", 625, ACCURACY),
    Subject("translate", "demo:fr-en", 250, BLEU[0]),
)


def main() -> None:
    """Print a table for each subject: every rate on validation, the chosen one on test."""
    options = _options()
    tables = [_compare(subject, options) for subject in SUBJECTS if options.only in subject.task]
    text = "\n\n".join([setting(options.seeds), *tables])
    print(text)
    if options.write:
        put_into(options.write, text)


def _compare(subject: Subject, options: argparse.Namespace) -> str:
    steps = options.steps or subject.steps
    seeds = range(1, options.seeds + 1)
    trials = {
        (optimizer, rate, seed): _trial(subject, optimizer, rate, seed, steps)
        for rate in RATES
        for optimizer in OPTIMIZERS
        for seed in seeds
    }
    found = dict(zip(trials, run_trials(list(trials.values()), options.folder), strict=True))
    heading = f"| {subject.task}, `{subject.corpus}`, {steps} steps | {' | '.join(RATES)} | test | seconds |"
    rows = [
        _row(subject, optimizer, {rate: [found[optimizer, rate, seed] for seed in seeds] for rate in RATES})
        for optimizer in OPTIMIZERS
    ]
    return "\n".join([heading, f"|{'---|' * (len(RATES) + 3)}", *rows])


def _row(subject: Subject, optimizer: str, by_rate: dict[str, list[Found]]) -> str:
    means = {rate: statistics.mean(_validation(each) for each in found) for rate, found in by_rate.items()}
    chosen = max(means, key=means.__getitem__)
    test = subject.measure.cell([subject.measure.value(each) for each in by_rate[chosen]])
    seconds = statistics.mean(each["seconds"] for found in by_rate.values() for each in found)
    factor = subject.measure.factor
    cells = [f"**{factor * mean:.1f}**" if rate == chosen else f"{factor * mean:.1f}" for rate, mean in means.items()]
    return f"| {optimizer} | {' | '.join(cells)} | {test} | {seconds:.0f} |"


def _validation(found: Found) -> float:
    return float(found["training"]["best"]["score"])


def _trial(subject: Subject, optimizer: str, rate: str, seed: int, steps: int) -> Trial:
    settings = {"optimizer": optimizer, "learning_rate": rate, "seed": str(seed)}
    assigned = [text for key, value in settings.items() for text in ("--set", f"training.{key}={value}")]
    name = f"{subject.task}-{optimizer}-{rate}-{seed}"
    return Trial(name, ("train", subject.task, subject.corpus, "--steps", str(steps), *assigned), subject.corpus)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=3, metavar="N", help="trainings at each rate (3)")
    parser.add_argument("--only", default="", metavar="TASK", help="only this task: image or translate")
    parser.add_argument("--folder", type=Path, default=Path("runs/optimizers"), help="where results are kept")
    parser.add_argument("--write", type=Path, metavar="PAGE", help="put the tables into this page, between its marks")
    parser.add_argument("--steps", type=int, metavar="N", help="optimizer steps of each training")
    return parser.parse_args()


if __name__ == "__main__":
    main()
