"""The settings of a run that starts from a base are known before it begins: they are those that the run then has."""

from pathlib import Path

import pytest
from trained_bases import ONE_STEP

from heed.runs.based import based
from heed.runs.defaults import resolve
from heed.runs.session import new_run
from heed.settings import to_dict

DECIDED_LATER = {"data", "training"}  # full paths, and the number of threads


@pytest.mark.slow
@pytest.mark.parametrize(
    ("task", "base", "given"),
    [
        ("classify", "classify", {}),
        ("tag", "classify", {"model": {"dropout": 0.3}}),
        ("answer", "classify", {"windows": {"longest_question": 12, "stride": 4}}),
        ("pretrain", "classify", {}),
        ("write", "write", {"model": {"longest": 30}}),
        ("image", "image", {"model": {"image": 36}}),
        ("caption", "image", {}),
    ],
)
def test_the_settings_of_a_run_that_starts_from_a_base_are_known_before(
    bases: Path, task: str, base: str, given: dict[str, object], tmp_path: Path
) -> None:
    data = [str(bases / "pictures")] if task == "image" else []
    settings = {**given, "base": str(bases / base), "training": ONE_STEP}
    foretold = to_dict(based(resolve(task, data, None, settings)))
    with new_run(task, *data, settings=settings, out=tmp_path / "run") as run:
        begun = to_dict(run.settings)
    assert {name: value for name, value in foretold.items() if name not in DECIDED_LATER} == {
        name: value for name, value in begun.items() if name not in DECIDED_LATER
    }
    model = foretold["model"]
    assert isinstance(model, dict)
    assert (model["encoder"] if task == "caption" else model)["layers"] == 3


def test_the_settings_of_a_run_without_a_base_are_as_they_were() -> None:
    settings = resolve("translate", [], None, {})
    assert based(settings) is settings
