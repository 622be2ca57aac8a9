"""The models that say something of a text, or of two: an encoder and a head, by name and by settings."""

from collections.abc import Sequence
from typing import assert_never

import torch
from torch import Tensor, nn

from heed.layers.dropout import Dropout
from heed.layers.trace import Trace, sites_of
from heed.models import bert
from heed.models.bert import Bert, BertSettings
from heed.models.encoder import Encoder, EncoderSettings
from heed.models.presets import named
from heed.models.text_cnn import TextCnn, TextCnnSettings
from heed.models.text_input import TextInput
from heed.models.text_rnn import TextRnn, TextRnnSettings

TextClassifierSettings = EncoderSettings | TextRnnSettings | TextCnnSettings | BertSettings
TextEncoder = Encoder | TextRnn | TextCnn | Bert

PRESETS: dict[str, TextClassifierSettings] = {
    "rnn": TextRnnSettings(cell="rnn"),
    "lstm": TextRnnSettings(cell="lstm"),
    "gru": TextRnnSettings(cell="gru"),
    "textcnn": TextCnnSettings(),
    "textcnn-wide": TextCnnSettings(bag=8),
    "transformer": EncoderSettings(),
    **bert.PRESETS,
}

TOWERS = ("first", "second")  # what a trace puts before the sites of two towers


def preset(name: str) -> TextClassifierSettings:
    """Return the settings of a named model."""
    return named(PRESETS, name)


class TextClassifier(nn.Module):
    """Texts in, `outputs` numbers each out; with towers, pairs of texts that one encoder reads one by one."""

    def __init__(
        self, settings: TextClassifierSettings, vocabulary_size: int, outputs: int, towers: bool = False
    ) -> None:
        super().__init__()
        self.settings = settings
        self.towers = towers
        self.encoder = build_text_encoder(settings, vocabulary_size)
        self.dropout = Dropout(settings.dropout)
        self.head = nn.Linear(self.encoder.pooled_width * (4 if towers else 1), outputs)
        nn.init.xavier_uniform_(self.head.weight)
        nn.init.zeros_(self.head.bias)

    def forward(self, texts: Sequence[TextInput], trace: Trace | None = None) -> Tensor:
        """Return (B, outputs)."""
        if self.towers:
            first, second = texts
            features_BX = compared(self._read(first, TOWERS[0], trace), self._read(second, TOWERS[1], trace))
        else:
            (text,) = texts
            features_BX = self.encoder(text, trace)
        return self.head(self.dropout(features_BX))

    @property
    def sites(self) -> list[str]:
        """Return the names under which a trace finds what this model looked at: with towers, those of each."""
        own = sites_of(self.encoder)
        return [f"{tower}.{site}" for tower in TOWERS for site in own] if self.towers else own

    def _read(self, text: TextInput, tower: str, trace: Trace | None) -> Tensor:
        """Return the vector (B, D) of one tower's text; the encoder is shared, so its sites are renamed in a trace."""
        if trace is None:
            return self.encoder(text)
        asked = [site for site in sites_of(self.encoder) if trace.wants(f"{tower}.{site}")]
        inside = Trace(*asked)
        # A trace without patterns asks for everything, which is not what nothing means here.
        pooled_BD = self.encoder(text, inside if asked else None)
        for site in asked:
            trace.record(f"{tower}.{site}", inside.weights[site])
        return pooled_BD


def compared(u_BD: Tensor, v_BD: Tensor) -> Tensor:
    """Return (B, 4 D): both vectors, how far they lie apart, and where they agree (Conneau et al. 2017, figure 1)."""
    return torch.cat([u_BD, v_BD, (u_BD - v_BD).abs(), u_BD * v_BD], dim=-1)


def build_text_encoder(settings: TextClassifierSettings, vocabulary_size: int) -> TextEncoder:
    """Return the encoder with fresh weights."""
    match settings:
        case EncoderSettings():
            return Encoder(settings, vocabulary_size)
        case TextRnnSettings():
            return TextRnn(settings, vocabulary_size)
        case TextCnnSettings():
            return TextCnn(settings, vocabulary_size)
        case BertSettings():
            return Bert(settings, vocabulary_size)
        case _:
            assert_never(settings)
