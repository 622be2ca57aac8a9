"""`Material`: what a model is tried on and where it comes from; own records, or made up where the data is gone."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from heed.data.demo_words import names_demo
from heed.errors import DataError, UsageError
from heed.runs.data_settings import DataSettings
from heed.runs.settings import RunSettings
from heed.tasks.classify import Texts
from heed.tasks.validation import spread
from heed.training.trainer import TrainableTask

COUNT = 48  # records: enough for many lengths, few enough for every task to take seconds

Record = TypeVar("Record")
Build = Callable[[RunSettings], TrainableTask]


@dataclass(frozen=True)
class Material:
    """Records around which a task can be built anew, as often as a check wants."""

    origin: str
    texts: Sequence[Texts]  # of the records; none where they are pictures alone
    build: Build | None  # the task with a model of fresh weights; None where a model does not learn step by step


def named_data(own: DataSettings, given: Sequence[str]) -> DataSettings:
    """Return where records are read: in the files that were given, or in those that the run was trained on."""
    return replace(own, train=tuple(given), valid=(), test=(), group="") if given else own


def files_of(given: Sequence[str]) -> list[Path]:
    """Return files that were given, which are read whole; a built-in corpus is none."""
    return [] if not given or names_demo(given) else [Path(name) for name in given]


def find_records(
    data: DataSettings,
    given: Sequence[str],
    read: Callable[[DataSettings], Sequence[Record]],
    invent: Callable[[], Sequence[Record]],
    called: str = "{count} records",
) -> tuple[Sequence[Record], str]:
    """Return some records and where they come from; what was given must be there, the run's own data need not."""
    names = named_data(data, given)
    if not names.train:
        return invent(), "made-up records (the run names no data)"
    try:
        records = read(names)
        if not records:
            raise DataError(f"No record of {', '.join(names.train)} has what this model knows. Give data of its task.")
    except (DataError, UsageError) as problem:
        if given:
            raise
        return invent(), f"made-up records (its own data cannot be read: {problem})"
    some = [records[place] for place in spread(len(records), COUNT)]
    return some, f"{called.format(count=len(some))} of {', '.join(names.train)}"


def enough(valid: Sequence[Record], train: Sequence[Record]) -> Sequence[Record]:
    """Return the validation records, and where they are few some of training too: laws hold for both."""
    return valid if len(valid) >= COUNT else [*valid, *train[:COUNT]]
