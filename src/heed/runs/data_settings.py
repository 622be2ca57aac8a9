"""What the settings of every task share: `DataSettings`, where the examples come from, and checks."""

from collections.abc import Mapping

from heed.data.dealing import SplitName, SplitRule
from heed.data.demo_words import names_demo
from heed.data.group_column import WITHOUT_GROUPS
from heed.data.task_columns import TASK_COLUMNS
from heed.errors import SettingsError
from heed.settings import settings

# Tasks whose data is split record by record; the others split a text, or documents while they are read.
SPLIT_BY_RECORDS = ("translate", "classify", "pair", "tag", "answer", "image", "caption")


@settings
class DataSettings:
    """Where the examples come from."""

    train: tuple[str, ...] = ()  # one table, two line-aligned files, a folder of labels, or a built-in demo:NAME
    valid: tuple[str, ...] = ()  # none: a stable part of `train`
    test: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()  # names of the columns of a table; none: by the table's own header
    group: str = ""  # a column of a table: records with one value of it stay on one side of the split; "": none
    split: SplitName = "grouped"  # of `train` without `valid`; "by-record" is how heed split up to version 0.5

    def __post_init__(self) -> None:
        if self.group and self.split == "by-record":
            raise SettingsError(
                f"data.group is {self.group!r}, but data.split is by-record, which knows no groups. Leave one out."
            )

    @property
    def rule(self) -> SplitRule:
        """Return how the training data is split where no validation file is given."""
        return SplitRule(self.group or None, self.split)


def with_own_split(values: Mapping[str, object]) -> Mapping[str, object]:
    """Return the settings of a run with the rule by which its data was split, which those up to 0.5 do not name.

    They are resumed on the split they were begun with: the grouped one may have other records in validation.
    """
    data = values.get("data")
    if not isinstance(data, Mapping) or "split" in data or values.get("task") not in SPLIT_BY_RECORDS:
        return values
    train = data.get("train")
    is_divided = bool(data.get("valid")) or not isinstance(train, list | tuple) or names_demo(list(map(str, train)))
    return values if is_divided or not train else {**values, "data": {**data, "split": "by-record"}}


def check_split(task: str, data: DataSettings) -> None:
    """Refuse a group column, or a rule for records, where the files of the task have none."""
    if data.group and task in WITHOUT_GROUPS:
        raise SettingsError(
            f"data.group (--group) is {data.group!r}, but task {task} reads {WITHOUT_GROUPS[task]}: there is no column "
            f"to group by. Leave it out."
        )
    if data.split != "grouped" and task not in SPLIT_BY_RECORDS:
        raise SettingsError(f"data.split is {data.split}, but task {task} does not split records. Leave it out.")


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
