"""The trials of a comparison, one after the other: stopped and gone on with, nothing done twice, and shown so."""

import io
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from fake_comparisons import labelled
from rich.console import Console

from heed.cli import comparison_view
from heed.cli.comparison_view import ComparisonView
from heed.comparing import inputs
from heed.comparing.compare import Began, Event, Measured, Stepped, Waited, compare
from heed.comparing.results import TrialResult
from heed.comparing.store import ComparisonFolder
from heed.comparing.trials import Plan, plan_models
from heed.training.reports import StepReport

STEPS = 6


@pytest.fixture
def plan(tmp_path: Path) -> Plan:
    """Return a plan of two small models, each of one seed."""
    rows = [
        (f"the {noun} was {word} {number}", label)
        for number in range(8)
        for noun in ("soup", "tea")
        for label, words in (("good", "tasty fresh"), ("bad", "stale cold"))
        for word in words.split()
    ]
    table = tmp_path / "texts.csv"
    table.write_text("text,label\n" + "".join(f"{text},{label}\n" for text, label in rows))
    training = {"steps": STEPS, "validations": 2, "threads": 1, "tokens_per_batch": 100}
    given = {"tokens": {"kind": "words"}, "model": {"embedding": 12}, "training": training}
    return plan_models("classify", [str(table)], ["textcnn", "gru"], 1, given)


@pytest.fixture
def data(plan: Plan) -> inputs.TestData:
    """Return what the models are measured on."""
    return inputs.load_test(plan)


def stopped(plan: Plan, folder: ComparisonFolder, data: inputs.TestData, trial: int, step: int) -> None:
    """Train as far as a step of a trial, and leave as Ctrl-C does."""
    events, began = compare(plan, folder, data), 0
    for event in events:
        began += isinstance(event, Began)
        if began == trial and isinstance(event, Stepped) and event.report.step == step:
            break
    events.close()


def results(events: Sequence[Event]) -> list[TrialResult]:
    """Return what was measured, without what a clock says."""
    found = [event.result for event in events if isinstance(event, Measured)]
    return [
        replace(
            result,
            seconds=0.0,
            latency=0.0,
            texts_per_second=0.0,
            curve=[replace(point, seconds=0.0) for point in result.curve],
        )
        for result in found
    ]


def contents(folder: Path) -> dict[Path, tuple[int, bytes]]:
    """Return every file below a folder, and when it was written."""
    return {path: (path.stat().st_mtime_ns, path.read_bytes()) for path in folder.rglob("*") if path.is_file()}


def test_a_comparison_that_was_stopped_goes_on_and_ends_as_one_that_was_not(
    plan: Plan, data: inputs.TestData, tmp_path: Path
) -> None:
    whole = list(compare(plan, ComparisonFolder(tmp_path / "whole"), data))
    folder = ComparisonFolder(tmp_path / "stopped")
    stopped(plan, folder, data, trial=2, step=2)
    rest = list(compare(plan, folder, data))
    assert results(rest) == results(whole)
    assert [event.report.step for event in rest if isinstance(event, Stepped)] == [3, 4, 5, 6]


def test_a_trial_that_was_measured_is_not_trained_again(plan: Plan, data: inputs.TestData, tmp_path: Path) -> None:
    folder = ComparisonFolder(tmp_path / "comparison")
    stopped(plan, folder, data, trial=2, step=2)
    first, second = plan.trials()
    before = contents(folder.run_path(first))
    rest = list(compare(plan, folder, data))
    assert {event.trial for event in rest if isinstance(event, Began | Stepped)} == {second}
    assert [(event.trial, event.earlier) for event in rest if isinstance(event, Measured)] == [
        (first, True),
        (second, False),
    ]
    assert contents(folder.run_path(first)) == before


def test_a_finished_run_whose_result_was_lost_is_measured_again_and_not_trained(
    plan: Plan, data: inputs.TestData, tmp_path: Path
) -> None:
    folder = ComparisonFolder(tmp_path / "comparison")
    whole = list(compare(plan, folder, data))
    result = folder.path / "results" / "textcnn-1.json"
    result.write_text(result.read_text()[:100])
    again = list(compare(plan, folder, data))
    assert [event.earlier for event in again if isinstance(event, Measured)] == [False, True]
    assert len(again) == 2
    assert results(again) == results(whole)


