"""The checks pass on a sound model of every task, and say what does not apply to it."""

from collections.abc import Callable
from pathlib import Path

import pytest

from heed import api
from heed.errors import DataError, UsageError
from heed.verifying.verify import NAMES

Make = Callable[[str], Path]

# Of each run, the checks that have nothing to look at in it.
SPARED = {
    "translate": {"exporting"},
    "classify": {"causality", "caching", "exporting"},
    "classify-bert": {"causality", "caching"},
    "pair-bert": {"causality", "caching"},
    "tag": {"looking", "causality", "caching", "exporting"},
    "write": {"exporting"},
    "write-rnn": {"looking", "accumulation", "exporting"},
    "pretrain": {"causality", "caching"},
    "image": {"vocabulary", "causality", "caching"},
    "caption": {"exporting"},
    "vectors": set(NAMES) - {"determinism", "exporting"},
    "classify-tfidf": set(NAMES) - {"determinism", "batching"},
}
LATER = {
    "answer": {"causality", "caching", "exporting"},
    "pair": {"causality", "caching", "exporting"},
    "pair-towers": {"causality", "caching", "exporting"},
    "tag-transformer": {"causality", "caching", "exporting"},
    "translate-marian": set(),
    "write-gpt2": set(),
    "classify-norm": {"causality", "caching", "accumulation", "exporting"},
    "classify-cnn": {"looking", "causality", "caching", "exporting"},
    "translate-rnn": {"exporting"},
}


def check_sound(run: Path, spared: set[str]) -> None:
    """Hold that nothing fails, and that just the named checks do not apply."""
    report = api.verify(run)
    assert report.passed, [(finding.name, finding.detail) for finding in report.of("failed")]
    assert {finding.name for finding in report.of("does not apply")} == spared
    assert all(finding.cases > 0 for finding in report.of("passed"))
    assert report.conclusion.startswith("Proved on this model and ")


@pytest.mark.parametrize("name", SPARED)
def test_a_sound_model_passes_every_check_that_applies_to_it(made: Make, name: str) -> None:
    check_sound(made(name), SPARED[name])


@pytest.mark.slow
@pytest.mark.parametrize("name", LATER)
def test_other_sound_models_pass_too(made: Make, name: str) -> None:
    check_sound(made(name), LATER[name])


def test_one_check_alone_is_told_alone(made: Make) -> None:
    report = api.verify(made("translate"), only=["caching"])
    assert [finding.name for finding in report.findings] == ["caching"]


def test_a_check_that_does_not_exist_is_refused_with_those_that_do(made: Make) -> None:
    with pytest.raises(UsageError, match=r"no check 'cacheing'. Choose from: vocabulary, .*caching"):
        api.verify(made("translate"), only="cacheing")


def test_other_data_can_be_given(made: Make, tmp_path: Path) -> None:
    other = tmp_path / "other.csv"
    other.write_text("text,label\n" + "".join(f"seven six {number},{number % 2}\n" for number in range(60)))
    report = api.verify(made("classify"), str(other), only="batching")
    assert report.passed
    assert report.origin.endswith(f"records of {other}")


def test_other_data_without_a_label_that_the_model_knows_is_refused(made: Make, tmp_path: Path) -> None:
    other = tmp_path / "other.csv"
    other.write_text("text,label\n" + "".join(f"seven six {number},{'ab'[number % 2]}\n" for number in range(60)))
    with pytest.raises(DataError, match=r"No record of .*other.csv has what this model knows"):
        api.verify(made("classify"), str(other))
