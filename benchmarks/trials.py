"""What the benchmarks of quality share: a training by the command line, then its score on the test set, kept in a file.

A trial that is there already, of the same command and version, is not run again: an interrupted benchmark goes on.
"""

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import heed

Found = dict[str, Any]  # as JSON has it


@dataclass(frozen=True)
class Trial:
    """A training and its evaluation: `arguments` follow `heed`, `data` is what is evaluated."""

    name: str
    arguments: tuple[str, ...]
    data: str


def run_trials(trials: Sequence[Trial], folder: Path) -> list[Found]:
    """Return what every trial found, in order, with a line of progress for each."""
    folder.mkdir(parents=True, exist_ok=True)
    found: list[Found] = []
    began, fresh = time.monotonic(), 0
    for number, trial in enumerate(trials, start=1):
        kept = _kept(trial, folder)
        fresh += kept is None
        found.append(kept or _run(trial, folder))
        missing = sum(_kept(each, folder) is None for each in trials[number:])
        left = (time.monotonic() - began) / fresh * missing / 60 if fresh else 0.0
        told = f"{trial.name}: {found[-1]['seconds']:.0f} s" + (", kept" if kept else "")
        print(f"[{number}/{len(trials)}] {told}  ({left:.0f} min left)", file=sys.stderr, flush=True)
    return found


def number_at(found: Found, path: str) -> float:
    """Return the number at a path such as "evaluation.scores.bleu.3"."""
    value: Any = found
    for key in path.split("."):
        value = value[int(key)] if isinstance(value, list) else value[key]
    return float(value)


def _run(trial: Trial, folder: Path) -> Found:
    """Train, evaluate, and keep what was found; the run itself is removed."""
    run = folder / f"{trial.name}.run"
    began = time.monotonic()
    trained = _heed([*trial.arguments, "--out", str(run), "--force", "--json"])
    seconds = time.monotonic() - began
    evaluated = _heed(["evaluate", str(run), trial.data, "--json"])
    found = {**_asked(trial), "seconds": seconds, "training": trained, "evaluation": evaluated}
    shutil.rmtree(run)
    partial = folder / f"{trial.name}.json.partial"
    partial.write_text(json.dumps(found, indent=2))
    partial.replace(folder / f"{trial.name}.json")
    return found


def _heed(arguments: Sequence[str]) -> Found:
    """Run a command of heed; return the last line of its JSON."""
    finished = subprocess.run([sys.executable, "-m", "heed", *arguments], capture_output=True, text=True, check=False)
    if finished.returncode:
        raise SystemExit(f"heed {' '.join(arguments)} failed:\n{finished.stderr[-3000:]}")
    found: Found = json.loads(finished.stdout.splitlines()[-1])
    return found


def _kept(trial: Trial, folder: Path) -> Found | None:
    path = folder / f"{trial.name}.json"
    if not path.exists():
        return None
    found: Found = json.loads(path.read_text())
    return found if {key: found.get(key) for key in _asked(trial)} == _asked(trial) else None


def _asked(trial: Trial) -> Found:
    """Return what a kept result must agree on to be that of the trial."""
    command = [*trial.arguments, "evaluate", trial.data]
    return {"command": command, "version": heed.__version__, "threads": os.environ.get("OMP_NUM_THREADS", "all")}
