"""`DataSettings`: where the examples of a run come from, whatever its task."""

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
