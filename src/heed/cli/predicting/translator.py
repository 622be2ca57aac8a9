"""`heed predict` of a translator."""

from collections.abc import Iterator
from pathlib import Path

import typer

from heed.cli.columns import column_names
from heed.cli.inputs import brief, read_texts
from heed.cli.output import print_json
from heed.cli.predicting.asked import SEARCH, Asked, say_unseen
from heed.decoding.beam import BeamSettings
from heed.errors import UsageError
from heed.inspection.alignment import draw_alignment
from heed.inspection.figures import check_ending
from heed.prediction.translator import Translation, Translator
from heed.tasks.translating import Search

OPTIONS = (*SEARCH, "best", "tree", "alignment")


def predict(model: Translator, asked: Asked) -> None:
    """Print the translation of each text, its tree, or all that is known of it."""
    alignment = asked.option("alignment", Path)
    if alignment is not None:
        check_ending(alignment)
    texts = read_texts(asked.inputs, column_names(asked.columns, "TEXT"))
    search = asked.search(model.search)
    if asked.options.get("tree"):
        if alignment is not None:
            raise UsageError("--tree and --alignment are two views. Ask for one at a time.")
        _print_trees(model, texts, search, asked.json)
        return
    for number, translation in enumerate(model.stream(texts, search)):
        if number == 0 and alignment is not None:
            draw_alignment(model.align(translation), alignment)
            typer.echo(f"heed: the word alignment is in {alignment}", err=True)
        _print(translation, asked.best(), asked.json)


def _print(translation: Translation, best: int | None, json: bool) -> None:
    if json:
        print_json(translation)
        return
    if best is None:
        typer.echo(translation.text)
    else:
        for rank, alternative in enumerate(translation.alternatives, start=1):
            typer.echo(f"{rank}\t{alternative.score:.4f}\t{alternative.text}")
    say_unseen(translation.cut, translation.unknown, translation.source)
    if translation.ended == "length":
        typer.echo(f"heed: stopped at the length limit: {brief(translation.text)}", err=True)


def _print_trees(model: Translator, texts: Iterator[str], search: Search, json: bool) -> None:
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
