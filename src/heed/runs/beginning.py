"""New and resumed runs of every task: each is prepared, begun and taken up by the file of its kind."""

from heed.machine import Ranks
from heed.models.tfidf import TfidfSettings
from heed.runs import (
    answer_run,
    caption_run,
    classification_run,
    image_run,
    pretraining_run,
    tag_run,
    tfidf_run,
    translation_run,
    vectors_run,
    write_run,
)
from heed.runs.accumulation import check_accumulation
from heed.runs.answer_run import PreparedAnswering
from heed.runs.answer_settings import AnswerSettings
from heed.runs.caption_run import PreparedCaptions
from heed.runs.caption_settings import CaptionSettings
from heed.runs.classification_run import PreparedClassification
from heed.runs.folder import RunFolder
from heed.runs.image_run import PreparedImages
from heed.runs.image_settings import ImageSettings
from heed.runs.pretraining_run import PreparedPretraining
from heed.runs.pretraining_settings import PretrainingSettings
from heed.runs.run import Run
from heed.runs.settings import ClassificationSettings, RunSettings, TranslationSettings, read_settings
from heed.runs.tag_run import PreparedTagging
from heed.runs.tag_settings import TagSettings
from heed.runs.telling import Tell, silent
from heed.runs.tfidf_run import PreparedTfidf
from heed.runs.translation_run import PreparedTranslation
from heed.runs.vectors_run import PreparedVectors
from heed.runs.vectors_settings import VectorsSettings
from heed.runs.write_run import PreparedWriting
from heed.runs.write_settings import WriteSettings

Prepared = (
    PreparedTranslation
    | PreparedClassification
    | PreparedTfidf
    | PreparedTagging
    | PreparedAnswering
    | PreparedWriting
    | PreparedVectors
    | PreparedPretraining
    | PreparedImages
    | PreparedCaptions
)


def prepare(settings: RunSettings, ranks: Ranks, tell: Tell = silent) -> Prepared:
    """Return what a new run is made of, before anything of it is written."""
    check_accumulation(settings)
    prepared = _prepared(settings, ranks, tell)
    check_accumulation(prepared.settings)  # again: a base may have brought its own norm
    return prepared


def _prepared(settings: RunSettings, ranks: Ranks, tell: Tell) -> Prepared:
    match settings:
        case TranslationSettings():
            return translation_run.prepare(settings)
        case ClassificationSettings(model=TfidfSettings() as model):
            return tfidf_run.prepare(settings, model, ranks)
        case ClassificationSettings():
            return classification_run.prepare(settings)
        case TagSettings():
            return tag_run.prepare(settings)
        case AnswerSettings():
            return answer_run.prepare(settings)
        case WriteSettings():
            return write_run.prepare(settings, ranks)
        case VectorsSettings():
            return vectors_run.prepare(settings, ranks)
        case PretrainingSettings():
            return pretraining_run.prepare(settings, tell)
        case ImageSettings():
            return image_run.prepare(settings)
        case CaptionSettings():
            return caption_run.prepare(settings)


def begin(folder: RunFolder, prepared: Prepared, ranks: Ranks, tell: Tell = silent) -> Run:
    """Return a new run in an empty folder."""
    match prepared:
        case PreparedTranslation():
            return translation_run.begin(folder, prepared, ranks)
        case PreparedClassification():
            return classification_run.begin(folder, prepared, ranks)
        case PreparedTfidf():
            return tfidf_run.begin(folder, prepared, ranks)
        case PreparedTagging():
            return tag_run.begin(folder, prepared, ranks)
        case PreparedAnswering():
            return answer_run.begin(folder, prepared, ranks)
        case PreparedWriting():
            return write_run.begin(folder, prepared, ranks)
        case PreparedVectors():
            return vectors_run.begin(folder, prepared, ranks)
        case PreparedPretraining():
            return pretraining_run.begin(folder, prepared, ranks, tell)
        case PreparedImages():
            return image_run.begin(folder, prepared, ranks, tell)
        case PreparedCaptions():
            return caption_run.begin(folder, prepared, ranks, tell)


def resume(folder: RunFolder, ranks: Ranks) -> Run:
    """Return a run as it was left."""
    match read_settings(folder.read_settings(), f"{folder.path}: settings"):
        case TranslationSettings() as settings:
            return translation_run.resume(folder, settings, ranks)
        case ClassificationSettings(model=TfidfSettings() as model) as settings:
            return tfidf_run.resume(folder, settings, model, ranks)
        case ClassificationSettings() as settings:
            return classification_run.resume(folder, settings, ranks)
        case TagSettings() as settings:
            return tag_run.resume(folder, settings, ranks)
        case AnswerSettings() as settings:
            return answer_run.resume(folder, settings, ranks)
        case WriteSettings() as settings:
            return write_run.resume(folder, settings, ranks)
        case VectorsSettings() as settings:
            return vectors_run.resume(folder, settings, ranks)
        case PretrainingSettings() as settings:
            return pretraining_run.resume(folder, settings, ranks)
        case ImageSettings() as settings:
            return image_run.resume(folder, settings, ranks)
        case CaptionSettings() as settings:
            return caption_run.resume(folder, settings, ranks)
