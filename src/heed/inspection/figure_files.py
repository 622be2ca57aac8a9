"""A figure as a file, whole or not at all; its ending chooses the format."""

from io import BytesIO
from pathlib import Path

from matplotlib.figure import Figure

from heed.errors import MachineError
from heed.files.atomic import write_bytes


def write_figure(figure: Figure, path: Path) -> None:
    """Put the figure at the path, and make the folder that it stands in."""
    data = BytesIO()
    figure.savefig(data, format=path.suffix[1:].lower())
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise MachineError(f"{path} cannot be written: {problem.strerror}. Choose another place.") from problem
    write_bytes(path, data.getvalue())
