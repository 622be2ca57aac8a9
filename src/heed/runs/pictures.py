"""The pictures of a run as squares in its folder: decoded when it begins, and again if they have gone since."""

import hashlib
import math
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TypeVar

from heed.data.image_store import Broken, ImageStore, build_store, fingerprint, open_store
from heed.data.records import ImageSource
from heed.errors import DataError, RunError
from heed.machine import Ranks
from heed.runs import durable
from heed.runs.folder import RunFolder
from heed.runs.image_settings import PictureSettings
from heed.runs.telling import Tell
from heed.tasks.image import Pictured
from heed.training.ranks import from_first_rank

TRAIN, VALID = "train", "valid"
LITTLE = 100_000_000  # bytes of pictures that are decoded about as soon as processes are started
SHOWN = 3  # pictures left out that a note names


class Sourced(Protocol):
    """A record with a picture."""

    @property
    def source(self) -> ImageSource:
        """Return where the picture is."""
        ...


Record = TypeVar("Record", bound=Sourced)


@dataclass(frozen=True)
class Part:
    """Some of a run's pictures: `train` or `valid`, and the side at which they are kept."""

    name: str
    sources: Sequence[ImageSource]
    side: int


def read_pictures(
    folder: RunFolder,
    records: Mapping[str, Sequence[Record]],  # to learn from (`train`), and to choose by (`valid`)
    side: int,  # that the model reads
    settings: PictureSettings,
    ranks: Ranks,
    tell: Tell,
) -> dict[str, Pictured[Record]]:
    """Return the records whose pictures can be read, with the pictures."""
    found = {}
    for name, part_records in records.items():
        part_side = math.ceil(side * settings.detail) if name == TRAIN else side
        part = Part(name, [record.source for record in part_records], part_side)
        store = _kept(folder, part, settings, ranks, tell)
        found[name] = Pictured([part_records[row] for row in store.kept], store.images, store.broken)
    return found


def left_out(part: Pictured[Record]) -> Iterator[str]:
    """Yield what a person should know of the pictures that could not be read."""
    broken = part.broken
    if broken:
        named = "; ".join(f"{each.name}: {each.reason}" for each in broken[:SHOWN])
        more = f"; and {len(broken) - SHOWN:,} more" if len(broken) > SHOWN else ""
        yield f"{len(broken):,} of {len(broken) + len(part.records):,} pictures were left out: {named}{more}"


def contents(part: Pictured[Record]) -> Iterator[str]:
    """Yield a digest of each picture, by which a run knows its data again."""
    for image in part.squares:
        yield hashlib.sha256(image).hexdigest()


def _kept(folder: RunFolder, part: Part, settings: PictureSettings, ranks: Ranks, tell: Tell) -> ImageStore:
    """Return the pictures of a part: those in the run's folder if they are of the same files, else decoded now."""
    path = folder.pictures / f"{part.name}.images"
    known = _opened(path, part, settings)
    if known is None and ranks.is_first:
        with durable.reported(path):
            durable.make_folder(path.parent)
            build_store(
                part.sources,
                part.side,
                settings.fit,
                path,
                _workers(settings, part.sources),
                lambda done, of: tell(f"reading the pictures ({part.name})", done / of),
            )
    from_first_rank([1.0], ranks)  # the others wait until they are there
    store = known or open_store(path)
    if settings.strict:
        _refuse_broken(store.broken)
    return store


def _opened(path: Path, part: Part, settings: PictureSettings) -> ImageStore | None:
    if not path.is_file():
        return None
    try:
        store = open_store(path)
    except RunError:
        return None  # damaged: the files themselves are there
    return store if store.built_from == fingerprint(part.sources, part.side, settings.fit) else None


def _workers(settings: PictureSettings, sources: Sequence[ImageSource]) -> int:
    if settings.workers is not None:
        return settings.workers
    size = sum(source.stat().st_size for source in sources if isinstance(source, Path) and source.is_file())
    return 0 if size < LITTLE else len(os.sched_getaffinity(0))


def _refuse_broken(broken: Sequence[Broken]) -> None:
    if broken:
        first = broken[0]
        raise DataError(
            f"{len(broken):,} picture(s) cannot be read, and with --strict none is left out. "
            f"The first, {first.name}: {first.reason}"
        )
