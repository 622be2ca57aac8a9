"""`heed explain`."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from heed.cli.inputs import read_text_pairs, read_texts
from heed.errors import UsageError

if TYPE_CHECKING:
    from heed.inspection.explaining.explain import Given
    from heed.inspection.explanation import Explanation
    from heed.prediction.loading import Predictor

ENDINGS = (".html", ".json", ".png")
LARGEST_PARAGRAPH = 1_000_000  # bytes of a file; more is a book


def explain(
    run: Annotated[Path, typer.Argument(help="The run's folder.")],
    inputs: Annotated[
        list[str],
        typer.Argument(
            metavar="INPUT...",
            help="One text; two for a pair, or a question and its paragraph; or a picture's file.",
        ),
    ],
    out: Annotated[
        Path | None, typer.Option("--out", help="Write a page (.html), all numbers (.json) or a picture (.png).")
    ] = None,
    site: Annotated[
        list[str] | None, typer.Option("--site", help="Look at these attentions only, such as 'decoder.*.cross'.")
    ] = None,
    heads: Annotated[
        bool, typer.Option("--heads", help="Also what the answer becomes without each head: a prediction for each.")
    ] = False,
    steps: Annotated[int, typer.Option("--steps", help="Also integrated gradients, in so many steps.")] = 0,
    answer: Annotated[
        str | None, typer.Option("--answer", help="Explain this label, word or answer, not the model's own.")
    ] = None,
    beam: Annotated[
        int | None, typer.Option("--beam", help="Of translations and captions: search with so many beams.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print all numbers as JSON.")] = False,
) -> None:
    """Look inside a model while it reads one input: attention, what moved the answer, what each head does."""
    if out is not None and out.suffix.lower() not in ENDINGS:
        raise UsageError(f"{out} ends with {out.suffix!r}. Use one of {', '.join(ENDINGS)}.")
    from heed.api import load
    from heed.cli.explained_text import lines_of
    from heed.inspection.explaining.asked import Asked
    from heed.inspection.explaining.explain import explain as look_inside
    from heed.inspection.explanation_json import json_text

    asked = Asked(tuple(site or ()), heads, steps, answer, beam)
    model = load(run)
    explanation = look_inside(model, _given(model, inputs), asked)
    if out is not None:
        _write(explanation, out)
    if json:
        typer.echo(json_text(explanation))
        return
    for line in lines_of(explanation):
        typer.echo(line)
    if out is not None:
        typer.echo(f"\nIt is in {out}")


def _write(explanation: "Explanation", out: Path) -> None:
    from heed.inspection.explanation_drawing import draw_explanation
    from heed.inspection.explanation_json import write_json
    from heed.inspection.page.document import write_explanation

    match out.suffix.lower():
        case ".json":
            write_json(explanation, out)
        case ".png":
            draw_explanation(explanation, out)
        case _:
            write_explanation(explanation, out)


def _given(model: "Predictor", inputs: Sequence[str]) -> "Given":
    """Return the one input: a text on the line or alone in a file, two of them, or a picture."""
    from heed.prediction.answerer import Answerer
    from heed.prediction.classifier import Classifier
    from heed.prediction.picture_captioner import PictureCaptioner
    from heed.prediction.picture_classifier import PictureClassifier

    match model:
        case PictureClassifier() | PictureCaptioner():
            return tuple(inputs)
        case Answerer():
            return _question(inputs)
        case Classifier() if model.texts_each == 2:
            return _only(list(zip(range(2), read_text_pairs(inputs, None), strict=False)))
        case _:
            return _only(list(zip(range(2), read_texts(inputs, None), strict=False)))


def _question(inputs: Sequence[str]) -> "Given":
    """Return a question and its paragraph, which may be a file."""
    from heed.files.whole import read_whole

    if len(inputs) == 2 and os.path.isfile(inputs[1]):
        return inputs[0], read_whole(Path(inputs[1]), LARGEST_PARAGRAPH)
    return tuple(inputs)


def _only(found: Sequence[tuple[int, "Given"]]) -> "Given":
    """Return the one that there is; two are read at most, however long a file is."""
    if len(found) != 1:
        count = "nothing" if not found else "more than one"
        raise UsageError(f"One input is explained at a time; {count} came. Give one text on the line.")
    return found[0][1]
