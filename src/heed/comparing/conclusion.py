"""The end of a comparison: standings, and the files that show them."""

import json
import platform
from collections.abc import Sequence
from dataclasses import asdict

from heed.comparing.inputs import TestData
from heed.comparing.page import write_page
from heed.comparing.pictures import draw_comparison
from heed.comparing.results import Comparison, TrialResult
from heed.comparing.standings import conclude
from heed.comparing.store import ComparisonFolder
from heed.comparing.trials import Plan
from heed.comparing.wording import listed, version_of
from heed.runs.classification_run import read_targets
from heed.runs.folder import open_run
from heed.runs.settings import TranslationSettings
from heed.tasks.targets import Classes


def finish(
    plan: Plan, trials: Sequence[TrialResult], test: TestData, folder: ComparisonFolder, command: str
) -> Comparison:
    """Return the whole comparison, after its JSON, picture and page are written."""
    metric, labels = _metric(plan, folder)
    # Where several processes shared the work, results came in another order in each.
    planned = [(trial.contender.name, trial.seed) for trial in plan.trials()]
    trials = sorted(trials, key=lambda result: planned.index((result.contender, result.seed)))
    facts = {
        "command": command,
        "versions": f"{listed(sorted({version_of(trial) for trial in trials}))}, Python {platform.python_version()}",
        "machine": f"{platform.machine()}, {listed(sorted({_threads(trial) for trial in trials}))} threads",
        "test data": _fingerprint(test),
    }
    comparison = conclude(plan, trials, test, metric, labels, facts)
    standings = [asdict(each) for each in comparison.standings]
    folder.write("comparison.json", json.dumps({"standings": standings, "facts": facts}, indent=2, ensure_ascii=False))
    draw_comparison(comparison, folder.path / "comparison.png")
    write_page(comparison, folder.path / "report.html")
    return comparison


def _threads(trial: TrialResult) -> str:
    return trial.circumstances.get("threads", "unknown")


def _fingerprint(test: TestData) -> str:
    """Return what the test set is known again by."""
    found = next(iter(test.inputs.values()))["test"]
    return f"{found.records:,} records, SHA-256 {found.digest}"


def _metric(plan: Plan, folder: ComparisonFolder) -> tuple[str, Sequence[str]]:
    """Return what contenders are ranked by, and the labels that they tell apart."""
    if isinstance(plan.contenders[0].settings, TranslationSettings):
        return "bleu", ()
    targets = read_targets(open_run(folder.run_path(next(plan.trials()))))
    return ("accuracy", targets.labels.names) if isinstance(targets, Classes) else ("spearman", ())
