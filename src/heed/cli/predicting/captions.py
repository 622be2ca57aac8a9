"""`heed predict` of a captioner."""

from pathlib import Path

import typer

from heed.cli.output import print_json
from heed.cli.predicting.asked import SEARCH, Asked
from heed.cli.predicting.pictures import pictures_of, refuse_problems
from heed.prediction.picture_captioner import Caption, PictureCaptioner

OPTIONS = (*SEARCH, "best")


def predict(model: PictureCaptioner, asked: Asked) -> None:
    """Print the caption of each picture, and its name where there are several."""
    best, named = asked.best(), not (len(asked.inputs) == 1 and Path(asked.inputs[0]).is_file())
    problems = 0
    for found in model.stream(pictures_of(asked), asked.search(model.search)):
        problems += found.problem is not None
        if asked.json:
            print_json(found)
        else:
            _print(found, best, named)
    refuse_problems(problems)


def _print(found: Caption, best: int | None, named: bool) -> None:
    if found.problem is not None:
        typer.echo(f"heed: {found.name}: {found.problem}", err=True)
        return
    name = f"{found.name}\t" if named else ""
    if best is None:
        typer.echo(f"{name}{found.text}")
        return
    for rank, choice in enumerate(found.alternatives, start=1):
        typer.echo(f"{name}{rank}\t{choice.score:.4f}\t{choice.text}")
