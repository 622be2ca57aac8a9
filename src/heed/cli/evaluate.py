"""`heed evaluate`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from heed.cli.columns import Columns
from heed.cli.search_options import Alpha, Beam, Greedy, Normalise, choose_search
from heed.errors import UsageError

if TYPE_CHECKING:
    from heed.cli.evaluating.asked import Asked
    from heed.prediction.answerer import Answerer
    from heed.prediction.classifier import Classifier
    from heed.prediction.filler import WordFiller
    from heed.prediction.picture_classifier import PictureClassifier
    from heed.prediction.tagger import WordTagger
    from heed.prediction.word_vectors import WordVectors
    from heed.prediction.writer import Writer

    # All but translators and captioners.
    Unsearched = Classifier | WordTagger | Answerer | Writer | WordVectors | WordFiller | PictureClassifier


def evaluate(
    run: Annotated[Path, typer.Argument(help="The run's folder.")],
    data: Annotated[
        list[str] | None,
        typer.Argument(
            help="Data of the run's task: a table, two line-aligned files, a folder of labels, CoNLL columns, SQuAD's "
            "JSON, plain text, analogies, pictures, or demo:NAME (its test part). "
            "Without any: the run's own test split."
        ),
    ] = None,
    columns: Columns = None,
    beam: Beam = None,
    greedy: Greedy = False,
    normalise: Normalise = None,
    alpha: Alpha = None,
    save: Annotated[Path | None, typer.Option("--save", help="Write what the model says there, one a line.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print the scores as JSON.")] = False,
) -> None:
    """Score a trained model on the test split that its run set aside, or on other data, by the measures of its task.

    Examples that the run has trained or validated on are scored apart.
    """
    from heed.api import load
    from heed.cli.evaluating import captions, translator
    from heed.cli.evaluating.asked import Asked
    from heed.prediction.loading import kind_of
    from heed.prediction.picture_captioner import PictureCaptioner
    from heed.prediction.translator import Translator
    from heed.runs import durable

    if save is not None:
        with durable.reported(save):  # before the work, not after it
            durable.make_folder(save.parent)
    model, asked = load(run), Asked(run, data or [], columns, save, json)
    search = {"beams": beam, "normalisation": normalise, "alpha": alpha}
    if isinstance(model, Translator):
        translator.evaluate(model, asked, choose_search(model.search, search, {}, greedy, sampled=False))
    elif isinstance(model, PictureCaptioner):
        captions.evaluate(model, asked, choose_search(model.search, search, {}, greedy, sampled=False))
    elif greedy or any(value is not None for value in search.values()):
        raise UsageError(
            f"--beam, --greedy, --normalise and --alpha are for translators and captioners; "
            f"this run is {kind_of(model)}."
        )
    else:
        _evaluate(model, asked)


def _evaluate(model: "Unsearched", asked: "Asked") -> None:
    from heed.cli.evaluating import answerer, classifier, filler, pictures, tagger, word_vectors, writer
    from heed.prediction.answerer import Answerer
    from heed.prediction.classifier import Classifier
    from heed.prediction.filler import WordFiller
    from heed.prediction.picture_classifier import PictureClassifier
    from heed.prediction.tagger import WordTagger
    from heed.prediction.word_vectors import WordVectors
    from heed.prediction.writer import Writer

    match model:
        case Classifier():
            classifier.evaluate(model, asked)
        case WordTagger():
            tagger.evaluate(model, asked)
        case Answerer():
            answerer.evaluate(model, asked)
        case Writer():
            writer.evaluate(model, asked)
        case WordVectors():
            word_vectors.evaluate(model, asked)
        case WordFiller():
            filler.evaluate(model, asked)
        case PictureClassifier():
            pictures.evaluate(model, asked)
