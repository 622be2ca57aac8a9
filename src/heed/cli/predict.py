"""`heed predict`."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

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
    from heed.prediction.translator import Translation, Translator
    from heed.tasks.translating import Search


def predict(
    run: Annotated[Path, typer.Argument(help="The run's folder.")],
    inputs: Annotated[
        list[str] | None,
        typer.Argument(metavar="[INPUT]...", help="Texts, or one file with a text a line; nothing: standard input."),
    ] = None,
    beam: Beam = None,
    greedy: Greedy = False,
    normalise: Normalise = None,
    alpha: Alpha = None,
    best: Annotated[
        int | None, typer.Option("--best", help="Print the so many best translations of each text.")
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

    if tree and alignment is not None:
        raise UsageError("--tree and --alignment are two views. Ask for one at a time.")
    if alignment is not None:
        _check_picture(alignment)
    model = load(run)
    search = choose_search(
        model.search,
        {"beams": beam, "normalisation": normalise, "alpha": alpha, "results": best},
        {"temperature": temperature, "top_k": top_k, "top_p": top_p, "seed": seed},
        greedy,
        sample,
    )
    if tree:
        _print_trees(model, _texts(inputs), search, json)
        return
    for number, translation in enumerate(model.stream(_texts(inputs), search)):
        if number == 0 and alignment is not None:
            _draw(model, translation, alignment)
        _print(translation, best, json)


def _texts(inputs: list[str] | None) -> Iterator[str]:
    """Yield the texts: those on the line, the lines of a file, or of standard input."""
    from heed.files.lines import read_lines, read_standard_input

    if not inputs:
        if sys.stdin is None:
            raise UsageError("No text is given, and standard input is closed. Give a text, a file, or lines to read.")
        if sys.stdin.isatty():
            typer.echo("Type a text a line; end with Ctrl-D.", err=True)
        yield from (line.text for line in read_standard_input(sys.stdin.buffer))
    # Not Path.is_file(), which fails for a text that is longer than a file's name may be.
    elif len(inputs) == 1 and os.path.isfile(inputs[0]):
        yield from (line.text for line in read_lines(Path(inputs[0])))
    else:
        if len(inputs) == 1 and _names_a_file(inputs[0]):
            typer.echo(f"heed: there is no file {_brief(inputs[0])}; it is taken for a text", err=True)
        yield from inputs


def _names_a_file(text: str) -> bool:
    return Path(text).suffix.lower() in (".txt", ".tsv", ".csv", ".jsonl", ".gz") and not any(map(str.isspace, text))


def _print(translation: "Translation", best: int | None, json: bool) -> None:
    if json:
        print_json(translation)
        return
    if best is None:
        typer.echo(translation.text)
    else:
        for rank, alternative in enumerate(translation.alternatives, start=1):
            typer.echo(f"{rank}\t{alternative.score:.4f}\t{alternative.text}")
    # Never a silently wrong answer: what the model did not see is said, on standard error, beside the result.
    if translation.cut:
        typer.echo(f"heed: {_pieces(translation.cut)} cut off the end of {_brief(translation.source)}", err=True)
    if translation.unknown:
        typer.echo(f"heed: {_pieces(translation.unknown)} unknown in {_brief(translation.source)}", err=True)
    if translation.ended == "length":
        typer.echo(f"heed: stopped at the length limit: {_brief(translation.text)}", err=True)


def _pieces(count: int) -> str:
    return f"{count:,} piece{'s' if count > 1 else ''}"


def _brief(text: str) -> str:
    return repr(text if len(text) <= 60 else f"{text[:60]}…")


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
