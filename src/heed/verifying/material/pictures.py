"""What models of pictures are tried on: labelled pictures, captioned pictures."""

import math
from collections.abc import Sequence
from typing import TypeVar

from heed.data.caption_corpora import load_captions
from heed.data.captions import read_captions
from heed.data.image_corpora import load_images
from heed.data.images import read_images
from heed.data.records import CaptionedImage, LabelledImage
from heed.data.squares import Fit
from heed.errors import DataError
from heed.prediction.picture_captioner import PictureCaptioner
from heed.prediction.picture_classifier import PictureClassifier
from heed.prediction.reading_pictures import read_in_threads, stacked
from heed.runs import caption_run, image_run
from heed.runs.caption_settings import CaptionSettings
from heed.runs.data_settings import DataSettings
from heed.runs.image_settings import ImageSettings
from heed.runs.settings import RunSettings
from heed.tasks.caption_training import CaptionTraining
from heed.tasks.image import Pictured
from heed.tasks.image_training import ImageTraining
from heed.tasks.showing import Showing
from heed.verifying.material.found import Material, enough, files_of, find_records
from heed.verifying.material.made_up import invent_captioned, invent_pictures

Record = TypeVar("Record", LabelledImage, CaptionedImage)


def picture_material(settings: ImageSettings, classifier: PictureClassifier, given: Sequence[str]) -> Material:
    """Return labelled pictures of a classifier."""
    targets = classifier.targets

    def read(data: DataSettings) -> Sequence[LabelledImage]:
        if files := files_of(given):
            records: Sequence[LabelledImage] = read_images(files, data.columns or None).records
        else:
            splits = load_images(data.train, data.valid, data.test, data.columns or None, data.rule)
            records = enough(splits.valid, splits.train)
        return [record for record in records if record.label in targets.labels.names]

    def build(own: RunSettings) -> ImageTraining:
        assert isinstance(own, ImageSettings)
        showing = Showing(own.augmentation, own.colours, own.model.image, own.training.seed)
        model = image_run.build_model(own, targets)
        return ImageTraining(model, targets, pictures, pictures, showing, own.training.label_smoothing)

    records, origin = find_records(settings.data, given, read, lambda: invent_pictures(targets))
    pictures = _pictured(records, math.ceil(settings.model.image * settings.pictures.detail), classifier.fit)
    return Material(origin, (), build)


def caption_material(settings: CaptionSettings, captioner: PictureCaptioner, given: Sequence[str]) -> Material:
    """Return captioned pictures of a captioner."""
    tokenizer, side = captioner.tokenizer, captioner.side

    def read(data: DataSettings) -> Sequence[CaptionedImage]:
        if files := files_of(given):
            return read_captions(files, data.columns or None).records
        splits = load_captions(data.train, data.valid, data.test, data.columns or None, data.rule)
        return enough(splits.valid, splits.train)

    def build(own: RunSettings) -> CaptionTraining:
        assert isinstance(own, CaptionSettings)
        showing = Showing(own.augmentation, own.colours, side, own.training.seed)
        model, smoothing = caption_run.build_model(own, tokenizer), own.training.label_smoothing
        return CaptionTraining(model, tokenizer, pictures, pictures, showing, smoothing, 1)

    records, origin = find_records(settings.data, given, read, lambda: invent_captioned(tokenizer))
    pictures = _pictured(records, math.ceil(side * settings.pictures.detail), captioner.fit)
    return Material(origin, [(caption,) for record in pictures.records for caption in record.captions], build)


def _pictured(records: Sequence[Record], side: int, fit: Fit) -> Pictured[Record]:
    """Return the records whose pictures can be read, with the pictures."""
    squares = read_in_threads([record.source for record in records], side, fit)
    readable = [(record, square) for record, square in zip(records, squares, strict=True) if isinstance(square, bytes)]
    if not readable:
        raise DataError(f"None of {len(records)} pictures can be read. Give others with --data.")
    return Pictured([record for record, _ in readable], stacked([square for _, square in readable], side))
