"""`load_predictor`: the model that a run has trained, whatever its task."""

from pathlib import Path

from heed.errors import RunError, UsageError
from heed.layers.packed import pack_products
from heed.models.tfidf import TfidfSettings
from heed.models.weights import load_weights
from heed.prediction.classifier import Classifier
from heed.prediction.text_reader import LinearReader, NeuralReader
from heed.prediction.translator import Translator
from heed.runs import classification_run, tfidf_run, translation_run
from heed.runs.best import BestModel
from heed.runs.folder import RunFolder, open_run
from heed.runs.settings import ClassificationSettings, TranslationSettings, read_settings

Predictor = Translator | Classifier


def load_predictor(path: Path) -> Predictor:
    """Return the model of a run, ready to use; refuse weights of another vocabulary."""
    folder = open_run(path)
    match read_settings(folder.read_settings(), f"{path}: settings"):
        case TranslationSettings() as settings:
            return _translator(folder, settings)
        case ClassificationSettings() as settings:
            return _classifier(folder, settings)


def load_translator(path: Path) -> Translator:
    """Return the translator that a run has trained."""
    predictor = load_predictor(path)
    if not isinstance(predictor, Translator):
        raise UsageError(f"{path} holds a classifier, not a translator. Give a run of `heed train translate`.")
    return predictor


def load_classifier(path: Path) -> Classifier:
    """Return the classifier that a run has trained."""
    predictor = load_predictor(path)
    if not isinstance(predictor, Classifier):
        raise UsageError(f"{path} holds a translator, not a classifier. Give a run of `heed train classify` or `pair`.")
    return predictor


def _translator(folder: RunFolder, settings: TranslationSettings) -> Translator:
    tokenizers = translation_run.read_tokenizers(folder)
    best = _best(folder, translation_run.vocabulary_fingerprint(tokenizers))
    model = translation_run.build_model(settings, tokenizers)
    load_weights(model, best.tensors, str(folder.path))
    pack_products(model)
    return Translator(model, tokenizers, settings.search)


def _classifier(folder: RunFolder, settings: ClassificationSettings) -> Classifier:
    targets, texts_each = classification_run.read_targets(folder), 2 if settings.task == "pair" else 1
    if isinstance(settings.model, TfidfSettings):
        return Classifier(LinearReader(tfidf_run.read_model(folder), targets), targets, texts_each)
    tokenizer = classification_run.read_tokenizer(folder)
    best = _best(folder, tokenizer.fingerprint)
    model = classification_run.build_model(settings, tokenizer, targets)
    load_weights(model, best.tensors, str(folder.path))
    pack_products(model)
    return Classifier(NeuralReader(model, tokenizer, settings.reading), targets, texts_each)


def _best(folder: RunFolder, vocabulary: str) -> BestModel:
    best = folder.read_best()
    if best.facts.get("vocabulary") != vocabulary:
        raise RunError(
            f"The weights of {folder.path} were trained with another vocabulary than its tokenizer.json holds: every "
            f"word would mean another. Put the tokenizer.json back that was there, or train again."
        )
    return best
