"""`heed predict`."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from heed.cli.columns import column_names
from heed.cli.inputs import brief, read_text_pairs, read_texts
from heed.cli.output import print_json
from heed.cli.search_options import (
    Alpha,
    Beam,
    Greedy,
    Normalise,
    Sampled,
    Seed,
    Temperature,
    TopK,
    TopP,
    choose_search,
)
from heed.errors import UsageError

if TYPE_CHECKING:
    from heed.prediction.classifier import Classification, Classifier
    from heed.prediction.translator import Translation, Translator
    from heed.tasks.translating import Search


def predict(
    run: Annotated[Path, typer.Argument(help="The run's folder.")],
    inputs: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[INPUT]...", help="Texts, a file with a text a line, or a table; nothing: standard input."
        ),
    ] = None,
    columns: Annotated[
        str | None, typer.Option("--columns", help="Of a table: the column of the text, or the two of a pair.")
    ] = None,
    beam: Beam = None,
    greedy: Greedy = False,
    normalise: Normalise = None,
    alpha: Alpha = None,
    best: Annotated[
        int | None, typer.Option("--best", help="Print the so many best translations (or labels) of each text.")
    ] = None,
    sample: Sampled = False,
    temperature: Temperature = None,
    top_k: TopK = None,
    top_p: TopP = None,
    seed: Seed = None,
    tree: Annotated[bool, typer.Option("--tree", help="Print every expansion of the beam, and why it ended.")] = False,
    alignment: Annotated[
        Path | None, typer.Option("--alignment", help="Draw the word alignment of the first text (png, svg, pdf).")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object a text.")] = False,
) -> None:
    """Use a trained model: text on the line, in a file, or on standard input."""
    from heed.api import load
    from heed.prediction.translator import Translator

    if tree and alignment is not None:
        raise UsageError("--tree and --alignment are two views. Ask for one at a time.")
    if alignment is not None:
        _check_picture(alignment)
    model = load(run)
    asked = {"beams": beam, "normalisation": normalise, "alpha": alpha}
    sampling = {"temperature": temperature, "top_k": top_k, "top_p": top_p, "seed": seed}
    if not isinstance(model, Translator):
        numbers = (*asked.values(), *sampling.values(), alignment)
        if tree or greedy or sample or any(value is not None for value in numbers):
            raise UsageError("Options of searching and drawing are for translators; this run is a classifier.")
        _classify(model, inputs or [], columns, best, json)
        return
    texts = read_texts(inputs or [], column_names(columns, "TEXT"))
    search = choose_search(model.search, {**asked, "results": best}, sampling, greedy, sample)
    if tree:
        _print_trees(model, texts, search, json)
        return
    for number, translation in enumerate(model.stream(texts, search)):
        if number == 0 and alignment is not None:
            _draw(model, translation, alignment)
        _print(translation, best, json)


def _classify(model: "Classifier", inputs: Sequence[str], columns: str | None, best: int | None, json: bool) -> None:
    if best is not None and best < 1:
        raise UsageError(f"--best is {best}; it must be 1 or more.")
    if model.texts_each == 2:
        found_in_order = model.stream(read_text_pairs(inputs, column_names(columns, "FIRST,SECOND")))
    else:
        found_in_order = model.stream(read_texts(inputs, column_names(columns, "TEXT")))
    for found in found_in_order:
        if json:
            print_json(found)
        else:
            _print_label(found, best)


def _print_label(found: "Classification", best: int | None) -> None:
    if found.number is not None:
        typer.echo(f"{found.number:.4f}")
    else:
        ranked = sorted(found.probabilities.items(), key=lambda each: -each[1])
        typer.echo("\t".join(f"{name}\t{probability:.4f}" for name, probability in ranked[: best or 1]))
    _say_unseen(found.cut, found.unknown, " | ".join(found.texts))


def _print(translation: "Translation", best: int | None, json: bool) -> None:
    if json:
        print_json(translation)
        return
    if best is None:
        typer.echo(translation.text)
    else:
        for rank, alternative in enumerate(translation.alternatives, start=1):
            typer.echo(f"{rank}\t{alternative.score:.4f}\t{alternative.text}")
    _say_unseen(translation.cut, translation.unknown, translation.source)
    if translation.ended == "length":
        typer.echo(f"heed: stopped at the length limit: {brief(translation.text)}", err=True)


def _say_unseen(cut: int, unknown: int, text: str) -> None:
    """Say what the model did not see, on standard error, beside the result: never a silently wrong answer."""
    if cut:
        typer.echo(f"heed: {_pieces(cut)} cut off the end of {brief(text)}", err=True)
    if unknown:
        typer.echo(f"heed: {_pieces(unknown)} unknown in {brief(text)}", err=True)


def _pieces(count: int) -> str:
    return f"{count:,} piece{'s' if count > 1 else ''}"


def _print_trees(model: "Translator", texts: Iterator[str], search: "Search", json: bool) -> None:
    from heed.decoding.beam import BeamSettings

    if not isinstance(search, BeamSettings):
        raise UsageError("--tree shows a beam search: leave out --greedy and --sample.")
    for text in texts:
        tree, lines = model.tree(text, search)
        if json:
            pieces = [model.tokenizers.target.piece(node.token) for node in tree.nodes]
            print_json({"source": text, "pieces": pieces, "nodes": tree.nodes})
            continue
        for line in lines:
            typer.echo(line)


def _check_picture(path: Path) -> None:
    from heed.inspection.alignment import check_ending

    check_ending(path)


def _draw(model: "Translator", translation: "Translation", path: Path) -> None:
    from heed.inspection.alignment import draw_alignment

    draw_alignment(model.align(translation), path)
    typer.echo(f"heed: the word alignment is in {path}", err=True)
