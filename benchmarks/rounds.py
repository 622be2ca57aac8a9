"""What the benchmarks share: each contender in a process of its own, in turn, for several rounds; ratios of medians.

A busy neighbour then disturbs all alike, and what one library loads or keeps does not burden the other.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

import torch

Measured = dict[str, float]  # "speed" and "memory", and what else a contender has to say
Contender = Callable[[Path, int], Measured]  # given the shared folder and a number of training steps


def options_parser(description: str | None, steps: int) -> argparse.ArgumentParser:
    """Return a parser of the options that every benchmark has; each adds those of its own data."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=steps, help="training steps that are timed")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", default="", help="only the contenders whose names begin so")
    parser.add_argument("--threads", type=int, default=torch.get_num_threads())
    # With these two a benchmark starts itself anew, once for each contender.
    parser.add_argument("--contender", help=argparse.SUPPRESS)
    parser.add_argument("--folder", help=argparse.SUPPRESS)
    return parser


def measured(speed: float, **more: float) -> Measured:
    """Return a contender's speed and the most memory that its process ever held, in MB."""
    # Not getrusage: its peak is inherited from the process that started this one.
    status = Path("/proc/self/status").read_text()
    peak = next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM"))
    return {"speed": speed, "memory": peak / 1024, **more}


def run_benchmark(
    script: str,
    contenders: Mapping[str, Contender],
    options: argparse.Namespace,
    prepare: Callable[[argparse.Namespace, Path], None],
) -> dict[str, list[Measured]]:
    """Prepare a folder that all contenders share, let them work in turn, and print the table of ratios.

    In a process that was started for one contender, print what that one measured, and return nothing.
    """
    torch.set_num_threads(options.threads)
    if options.contender:
        print(json.dumps(contenders[options.contender](Path(options.folder), options.steps)))
        return {}
    with tempfile.TemporaryDirectory() as folder:
        prepare(options, Path(folder))
        found = _run_rounds(script, contenders, Path(folder), options)
        _print_table(found)
    return found


def _run_rounds(
    script: str, contenders: Iterable[str], folder: Path, options: argparse.Namespace
) -> dict[str, list[Measured]]:
    """Return what every contender that was asked for measured in every round."""
    found: dict[str, list[Measured]] = {name: [] for name in contenders if name.startswith(options.only)}
    for _ in range(options.rounds):
        for name in found:
            found[name].append(_run(script, name, folder, options.threads, options.steps))
    return found


def _print_table(found: Mapping[str, Sequence[Measured]]) -> None:
    """Print medians, and how each peer compares with the `heed` line of its group ("train, heed")."""
    speed = {name: statistics.median(each["speed"] for each in rounds) for name, rounds in found.items()}
    memory = {name: statistics.median(each["memory"] for each in rounds) for name, rounds in found.items()}
    print(f"{'':28s} {'a second':>10s} {'peak MB':>8s}   heed compared")
    for name in found:
        ours = f"{name.rpartition(', ')[0]}, heed"
        times, share = speed[ours] / speed[name], memory[ours] / memory[name]
        ratio = "" if name == ours else f"{times:.2f}x the speed, {share:.2f}x the memory"
        print(f"{name:28s} {speed[name]:10.1f} {memory[name]:8.0f}   {ratio}")


def _run(script: str, name: str, folder: Path, threads: int, steps: int) -> Measured:
    command = [sys.executable, script, "--contender", name, "--folder", str(folder)]
    command += ["--threads", str(threads), "--steps", str(steps)]
    # Given before the process starts: some libraries make their threads when they are loaded.
    environment = {**os.environ, "OMP_NUM_THREADS": str(threads), "HF_HUB_OFFLINE": "1"}
    finished = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    if finished.returncode:
        raise SystemExit(f"{name} failed:\n{finished.stderr[-3000:]}")
    found: Measured = json.loads(finished.stdout.splitlines()[-1])
    print(f"{name:28s} {found}", file=sys.stderr)
    return found
