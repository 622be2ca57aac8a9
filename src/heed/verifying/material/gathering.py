"""`gather`: what the model of a run is tried on, whatever its task."""

from collections.abc import Sequence

from heed.prediction.answerer import Answerer
from heed.prediction.classifier import Classifier
from heed.prediction.filler import WordFiller
from heed.prediction.loading import Predictor
from heed.prediction.picture_captioner import PictureCaptioner
from heed.prediction.picture_classifier import PictureClassifier
from heed.prediction.tagger import WordTagger
from heed.prediction.translator import Translator
from heed.prediction.word_vectors import WordVectors
from heed.prediction.writer import Writer
from heed.runs.answer_settings import AnswerSettings
from heed.runs.caption_settings import CaptionSettings
from heed.runs.folder import RunFolder
from heed.runs.image_settings import ImageSettings
from heed.runs.pretraining_settings import PretrainingSettings
from heed.runs.settings import ClassificationSettings, RunSettings, TranslationSettings
from heed.runs.tag_settings import TagSettings
from heed.runs.write_settings import WriteSettings
from heed.verifying.material.found import Material
from heed.verifying.material.pictures import caption_material, picture_material
from heed.verifying.material.running_text import corpus_material, text_material
from heed.verifying.material.texts import labelled_material, pair_material, question_material, tagged_material


def gather(folder: RunFolder, settings: RunSettings, predictor: Predictor, given: Sequence[str]) -> Material:
    """Return what the model is tried on; `given` are files to take instead of those that it was trained on."""
    match settings, predictor:
        case TranslationSettings(), Translator():
            return pair_material(settings, predictor, given)
        case ClassificationSettings(), Classifier():
            return labelled_material(settings, predictor, given)
        case TagSettings(), WordTagger():
            return tagged_material(settings, predictor, given)
        case AnswerSettings(), Answerer():
            return question_material(settings, predictor, given)
        case WriteSettings(), Writer():
            return text_material(settings, predictor, given)
        case PretrainingSettings(), WordFiller():
            return corpus_material(folder, settings, predictor, given)
        case ImageSettings(), PictureClassifier():
            return picture_material(settings, predictor, given)
        case CaptionSettings(), PictureCaptioner():
            return caption_material(settings, predictor, given)
        case _, WordVectors():
            return Material(f"its {len(predictor.space.words):,} words", (), None)
    raise AssertionError(f"{type(predictor).__name__} is not what a run of {settings.task} makes")
