"""Train one run whole, and others that are killed or interrupted: `kill_and_resume.py DATA FOLDER KILLS SEED`.

Children are forked from this process, which has imported everything but computed nothing, so that a start takes a
fraction of a second and no thread is running that a fork would lose. Each child is the command line itself.
"""

import json
import os
import random
import signal
import sys
import time
from pathlib import Path

os.environ["OMP_NUM_THREADS"] = "1"

from resumable import SETTINGS

import heed.api  # noqa: F401  so that no child spends its time on it
from heed.cli.main import main
from heed.runs.folder import open_run


def start(arguments: list[str], output: Path) -> int:
    """Fork a child that runs `heed` with these arguments; return its process id."""
    child = os.fork()
    if child:
        return child
    descriptor = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
    os.dup2(descriptor, 1)
    os.dup2(descriptor, 2)
    sys.argv = ["heed", *arguments]
    try:
        main()
    except SystemExit as leaving:
        sys.stdout.flush()
        os._exit(leaving.code if isinstance(leaving.code, int) else 0)
    os._exit(99)


def steps_done(run: Path) -> int:
    metrics = run / "metrics.jsonl"
    return metrics.read_bytes().count(b"\n") if metrics.exists() else 0


def wait_for(child: int, run: Path, steps: int, seconds: float) -> None:
    """Wait until the run has so many steps more than now, then a moment longer."""
    wanted = steps_done(run) + steps
    while steps_done(run) < wanted and os.waitpid(child, os.WNOHANG) == (0, 0):
        time.sleep(0.001)
    time.sleep(seconds)


def code_of(child: int) -> int:
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def has_checkpoint(run: Path) -> bool:
    return (run / "settings.json").exists() and any((run / "checkpoints").glob("step-*"))


def kill_often(train: list[str], run: Path, kills: int, draw: random.Random) -> int:
    """Kill the run so many times, each time resumed, then let it end; return how many kills came after a step."""
    in_training = 0
    for _ in range(kills):
        begun = has_checkpoint(run)
        before = steps_done(run)
        child = start(
            ["resume", str(run)] if begun else [*train, "--out", str(run), "--force"], run.with_suffix(".txt")
        )
        if begun or draw.random() < 0.5:
            wait_for(child, run, draw.randint(0, 2), draw.random() * 0.05)
        else:
            time.sleep(draw.random() * 0.5)  # before the first checkpoint too
        try:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
        except (ProcessLookupError, ChildProcessError):
            raise SystemExit(f"a child ended by itself: {run.with_suffix('.txt').read_text()}") from None
        in_training += steps_done(run) > before
        if has_checkpoint(run):
            open_run(run).newest_checkpoint()  # raises if there is no good one
    assert code_of(start(["resume", str(run)], run.with_suffix(".txt"))) == 0, run.with_suffix(".txt").read_text()
    return in_training


def interrupt(train: list[str], run: Path, number: signal.Signals) -> int:
    """Send the signal after a few steps, resume, and return the exit code that the interrupted command had."""
    child = start([*train, "--out", str(run)], run.with_suffix(".txt"))
    while steps_done(run) < 4:
        time.sleep(0.001)
    os.kill(child, number)
    code = code_of(child)
    assert steps_done(run) == open_run(run).newest_checkpoint().checkpoint.step
    assert not open_run(run).is_finished
    assert code_of(start(["resume", str(run)], run.with_suffix(".resumed.txt"))) == 0
    return code


def run_all(data: str, folder: Path, kills: int, seed: int) -> None:
    # Enough epochs that twenty kills fit, and a checkpoint often but not at every step, so that steps are repeated.
    training = {**SETTINGS["training"], "epochs": 20, "checkpoint_every": 3, "keep_checkpoints": 2}
    (folder / "settings.json").write_text(json.dumps({**SETTINGS, "training": training}))
    train = ["train", "translate", data, "--settings", str(folder / "settings.json")]
    assert code_of(start([*train, "--out", str(folder / "whole")], folder / "whole.txt")) == 0, (
        folder / "whole.txt"
    ).read_text()
    in_training = kill_often(train, folder / "killed", kills, random.Random(seed))
    codes = {number.name: interrupt(train, folder / number.name, number) for number in (signal.SIGINT, signal.SIGTERM)}
    sys.stdout.write(json.dumps({"kills": kills, "kills_in_training": in_training, "interrupted": codes}) + "\n")


if __name__ == "__main__":
    run_all(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]))
