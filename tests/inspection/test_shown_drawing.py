"""Panels as a picture: every kind is drawn, whole, in the format that the file's ending names."""

from pathlib import Path

import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from heed.errors import MachineError, UsageError
from heed.inspection.drawing import WIDEST, draw_shown, in_rows
from heed.inspection.panel_drawing import draw_panel, size_of
from heed.inspection.panels import Boxes, Branch, Curve, Curves, HeatMap, Panel, Picture, Tree
from heed.inspection.shown import Shown

HEAT = HeatMap("a map", ((1.0, None), (0.25, -0.004)), ("one", "two"), ("a", "b"), marked=((0, 0),))
WIDE = HeatMap("of waves", ((0.0,) * 30,) * 20, (), (), across="numbers")
CURVES = Curves("lines", "x", "y", (Curve("up", (1.0, 2.0), (1.0, 3.0)), Curve("down", (1.0, 2.0), (3.0, 1.0))), True)
TREE = Tree(
    "a tree",
    (
        Branch("A 0.5", 1, None, "best"),
        Branch("B 0.2", 1, None, "dropped"),
        Branch("end 0.3", 2, 0, "best"),
        Branch("C 0.1", 2, 0, "kept"),
    ),
)
BOXES = Boxes("boxes", ("text",), (tuple(f"word{number}" for number in range(30)),), ((0.5,) * 30,))
PICTURE = Picture("cut", (((255, 0, 0),) * 4,) * 4, cut=2)
PANELS: list[Panel] = [HEAT, WIDE, CURVES, TREE, BOXES, PICTURE]


def shown_of(*panels: Panel) -> Shown:
    return Shown("mask", "A title", "It shows.", (), (), panels)


def words_in(panel: Panel) -> list[str]:
    """Return what is written into a panel, tick labels not counted."""
    figure = Figure(figsize=size_of(panel), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    draw_panel(axes, panel)
    return [text.get_text() for text in axes.texts]


@pytest.mark.parametrize(("name", "first"), [("a.png", b"\x89PNG"), ("a.svg", b"<?xml"), ("A.PDF", b"%PDF")])
def test_all_kinds_of_panels_are_drawn_in_the_format_of_the_ending(name: str, first: bytes, tmp_path: Path) -> None:
    draw_shown(shown_of(*PANELS), tmp_path / "new" / name)
    assert (tmp_path / "new" / name).read_bytes().startswith(first)
    assert len(list((tmp_path / "new").iterdir())) == 1, "nothing half written is left"


def test_numbers_are_written_into_small_maps_but_not_where_the_mask_hides() -> None:
    assert words_in(HEAT) == ["1.00", "0.25", "0.00"]
    assert words_in(WIDE) == []


def test_every_branch_and_every_box_has_its_words() -> None:
    assert words_in(TREE) == ["A 0.5", "B 0.2", "end 0.3", "C 0.1", "start"]
    assert {f"word{number}" for number in range(30)} <= set(words_in(BOXES))


def test_every_patch_is_numbered() -> None:
    assert words_in(PICTURE) == ["1", "2", "3", "4"]


def test_dollar_signs_are_no_mathematics(tmp_path: Path) -> None:
    word = r"$\nonsense$"
    odd = HeatMap(word, ((1.0,),), (word,), (word,)), Boxes(word, ("a",), ((word,),), ((0.0,),))
    draw_shown(Shown("hello", word, "It shows.", (), (), odd), tmp_path / "a.png")


def test_panels_stand_beside_each_other_while_there_is_room() -> None:
    rows = in_rows([CURVES] * 4)
    assert [len(row) for row in rows] == [3, 1]
    assert all(sum(size_of(panel)[0] for panel in row) <= WIDEST for row in rows)


def test_an_ending_that_names_no_format_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"'\.gif'"):
        draw_shown(shown_of(HEAT), tmp_path / "a.gif")


def test_a_place_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(MachineError, match="cannot be written"):
        draw_shown(shown_of(HEAT), tmp_path / "file" / "a.png")
