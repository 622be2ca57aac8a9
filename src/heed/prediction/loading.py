"""`load_predictor`: the model that a run has trained, whatever its task."""

from pathlib import Path

from torch import nn

from heed.errors import RunError, UsageError
from heed.layers.packed import pack_products
from heed.models.tfidf import TfidfSettings
from heed.models.weights import load_weights
from heed.prediction.answerer import Answerer
from heed.prediction.classifier import Classifier
from heed.prediction.filler import WordFiller
from heed.prediction.picture_captioner import PictureCaptioner
from heed.prediction.picture_classifier import PictureClassifier
from heed.prediction.tagger import WordTagger
from heed.prediction.text_reader import LinearReader, NeuralReader
from heed.prediction.translator import Translator
from heed.prediction.word_vectors import WordVectors
from heed.prediction.writer import Writer
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
from heed.runs.answer_settings import AnswerSettings
from heed.runs.assembling import read_tokenizer
from heed.runs.best import BestModel
from heed.runs.caption_settings import CaptionSettings
from heed.runs.folder import RunFolder, open_run
from heed.runs.image_settings import ImageSettings
from heed.runs.pretraining_settings import PretrainingSettings
from heed.runs.settings import ClassificationSettings, TranslationSettings, read_settings
from heed.runs.tag_settings import TagSettings
from heed.runs.vectors_settings import VectorsSettings
from heed.runs.write_settings import WriteSettings
from heed.tasks.writing import Extent

Predictor = (
    Translator
    | Classifier
    | WordTagger
    | Answerer
    | Writer
    | WordVectors
    | WordFiller
    | PictureClassifier
    | PictureCaptioner
)


def load_predictor(path: Path) -> Predictor:
    """Return the model of a run, ready to use; refuse weights of another vocabulary."""
    folder = open_run(path)
    match read_settings(folder.read_settings(), f"{path}: settings"):
        case TranslationSettings() as settings:
            return _translator(folder, settings)
        case ClassificationSettings() as settings:
            return _classifier(folder, settings)
        case TagSettings() as settings:
            return _tagger(folder, settings)
        case AnswerSettings() as settings:
            return _answerer(folder, settings)
        case WriteSettings() as settings:
            return _writer(folder, settings)
        case VectorsSettings():
            return WordVectors(vectors_run.read_space(folder))
        case PretrainingSettings() as settings:
            return _filler(folder, settings)
        case ImageSettings() as settings:
            return _picture_classifier(folder, settings)
        case CaptionSettings() as settings:
            return _picture_captioner(folder, settings)


def load_translator(path: Path) -> Translator:
    """Return the translator that a run has trained."""
    predictor = load_predictor(path)
    if not isinstance(predictor, Translator):
        raise UsageError(f"{path} holds {kind_of(predictor)}, not a translator. Give a run of `heed train translate`.")
    return predictor


def load_classifier(path: Path) -> Classifier:
    """Return the classifier that a run has trained."""
    predictor = load_predictor(path)
    if not isinstance(predictor, Classifier):
        raise UsageError(
            f"{path} holds {kind_of(predictor)}, not a classifier. Give a run of `heed train classify` or `pair`."
        )
    return predictor


def kind_of(predictor: Predictor) -> str:
    """Return what a person calls it."""
    match predictor:
        case Translator():
            return "a translator"
        case Classifier():
            return "a classifier"
        case WordTagger():
            return "a tagger"
        case Answerer():
            return "an answerer of questions"
        case Writer():
            return "a language model"
        case WordVectors():
            return "word vectors"
        case WordFiller():
            return "a pre-trained BERT"
        case PictureClassifier():
            return "a classifier of pictures"
        case PictureCaptioner():
            return "a captioner"


def _translator(folder: RunFolder, settings: TranslationSettings) -> Translator:
    tokenizers = translation_run.read_tokenizers(folder)
    best = _best(folder, translation_run.vocabulary_fingerprint(tokenizers))
    model = translation_run.build_model(settings, tokenizers)
    _fill(model, best, folder)
    return Translator(model, tokenizers, settings.search)


