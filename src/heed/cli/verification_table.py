"""The findings of `heed verify` as a table for a terminal, and the sentences below it."""

from collections.abc import Iterator

from heed.verifying.findings import Finding, Verdict, VerificationReport


def table_lines(report: VerificationReport) -> Iterator[str]:
    """Yield a row for each finding, then what is to be said of some, and what was proved."""
    width = max(len(finding.name) for finding in report.findings)
    yield f"{report.path}: a run of {report.task}, tried on {report.origin}"
    yield f"{'check':{width}}  {'cases':>5}  {'largest':>9}  {'allowed':>9}  verdict"
    for finding in report.findings:
        yield _row(finding, width)
    for finding in report.of("failed"):
        yield f"{finding.name} failed: {finding.compared}. First at {finding.detail}"
    for finding in report.of("passed"):
        if finding.detail:
            yield f"{finding.name}: {finding.detail}"
    for finding in report.of("does not apply"):
        yield f"{finding.name} does not apply: {finding.detail}"
    for finding in report.of("not checked"):
        yield f"{finding.name} was not checked: {finding.detail}"
    yield f"{report.conclusion} ({report.seconds:.1f} s)"


def _row(finding: Finding, width: int) -> str:
    largest, allowed = (_number(value) for value in (finding.largest, finding.allowed))
    return f"{finding.name:{width}}  {finding.cases:>5}  {largest:>9}  {allowed:>9}  {_loud(finding.verdict)}"


def _loud(verdict: Verdict) -> str:
    return "FAILED" if verdict == "failed" else verdict


def _number(value: float | None) -> str:
    if value is None:
        return "–"
    return "0" if value == 0 else f"{value:.1e}"
