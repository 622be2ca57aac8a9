"""A run held by one process from its beginning, or from where it stopped, to the end of a `with`."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from heed.errors import UsageError
from heed.machine import Ranks
from heed.runs import beginning
from heed.runs.defaults import free_folder, resolve
from heed.runs.folder import RunFolder, check_free, create, open_run
from heed.runs.run import Run
from heed.runs.settings import RunSettings, read_settings
from heed.runs.telling import Tell, silent
from heed.runs.vectors_settings import VectorsSettings
from heed.training.ranks import joined


@contextmanager
def new_run(
    task: str,
    data: Sequence[str] | str = (),
    *,
    model: str | None = None,
    settings: Mapping[str, object] | None = None,
    out: str | Path | None = None,
    force: bool = False,
) -> Iterator[Run]:
    """Begin a run in a new folder, held by this process for the length of a `with`."""
    resolved = resolve(task, [data] if isinstance(data, str) else data, model, settings or {})
    path = Path(out) if out is not None else free_folder(task, resolved)
    with begun_run(resolved, path, force) as run:
        yield run


@contextmanager
def begun_run(settings: RunSettings, path: Path, force: bool = False, tell: Tell = silent) -> Iterator[Run]:
    """Begin a run with settings that are resolved, held by this process for the length of a `with`."""
    ranks = Ranks.from_environment()
    _refuse_compiled(settings, ranks)
    check_free(path, force)
    # With --force a run that was there is gone once the folder is made: first all that can fail, then the folder.
    prepared = beginning.prepare(settings, ranks, tell)
    with joined(ranks), _held(path, ranks, force) as folder:
        yield beginning.begin(folder, prepared, ranks, tell)


@contextmanager
def stopped_run(path: str | Path) -> Iterator[Run]:
    """Take up a run where its newest good checkpoint stands, held by this process for the length of a `with`."""
    ranks = Ranks.from_environment()
    folder = open_run(Path(path))
    _refuse_imported(folder)
    _refuse_compiled(read_settings(folder.read_settings(), f"{path}: settings"), ranks)
    with joined(ranks):
        if not ranks.is_first:
            yield beginning.resume(folder, ranks)
            return
        with folder.lock():
            yield beginning.resume(folder, ranks)


def _refuse_imported(folder: RunFolder) -> None:
    origin = folder.read_finished().get("origin") if folder.is_finished else None
    if origin is not None:
        raise UsageError(
            f"{folder.path} was imported from {origin}: it has no training to go on with. "
            f"Start another run from it: heed train TASK DATA --from {folder.path}."
        )


def _refuse_compiled(settings: RunSettings, ranks: Ranks) -> None:
    """Refuse a graph on several ranks: dropout in it is drawn by batch, and the result would not be that of one."""
    training = None if isinstance(settings, VectorsSettings) else settings.training
    if ranks.world_size > 1 and training is not None and training.compile:
        raise UsageError(
            f"training.compile is true, and torchrun started {ranks.world_size} processes: a compiled model would not "
            f"train to the same weights as in one. Leave --compile out, or torchrun."
        )


@contextmanager
def _held(path: Path, ranks: Ranks, force: bool) -> Iterator[RunFolder]:
    """Hold the new folder; ranks other than the first never write, so they neither make nor lock it."""
    if not ranks.is_first:
        yield RunFolder(path)
        return
    folder = create(path, force=force)
    with folder.lock():
        yield folder
