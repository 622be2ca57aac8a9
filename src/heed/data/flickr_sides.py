"""`divide_as_listed`: the sides of Flickr8k, as the lists of pictures say that stand beside its captions."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from heed.data.captions import CaptionFile
from heed.data.records import CaptionedImage
from heed.errors import DataError
from heed.files.flickr import Name, read_names
from heed.files.quoting import quote
from heed.files.tables import is_table

LISTS = {
    "train": "Flickr_8k.trainImages.txt",
    "valid": "Flickr_8k.devImages.txt",
    "test": "Flickr_8k.testImages.txt",
}

Records = tuple[CaptionedImage, ...]


@dataclass(frozen=True)
class Listed:
    """The pictures of each side, in the order of the lists; none where there is no list for it."""

    sides: Mapping[str, Records]  # by "train", "valid" and "test"
    note: str


def find_lists(captions: Path) -> dict[str, Path]:
    """Return the lists of sides beside a token file; a list for judging without one for training is refused."""
    if is_table(captions):
        return {}
    beside = {side: captions.parent / name for side, name in LISTS.items()}
    lists = {side: path for side, path in beside.items() if path.is_file()}
    if lists and "train" not in lists:
        raise DataError(
            f"{next(iter(lists.values()))} says what to judge by, but there is no {beside['train']} that says what to "
            f"train on. Add it, or take the other away."
        )
    return lists


def divide_as_listed(file: CaptionFile, lists: Mapping[str, Path]) -> Listed:
    """Return the sides as the lists have them; a picture without captions, or on two sides, is refused."""
    records = {record.source.name: record for record in file.records}
    missing = {Path(unknown.name).name for unknown in file.unknown}
    seen: dict[str, str] = {}  # where each picture is listed
    sides = {side: tuple(_listed(path, records, missing, seen)) for side, path in lists.items()}
    for side, path in lists.items():
        if not sides[side]:
            raise DataError(f"{path} names 0 pictures that are there and have captions. Give a list with some.")
    left_out = len(records) - sum(map(len, sides.values()))
    counts = ", ".join(f"{len(records):,} by {lists[side].name}" for side, records in sides.items())
    rest = f" {left_out:,} picture(s) that no list names are left out." if left_out else ""
    return Listed(sides, f"Divided as the lists beside it say: {counts}.{rest}")


def _listed(
    path: Path, records: Mapping[str, CaptionedImage], missing: set[str], seen: dict[str, str]
) -> Iterator[CaptionedImage]:
    here: set[str] = set()
    for name in read_names(path):
        key = Path(name.text).name
        if key in here or key in missing:  # named twice in one list, or told of already
            continue
        if key not in records or key in seen:
            raise DataError(_wrong_name(name, seen.get(key)))
        here.add(key)
        yield records[key]
    seen.update(dict.fromkeys(here, str(path)))


def _wrong_name(name: Name, other: str | None) -> str:
    if other is None:
        return f"{name.place}: the picture {quote(name.text, 200)} has no caption. Add one, or remove it from the list."
    return f"{name.place}: the picture {quote(name.text, 200)} stands in {other} too. Leave it on one side."
