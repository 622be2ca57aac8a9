"""The examples that an evaluation scores: those of the files, the test part of a demo, or a run's own test split."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

from heed.data.caption_corpora import load_captions
from heed.data.captions import read_captions
from heed.data.corpora import load_pairs
from heed.data.demo_words import names_demo
from heed.data.flickr_sides import find_lists
from heed.data.image_corpora import load_images
from heed.data.images import read_images
from heed.data.labelled import read_labelled
from heed.data.labelled_corpora import load_labelled
from heed.data.pairs import read_pairs
from heed.data.question_corpora import load_questions
from heed.data.questions import read_questions
from heed.data.records import CaptionedImage, LabelledImage, LabelledText, Question, TaggedText, TextPair
from heed.data.split_folders import find_split_folders
from heed.data.tagged import read_tagged
from heed.data.tagged_corpora import load_tagged
from heed.data.text_stream import load_text, read_text
from heed.errors import UsageError
from heed.runs import caption_run, image_run, labelled_data, question_data, tagged_data, translation_run, write_run
from heed.runs.answer_settings import AnswerSettings
from heed.runs.caption_settings import CaptionSettings
from heed.runs.folder import RunFolder
from heed.runs.held_out import HeldOut
from heed.runs.image_settings import ImageSettings
from heed.runs.settings import ClassificationSettings, RunSettings, TranslationSettings, read_settings
from heed.runs.tag_settings import TagSettings
from heed.runs.write_settings import WriteSettings

SHOWN = 3  # places that a sentence names

Record = TypeVar("Record")
Columns = Sequence[str] | None


@dataclass(frozen=True)
class EvaluationData(Generic[Record]):
    """Examples to score, and what a person should know of how they were read."""

    records: Sequence[Record]
    left_out: tuple[str, ...] = ()  # sentences: how many rows were not read, and why
    note: str = ""  # what could not be verified of a run's own test split


@dataclass(frozen=True)
class DataChoice:
    """Which data a run is to be scored on."""

    folder: RunFolder
    names: Sequence[str] = ()  # none: the run's own test split
    columns: Columns = None

    @property
    def settings(self) -> RunSettings:
        """Return the settings of the run; refuse to look for a test split where there was no training."""
        settings = read_settings(self.folder.read_settings(), f"{self.folder.path}: settings")
        if not settings.data.train:
            raise UsageError(
                f"{self.folder.path} was imported and has no test split of its own. "
                f"Name the data to score it on: heed evaluate {self.folder.path} FILE."
            )
        if self.columns is not None:
            raise UsageError(
                f"Columns ({','.join(self.columns)}) are for data that you name; the run's own test split is read as "
                f"its settings say. Leave them out, or name the data."
            )
        return settings


def pairs_to_score(choice: DataChoice) -> EvaluationData[TextPair]:
    """Return the pairs to score a translator on."""
    if not choice.names:
        settings = choice.settings
        assert isinstance(settings, TranslationSettings)
        return _own(translation_run.read_test(choice.folder, settings))
    return evaluation_pairs(choice.names, choice.columns)


def texts_to_score(choice: DataChoice, texts: int) -> EvaluationData[LabelledText]:
    """Return the labelled texts, or pairs of texts, to score a classifier on."""
    if not choice.names:
        settings = choice.settings
        assert isinstance(settings, ClassificationSettings)
        return _own(labelled_data.read_test(choice.folder, settings))
    return evaluation_records(choice.names, texts, choice.columns)


def sentences_to_score(choice: DataChoice) -> EvaluationData[TaggedText]:
    """Return the sentences to score a tagger on."""
    if not choice.names:
        settings = choice.settings
        assert isinstance(settings, TagSettings)
        return _own(tagged_data.read_test(choice.folder, settings))
    return evaluation_sentences(choice.names, choice.columns)


def questions_to_score(choice: DataChoice) -> EvaluationData[Question]:
    """Return the questions to score an answerer on."""
    if not choice.names:
        settings = choice.settings
        assert isinstance(settings, AnswerSettings)
        return _own(question_data.read_test(choice.folder, settings))
    return evaluation_questions(choice.names)


def images_to_score(choice: DataChoice) -> EvaluationData[LabelledImage]:
    """Return the labelled images to score a classifier on."""
    if not choice.names:
        settings = choice.settings
        assert isinstance(settings, ImageSettings)
        return _own(image_run.read_test(choice.folder, settings))
    return evaluation_images(choice.names, choice.columns)


def captions_to_score(choice: DataChoice) -> EvaluationData[CaptionedImage]:
    """Return the captioned images to score a captioner on."""
    if not choice.names:
        settings = choice.settings
        assert isinstance(settings, CaptionSettings)
        return _own(caption_run.read_test(choice.folder, settings))
    return evaluation_captions(choice.names, choice.columns)


def text_to_score(choice: DataChoice) -> EvaluationData[str]:
    """Return the text to score a language model on, as one record."""
    if not choice.names:
        settings = choice.settings
        assert isinstance(settings, WriteSettings)
        return _own(write_run.read_test(choice.folder, settings))
    return EvaluationData([evaluation_text(choice.names)])


def evaluation_pairs(names: Sequence[str], columns: Columns = None) -> EvaluationData[TextPair]:
    """Return all pairs of the files, or the test part of a built-in corpus."""
    if names_demo(names):
        return EvaluationData(load_pairs(names, columns=columns).test)
    file = read_pairs([Path(name) for name in names], columns)
    return EvaluationData(file.pairs, _empty(file.empty, file.empty_places, "pairs with an empty side"))


def evaluation_records(names: Sequence[str], texts: int, columns: Columns = None) -> EvaluationData[LabelledText]:
    """Return all labelled texts of the files, or the test part of a built-in corpus."""
    if names_demo(names):
        return EvaluationData(load_labelled(names, columns=columns, texts=texts).test)
    file = read_labelled([Path(name) for name in names], columns, texts=texts)
    return EvaluationData(file.records, _empty(file.empty, file.empty_places, "records without text or label"))


def evaluation_sentences(names: Sequence[str], columns: Columns = None) -> EvaluationData[TaggedText]:
    """Return all tagged sentences of the files, or the test part of a built-in corpus."""
    if names_demo(names):
        return EvaluationData(load_tagged(names, columns=columns).test)
    return EvaluationData(read_tagged([Path(name) for name in names], columns).records)


def evaluation_questions(names: Sequence[str]) -> EvaluationData[Question]:
    """Return all questions of the files, or the test part of a built-in corpus."""
    if names_demo(names):
        return EvaluationData(load_questions(names).test)
    file = read_questions([Path(name) for name in names])
    what = "questions without words, or on a paragraph without any,"
    return EvaluationData(file.questions, _empty(file.empty, file.empty_places, what))


def evaluation_images(names: Sequence[str], columns: Columns = None) -> EvaluationData[LabelledImage]:
    """Return all labelled images of folders or tables, or the test part of a built-in corpus."""
    if names_demo(names):
        return EvaluationData(load_images(names, columns=columns).test)
    divided = find_split_folders(names, (), ())
    paths = [Path(name) for name in names] if divided is None else [divided.test or divided.valid or divided.train]
    file = read_images(paths, columns)
    left_out = (
        *_empty(file.empty, file.empty_places, "rows without path or label"),
        *_empty(file.others, file.other_places, "files that are no image of a class"),
    )
    return EvaluationData(file.records, left_out)


def evaluation_captions(names: Sequence[str], columns: Columns = None) -> EvaluationData[CaptionedImage]:
    """Return all captioned images of a table, or the test part of a built-in corpus or of Flickr8k with its lists."""
    if names_demo(names) or (len(names) == 1 and "test" in find_lists(Path(names[0]))):
        splits = load_captions(names, columns=columns)
        return EvaluationData(splits.test, _empty(splits.empty, splits.empty_places, "rows without path or caption"))
    file = read_captions([Path(name) for name in names], columns)
    left_out = (
        *_empty(file.empty, file.empty_places, "rows without path or caption"),
        *_empty(len(file.unknown), [each.place for each in file.unknown], "images that have captions but no file"),
    )
    return EvaluationData(file.records, left_out)


def evaluation_text(names: Sequence[str]) -> str:
    """Return the files as one text, or the test part of a built-in one; its validation part where it has no other."""
    if not names_demo(names):
        return read_text(names)
    splits = load_text(names)
    return splits.test or splits.valid


def _own(found: HeldOut[Record]) -> EvaluationData[Record]:
    return EvaluationData(found.records, (), found.note)


def _empty(count: int, places: Sequence[str], what: str) -> tuple[str, ...]:
    if not count:
        return ()
    more = f" and {count - SHOWN:,} more" if count > SHOWN else ""
    return (f"{count:,} {what} were left out: {', '.join(places[:SHOWN])}{more}",)
