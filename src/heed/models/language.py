"""The models that say what comes next in a text, by name and by settings."""

from heed.models import language_rnn, language_transformer
from heed.models.language_rnn import LanguageRnn, LanguageRnnSettings
from heed.models.language_transformer import LanguageTransformer, LanguageTransformerSettings
from heed.models.presets import named

LanguageSettings = LanguageTransformerSettings | LanguageRnnSettings
LanguageModel = LanguageTransformer | LanguageRnn

PRESETS: dict[str, LanguageSettings] = {**language_transformer.PRESETS, **language_rnn.PRESETS}


def preset(name: str) -> LanguageSettings:
    """Return the settings of a named model."""
    return named(PRESETS, name)


def build_language_model(settings: LanguageSettings, vocabulary_size: int) -> LanguageModel:
    """Return the model with fresh weights."""
    match settings:
        case LanguageTransformerSettings():
            return LanguageTransformer(settings, vocabulary_size)
        case LanguageRnnSettings():
            return LanguageRnn(settings, vocabulary_size)
