"""What the settings of every task share: `DataSettings`, where the examples come from, and checks."""

from heed.data.task_columns import TASK_COLUMNS
from heed.errors import SettingsError
from heed.settings import settings


@settings
class DataSettings:
    """Where the examples come from."""

    train: tuple[str, ...] = ()  # one table, two line-aligned files, a folder of labels, or a built-in demo:NAME
    valid: tuple[str, ...] = ()  # none: a stable part of `train`
    test: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()  # names of the columns of a table; none: by the table's own header


def check_columns(task: str, data: DataSettings) -> None:
    """Refuse another number of columns than the task has texts and labels."""
    wanted = TASK_COLUMNS[task]
    needed = len(wanted.split(","))
    if len(data.columns) not in (0, needed):
        raise SettingsError(
            f"data.columns is {list(data.columns)}; task {task} needs {needed} names: --columns {wanted}."
        )


def check_base(base: str | None, kind: str) -> None:
    """Refuse to start a model from weights that only a BERT can take."""
    if base is not None and kind != "bert":
        raise SettingsError(f"base is {base}, but model.kind is {kind}: only a BERT starts from one.")
