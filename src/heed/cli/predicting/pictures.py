"""`heed predict` of a classifier of pictures."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

import typer

from heed.cli.output import print_json
from heed.cli.predicting.asked import Asked
from heed.data.images import PICTURE_SUFFIXES, is_picture
from heed.errors import DataError, UsageError
from heed.files.walking import walk_files
from heed.prediction.picture_captioner import Caption
from heed.prediction.picture_classifier import PictureClassifier, Recognition

OPTIONS = ("best",)
Answer = TypeVar("Answer", Recognition, Caption)


def predict(model: PictureClassifier, asked: Asked) -> None:
    """Print the label of each picture with its probability, and its name where there are several."""
    best = asked.best() or 1

    def lines(found: Recognition) -> list[str]:
        ranked = sorted(found.probabilities.items(), key=lambda each: -each[1])[:best]
        return ["\t".join(f"{name}\t{probability:.4f}" for name, probability in ranked)]

    print_answers(model.stream(pictures_of(asked)), lines, asked)


def print_answers(answers: Iterable[Answer], lines: Callable[[Answer], Sequence[str]], asked: Asked) -> None:
    """Print what was said of each picture; those that could not be read are named, and in the end an error."""
    named, problems = not (len(asked.inputs) == 1 and Path(asked.inputs[0]).is_file()), 0
    for found in answers:
        problems += found.problem is not None
        if asked.json:
            print_json(found)
        elif found.problem is not None:
            typer.echo(f"heed: {found.name}: {found.problem}", err=True)
        else:
            for line in lines(found):
                typer.echo(f"{found.name}\t{line}" if named else line)
    if problems:
        raise DataError(f"{problems:,} picture(s) could not be read; they are named above.")


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
