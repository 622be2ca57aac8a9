"""A finding is judged by its largest difference; what is no number, or was never compared, proves nothing."""

from pathlib import Path

import pytest
import torch

from heed.verifying.findings import Difference, Finding, Measured, Tolerance, VerificationReport, apart, judge

TOLERANCE = Tolerance(0.5, "a half")


def judged(*sizes: float) -> Finding:
    """Return the finding on differences of these sizes."""
    return judge(
        "law", "this = that", Measured([Difference(f"case {n}", s) for n, s in enumerate(sizes)], TOLERANCE), 0
    )


def report(*findings: Finding) -> VerificationReport:
    """Return a report of these findings."""
    return VerificationReport(Path("run"), "tag", "three texts", findings, 1.0)


def test_differences_up_to_what_is_allowed_pass() -> None:
    finding = judged(0.0, 0.5)
    assert (finding.verdict, finding.cases, finding.largest) == ("passed", 2, 0.5)


def test_the_first_difference_that_is_larger_is_told() -> None:
    finding = judged(0.1, 0.7, 0.9)
    assert (finding.verdict, finding.largest, finding.detail) == ("failed", 0.9, "case 1: 0.7")


@pytest.mark.parametrize("size", [float("nan"), float("inf")])
def test_what_is_no_number_fails(size: float) -> None:
    finding = judged(0.0, size)
    assert (finding.verdict, finding.largest) == ("failed", float("inf"))


def test_nothing_compared_proves_nothing() -> None:
    assert judged().verdict == "does not apply"
    assert report(judged()).conclusion == "Nothing was proved: no check applies to this model."


def test_what_was_not_checked_is_neither_proved_nor_failed() -> None:
    left = Finding("law", "here = there", "not checked", detail="no such processor")
    assert report(judged(0.0), left).passed
    assert report(judged(0.0), left).conclusion.endswith("this = that. Not checked on this computer: here = there.")
    assert report(judged(2.0), left).conclusion.startswith("1 of 1 checks failed.")


def test_a_report_passes_unless_something_failed() -> None:
    assert report(judged(0.0), judged()).passed
    assert report(judged(0.0)).conclusion == "Proved on this model and three texts: this = that."
    assert not report(judged(0.0), judged(2.0)).passed
    assert report(judged(0.0), judged(2.0)).conclusion.startswith("1 of 2 checks failed. This does not hold: law: ")


def test_tensors_lie_apart_by_their_largest_difference_against_the_largest_number() -> None:
    assert apart(torch.tensor([1.0, 8.0]), torch.tensor([3.0, 8.0])) == 0.25
    assert apart(torch.tensor([0.1, 0.2]), torch.tensor([0.1, 0.3])) == pytest.approx(0.1)
    assert apart(torch.zeros(2), torch.zeros(3)) == float("inf")
    assert apart(torch.zeros(0), torch.zeros(0)) == 0.0
    assert judged(apart(torch.tensor([float("nan")]), torch.tensor([1.0]))).verdict == "failed"
