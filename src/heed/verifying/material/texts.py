"""What models of texts are tried on: pairs to translate, labelled texts, tagged sentences, questions."""

from collections.abc import Sequence
from pathlib import Path

from heed.data.corpora import load_pairs
from heed.data.labelled import read_labelled
from heed.data.labelled_corpora import load_labelled
from heed.data.pairs import read_pairs
from heed.data.question_corpora import load_questions
from heed.data.question_splits import QuestionSplits
from heed.data.questions import read_questions
from heed.data.records import LabelledText, Question, TaggedText, TextPair
from heed.data.tagged import read_tagged
from heed.data.tagged_corpora import load_tagged
from heed.prediction.answerer import Answerer
from heed.prediction.classifier import Classifier
from heed.prediction.tagger import WordTagger
from heed.prediction.text_reader import NeuralReader
from heed.prediction.translator import Translator
from heed.runs import answer_run, classification_run, tag_run, translation_run
from heed.runs.answer_settings import AnswerSettings
from heed.runs.data_settings import DataSettings
from heed.runs.settings import ClassificationSettings, RunSettings, TranslationSettings
from heed.runs.tag_settings import TagSettings
from heed.tasks.answer_training import AnswerTraining
from heed.tasks.classification_training import ClassificationTraining
from heed.tasks.tag_training import TagTraining
from heed.tasks.targets import Classes
from heed.tasks.translation_training import TranslationTraining
from heed.verifying.material.found import Material, enough, files_of, find_records
from heed.verifying.material.made_up import (
    invent_labelled,
    invent_pairs,
    invent_questions,
    invent_tagged,
    invent_unread,
)


def pair_material(settings: TranslationSettings, translator: Translator, given: Sequence[str]) -> Material:
    """Return pairs of a translator."""
    tokenizers = translator.tokenizers

    def read(data: DataSettings) -> Sequence[TextPair]:
        if files := files_of(given):
            return read_pairs(files, data.columns or None).pairs
        splits = load_pairs(data.train, data.valid, data.test, data.columns or None, data.rule)
        return enough(splits.valid, splits.train)

    def build(own: RunSettings) -> TranslationTraining:
        assert isinstance(own, TranslationSettings)
        model = translation_run.build_model(own, tokenizers)
        return TranslationTraining(model, tokenizers, pairs, pairs, own.training.label_smoothing, 1)

    pairs, origin = find_records(settings.data, given, read, lambda: invent_pairs(tokenizers.source, tokenizers.target))
    return Material(origin, [(pair.source,) for pair in pairs], build)


def labelled_material(settings: ClassificationSettings, classifier: Classifier, given: Sequence[str]) -> Material:
    """Return labelled texts of a classifier; one that counts n-grams has no task that learns step by step."""
    targets, reader = classifier.targets, classifier.reader

    def read(data: DataSettings) -> Sequence[LabelledText]:
        records = _read_labelled(settings, data, files_of(given), classifier.texts_each)
        names = targets.labels.names if isinstance(targets, Classes) else None
        return [record for record in records if names is None or record.label in names]

    if not isinstance(reader, NeuralReader):
        records, origin = find_records(settings.data, given, read, lambda: invent_unread(classifier.texts_each))
        return Material(origin, [record.texts for record in records], None)

    def build(own: RunSettings) -> ClassificationTraining:
        assert isinstance(own, ClassificationSettings)
        model = classification_run.build_model(own, reader.tokenizer, targets)
        smoothing = own.training.label_smoothing
        return ClassificationTraining(model, reader.tokenizer, targets, records, records, own.reading, smoothing)

    records, origin = find_records(
        settings.data, given, read, lambda: invent_labelled(reader.tokenizer, targets, classifier.texts_each)
    )
    return Material(origin, [record.texts for record in records], build)


def _read_labelled(
    settings: ClassificationSettings, data: DataSettings, files: list[Path], texts: int
) -> Sequence[LabelledText]:
    columns = data.columns or None
    if files:
        return read_labelled(files, columns, texts=texts).records
    splits = load_labelled(data.train, data.valid, data.test, columns, texts, settings.outcome, data.rule)
    return enough(splits.valid, splits.train)


def tagged_material(settings: TagSettings, tagger: WordTagger, given: Sequence[str]) -> Material:
    """Return tagged sentences of a tagger."""
    tokenizer, known = tagger.tokenizer, tagger.known

    def read(data: DataSettings) -> Sequence[TaggedText]:
        if files := files_of(given):
            records: Sequence[TaggedText] = read_tagged(files, data.columns or None).records
        else:
            splits = load_tagged(data.train, data.valid, data.test, data.columns or None, data.rule)
            records = enough(splits.valid, splits.train)
        return [record for record in records if set(record.tags) <= set(known.names)]

    def build(own: RunSettings) -> TagTraining:
        assert isinstance(own, TagSettings)
        model = tag_run.build_model(own, tokenizer, known)
        return TagTraining(model, tokenizer, known, records, records, own.training.label_smoothing)

    records, origin = find_records(settings.data, given, read, lambda: invent_tagged(tokenizer, known))
    return Material(origin, [(record.text,) for record in records], build)


def question_material(settings: AnswerSettings, answerer: Answerer, given: Sequence[str]) -> Material:
    """Return questions of an answerer."""
    tokenizer = answerer.tokenizer

    def read(data: DataSettings) -> Sequence[Question]:
        if files := files_of(given):
            return read_questions(files).questions
        splits = load_questions(data.train, data.valid, data.test, data.rule)
        return enough(splits.valid, splits.train)

    def build(own: RunSettings) -> AnswerTraining:
        assert isinstance(own, AnswerSettings)
        smoothing = own.training.label_smoothing
        model = answer_run.build_model(own, tokenizer)
        return AnswerTraining(model, tokenizer, splits, own.windows, own.search, smoothing, 1)

    questions, origin = find_records(settings.data, given, read, lambda: invent_questions(tokenizer))
    splits = QuestionSplits(questions, questions, (), origin, "")
    return Material(origin, [(each.question, each.context) for each in questions], build)
