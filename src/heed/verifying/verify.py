"""`verify`: every check on the model of a run, one after the other."""

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import torch

from heed.errors import RunError, UsageError
from heed.runs.folder import open_run
from heed.runs.settings import read_settings
from heed.runs.telling import Tell, silent
from heed.verifying.checking import Check
from heed.verifying.checks import (
    accumulation,
    batching,
    caching,
    causality,
    determinism,
    exporting,
    looking,
    packing,
    quantising,
    resuming,
    vocabulary,
)
from heed.verifying.findings import Finding, NotChecked, Unfit, VerificationReport, judge
from heed.verifying.subject import Subject, open_subject

LOADING = "loading"
LOADED = "the weights, vocabulary and settings of the run belong together"

# What others need comes before them.
CHECKS = (
    vocabulary.CHECK,
    determinism.CHECK,
    causality.CHECK,
    batching.CHECK,
    packing.CHECK,
    looking.CHECK,
    caching.CHECK,
    accumulation.CHECK,
    resuming.CHECK,
    exporting.CHECK,
    quantising.CHECK,
)
NAMES = tuple(check.name for check in CHECKS)


def verify(path: Path, data: Sequence[str] = (), only: Sequence[str] = (), tell: Tell = silent) -> VerificationReport:
    """Return what holds for the model of a run; `only` names checks, `data` files to try it on instead of its own."""
    chosen = _chosen(only)
    folder = open_run(path)
    task = read_settings(folder.read_settings(), f"{path}: settings").task
    began = time.monotonic()
    tell("loading the run and its data", 0.0)
    try:
        subject = open_subject(path, data)
    except RunError as problem:
        seconds = time.monotonic() - began
        broken = Finding(LOADING, LOADED, "failed", 1, detail=str(problem), seconds=seconds)
        return VerificationReport(path, task, "no data", (broken,), seconds)
    with _threads(subject.settings.training.threads):
        findings = _findings(chosen, subject, tell)
    shown = tuple(finding for finding in findings if not only or finding.name in only)
    return VerificationReport(path, task, subject.material.origin, shown, time.monotonic() - began)


def _chosen(only: Sequence[str]) -> list[Check]:
    """Return the checks that are asked for, and those that they need."""
    unknown = [name for name in only if name not in NAMES]
    if unknown:
        raise UsageError(f"There is no check {unknown[0]!r}. Choose from: {', '.join(NAMES)}.")
    needed = {need for check in CHECKS if check.name in only for need in check.needs}
    return [check for check in CHECKS if not only or check.name in only or check.name in needed]


def _findings(chosen: Sequence[Check], subject: Subject, tell: Tell) -> list[Finding]:
    findings: list[Finding] = []
    for number, check in enumerate(chosen):
        tell(f"{check.name}: {check.compared}", (1 + number) / (1 + len(chosen)))
        findings.append(_finding(check, subject, findings))
    return findings


@contextmanager
def _threads(count: int | None) -> Iterator[None]:
    """Compute with the run's own number of threads, on which the last bit of a sum depends."""
    before = torch.get_num_threads()
    torch.set_num_threads(before if count is None else count)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def _finding(check: Check, subject: Subject, before: Sequence[Finding]) -> Finding:
    failed = {finding.name for finding in before if finding.verdict == "failed"}
    missing = [name for name in check.needs if name in failed]
    if missing:
        reason = f"cannot be judged while {missing[0]} fails"
        return Finding(check.name, check.compared, "does not apply", detail=reason)
    began = time.monotonic()
    outcome = check.compare(subject)
    seconds = time.monotonic() - began
    if isinstance(outcome, Unfit):
        return Finding(check.name, check.compared, "does not apply", detail=outcome.reason, seconds=seconds)
    if isinstance(outcome, NotChecked):
        return Finding(check.name, check.compared, "not checked", detail=outcome.reason, seconds=seconds)
    return judge(check.name, check.compared, outcome, seconds)
