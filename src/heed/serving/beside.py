"""What lies in the same folders as the runs that are served: other runs, and comparisons; names alone are told."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from heed.errors import HeedError
from heed.runs.folder import is_run, open_run
from heed.serving.models import ServedRun

MOST_LOOKED_AT = 1_000  # entries of a folder, in the order of their names
MOST_RUNS = 24  # beside those that are served; more lines cannot be told apart
MOST_COMPARISONS = 24
RESULTS = "comparison.json"


def runs_beside(served: Sequence[ServedRun]) -> list[ServedRun]:
    """Return the runs that lie beside those that are served, by their names."""
    taken = {run.folder.path.resolve() for run in served}
    found: list[ServedRun] = []
    for path in _neighbours(served):
        if len(found) == MOST_RUNS:
            break
        if path.resolve() not in taken and is_run(path):
            taken.add(path.resolve())
            found += _opened(path)
    return found


def comparisons_beside(served: Sequence[ServedRun]) -> list[Path]:
    """Return the folders of comparisons beside the runs that are served, or that those are part of."""
    within = [folder for run in served for folder in run.folder.path.resolve().parents[:2]]
    folders = dict.fromkeys([*within, *(path.resolve() for path in _neighbours(served))])
    return [folder for folder in folders if (folder / RESULTS).is_file()][:MOST_COMPARISONS]


def _neighbours(served: Sequence[ServedRun]) -> Iterator[Path]:
    for parent in dict.fromkeys(run.folder.path.resolve().parent for run in served):
        try:
            entries = sorted(path for path in parent.iterdir() if path.is_dir())
        except OSError:  # a folder that may be passed through but not listed has nothing to show
            continue
        yield from entries[:MOST_LOOKED_AT]


def _opened(path: Path) -> list[ServedRun]:
    try:
        folder = open_run(path)
        return [ServedRun(path.name, folder, str(folder.read_settings().get("task")))]
    except HeedError:  # it is not served, so nobody waits for it
        return []
