"""`evaluate_*`: a loaded model scored on data, apart for what its run has seen; one function for each kind of model."""

import dataclasses
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from heed.data.demo_words import names_demo
from heed.data.documents import Document, read_documents
from heed.data.example_keys import Key, document_key, image_key, passage_keys, source_key
from heed.data.image_store import Broken
from heed.data.passages import cut_passages
from heed.data.record_keys import labelled_key, question_key, tagged_key
from heed.data.records import CaptionedImage, LabelledImage
from heed.errors import DataError, UsageError
from heed.prediction.answerer import Answerer, AnswererEvaluation
from heed.prediction.classifier import Classifier, ClassifierEvaluation
from heed.prediction.evaluated import Evaluated, Part, evaluate_apart
from heed.prediction.evaluation_data import (
    DataChoice,
    EvaluationData,
    captions_to_score,
    images_to_score,
    pairs_to_score,
    questions_to_score,
    sentences_to_score,
    text_to_score,
    texts_to_score,
)
from heed.prediction.filler import WordFiller
from heed.prediction.loading import Predictor, kind_of
from heed.prediction.picture_captioner import Caption, CaptionEvaluation, PictureCaptioner
from heed.prediction.picture_classifier import PictureClassifier, PictureEvaluation, Recognition
from heed.prediction.tagger import TaggerEvaluation, WordTagger
from heed.prediction.translator import Evaluation, Translator
from heed.prediction.word_vectors import VectorsEvaluation, WordVectors
from heed.prediction.writer import Writer
from heed.runs.examples import read_examples
from heed.tasks.pretrain import PretrainingScores
from heed.tasks.translating import Search
from heed.tasks.write_scores import TextScores

Record = TypeVar("Record")
Result = TypeVar("Result")
ImageRecord = TypeVar("ImageRecord", LabelledImage, CaptionedImage)
Said = TypeVar("Said", Recognition, Caption)

AnyEvaluated = (
    Evaluated[Evaluation]
    | Evaluated[ClassifierEvaluation]
    | Evaluated[TaggerEvaluation]
    | Evaluated[AnswererEvaluation]
    | Evaluated[TextScores]
    | Evaluated[VectorsEvaluation]
    | Evaluated[PretrainingScores]
    | Evaluated[PictureEvaluation]
    | Evaluated[CaptionEvaluation]
)


def evaluate_model(model: Predictor, choice: DataChoice, search: Search | None = None) -> AnyEvaluated:
    """Return the scores of any model on data of its task."""
    if search is not None and not isinstance(model, Translator | PictureCaptioner):
        raise UsageError(f"A search is for translators and captioners; this run is {kind_of(model)}. Leave it out.")
    match model:
        case Translator():
            return evaluate_translator(model, choice, search)
        case Classifier():
            return evaluate_classifier(model, choice)
        case WordTagger():
            return evaluate_tagger(model, choice)
        case Answerer():
            return evaluate_answerer(model, choice)
        case Writer():
            return evaluate_writer(model, choice)
        case WordVectors():
            return evaluate_vectors(model, choice)
        case WordFiller():
            return evaluate_filler(model, choice)
        case PictureClassifier():
            return evaluate_images(model, choice)
        case PictureCaptioner():
            return evaluate_captioner(model, choice, search)


def evaluate_translator(model: Translator, choice: DataChoice, search: Search | None) -> Evaluated[Evaluation]:
    """Return BLEU, chrF and loss."""
    return _apart(choice, pairs_to_score(choice), source_key, "pairs", lambda pairs: model.evaluate(pairs, search))


def evaluate_classifier(model: Classifier, choice: DataChoice) -> Evaluated[ClassifierEvaluation]:
    """Return accuracy and F1, or correlations."""
    noun = "texts" if model.texts_each == 1 else "pairs of texts"
    return _apart(choice, texts_to_score(choice, model.texts_each), labelled_key, noun, model.evaluate)


def evaluate_tagger(model: WordTagger, choice: DataChoice) -> Evaluated[TaggerEvaluation]:
    """Return precision, recall and F1 of entities, or the accuracy of plain labels."""
    data = sentences_to_score(choice)
    model.check_tags(data.records)  # of all sentences: one alone may well have only labels that the model lacks
    return _apart(choice, data, tagged_key, "sentences", model.score)


