"""`heed evaluate` of a tagger."""

from collections.abc import Iterator, Sequence

import typer

from heed.api import evaluation_sentences
from heed.cli.columns import task_columns
from heed.cli.evaluating.asked import Asked, timed
from heed.cli.intervals import with_interval
from heed.cli.output import print_json
from heed.prediction.tagger import WordTagger
from heed.tasks.entity_scores import EntityScores, KindScores, TagScores


def evaluate(model: WordTagger, asked: Asked) -> None:
    """Print precision, recall and F1 of entities, or the accuracy of plain labels."""
    sentences = evaluation_sentences(asked.data, task_columns(asked.columns, "tag"))
    found, seconds = timed(lambda: model.evaluate(sentences))
    asked.write(" ".join(tags) for tags in found.predictions)
    if asked.json:
        print_json({"scores": found.scores, "counts": found.counts, "cut_words": found.cut_words, "seconds": seconds})
        return
    for line in _lines(found.scores):
        typer.echo(line)
    cut = f"; {found.cut_words:,} words beyond the longest length, tagged O" if found.cut_words else ""
    typer.echo(f"{found.counts}{cut}; {seconds:.1f} s")


def _lines(scores: TagScores) -> Iterator[str]:
    if isinstance(scores, EntityScores):
        f1 = with_interval(scores.f1, scores.f1_interval, ".2%")
        yield f"F1 {f1}, precision {scores.precision:.2%}, recall {scores.recall:.2%}"
        yield f"{scores.entities:,} entities in {scores.sentences:,} sentences; {scores.accuracy:.2%} of the tags right"
        yield from _table(scores.kinds)
    else:
        accuracy = with_interval(scores.accuracy, scores.accuracy_interval, ".2%")
        yield f"accuracy {accuracy}, {scores.words:,} words in {scores.sentences:,} sentences"
        yield from _table(scores.labels)


def _table(rows: Sequence[KindScores]) -> Iterator[str]:
    width = max((len(row.name) for row in rows), default=0)
    yield f"{'':{width}}  precision   recall       F1   there   found"
    for row in rows:
        yield (
            f"{row.name:{width}}  {row.precision:>9.4f}{row.recall:>9.4f}{row.f1:>9.4f}{row.support:>8,}{row.found:>8,}"
        )
