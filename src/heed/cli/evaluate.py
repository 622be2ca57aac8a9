"""`heed evaluate`."""

import time
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from heed.cli.columns import Columns, two_columns
from heed.cli.output import print_json
from heed.cli.search_options import Alpha, Beam, Greedy, Normalise, choose_search


def evaluate(
    run: Annotated[Path, typer.Argument(help="The run's folder.")],
    data: Annotated[
        list[str], typer.Argument(help="A table of pairs, two line-aligned files, or demo:NAME (its test part).")
    ],
    columns: Columns = None,
    beam: Beam = None,
    greedy: Greedy = False,
    normalise: Normalise = None,
    alpha: Alpha = None,
    save: Annotated[Path | None, typer.Option("--save", help="Write the translations there, one a line.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print the scores as JSON.")] = False,
) -> None:
    """Score a trained model on other data: BLEU with its signature, chrF, loss and perplexity."""
    from heed.api import evaluation_pairs, load
    from heed.files.atomic import write_text
    from heed.runs import durable

    if save is not None:
        with durable.reported(save):  # before the work, not after it
            durable.make_folder(save.parent)
    model = load(run)
    search = choose_search(
        model.search, {"beams": beam, "normalisation": normalise, "alpha": alpha}, {}, greedy, sampled=False
    )
    file = evaluation_pairs(data, two_columns(columns))
    if file.empty:
        # On standard error, so that it is said beside --json too: the scores and --save are without these pairs.
        places = ", ".join(file.empty_places)
        typer.echo(f"heed: {file.empty} pairs with an empty side were left out: {places}", err=True)
    began = time.monotonic()
    found = model.evaluate(file.pairs, search)
    seconds = time.monotonic() - began
    if save is not None:
        write_text(save, "".join(f"{each.text}\n" for each in found.translations))
    scores, interval = found.scores, found.interval
    if json:
        summary = {name: value for name, value in vars(found).items() if name != "translations"}
        print_json({**summary, "search": asdict(search), "seconds": seconds})
        return
    typer.echo(
        f"BLEU {scores.bleu:.2f}  (95 % interval {interval.low:.2f} to {interval.high:.2f})  {scores.bleu_signature}"
    )
    typer.echo(f"chrF {scores.chrf:.2f}  {scores.chrf_signature}")
    typer.echo(f"exact {scores.exact:.1%} of {scores.count:,} texts")
    typer.echo(f"loss {found.loss:.4f} nats a token, perplexity {found.perplexity:.2f}")
    typer.echo(f"source: {found.source_counts}; target: {found.target_counts}; {seconds:.1f} s")