def evaluate_answerer(model: Answerer, choice: DataChoice) -> Evaluated[AnswererEvaluation]:
    """Return exact match and F1."""
    return _apart(choice, questions_to_score(choice), question_key, "questions", model.evaluate)


def evaluate_images(model: PictureClassifier, choice: DataChoice) -> Evaluated[PictureEvaluation]:
    """Return accuracy and F1 over the images that can be read."""
    data = images_to_score(choice)
    return _images_apart(choice, data, model.predict([record.source for record in data.records]), model.score)


def evaluate_captioner(
    model: PictureCaptioner, choice: DataChoice, search: Search | None
) -> Evaluated[CaptionEvaluation]:
    """Return BLEU and chrF over the images that can be read."""
    data = captions_to_score(choice)
    return _images_apart(choice, data, model.predict([record.source for record in data.records], search), model.score)


def evaluate_writer(model: Writer, choice: DataChoice) -> Evaluated[TextScores]:
    """Return how well a text is predicted; its examples are passages, and those of a part are scored as one text."""
    data = text_to_score(choice)
    (text,) = data.records
    total = sum(1 for _ in cut_passages(text))

    def score(rows: Sequence[int]) -> TextScores:
        if len(rows) == total:  # nothing to tell apart: the text as it is, where passages are composed (NFC)
            return model.evaluate(text)
        chosen = set(rows)
        passages = [passage.text for row, passage in enumerate(cut_passages(text)) if row in chosen]
        return model.evaluate("".join(passages))

    scored = evaluate_apart(read_examples(choice.folder), passage_keys(text), "passages", score)
    return dataclasses.replace(scored, left_out=data.left_out, note=data.note)


def evaluate_filler(model: WordFiller, choice: DataChoice) -> Evaluated[PretrainingScores]:
    """Return how well hidden words are found; the examples are documents, which are read once for each part."""
    names = choice.names or _demo_of(choice, "Pre-training sets no test split aside")
    column = None if choice.columns is None else choice.columns[0]

    def documents() -> Iterator[Document]:
        return read_documents(names, column, "test")

    def score(rows: Sequence[int]) -> PretrainingScores:
        chosen = set(rows)
        return model.score(document for row, document in enumerate(documents()) if row in chosen)

    return evaluate_apart(read_examples(choice.folder), map(document_key, documents()), "documents", score)


def evaluate_vectors(model: WordVectors, choice: DataChoice) -> Evaluated[VectorsEvaluation]:
    """Return the scores on analogies and similarities, which are no examples of the text that vectors learn from."""
    names = choice.names or _demo_of(choice, "Word vectors set no test split aside")
    found = model.evaluate(names)
    return Evaluated((Part("unseen", range(len(found.analogies) + len(found.similarities)), found),), "files")


def _apart(
    choice: DataChoice,
    data: EvaluationData[Record],
    key: Callable[[Record], Key],
    noun: str,
    score: Callable[[Sequence[Record]], Result],
) -> Evaluated[Result]:
    records = data.records
    scored = evaluate_apart(
        read_examples(choice.folder), map(key, records), noun, lambda rows: score([records[row] for row in rows])
    )
    return dataclasses.replace(scored, left_out=data.left_out, note=data.note)


def _images_apart(
    choice: DataChoice,
    data: EvaluationData[ImageRecord],
    found: Sequence[Said],
    score: Callable[[Sequence[ImageRecord], Sequence[Said]], Result],
) -> Evaluated[Result]:
    """Return the scores of what was said of the images; those that cannot be read are left out, and listed."""
    readable = [row for row, each in enumerate(found) if each.problem is None]
    if not readable:
        raise DataError(f"None of {len(found):,} images can be read. Give at least one that can.")
    records, said = [data.records[row] for row in readable], [found[row] for row in readable]
    scored = evaluate_apart(
        read_examples(choice.folder),
        map(image_key, records),
        "images",
        lambda rows: score([records[row] for row in rows], [said[row] for row in rows]),
    )
    broken = tuple(Broken(each.name, each.problem) for each in found if each.problem is not None)
    return dataclasses.replace(scored, left_out=data.left_out, note=data.note, broken=broken)


def _demo_of(choice: DataChoice, why: str) -> Sequence[str]:
    """Return the demo that a run was trained on, whose test part can be scored; refuse other data."""
    train = choice.settings.data.train
    if names_demo(train):
        return train
    raise UsageError(f"{why}. Name the data to score {choice.folder.path} on: heed evaluate {choice.folder.path} FILE.")
