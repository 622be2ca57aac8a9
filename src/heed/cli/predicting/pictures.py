"""`heed predict` of a classifier of pictures."""

from collections.abc import Iterator
from pathlib import Path

import typer

from heed.cli.output import print_json
from heed.cli.predicting.asked import Asked
from heed.data.images import PICTURE_SUFFIXES, is_picture
from heed.errors import DataError, UsageError
from heed.files.walking import walk_files
from heed.prediction.picture_classifier import PictureClassifier, Recognition

OPTIONS = ("best",)


def predict(model: PictureClassifier, asked: Asked) -> None:
    """Print the label of each picture with its probability, and its name where there are several."""
    best, named = asked.best(), not (len(asked.inputs) == 1 and Path(asked.inputs[0]).is_file())
    problems = 0
    for found in model.stream(pictures_of(asked)):
        problems += found.problem is not None
        if asked.json:
            print_json(found)
        else:
            _print(found, best, named)
    refuse_problems(problems)


def pictures_of(asked: Asked) -> Iterator[Path]:
    """Yield the pictures that are named, and those in folders that are."""
    if asked.columns is not None:
        raise UsageError(f"--columns is {asked.columns!r}, but pictures are files or folders. Leave it out.")
    if not asked.inputs:
        raise UsageError("No picture is named. Give files or folders: heed predict RUN photo.jpg holiday/.")
    for path in map(Path, asked.inputs):
        if path.is_dir():
            yield from _pictures_in(path)
        else:
            yield path


def _pictures_in(folder: Path) -> Iterator[Path]:
    is_empty = True
    for path in filter(is_picture, walk_files(folder)):
        is_empty = False
        yield path
    if is_empty:
        raise DataError(f"{folder} holds no picture ({', '.join(PICTURE_SUFFIXES)}). Give files, or another folder.")


def refuse_problems(problems: int) -> None:
    """End with an error where pictures could not be read; the others have been answered by then."""
    if problems:
        raise DataError(f"{problems:,} picture(s) could not be read; they are named above.")


def _print(found: Recognition, best: int | None, named: bool) -> None:
    if found.problem is not None:
        typer.echo(f"heed: {found.name}: {found.problem}", err=True)
        return
    ranked = sorted(found.probabilities.items(), key=lambda each: -each[1])
    said = "\t".join(f"{name}\t{probability:.4f}" for name, probability in ranked[: best or 1])
    typer.echo(f"{found.name}\t{said}" if named else said)
