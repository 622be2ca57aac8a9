"""`find_split_folders`: the `train`, `val` and `test` in a folder of pictures that is divided already."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from heed.errors import DataError, UsageError
from heed.files.documents import list_folder
from heed.files.walking import list_folders

TRAIN = ("train",)
VALID = ("val", "valid", "validation")
TEST = ("test",)


@dataclass(frozen=True)
class SplitFolders:
    """The sides of a folder that is divided already, each a folder of classes."""

    train: Path
    valid: Path | None
    test: Path | None
    others: tuple[Path, ...]  # what else is in the folder, and is not read

    @property
    def note(self) -> str:
        """Return the sentence that says what became which side."""
        valid = f", {self.valid.name} to choose by" if self.valid else ""
        test = f", {self.test.name} to be scored on" if self.test else ""
        return f"The folder is divided already: {self.train.name} to train on{valid}{test}."


def find_split_folders(data: Sequence[str], valid: Sequence[str], test: Sequence[str]) -> SplitFolders | None:
    """Return the sides of the one folder given, or None if it is not divided; sides given twice are a wrong use.

    A folder is divided if it has `train` with folders in it, and a side by which to judge. A class that is named
    "train" (beside "bus" and "tram") therefore stays a class.
    """
    folder = Path(data[0]) if len(data) == 1 else None
    if folder is None or not folder.is_dir():
        return None
    train, for_valid, for_test = (_side(folder, names) for names in (TRAIN, VALID, TEST))
    if train is None or (for_valid is None and for_test is None) or not list_folders(train):
        return None
    if valid or test:
        raise UsageError(
            f"{folder} is divided already ({train.name} and {(for_valid or for_test or train).name}), but "
            f"{' '.join([*valid, *test])} is given as well. Leave that out, or give {train}."
        )
    sides = {train, for_valid, for_test}
    return SplitFolders(train, for_valid, for_test, tuple(path for path in list_folder(folder) if path not in sides))


def _side(folder: Path, names: Sequence[str]) -> Path | None:
    found = [path for path in list_folders(folder) if path.name.lower() in names]
    if len(found) > 1:
        shown = " and ".join(path.name for path in found)
        raise DataError(f"{folder} holds {shown}, which are the same side. Keep one of them.")
    return found[0] if found else None
