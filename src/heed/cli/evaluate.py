"""`heed evaluate`."""

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from heed.cli.columns import Columns, task_columns
from heed.cli.output import print_json
from heed.cli.search_options import Alpha, Beam, Greedy, Normalise, choose_search
from heed.errors import UsageError

if TYPE_CHECKING:
    from heed.prediction.classifier import Classifier, ClassifierEvaluation
    from heed.prediction.translator import Evaluation, Translator


def evaluate(
    run: Annotated[Path, typer.Argument(help="The run's folder.")],
    data: Annotated[
        list[str],
        typer.Argument(help="A table, two line-aligned files, a folder of labels, or demo:NAME (its test part)."),
    ],
    columns: Columns = None,
    beam: Beam = None,
    greedy: Greedy = False,
    normalise: Normalise = None,
    alpha: Alpha = None,
    save: Annotated[Path | None, typer.Option("--save", help="Write what the model says there, one a line.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print the scores as JSON.")] = False,
) -> None:
    """Score a trained model on other data: BLEU and chrF of translations, accuracy and F1 of labels."""
    from heed.api import load
    from heed.prediction.translator import Translator
    from heed.runs import durable

    if save is not None:
        with durable.reported(save):  # before the work, not after it
            durable.make_folder(save.parent)
    model = load(run)
    asked = {"beams": beam, "normalisation": normalise, "alpha": alpha}
    if isinstance(model, Translator):
        _evaluate_translator(model, data, columns, asked, greedy, save, json)
        return
    if greedy or any(value is not None for value in asked.values()):
        raise UsageError("--beam, --greedy, --normalise and --alpha are for translators; this run is a classifier.")
    _evaluate_classifier(model, data, columns, save, json)


def _evaluate_translator(
    model: "Translator",
    data: Sequence[str],
    columns: str | None,
    asked: Mapping[str, object],
    greedy: bool,
    save: Path | None,
    json: bool,
) -> None:
    from heed.api import evaluation_pairs

    search = choose_search(model.search, asked, {}, greedy, sampled=False)
    file = evaluation_pairs(data, task_columns(columns, "translate"))
    _say_empty(file.empty, file.empty_places, "pairs with an empty side")
    began = time.monotonic()
    found = model.evaluate(file.pairs, search)
    seconds = time.monotonic() - began
    _save(save, (each.text for each in found.translations))
    if json:
        summary = {name: value for name, value in vars(found).items() if name != "translations"}
        print_json({**summary, "search": asdict(search), "seconds": seconds})
        return
    _print_translation(found, seconds)


def _evaluate_classifier(
    model: "Classifier", data: Sequence[str], columns: str | None, save: Path | None, json: bool
) -> None:
    from heed.api import evaluation_records

    file = evaluation_records(
        data, model.texts_each, task_columns(columns, "pair" if model.texts_each == 2 else "classify")
    )
    _say_empty(file.empty, file.empty_places, "records without text or label")
    began = time.monotonic()
    found = model.evaluate(file.records)
    seconds = time.monotonic() - began
    _save(save, (each.label if each.label is not None else f"{each.number:g}" for each in found.predictions))
    if json:
        print_json({"scores": found.scores, "counts": found.counts, "seconds": seconds})
        return
    _print_classification(found, seconds)


def _print_translation(found: "Evaluation", seconds: float) -> None:
    scores, interval = found.scores, found.interval
    typer.echo(
        f"BLEU {scores.bleu:.2f}  (95 % interval {interval.low:.2f} to {interval.high:.2f})  {scores.bleu_signature}"
    )
    typer.echo(f"chrF {scores.chrf:.2f}  {scores.chrf_signature}")
    typer.echo(f"exact {scores.exact:.1%} of {scores.count:,} texts")
    typer.echo(f"loss {found.loss:.4f} nats a token, perplexity {found.perplexity:.2f}")
    typer.echo(f"source: {found.source_counts}; target: {found.target_counts}; {seconds:.1f} s")


def _print_classification(found: "ClassifierEvaluation", seconds: float) -> None:
    from heed.cli.score_tables import score_lines

    for line in score_lines(found.scores):
        typer.echo(line)
    rate = len(found.predictions) / seconds if seconds else 0.0
    typer.echo(f"{found.counts}; {seconds:.1f} s, {rate:,.0f} texts a second")


def _say_empty(count: int, places: Sequence[str], what: str) -> None:
    if count:
        # On standard error, so that it is said beside --json too: the scores and --save are without these.
        typer.echo(f"heed: {count} {what} were left out: {', '.join(places)}", err=True)


def _save(path: Path | None, lines: Iterable[str]) -> None:
    from heed.files.atomic import write_text

    if path is not None:
        write_text(path, "".join(f"{line}\n" for line in lines))
