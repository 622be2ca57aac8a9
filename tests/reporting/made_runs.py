"""Runs that were never trained: folders written by hand, with whatever a test wants in them."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import torch

from heed.reporting.samples import keep_sample
from heed.runs.defaults import resolve
from heed.runs.folder import RunFolder, create
from heed.runs.strict_json import JSON
from heed.settings import to_dict
from heed.tasks.validation import Sample

DATA: dict[str, JSON] = {
    "origin": "texts.csv",
    "note": "divided by lot",
    "train": {"records": 30, "fingerprint": "ab" * 32},
    "valid": {"records": 7, "fingerprint": "cd" * 32},
    "tokens": {"tokens": 1200, "unknown": 6, "cut": 24},
    "empty": 2,
}
MASKING: dict[str, JSON] = {
    "sequences": 9,
    "tokens": 140,
    "chosen": 0.1512,
    "masked": 0.7891,
    "replaced": 0.1123,
    "kept": 0.0986,
    "follows": 0.4877,
}
SAMPLE = Sample("the soup was cold", "bad", "good (60%)")


def made_run(
    path: Path,
    task: str = "classify",
    *,
    steps: int = 12,
    every: int = 4,
    finished: bool = True,
    settings: Mapping[str, object] | None = None,
    data: Mapping[str, JSON] = DATA,
    sample: Sample = SAMPLE,
) -> RunFolder:
    """Write a run that was validated `every` so many steps; its accuracy rose from validation to validation."""
    folder, limit = create(path), {"training": {"steps": max(1, steps)}}
    folder.write_data_facts(data)
    folder.write_settings(to_dict(resolve(task, ["texts.csv"], None, settings or limit)))
    for step in range(1, steps + 1):
        folder.append_metrics(line_of(step, validated=step % every == 0))
        if step % every == 0:
            keep_sample(folder, step, sample)
            facts: dict[str, JSON] = {"task": task, "vocabulary": "ef" * 32, "step": step, "score": step / 100}
            folder.write_best({"weight": torch.ones(2, 3)}, {**facts, "accuracy": step / 100, "loss": 1 / step})
    if finished:
        folder.mark_finished({"step": steps, "best_score": steps / 100})
    return folder


def line_of(step: int, validated: bool) -> dict[str, JSON]:
    """Return what the log says of a step."""
    line: dict[str, JSON] = {
        "step": step,
        "epoch": step // 5,
        "loss": 2 / step,
        "learning_rate": 1e-3 / step,
        "gradient_norm": 1.0,
        "tokens": 50,
        "seconds": 0.5 * step,
    }
    return line | ({"valid.accuracy": step / 100, "valid.loss": 1 / step} if validated else {})


def write_lines(path: Path, lines: Sequence[bytes]) -> Path:
    """Write a log of just these lines."""
    path.write_bytes(b"".join(line + b"\n" for line in lines))
    return path
