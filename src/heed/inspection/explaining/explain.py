"""`explain`: what is to be seen inside a model while it reads one input, whatever its task."""

from collections.abc import Sequence
from pathlib import Path
from typing import assert_never

import torch

from heed.data.records import ImageSource
from heed.errors import UsageError
from heed.inspection.explaining.answers import explain_answer
from heed.inspection.explaining.asked import Asked
from heed.inspection.explaining.captions import explain_caption
from heed.inspection.explaining.gaps import explain_gaps
from heed.inspection.explaining.linear import explain_linear
from heed.inspection.explaining.pictures import explain_picture
from heed.inspection.explaining.tags import explain_tags
from heed.inspection.explaining.texts import explain_texts
from heed.inspection.explaining.translations import explain_translation
from heed.inspection.explaining.writing import explain_writing
from heed.inspection.explanation import Explanation
from heed.prediction.answerer import Answerer
from heed.prediction.classifier import Classifier
from heed.prediction.filler import WordFiller
from heed.prediction.loading import Predictor, kind_of
from heed.prediction.picture_captioner import PictureCaptioner
from heed.prediction.picture_classifier import PictureClassifier
from heed.prediction.tagger import WordTagger
from heed.prediction.text_reader import LinearReader, NeuralReader
from heed.prediction.translator import Translator
from heed.prediction.word_vectors import WordVectors
from heed.prediction.writer import Writer

Given = str | Sequence[str] | ImageSource  # a text; a pair, or a question and its paragraph; a picture


def explain(predictor: Predictor, given: Given, asked: Asked | None = None) -> Explanation:
    """Return what is to be seen while the model reads one input. The model is the same afterwards."""
    asked = asked or Asked()
    if asked.beams is not None and not isinstance(predictor, Translator | PictureCaptioner):
        raise UsageError(f"{asked.beams} beams are asked for, but this run is {kind_of(predictor)}. Leave them out.")
    # Whatever the caller has switched off: gradients are what is asked for here.
    with torch.inference_mode(mode=False), torch.enable_grad():
        return _explain(predictor, given, asked)


def _explain(predictor: Predictor, given: Given, asked: Asked) -> Explanation:
    match predictor:
        case Classifier():
            return _classifier(predictor, given, asked)
        case WordTagger():
            return explain_tags(predictor, _text(given), asked)
        case Answerer():
            question, paragraph = _pair(given)
            return explain_answer(predictor, (question, paragraph), asked)
        case WordFiller():
            return explain_gaps(predictor, _text(given), asked)
        case Translator():
            return explain_translation(predictor, _text(given), asked)
        case Writer():
            return explain_writing(predictor, _text(given), asked)
        case PictureClassifier():
            return explain_picture(predictor, _picture(given), asked)
        case PictureCaptioner():
            return explain_caption(predictor, _picture(given), asked)
        case WordVectors():
            raise UsageError(
                f"Word vectors look at nothing, so {str(given)[:60]!r} cannot be explained. "
                f"Ask for neighbours with heed predict."
            )
        case _:
            assert_never(predictor)


def _classifier(predictor: Classifier, given: Given, asked: Asked) -> Explanation:
    texts = predictor.texts_of(_text(given) if predictor.texts_each == 1 else _pair(given))
    match predictor.reader:
        case NeuralReader():
            return explain_texts(predictor, predictor.reader, texts, asked)
        case LinearReader():
            return explain_linear(predictor, predictor.reader, texts, asked)
        case _:
            raise UsageError(
                f"A classifier over {type(predictor.reader).__name__} cannot be explained. Use one of a run."
            )


def _text(given: Given) -> str:
    texts = (given,) if isinstance(given, str) else given
    if isinstance(texts, Sequence) and len(texts) == 1 and isinstance(texts[0], str):
        return texts[0]
    raise UsageError(f"This model reads one text at a time; this came: {str(given)[:80]!r}. Give one text.")


def _pair(given: Given) -> tuple[str, str]:
    if isinstance(given, Sequence) and not isinstance(given, str) and len(given) == 2:
        first, second = given
        return first, second
    raise UsageError(f"This model reads two texts at a time; this came: {str(given)[:80]!r}. Give two.")


def _picture(given: Given) -> ImageSource:
    if isinstance(given, str):
        return Path(given)
    if isinstance(given, Sequence):
        if len(given) != 1:
            raise UsageError(f"This model looks at one picture at a time; {len(given)} came. Give one file.")
        return Path(given[0])
    return given
