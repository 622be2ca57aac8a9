"""A comparison is a folder: the plan, a run for each trial, what was measured of each, and the reports.

plan.json                 what is compared, and fingerprints of the data; another plan or other data is refused
trials/NAME-SEED/         the runs
results/NAME-SEED.json    what was measured of a finished run
claims/NAME-SEED.lock     held by the process that is at work on the trial
comparison.json  comparison.png  report.html
"""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from heed.comparing.inputs import Inputs, check_same_inputs, inputs_facts, inputs_from
from heed.comparing.results import CurvePoint, TrialResult
from heed.comparing.trials import Plan, Trial
from heed.errors import HeedError, RunError
from heed.files.atomic import write_text
from heed.runs import durable, lock
from heed.runs.folder import is_run, open_run
from heed.runs.settings import RunSettings, read_settings


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
            result = _result_from(json.loads(path.read_text(encoding="utf-8")))
        except (ValueError, KeyError, TypeError, OSError):
            return None  # measured again: the run is there
        return result if (result.contender, result.seed) == (trial.contender.name, trial.seed) else None

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


def open_comparison(path: Path, plan: Plan, inputs: Mapping[str, Inputs]) -> ComparisonFolder:
    """Return the folder of this plan on these inputs: a new one, or the same comparison as far as it came."""
    folder = ComparisonFolder(path)
    facts = {**plan.facts(), "inputs": {name: inputs_facts(own) for name, own in inputs.items()}}
    text = json.dumps(facts, indent=2, sort_keys=True, ensure_ascii=False) + "\n"
    known = path / "plan.json"
    if not known.is_file():
        if path.is_dir() and any(path.iterdir()):
            raise RunError(f"{path} is not empty and holds no comparison. Choose another --out.")
        folder.write("plan.json", text)
        return folder
    before = _read_plan(known)
    changed = _changed(before, plan)
    if changed == ["contenders"] and _has_older_split(before, plan):
        raise RunError(
            f"{path} was begun before heed 0.6, when data was split by another rule. To go on with that split, in "
            f"which records that share a text may be in two sets, add --set data.split=by-record; for a new split "
            f"choose another --out."
        )
    if changed:
        raise _another(path, f"with other {' and '.join(changed)}")
    _check_inputs(folder, plan, before, inputs)
    if "inputs" not in before:  # written by heed 0.5.0, which kept none
        folder.write("plan.json", text)
    return folder


def _read_plan(known: Path) -> dict[str, object]:
    try:
        before = json.loads(known.read_text(encoding="utf-8"))
    except ValueError as error:
        raise _another(known.parent, "its plan.json is damaged") from error
    if not isinstance(before, dict):
        raise _another(known.parent, "its plan.json is damaged")
    return before


def _another(path: Path, difference: str) -> RunError:
    return RunError(
        f"{path} holds another comparison ({difference}). To go on with that one, give the same options as then; "
        f"else choose another --out."
    )


def _changed(before: Mapping[str, object], plan: Plan) -> list[str]:
    """Return which parts of the plan are others than before."""
    changed = [] if _contenders(before) == {each.name: each.settings for each in plan.contenders} else ["contenders"]
    facts = plan.facts()
    return changed + [name for name in ("seeds", "baseline") if before.get(name) != facts[name]]


def _has_older_split(before: Mapping[str, object], plan: Plan) -> bool:
    """Tell whether the plan is the one before but for the rule that split the data."""
    known = _contenders(before) or {}
    now = {each.name: _by_record(each.settings) for each in plan.contenders if not each.settings.data.group}
    return bool(now) and known == now


def _by_record(settings: RunSettings) -> RunSettings:
    return replace(settings, data=replace(settings.data, split="by-record"))


def _contenders(before: Mapping[str, object]) -> dict[str, RunSettings] | None:
    """Return the settings that a plan holds, read as today's: a setting that came later has its default."""
    contenders = before.get("contenders")
    if not isinstance(contenders, Mapping):
        return None
    try:
        return {name: read_settings(values, f"contender {name}") for name, values in contenders.items()}
    except (HeedError, AttributeError):
        return None


def _check_inputs(
    folder: ComparisonFolder, plan: Plan, before: Mapping[str, object], inputs: Mapping[str, Inputs]
) -> None:
    """Refuse a folder whose plan or runs began with other data than there is now."""
    known = before.get("inputs")
    if isinstance(known, Mapping):
        for name, own in inputs.items():
            check_same_inputs(_known(known.get(name), folder.path), own, folder.path)
    for trial in plan.trials():
        if is_run(folder.run_path(trial)):
            check_run(folder, trial, inputs[trial.contender.name])


def check_run(folder: ComparisonFolder, trial: Trial, inputs: Inputs) -> None:
    """Refuse to reuse a run that was trained on other data, or on data that its folder does not record."""
    facts = open_run(folder.run_path(trial)).read_data_facts()
    own = {split: inputs[split] for split in ("train", "valid")}
    check_same_inputs(_known({split: facts.get(split) for split in own}, folder.path), own, folder.path)


def _known(facts: object, path: Path) -> Inputs:
    try:
        return inputs_from(facts)
    except ValueError as error:
        raise RunError(
            f"{path} does not say on which data it was trained ({error}), so nothing in it can be reused. "
            f"Choose another --out."
        ) from error


def _result_from(values: object) -> TrialResult:
    """Return a result as it was written; raise ValueError, KeyError or TypeError for a file of another shape."""
    if not isinstance(values, dict) or not isinstance(values.get("curve"), list):
        raise ValueError("no result")
    curve = values.pop("curve")
    # What stands in the file is checked by its use; a file of another shape raises TypeError here.
    return TrialResult(curve=[CurvePoint(**point) for point in curve], **values)
