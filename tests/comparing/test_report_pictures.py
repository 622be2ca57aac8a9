"""The pictures of a comparison: drawn for one to many contenders, with or without curves, never by colour alone."""

import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from pathlib import Path

import pytest
from fake_comparisons import labelled, numbered, translated, with_one_seed_of
from PIL import Image

from heed.comparing.charts import curve_svg, scores_svg
from heed.comparing.pictures import draw_comparison
from heed.comparing.results import Comparison, CurvePoint
from heed.comparing.series import COLOURS, MARKS, MOST_CURVES, MOST_POINTS, drawing_of, padded
from heed.errors import MachineError, UsageError

SMALL = labelled(names=("gru", "tfidf"), seeds=2, examples=20)


def without_curves(comparison: Comparison) -> Comparison:
    return replace(comparison, trials=[replace(trial, curve=[]) for trial in comparison.trials])


def with_curves(comparison: Comparison, *scores: float) -> Comparison:
    """Return the comparison with one curve for all trials, a validation a second."""
    curve = [CurvePoint(step, float(step), score, 1.0) for step, score in enumerate(scores, start=1)]
    return replace(comparison, trials=[replace(trial, curve=curve) for trial in comparison.trials])


@pytest.mark.parametrize(("name", "first"), [("a.png", b"\x89PNG"), ("a.svg", b"<?xml"), ("A.PDF", b"%PDF")])
def test_the_ending_chooses_the_format(name: str, first: bytes, tmp_path: Path) -> None:
    draw_comparison(SMALL, tmp_path / "new" / name)
    assert (tmp_path / "new" / name).read_bytes().startswith(first)


def test_another_ending_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"a\.jpg ends with '\.jpg'\. Use one of"):
        draw_comparison(SMALL, tmp_path / "a.jpg")
    assert list(tmp_path.iterdir()) == []


def test_a_place_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(MachineError, match=r"a\.png cannot be written: "):
        draw_comparison(SMALL, tmp_path / "file" / "a.png")


@pytest.mark.parametrize("contenders", [1, 2, 12, 30])
def test_any_number_of_contenders_fits(contenders: int, tmp_path: Path) -> None:
    names = tuple(f"layers={number}" for number in range(contenders))
    draw_comparison(labelled(names=names, seeds=1, examples=20), tmp_path / "a.png")
    width, height = Image.open(tmp_path / "a.png").size
    assert width == 1800
    assert height < 2000


def test_without_curves_only_the_scores_are_drawn(tmp_path: Path) -> None:
    comparison = without_curves(SMALL)
    draw_comparison(comparison, tmp_path / "a.png")
    assert Image.open(tmp_path / "a.png").size[0] < 1000
    assert curve_svg(comparison) == ""


@pytest.mark.parametrize(
    "comparison",
    [numbered(), translated(), with_one_seed_of(SMALL, "gru")],
    ids=["numbers", "translations", "one seed"],
)
def test_every_kind_of_comparison_can_be_drawn(comparison: Comparison, tmp_path: Path) -> None:
    draw_comparison(comparison, tmp_path / "a.svg")
    for text in ((tmp_path / "a.svg").read_text(), scores_svg(comparison), curve_svg(comparison)):
        assert ElementTree.fromstring(text) is not None


def test_names_that_mean_something_to_the_drawing_library_are_only_text(
    tmp_path: Path, recwarn: pytest.WarningsRecorder
) -> None:
    names = ("$x_", "_hidden", "\\frac{", "a\nb\x00", "<b>&", "$$")
    comparison = labelled(names=names, seeds=1, examples=20)
    draw_comparison(comparison, tmp_path / "odd.svg")
    ElementTree.parse(tmp_path / "odd.svg")
    ElementTree.fromstring(scores_svg(comparison))
    ElementTree.fromstring(curve_svg(comparison))
    assert not recwarn.list


def test_the_first_twelve_contenders_differ_in_shape_and_in_colour_or_line() -> None:
    series = drawing_of(labelled(names=tuple("abcdefghijkl"), seeds=1, examples=20)).series
    assert len({each.mark for each in series}) == len(MARKS) == 12
    assert len({(each.colour, each.dashed) for each in series}) == 2 * len(COLOURS) == 12


def test_only_as_many_curves_are_drawn_as_there_are_shapes_and_those_of_the_best() -> None:
    drawing = drawing_of(labelled(names=tuple("abcdefghijklmnopq"), seeds=1, examples=20))
    assert [each.place for each in drawing.curves] == list(range(MOST_CURVES))


def test_the_curve_of_a_contender_is_the_mean_of_its_seeds_as_far_as_all_came() -> None:
    one, two = (CurvePoint(1, 60, 0.5, 1), CurvePoint(2, 240, 0.7, 1)), (CurvePoint(1, 120, 0.6, 1),)
    gru, _ = labelled(names=("gru",), seeds=2, examples=20).trials
    comparison = replace(labelled(names=("gru",), seeds=2), trials=[replace(gru, curve=one), replace(gru, curve=two)])
    drawing = drawing_of(comparison)
    assert drawing.time_unit == "minutes"
    assert (drawing.series[0].mean_curve.times, drawing.series[0].mean_curve.scores) == ([1.5], [pytest.approx(55)])
    assert [curve.times for curve in drawing.series[0].seed_curves] == [[1, 4], [2]]


def test_short_trainings_are_drawn_over_seconds() -> None:
    assert drawing_of(with_curves(SMALL, 0.5, 0.6)).time_unit == "seconds"


def test_validations_that_are_not_numbers_are_left_out() -> None:
    curve = drawing_of(with_curves(SMALL, float("nan"), 0.6, float("inf"))).series[0].mean_curve
    assert (curve.times, curve.scores) == ([2.0], [60.0])


def test_a_long_curve_is_thinned_and_keeps_its_end() -> None:
    curve = drawing_of(with_curves(SMALL, *(number / 1000 for number in range(1000)))).series[0].mean_curve
    assert len(curve.times) == MOST_POINTS
    assert curve.scores[-1] == pytest.approx(99.9)


def test_an_axis_promises_no_more_than_can_be_reached() -> None:
    assert padded([95, 120], (0, 100)) == (pytest.approx(94.7), 100)
    low, high = padded([0.5, 0.5], (-1, 1))
    assert low < 0.5 < high
    assert padded([float("nan")], (0, 100)) == (0, 0.5)


def test_a_first_validation_that_is_far_off_does_not_flatten_the_rest(tmp_path: Path) -> None:
    late = with_curves(SMALL, 0.1, *(0.8 + number / 100 for number in range(9)))
    low, high = drawing_of(late).curve_range
    assert 79 < low < 80
    assert 88 < high < 89
    draw_comparison(late, tmp_path / "a.png")
    # A curve of one validation shows that one, however early it was.
    assert drawing_of(with_curves(SMALL, 0.1)).curve_range[0] < 10


def test_scores_that_are_equal_or_not_numbers_do_not_stop_a_picture(tmp_path: Path) -> None:
    broken = replace(SMALL.standings[0], score=replace(SMALL.standings[0].score, mean=float("nan")))
    trials = [replace(trial, score=float("nan")) for trial in SMALL.trials]
    comparison = replace(SMALL, standings=[broken, *SMALL.standings[1:]], trials=trials)
    draw_comparison(comparison, tmp_path / "a.png")
    assert "nan" not in scores_svg(comparison)
