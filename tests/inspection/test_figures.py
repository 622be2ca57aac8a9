"""What all figures share: an old picture stays until a new one is whole, and no text is mathematics."""

from pathlib import Path

import pytest
import torch

from heed.errors import MachineError
from heed.files import atomic
from heed.inspection.alignment import draw_alignment
from heed.inspection.figures import DPI, LARGEST_SIDE, literal, new_figure, write_figure
from heed.prediction.translator import Alignment


def test_an_old_picture_stays_when_the_disk_fails_in_the_middle(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    alignment = Alignment(("je", "suis"), ("I",), torch.tensor([[0.5, 0.5]]), "decoder.0.cross")
    draw_alignment(alignment, tmp_path / "a.svg")
    before = (tmp_path / "a.svg").read_bytes()

    def fail(descriptor: int) -> None:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(atomic, "_fsync", fail)
    with pytest.raises(MachineError, match=r"a\.svg cannot be written: Input/output error"):
        draw_alignment(Alignment(("il", "est"), ("he",), alignment.weights, alignment.site), tmp_path / "a.svg")
    assert (tmp_path / "a.svg").read_bytes() == before
    assert [each.name for each in tmp_path.iterdir()] == ["a.svg"]


def test_text_between_dollar_signs_is_drawn_as_it_stands(tmp_path: Path) -> None:
    text = r"costs $\nonsense$"
    figure = new_figure(3, 2)
    figure.suptitle(literal(text))
    write_figure(figure, tmp_path / "a.svg")
    figure.suptitle(text)
    with pytest.raises(ValueError, match="nonsense"):
        write_figure(figure, tmp_path / "a.svg")


@pytest.mark.parametrize(("width", "height"), [(3, 2), (2, 300), (1000, 4)])
def test_no_side_of_a_figure_is_too_large(width: float, height: float) -> None:
    figure = new_figure(width, height)
    assert max(width, height) * figure.dpi <= LARGEST_SIDE + 1e-6
    assert figure.dpi == DPI or max(width, height) * DPI > LARGEST_SIDE
