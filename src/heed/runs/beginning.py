"""New and resumed runs of every task: each is prepared, begun and taken up by the file of its kind."""

from heed.machine import Ranks
from heed.models.tfidf import TfidfSettings
from heed.runs import classification_run, tfidf_run, translation_run
from heed.runs.classification_run import PreparedClassification
from heed.runs.folder import RunFolder
from heed.runs.run import Run
from heed.runs.settings import ClassificationSettings, RunSettings, TranslationSettings, read_settings
from heed.runs.tfidf_run import PreparedTfidf
from heed.runs.translation_run import PreparedTranslation

Prepared = PreparedTranslation | PreparedClassification | PreparedTfidf


def prepare(settings: RunSettings, ranks: Ranks) -> Prepared:
    """Return what a new run is made of, before anything of it is written."""
    match settings:
        case TranslationSettings():
            return translation_run.prepare(settings)
        case ClassificationSettings(model=TfidfSettings() as model):
            return tfidf_run.prepare(settings, model, ranks)
        case ClassificationSettings():
            return classification_run.prepare(settings)


def begin(folder: RunFolder, prepared: Prepared, ranks: Ranks) -> Run:
    """Return a new run in an empty folder."""
    match prepared:
        case PreparedTranslation():
            return translation_run.begin(folder, prepared, ranks)
        case PreparedClassification():
            return classification_run.begin(folder, prepared, ranks)
        case PreparedTfidf():
            return tfidf_run.begin(folder, prepared, ranks)


def resume(folder: RunFolder, ranks: Ranks) -> Run:
    """Return a run as it was left."""
    match read_settings(folder.read_settings(), f"{folder.path}: settings"):
        case TranslationSettings() as settings:
            return translation_run.resume(folder, settings, ranks)
        case ClassificationSettings(model=TfidfSettings() as model) as settings:
            return tfidf_run.resume(folder, settings, model, ranks)
        case ClassificationSettings() as settings:
            return classification_run.resume(folder, settings, ranks)
