"""`heed predict`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

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
)

if TYPE_CHECKING:
    from heed.cli.predicting.asked import Asked
    from heed.prediction.loading import Predictor


def predict(
    run: Annotated[Path, typer.Argument(help="The run's folder.")],
    inputs: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[INPUT]...",
            help="Texts, a file with a text a line, or a table; nothing: standard input. "
            "A question is followed by its paragraph; a gap is written [MASK]; pictures are files or folders.",
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
        int | None, typer.Option("--best", help="Print the so many best translations, labels, answers or words.")
    ] = None,
    sample: Sampled = False,
    temperature: Temperature = None,
    top_k: TopK = None,
    top_p: TopP = None,
    seed: Seed = None,
    length: Annotated[int | None, typer.Option("--length", help="Of language models: write so many pieces.")] = None,
    line: Annotated[bool, typer.Option("--line", help="Of language models: stop at the end of the line.")] = False,
    threshold: Annotated[
        float | None,
        typer.Option("--threshold", help="Of answers: by how much 'no answer' must lead to be said."),
    ] = None,
    tree: Annotated[bool, typer.Option("--tree", help="Print every expansion of the beam, and why it ended.")] = False,
    alignment: Annotated[
        Path | None, typer.Option("--alignment", help="Draw the word alignment of the first text (png, svg, pdf).")
    ] = None,
    word_map: Annotated[
        Path | None, typer.Option("--map", help="Of word vectors: draw the given words (png, svg, pdf).")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object a text.")] = False,
) -> None:
    """Use a trained model: text on the line, in a file, or on standard input."""
    from heed.api import load
    from heed.cli.predicting.asked import Asked

    given = {
        "beam": beam,
        "greedy": greedy or None,
        "normalise": normalise,
        "alpha": alpha,
        "best": best,
        "sample": sample or None,
        "temperature": temperature,
        "top-k": top_k,
        "top-p": top_p,
        "seed": seed,
        "length": length,
        "line": line or None,
        "threshold": threshold,
        "tree": tree or None,
        "alignment": alignment,
        "map": word_map,
    }
    options = {name: value for name, value in given.items() if value is not None}
    _predict(load(run), Asked(inputs or [], columns, json, options))


def _predict(model: "Predictor", asked: "Asked") -> None:
    from heed.cli.predicting import (
        answerer,
        captions,
        classifier,
        filler,
        pictures,
        tagger,
        translator,
        word_vectors,
        writer,
    )
    from heed.prediction.answerer import Answerer
    from heed.prediction.classifier import Classifier
    from heed.prediction.filler import WordFiller
    from heed.prediction.loading import kind_of
    from heed.prediction.picture_captioner import PictureCaptioner
    from heed.prediction.picture_classifier import PictureClassifier
    from heed.prediction.tagger import WordTagger
    from heed.prediction.translator import Translator
    from heed.prediction.word_vectors import WordVectors
    from heed.prediction.writer import Writer

    def known(options: tuple[str, ...]) -> "Asked":
        asked.refuse_others(options, kind_of(model))
        return asked

    match model:
        case Translator():
            translator.predict(model, known(translator.OPTIONS))
        case Classifier():
            classifier.predict(model, known(classifier.OPTIONS))
        case WordTagger():
            tagger.predict(model, known(tagger.OPTIONS))
        case Answerer():
            answerer.predict(model, known(answerer.OPTIONS))
        case Writer():
            writer.predict(model, known(writer.OPTIONS))
        case WordVectors():
            word_vectors.predict(model, known(word_vectors.OPTIONS))
        case WordFiller():
            filler.predict(model, known(filler.OPTIONS))
        case PictureClassifier():
            pictures.predict(model, known(pictures.OPTIONS))
        case PictureCaptioner():
            captions.predict(model, known(captions.OPTIONS))
