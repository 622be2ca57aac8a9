"""Curves: few enough to send of any log, each validation among them, and damage is told of its own run alone."""

from pathlib import Path

from heed.runs.folder import create
from heed.serving.curves import MOST_POINTS, RunCurves, curves_of
from heed.serving.models import ServedRun


def logged(folder: Path, steps: int, every: int) -> ServedRun:
    run = create(folder)
    run.write_settings({"task": "classify", "model": {"kind": "textcnn"}})
    for step in range(1, steps + 1):
        run.append_metrics({"step": step, "loss": 1 / step, **({"valid.loss": 2.0} if step % every == 0 else {})})
    return ServedRun("run", run, "classify")


def steps_of(curves: RunCurves) -> list[float]:
    return [point["step"] for point in curves.points]


def test_a_long_log_is_thinned_but_keeps_its_ends_and_all_validations(tmp_path: Path) -> None:
    found = curves_of(logged(tmp_path / "run", steps=1_700, every=130))
    steps = steps_of(found)
    assert len(steps) <= MOST_POINTS and steps == sorted(set(steps)) and [steps[0], steps[-1]] == [1, 1_700]
    assert set(range(130, 1_700, 130)) <= set(steps)
    assert found.problem is None and found.settings == {"kind": "textcnn"}


def test_a_log_of_validations_alone_is_bounded_too(tmp_path: Path) -> None:
    assert len(curves_of(logged(tmp_path / "run", steps=1_300, every=1)).points) <= MOST_POINTS


def test_a_damaged_line_is_left_out_and_told_without_a_path(tmp_path: Path) -> None:
    run = logged(tmp_path / "run", steps=4, every=2)
    lines = run.folder.metrics.read_text().splitlines(keepends=True)
    run.folder.metrics.write_text(lines[0] + "{half\n" + "".join(lines[2:]))
    found = curves_of(run)
    assert steps_of(found) == [1, 3, 4]
    assert found.problem is not None and "damaged" in found.problem and str(tmp_path) not in found.problem
