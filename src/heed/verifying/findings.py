"""`Finding`: what a check found. `VerificationReport`: all findings on a run, and what they prove in words."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from torch import Tensor

Verdict = Literal["passed", "failed", "does not apply", "not checked"]


@dataclass(frozen=True)
class Difference:
    """How far two things lie apart that should be one, and where that was seen."""

    place: str
    size: float


@dataclass(frozen=True)
class Tolerance:
    """How far apart two things may be, and why so far."""

    allowed: float
    why: str


@dataclass(frozen=True)
class Measured:
    """What a check has seen: a difference for each case."""

    differences: Sequence[Difference]
    tolerance: Tolerance
    note: str = ""  # what a person should know, whatever the verdict


@dataclass(frozen=True)
class Unfit:
    """Why there is nothing to check in this model."""

    reason: str


@dataclass(frozen=True)
class NotChecked:
    """Why a check that applies to this model cannot be made on this computer."""

    reason: str


@dataclass(frozen=True)
class Finding:
    """What one check found."""

    name: str
    compared: str  # what with what, in a sentence
    verdict: Verdict
    cases: int = 0
    largest: float | None = None  # of the differences
    allowed: float | None = None
    why: str = ""  # that much is allowed
    detail: str = ""  # the first example that failed, or the reason why the check does not apply or was not made
    seconds: float = 0.0


@dataclass(frozen=True)
class VerificationReport:
    """All findings on a run."""

    path: Path
    task: str
    origin: str  # where the records come from that the model was tried on
    findings: tuple[Finding, ...]
    seconds: float

    @property
    def passed(self) -> bool:
        """Tell whether nothing failed."""
        return not self.of("failed")

    def of(self, verdict: Verdict) -> tuple[Finding, ...]:
        """Return the findings with this verdict."""
        return tuple(finding for finding in self.findings if finding.verdict == verdict)

    @property
    def conclusion(self) -> str:
        """Return in words what was proved, or what is wrong."""
        return " ".join((self._proved(), *self._open()))

    def _proved(self) -> str:
        failed, proved = self.of("failed"), self.of("passed")
        if failed:
            said = "; ".join(f"{finding.name}: {finding.compared}" for finding in failed)
            return f"{len(failed)} of {len(failed) + len(proved)} checks failed. This does not hold: {said}."
        if not proved:
            known = "no check was made" if self.of("not checked") else "no check applies to this model"
            return f"Nothing was proved: {known}."
        return f"Proved on this model and {self.origin}: {'; '.join(finding.compared for finding in proved)}."

    def _open(self) -> Iterator[str]:
        if left := self.of("not checked"):
            yield f"Not checked on this computer: {'; '.join(finding.compared for finding in left)}."


def judge(name: str, compared: str, measured: Measured, seconds: float) -> Finding:
    """Return the finding: failed where a difference is larger than allowed, or is no number; nothing proves nothing."""
    if not measured.differences:
        return Finding(name, compared, "does not apply", detail="there was nothing to compare", seconds=seconds)
    allowed = measured.tolerance.allowed
    broken = [each for each in measured.differences if not each.size <= allowed]
    sizes = [math.inf if math.isnan(each.size) else each.size for each in measured.differences]
    detail = f"{broken[0].place}: {broken[0].size:.3g}" if broken else measured.note
    return Finding(
        name=name,
        compared=compared,
        verdict="failed" if broken else "passed",
        cases=len(sizes),
        largest=max(sizes),
        allowed=allowed,
        why=measured.tolerance.why,
        detail=detail,
        seconds=seconds,
    )


def apart(actual: Tensor, expected: Tensor) -> float:
    """Return the largest difference of two tensors, against the largest number in the second, or against 1."""
    if actual.shape != expected.shape:
        return math.inf
    if not expected.numel():
        return 0.0
    size = max(1.0, float(expected.abs().max()))
    return float((actual.double() - expected.double()).abs().max()) / size
