"""Train on every built-in corpus with the defaults and several seeds, and score each on its test set.

    python benchmarks/demos.py                                   three seeds; about half an hour on two quiet cores
    python benchmarks/demos.py --seeds 5 --only caption
    python benchmarks/demos.py --write docs/results/demos.md     puts the table into the page of results

Every figure that the documentation publishes of a built-in corpus comes from this command. What was measured is kept in
--folder, so that an interrupted run goes on; `results.json` there has the numbers of each seed.
"""

import argparse
import json
import os
import platform
import statistics
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import torch
from trials import Found, Trial, number_at, run_trials

import heed

BEGIN, END = "<!-- table: begin -->", "<!-- table: end -->"
PERCENT = 100.0


@dataclass(frozen=True)
class Measure:
    """A score of the test set: what it is called, where it stands in the JSON of `heed evaluate`, its unit."""

    name: str
    path: str
    factor: float = 1.0
    unit: str = ""
    digits: int = 1

    def value(self, found: Found) -> float:
        """Return it for one seed."""
        return self.factor * number_at(found, f"evaluation.{self.path}")

    def cell(self, values: Sequence[float]) -> str:
        """Return the mean, and the lowest and highest of the seeds."""
        mean, low, high = (f"{each:.{self.digits}f}" for each in (statistics.mean(values), min(values), max(values)))
        return f"{self.name} {mean}{self.unit} ({low} to {high})"


ACCURACY = Measure("accuracy", "scores.accuracy", PERCENT, " %")
BLEU = (Measure("BLEU", "scores.bleu"), Measure("exact", "scores.exact", PERCENT, " %"))


@dataclass(frozen=True)
class Demo:
    """A built-in corpus, the command that trains on it, and the scores that are published."""

    task: str
    corpus: str
    measures: tuple[Measure, ...]

    @property
    def name(self) -> str:
        """Return how `--only` and the files of results call it."""
        return f"{self.task}-{self.corpus.removeprefix('demo:')}"

    def trial(self, seed: int, steps: int | None) -> Trial:
        """Return the training with this seed; with `steps` it is shortened, to try this benchmark out."""
        command = ("pretrain",) if self.task == "pretrain" else ("train", self.task)
        shortened = ("--steps", str(steps)) if steps and self.task != "vectors" else ()
        arguments = (*command, self.corpus, "--set", f"training.seed={seed}", *shortened)
        return Trial(f"{self.name}-{seed}", arguments, self.corpus)


DEMOS = (
    Demo("translate", "demo:fr-en", BLEU),
    Demo("translate", "demo:en-vi", BLEU),
    Demo("translate", "demo:tasks", BLEU),
    Demo("classify", "demo:reviews", (ACCURACY,)),
    Demo("classify", "demo:reviews-vi", (ACCURACY,)),
    Demo("pair", "demo:paraphrase", (ACCURACY,)),
    Demo("tag", "demo:entities", (Measure("F1", "scores.f1", PERCENT),)),
    Demo("answer", "demo:questions", (Measure("exact", "scores.exact", 1.0, " %"), Measure("F1", "scores.f1"))),
    Demo("write", "demo:hello", (Measure("perplexity a character", "perplexity", digits=3),)),
    Demo("image", "demo:flowers", (ACCURACY,)),
    Demo(
        "caption",
        "demo:flowers",
        (Measure("exact", "scores.exact", PERCENT, " %"), Measure("BLEU-4", "scores.bleu.3")),
    ),
    Demo(
        "pretrain",
        "demo:reviews",
        (
            Measure("perplexity of hidden words", "perplexity", digits=2),
            Measure("next-sentence accuracy", "scores.next_accuracy", PERCENT, " %"),
        ),
    ),
    Demo("vectors", "demo:royals", (Measure("analogies", "analogies.demo:royals.total.correct", digits=0),)),
)


def main() -> None:
    """Run what was not run yet, and print the table."""
    options = _options()
    chosen = [demo for demo in DEMOS if options.only in demo.name]
    if not chosen:
        sys.exit(f"no demo has {options.only!r} in its name; there are: {', '.join(demo.name for demo in DEMOS)}")
    seeds = range(1, options.seeds + 1)
    trials = [demo.trial(seed, options.steps) for demo in chosen for seed in seeds]
    found = {trial.name: each for trial, each in zip(trials, run_trials(trials, options.folder), strict=True)}
    rows = [_row(demo, [found[f"{demo.name}-{seed}"] for seed in seeds]) for demo in chosen]
    (options.folder / "results.json").write_text(json.dumps(found, indent=2))
    table = "\n".join(
        [setting(options.seeds), "", "| task | data | test set | steps | minutes |", "|---|---|---|---|---|", *rows]
    )
    print(table)
    if options.write:
        put_into(options.write, table)


def _row(demo: Demo, found: list[Found]) -> str:
    cells = ", ".join(measure.cell([measure.value(each) for each in found]) for measure in demo.measures)
    steps = {each["training"]["step"] for each in found}
    taken = f"{min(steps):,}" if len(steps) == 1 else f"{min(steps):,} to {max(steps):,}"
    minutes = statistics.mean(each["seconds"] for each in found) / 60
    return f"| `{demo.task}` | `{demo.corpus}` | {cells} | {taken} | {minutes:.1f} |"


def setting(seeds: int) -> str:
    """Return the line above the table: what was measured, with what, on what."""
    threads = os.environ.get("OMP_NUM_THREADS", str(torch.get_num_threads()))
    return (
        f"heed {heed.__version__}, torch {torch.__version__}, {threads} threads, {platform.machine()}; "
        f"seeds 1 to {seeds}: the mean, and in brackets the lowest and the highest."
    )


def put_into(page: Path, table: str) -> None:
    """Replace what stands between the marks of the page."""
    text = page.read_text(encoding="utf-8")
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        sys.exit(f"{page} has no lines {BEGIN} and {END}, between which the table belongs")
    page.write_text(f"{before}{BEGIN}\n\n{table}\n\n{END}{after}", encoding="utf-8")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=3, metavar="N", help="trainings of each corpus (3)")
    parser.add_argument(
        "--only", default="", metavar="TEXT", help="only demos with this in their name (caption-flowers)"
    )
    parser.add_argument("--folder", type=Path, default=Path("runs/demos"), help="where results are kept (runs/demos)")
    parser.add_argument("--write", type=Path, metavar="PAGE", help="put the table into this page, between its marks")
    parser.add_argument("--steps", type=int, metavar="N", help="stop each training after N steps, to try this out")
    return parser.parse_args()


if __name__ == "__main__":
    main()