def _classifier(folder: RunFolder, settings: ClassificationSettings) -> Classifier:
    targets, texts_each = classification_run.read_targets(folder), 2 if settings.task == "pair" else 1
    if isinstance(settings.model, TfidfSettings):
        return Classifier(LinearReader(tfidf_run.read_model(folder), targets), targets, texts_each)
    tokenizer = read_tokenizer(folder)
    best = _best(folder, tokenizer.fingerprint)
    model = classification_run.build_model(settings, tokenizer, targets)
    _fill(model, best, folder)
    return Classifier(NeuralReader(model, tokenizer, settings.reading), targets, texts_each)


def _tagger(folder: RunFolder, settings: TagSettings) -> WordTagger:
    tokenizer, known = read_tokenizer(folder), tag_run.read_tags(folder)
    model = tag_run.build_model(settings, tokenizer, known)
    _fill(model, _best(folder, tokenizer.fingerprint), folder)
    return WordTagger(model, tokenizer, known)


def _answerer(folder: RunFolder, settings: AnswerSettings) -> Answerer:
    tokenizer = read_tokenizer(folder)
    best = _best(folder, tokenizer.fingerprint)
    model = answer_run.build_model(settings, tokenizer)
    _fill(model, best, folder)
    return Answerer(model, tokenizer, settings.windows, answer_run.read_search(settings, best))


def _writer(folder: RunFolder, settings: WriteSettings) -> Writer:
    tokenizer = read_tokenizer(folder)
    model = write_run.build_model(settings, tokenizer)
    _fill(model, _best(folder, tokenizer.fingerprint), folder)
    return Writer(model, tokenizer, settings.search, Extent(length=settings.length))


def _filler(folder: RunFolder, settings: PretrainingSettings) -> WordFiller:
    tokenizer = read_tokenizer(folder)
    best = _best(folder, tokenizer.fingerprint)
    if best.facts.get("head") == "none":
        raise UsageError(
            f"{folder.path} is an encoder without a head, imported from {best.facts.get('origin')}: it cannot predict. "
            f"Start a run from it: heed train classify DATA --from {folder.path}."
        )
    model = pretraining_run.build_model(settings, tokenizer)
    _fill(model, best, folder)
    return WordFiller(model, tokenizer, settings)


def _picture_classifier(folder: RunFolder, settings: ImageSettings) -> PictureClassifier:
    best = folder.read_best()
    if best.facts.get("head") == "none":
        raise UsageError(
            f"{folder.path} is an encoder without a head, imported from {best.facts.get('origin')}: it cannot predict. "
            f"Start a run from it: heed train image DATA --from {folder.path}."
        )
    targets = image_run.read_classes(folder)
    model = image_run.build_model(settings, targets)
    _fill(model, best, folder)
    return PictureClassifier(model, targets, settings.pictures.fit, settings.colours)


def _picture_captioner(folder: RunFolder, settings: CaptionSettings) -> PictureCaptioner:
    tokenizer = read_tokenizer(folder)
    model = caption_run.build_model(settings, tokenizer)
    _fill(model, _best(folder, tokenizer.fingerprint), folder)
    return PictureCaptioner(model, tokenizer, settings.pictures.fit, settings.colours, settings.search)


def _fill(model: nn.Module, best: BestModel, folder: RunFolder) -> None:
    """Give the model the run's best weights, laid out for prediction."""
    load_weights(model, best.tensors, str(folder.path))
    pack_products(model)


def _best(folder: RunFolder, vocabulary: str) -> BestModel:
    best = folder.read_best()
    if best.facts.get("vocabulary") != vocabulary:
        raise RunError(
            f"The weights of {folder.path} were trained with another vocabulary than its tokenizer.json holds: every "
            f"word would mean another. Put the tokenizer.json back that was there, or train again."
        )
    return best