def test_two_processes_share_the_trials_and_both_see_all_results(
    plan: Plan, data: inputs.TestData, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("heed.comparing.compare.WAIT", 0.0)
    whole = list(compare(plan, ComparisonFolder(tmp_path / "alone"), data))
    folder = ComparisonFolder(tmp_path / "shared")
    first, second = plan.trials()
    one = compare(plan, folder, data)
    while not isinstance(next(one), Stepped):
        pass
    other, seen = compare(plan, folder, data), list[Event]()
    while not any(isinstance(event, Waited) for event in seen):
        seen.append(next(other))
    assert {event.trial for event in seen if isinstance(event, Stepped | Measured)} == {second}
    assert seen[-1] == Waited((first,))
    rest = list(one)
    assert [event.earlier for event in rest if isinstance(event, Measured)] == [False, True]
    seen.extend(other)
    assert sorted(results(seen), key=str) == sorted(results(rest), key=str) == sorted(results(whole), key=str)


def test_a_trial_whose_process_stopped_is_gone_on_with_by_the_one_that_waits(
    plan: Plan, data: inputs.TestData, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("heed.comparing.compare.WAIT", 0.0)
    folder = ComparisonFolder(tmp_path / "shared")
    first, _ = plan.trials()
    one = compare(plan, folder, data)
    while not isinstance(event := next(one), Stepped) or event.report.step < 2:
        pass
    other = compare(plan, folder, data)
    while not isinstance(next(other), Waited):
        pass
    one.close()
    rest = list(other)
    assert [event.report.step for event in rest if isinstance(event, Stepped)] == [3, 4, 5, 6]
    assert {event.trial for event in rest if isinstance(event, Stepped | Measured)} == {first}


def test_what_other_processes_do_is_said_once(plan: Plan) -> None:
    said = io.StringIO()
    view = ComparisonView(Console(file=said), plan, quiet=False)
    first, second = plan.trials()
    for waited in (Waited((first, second)), Waited((first, second)), Waited((second,))):
        assert view.show(waited)
    assert said.getvalue().splitlines() == [
        "waiting for other processes: textcnn-1, gru-1",
        "waiting for other processes: gru-1",
    ]


def test_the_time_left_is_reckoned_from_what_this_command_trained(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1000.0
    monkeypatch.setattr(comparison_view.time, "monotonic", lambda: now)
    plan = plan_models("classify", [], ["textcnn", "gru"], 2, {})
    first, second, *_ = plan.trials()
    said = io.StringIO()
    view = ComparisonView(Console(file=said), plan, quiet=False)
    quick = replace(labelled().trials[0], seconds=0.0)
    view.show(Measured(first, quick, earlier=True))
    now += 100.0
    view.show(Stepped(second, StepReport(3, 0, 0.5, 1e-3, 1.0, 50, progress=0.5, seconds=100.0)))
    # Half a trial took 100 seconds, and two and a half are left; the one that was there took no time now.
    assert said.getvalue().splitlines()[-1].endswith("8m 20s left")


def test_the_part_of_a_trial_that_an_earlier_command_trained_took_no_time_now(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1000.0
    monkeypatch.setattr(comparison_view.time, "monotonic", lambda: now)
    plan = plan_models("classify", [], ["textcnn", "gru"], 1, {})
    first, _ = plan.trials()
    said = io.StringIO()
    view = ComparisonView(Console(file=said), plan, quiet=False)
    view.show(Began(first, 1, 2, ()))
    for progress in (0.8, 0.9):
        view.show(Stepped(first, StepReport(3, 0, 0.5, 1e-3, 1.0, 50, progress=progress, seconds=100.0)))
        now += 100.0
    # A tenth of a trial took 100 seconds; one and a tenth are left.
    assert said.getvalue().splitlines()[-1].endswith("18m 20s left")
