"""A label for each word of a text: an encoder of tokens, a head, and perhaps a field that judges labels together."""

from dataclasses import dataclass, replace
from typing import Literal

import torch
from torch import Tensor, nn

from heed.errors import SettingsError
from heed.layers.crf import ConditionalRandomField
from heed.layers.dropout import Dropout
from heed.layers.trace import Trace, sites_of
from heed.models import bert
from heed.models.encoder import EncoderSettings
from heed.models.presets import named
from heed.models.text_input import TextInput
from heed.models.text_rnn import TextRnnSettings
from heed.models.token_encoder import TokenEncoderSettings, build_token_encoder
from heed.settings import settings

Pieces = Literal["first", "all"]

# Smaller than where whole texts are labelled: tagged sentences are few, and most names are seen once.
_RNN = TextRnnSettings(embedding=100, width=128, dropout=0.4, word_dropout=0.05, longest=256)

PRESETS: dict[str, TokenEncoderSettings] = {
    "lstm": _RNN,
    "gru": replace(_RNN, cell="gru"),
    "rnn": replace(_RNN, cell="rnn"),
    "transformer": EncoderSettings(word_dropout=0.05, longest=256),
    **bert.PRESETS,
}


def preset(name: str) -> TokenEncoderSettings:
    """Return the settings of a named model."""
    return named(PRESETS, name)


@settings
class TaggerSettings:
    """An encoder, and how its vectors become labels."""

    encoder: TokenEncoderSettings = _RNN
    # Labels judged together. None: where the encoder is recurrent; one with attention sees the neighbours itself.
    crf: bool | None = None
    pieces: Pieces = "first"  # a word in several pieces is judged by its first, or by the mean of all

    def __post_init__(self) -> None:
        if self.encoder.pooling == "attention":
            raise SettingsError(
                "model.pooling is attention, but words are labelled one by one and nothing is pooled. Leave it out."
            )

    @property
    def has_crf(self) -> bool:
        """Tell whether labels are judged together."""
        return isinstance(self.encoder, TextRnnSettings) if self.crf is None else self.crf


@dataclass(frozen=True)
class WordInput:
    """Texts as tokens, and which of the tokens are those of each word: `starts` up to, not including, `stops`."""

    text: TextInput
    starts: Tensor  # (B, W) integers, W words
    stops: Tensor  # (B, W)
    keep: Tensor  # (B, W), True = a real word

    def __post_init__(self) -> None:
        assert self.starts.shape == self.stops.shape == self.keep.shape, "one start and one stop for each word"

    def covered(self) -> Tensor:
        """Return (B, W, T): which token belongs to which word; none to a padded word."""
        places_T = torch.arange(self.text.token_ids.shape[1], device=self.starts.device)
        inside_BWT = (places_T >= self.starts[..., None]) & (places_T < self.stops[..., None])
        return inside_BWT & self.keep[..., None]


class Tagger(nn.Module):
    """Texts in, a score of each of `tags` labels for each word out."""

    def __init__(self, settings: TaggerSettings, vocabulary_size: int, tags: int) -> None:
        super().__init__()
        self.settings = settings
        self.encoder = build_token_encoder(settings.encoder, vocabulary_size)
        self.dropout = Dropout(settings.encoder.dropout)
        self.head = nn.Linear(self.encoder.pooled_width, tags)
        self.crf = ConditionalRandomField(tags) if settings.has_crf else None
        nn.init.xavier_uniform_(self.head.weight)
        nn.init.zeros_(self.head.bias)

    def forward(self, words: WordInput, trace: Trace | None = None) -> Tensor:
        """Return (B, W, C); what stands at padded words means nothing."""
        states_BTD = self.encoder.hidden(words.text, trace)
        return self.head(self.dropout(self._of_words(states_BTD, words)))

    def best(self, scores_BWC: Tensor, keep: Tensor) -> Tensor:
        """Return the label of each word (B, W): of the most probable sequence, or each by itself."""
        return scores_BWC.argmax(dim=2) if self.crf is None else self.crf.best(scores_BWC, keep)

    @property
    def sites(self) -> list[str]:
        """Return the names under which a trace finds what this model looked at."""
        return sites_of(self.encoder)

    def _of_words(self, states_BTD: Tensor, words: WordInput) -> Tensor:
        """Return one vector for each word (B, W, D)."""
        if self.settings.pieces == "first":
            rows_B1 = torch.arange(len(states_BTD), device=states_BTD.device)[:, None]
            return states_BTD[rows_B1, words.starts]
        share_BWT = words.covered().to(states_BTD.dtype)
        # A padded word covers no token; its vector is zeros, not NaN.
        share_BWT = share_BWT / share_BWT.sum(dim=2, keepdim=True).clamp(min=1)
        return share_BWT @ states_BTD.masked_fill(~words.text.keep[..., None], 0.0)
