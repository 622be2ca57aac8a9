"""`RunReport`: how a run went, as values and as a page; a notebook shows the page."""

from dataclasses import dataclass
from pathlib import Path

from heed.pages.markup import element
from heed.reporting.facts import RunFacts, gather
from heed.reporting.page import page_text, write_page, write_report
from heed.runs.folder import open_run

HEIGHT = 720  # pixels


@dataclass(frozen=True)
class RunReport:
    """All that is known of a run, and where the page about it is."""

    facts: RunFacts
    page: Path

    def _repr_html_(self) -> str:
        """Return the page in a frame of its own, which runs nothing and cannot reach the notebook."""
        page = page_text(self.facts)
        return element("iframe", srcdoc=page, sandbox="", width="100%", height=HEIGHT, title="Report").text


def report_run(path: Path, out: Path | None = None) -> RunReport:
    """Write the page of a run, into its folder or elsewhere, and return it with what it shows."""
    folder = open_run(path)
    facts = gather(folder)
    return RunReport(facts, write_report(folder, facts) if out is None else write_page(facts, out))
