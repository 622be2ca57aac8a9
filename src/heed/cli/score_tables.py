"""The scores of a classifier as lines for a terminal."""

from collections.abc import Iterator, Sequence

from heed.cli.intervals import with_interval
from heed.tasks.classification_scores import ClassificationScores
from heed.tasks.labelled_scores import LabelledScores

MOST_LABELS = 30  # rows of a table, and columns of a confusion matrix, that a terminal can show


def score_lines(scores: LabelledScores, counted: str = "texts") -> Iterator[str]:
    """Yield the scores, a table of each label's own, and the confusion matrix; `counted` is what was labelled."""
    if not isinstance(scores, ClassificationScores):
        for name, value, interval in (
            ("Pearson", scores.pearson, scores.pearson_interval),
            ("Spearman", scores.spearman, scores.spearman_interval),
        ):
            yield f"{name} {with_interval(value, interval, '.4f')}"
        yield f"mean squared error {scores.mean_squared_error:.4f} over {scores.count:,} {counted}"
        return
    yield from _headline(scores, counted)
    yield from _per_label(scores, counted)
    yield from _confusion(scores)


def _headline(scores: ClassificationScores, counted: str) -> Iterator[str]:
    accuracy = with_interval(scores.accuracy, scores.accuracy_interval, ".2%")
    yield f"accuracy {accuracy}, {scores.count:,} {counted}"
    yield f"macro F1 {with_interval(scores.macro_f1, scores.macro_f1_interval, '.4f')}"
    if scores.positive is not None:
        one = scores.positive
        yield f"F1 of {one.name!r} {with_interval(one.f1, one.interval, '.4f')}"
    yield f"log loss {scores.log_loss:.4f}, calibration error {scores.calibration_error:.2%} (15 bins)"


def _per_label(scores: ClassificationScores, counted: str) -> Iterator[str]:
    width = max(len(each.name) for each in scores.labels[:MOST_LABELS])
    yield f"{'':{width}}  precision   recall       F1 {counted:>8}"
    for each in scores.labels[:MOST_LABELS]:
        yield f"{each.name:{width}}  {each.precision:>9.4f}{each.recall:>9.4f}{each.f1:>9.4f}{each.support:>9,}"
    yield from _more(len(scores.labels))


def _confusion(scores: ClassificationScores) -> Iterator[str]:
    names = [each.name for each in scores.labels]
    if len(names) > MOST_LABELS:
        return
    width = max(8, *(len(name) + 2 for name in names))
    yield f"{'expected ↓  predicted →':<24}" + "".join(f"{name:>{width}}" for name in names)
    for name, row in zip(names, scores.confusion, strict=True):
        yield f"{name:<24}" + "".join(f"{count:>{width},}" for count in row)


def _more(count: int) -> Sequence[str]:
    return [f"… and {count - MOST_LABELS} more labels (all with --json)"] if count > MOST_LABELS else []
