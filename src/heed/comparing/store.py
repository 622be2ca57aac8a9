"""A comparison is a folder: the plan, a run for each trial, what was measured of each, and the reports.

plan.json                 what is compared; another plan does not go on here
trials/NAME-SEED/         the runs
results/NAME-SEED.json    what was measured of a finished run
claims/NAME-SEED.lock     held by the process that is at work on the trial
comparison.json  comparison.png  report.html
"""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from heed.comparing.results import CurvePoint, TrialResult
from heed.comparing.trials import Plan, Trial
from heed.errors import RunError
from heed.files.atomic import write_text
from heed.runs import durable, lock


@dataclass(frozen=True)
class ComparisonFolder:
    """A comparison on disk."""

    path: Path

    def run_path(self, trial: Trial) -> Path:
        """Return where the run of a trial is."""
        return self.path / "trials" / trial.name

    @contextmanager
    def claimed(self, trial: Trial) -> Iterator[bool]:
        """Hold a trial for as long as the block runs; what comes is whether we do, or another process does."""
        path = self.path / "claims" / f"{trial.name}.lock"
        with durable.reported(path):
            durable.make_folder(path.parent)
        with lock.claimed(path) as ours:
            yield ours

    def result(self, trial: Trial) -> TrialResult | None:
        """Return what was measured of a trial, or None while it has not been, or cannot be read."""
        path = self._result_path(trial)
        if not path.is_file():
            return None
        try:
            return _result_from(json.loads(path.read_text(encoding="utf-8")))
        except (ValueError, KeyError, TypeError, OSError):
            return None  # measured again: the run is there

    def write_result(self, trial: Trial, result: TrialResult) -> None:
        """Keep what was measured of a trial."""
        self.write(f"results/{trial.name}.json", json.dumps(asdict(result), ensure_ascii=False))

    def write(self, name: str, text: str) -> None:
        """Write a file of the comparison in one step."""
        path = self.path / name
        with durable.reported(path, len(text)):
            durable.make_folder(path.parent)
            write_text(path, text)

    def _result_path(self, trial: Trial) -> Path:
        return self.path / "results" / f"{trial.name}.json"


def open_comparison(path: Path, plan: Plan) -> ComparisonFolder:
    """Return the folder of this plan: a new one, or the same comparison as far as it came."""
    folder, text = ComparisonFolder(path), json.dumps(plan.facts(), indent=2, sort_keys=True, ensure_ascii=False)
    known = path / "plan.json"
    if not known.is_file():
        if path.is_dir() and any(path.iterdir()):
            raise RunError(f"{path} is not empty and holds no comparison. Choose another --out.")
        folder.write("plan.json", text + "\n")
    elif known.read_text(encoding="utf-8") != text + "\n":
        raise RunError(
            f"{path} holds another comparison ({_difference(known, plan.facts())}). To go on with that one, give the "
            f"same options as then; else choose another --out."
        )
    return folder


def _difference(known: Path, facts: Mapping[str, object]) -> str:
    try:
        before = json.loads(known.read_text(encoding="utf-8"))
    except ValueError:
        return "its plan.json is damaged"
    changed = [name for name in facts if before.get(name) != facts[name]]
    return f"with other {' and '.join(changed)}" if changed else "written by another version"


def _result_from(values: dict[str, object]) -> TrialResult:
    curve = values.pop("curve")
    assert isinstance(curve, list)
    # Any: what stands in the file is checked by its use; a file of another shape raises TypeError here.
    return TrialResult(curve=[CurvePoint(**point) for point in curve], **values)  # type: ignore[arg-type]
