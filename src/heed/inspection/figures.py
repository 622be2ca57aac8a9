"""What all figures share: how large they are, text in them as it stands, and a file that is whole or not at all."""

from io import BytesIO
from pathlib import Path

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from heed.errors import MachineError, UsageError
from heed.files.atomic import write_bytes

FORMATS = (".png", ".svg", ".pdf")
LARGEST_SIDE = 8000  # pixels; the picture of two texts of 256 pieces would otherwise take a gigabyte
DPI = 150  # pixels to an inch, less where a side would become too large


def check_ending(path: Path) -> None:
    """Refuse a file whose ending names no format that can be drawn."""
    if path.suffix.lower() not in FORMATS:
        raise UsageError(f"{path} ends with {path.suffix!r}. Use one of {', '.join(FORMATS)}.")


def new_figure(width: float, height: float) -> Figure:
    """Return an empty figure of so many inches."""
    figure = Figure(figsize=(width, height), dpi=min(DPI, LARGEST_SIDE / max(width, height)), layout="constrained")
    FigureCanvasAgg(figure)
    return figure


def literal(text: str) -> str:
    """Return the text so that it is drawn as it stands: what is between two dollar signs would be mathematics."""
    return text.replace("$", r"\$")


def write_figure(figure: Figure, path: Path) -> None:
    """Put the figure at the path, and make the folder that it stands in; the ending chooses the format."""
    data = BytesIO()
    figure.savefig(data, format=path.suffix[1:].lower())
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise MachineError(f"{path} cannot be written: {problem.strerror}. Choose another place.") from problem
    write_bytes(path, data.getvalue())
