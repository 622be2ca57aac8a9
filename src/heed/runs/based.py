"""`based`: the settings as a run will have them: a base decides the sizes of its model and its vocabulary."""

import os
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from heed.models.bert import BertSettings
from heed.runs import base as bert_base
from heed.runs import image_base, write_base
from heed.runs.answer_settings import AnswerSettings
from heed.runs.base import Base, load_base
from heed.runs.caption_settings import CaptionSettings
from heed.runs.image_base import ImageBase, load_image_base, shown_as_taught
from heed.runs.image_settings import ImageSettings
from heed.runs.pretraining_settings import PretrainingSettings
from heed.runs.settings import ClassificationSettings, RunSettings, TranslationSettings
from heed.runs.tag_settings import TagSettings
from heed.runs.vectors_settings import VectorsSettings
from heed.runs.write_base import LanguageBase, load_language_base
from heed.runs.write_settings import WriteSettings

Reading = TypeVar("Reading", bound=ClassificationSettings | TagSettings | AnswerSettings)


def based(settings: RunSettings) -> RunSettings:
    """Return the settings as the run will have them: its base is read, where it has one."""
    match settings:
        case TranslationSettings(shared_tokens=False) if settings.model.tie == "all":
            return replace(settings, model=replace(settings.model, tie="output"))
        case VectorsSettings() if settings.training.epochs is not None:
            return replace(settings, model=replace(settings.model, epochs=settings.training.epochs))
        case ClassificationSettings(base=str(path)) | TagSettings(base=str(path)) | AnswerSettings(base=str(path)):
            return on_bert(settings, load_base(Path(path)))
        case PretrainingSettings(base=str(path)):
            return going_on(settings, load_base(Path(path)))
        case WriteSettings(base=str(path)):
            return on_language(settings, path, load_language_base(Path(path)))
        case ImageSettings(base=str(path)):
            return on_vit(settings, load_image_base(Path(path)))
        case CaptionSettings(base=str(path)):
            return over_vit(settings, load_image_base(Path(path)))
        case _:
            return settings


def on_bert(settings: Reading, base: Base) -> Reading:
    """Return the settings of a run whose encoder is that of the base."""
    assert isinstance(settings.model, BertSettings), "settings allow a base for BERT alone"
    return replace(settings, base=base.origin, tokens=base.tokens, model=bert_base.fitted(settings.model, base))


def going_on(settings: PretrainingSettings, base: Base) -> PretrainingSettings:
    """Return the settings of a pre-training that goes on from the base, with sequences that it has positions for."""
    model = bert_base.fitted(settings.model, base)
    length = min(settings.length, model.longest)
    return replace(settings, base=base.origin, tokens=base.tokens, model=model, length=length)


def on_language(settings: WriteSettings, path: str, base: LanguageBase) -> WriteSettings:
    """Return the settings of a run whose language model is that of the base at the path."""
    model = write_base.fitted(settings.model, base)
    return replace(settings, base=os.path.abspath(path), tokens=base.tokens, model=model)


def on_vit(settings: ImageSettings, base: ImageBase) -> ImageSettings:
    """Return the settings of a run whose encoder is that of the base, and sees pictures as it was taught."""
    return replace(shown_as_taught(settings, base), model=image_base.fitted(settings.model, base))


def over_vit(settings: CaptionSettings, base: ImageBase) -> CaptionSettings:
    """Return the settings of a run whose captions are said over the encoder of the base."""
    model = replace(settings.model, encoder=image_base.fitted(settings.model.encoder, base))
    return replace(shown_as_taught(settings, base), model=model)
