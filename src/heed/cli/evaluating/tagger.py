"""`heed evaluate` of a tagger."""

from collections.abc import Iterator, Sequence

from heed.cli.columns import task_columns
from heed.cli.evaluating.asked import Asked, View, report, timed
from heed.cli.intervals import with_interval
from heed.prediction.evaluating import evaluate_tagger
from heed.prediction.tagger import TaggerEvaluation, WordTagger
from heed.tasks.entity_scores import EntityScores, KindScores, TagScores


def evaluate(model: WordTagger, asked: Asked) -> None:
    """Print precision, recall and F1 of entities, or the accuracy of plain labels."""
    choice = asked.choice(task_columns(asked.columns, "tag"))
    found, seconds = timed(lambda: evaluate_tagger(model, choice))
    report(asked, found, seconds, View(_lines, _facts, _said))


def _facts(found: TaggerEvaluation) -> dict[str, object]:
    return {"scores": found.scores, "counts": found.counts, "cut_words": found.cut_words}


def _said(found: TaggerEvaluation) -> Iterator[str]:
    return (" ".join(tags) for tags in found.predictions)


def _lines(found: TaggerEvaluation) -> Iterator[str]:
    yield from _score_lines(found.scores)
    cut = f"; {found.cut_words:,} words beyond the longest length, tagged O" if found.cut_words else ""
    yield f"{found.counts}{cut}"


def _score_lines(scores: TagScores) -> Iterator[str]:
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
