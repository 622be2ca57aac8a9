"""Where an answer begins and ends: an encoder of tokens, and two numbers for each of them (Devlin et al. 2019, 4.2)."""

from torch import Tensor, nn

from heed.errors import SettingsError
from heed.layers.dropout import Dropout
from heed.layers.trace import Trace, sites_of
from heed.models import bert
from heed.models.bert import BertSettings
from heed.models.encoder import EncoderSettings
from heed.models.presets import named
from heed.models.text_input import TextInput
from heed.models.token_encoder import build_token_encoder

SpanReaderSettings = EncoderSettings | BertSettings

# To match the words of a question with those of a paragraph takes more layers than to label a text, and all the words.
# Rotary positions, because an answer stands at a distance from the words that match: who has what is learnt with them
# in 400 steps (tests/learning), and in as many with sinusoids or learned positions not at all.
DEFAULT = EncoderSettings(layers=4, dropout=0.1, segments=2, word_dropout=0.0)

PRESETS: dict[str, SpanReaderSettings] = {"transformer": DEFAULT, **bert.PRESETS}


def preset(name: str) -> SpanReaderSettings:
    """Return the settings of a named model."""
    return named(PRESETS, name)


class SpanReader(nn.Module):
    """Texts in, for each token the scores of being the first and the last of the answer out."""

    def __init__(self, settings: SpanReaderSettings, vocabulary_size: int) -> None:
        super().__init__()
        check_span_reader(settings)
        self.settings = settings
        self.encoder = build_token_encoder(settings, vocabulary_size)
        self.dropout = Dropout(settings.dropout)
        self.head = nn.Linear(settings.width, 2)
        nn.init.xavier_uniform_(self.head.weight)
        nn.init.zeros_(self.head.bias)

    def forward(self, text: TextInput, trace: Trace | None = None) -> Tensor:
        """Return (B, T, 2), starts and ends; what stands at padding means nothing."""
        return self.head(self.dropout(self.encoder.hidden(text, trace)))

    @property
    def sites(self) -> list[str]:
        """Return the names under which a trace finds what this model looked at."""
        return sites_of(self.encoder)


def check_span_reader(settings: SpanReaderSettings) -> None:
    """Refuse an encoder that cannot tell question and paragraph apart, or that has parts without use here."""
    if isinstance(settings, EncoderSettings) and settings.segments == 0:
        raise SettingsError(
            "model.segments is 0: the model could not tell the question from the paragraph. Use model.segments=2."
        )
    if settings.pooling == "attention":
        raise SettingsError(
            "model.pooling is attention, but every token is judged and nothing is pooled. Leave model.pooling out."
        )
