"""A picture in, a sentence out: a Vision Transformer looks, and a decoder writes while it looks at the patches.

"Show, attend and tell" (Xu et al. 2015) has a recurrent decoder; a Transformer's does the same with more heads. Each
word's attention over the patches is in the trace, at the decoder's `cross` sites.
"""

from typing import Literal

import torch
from torch import Tensor, nn

from heed.layers.dropout import Dropout
from heed.layers.feedforward import ActivationName
from heed.layers.norms import NormName
from heed.layers.positions import PositionsName, build_adder
from heed.layers.recurrent import CellName, RecurrentState, start_recurrent_weights
from heed.layers.scores import ScoreName
from heed.layers.trace import Trace
from heed.models.block_settings import build_last_norm, check_block, start_weights
from heed.models.presets import named
from heed.models.ranges import check_longest, check_shares, check_sizes
from heed.models.rnn_decoding import RnnDecoding, RnnState, build_decoder
from heed.models.transformer_decoding import TransformerDecoding, TransformerState, build_decoder_block
from heed.models.vit import Vit, VitSettings
from heed.settings import settings


@settings
class TransformerCaptionerSettings:
    """The default is learnt from some thousand pictures on two cores."""

    kind: Literal["transformer"] = "transformer"
    encoder: VitSettings = VitSettings()
    width: int = 192  # D of the decoder; another than the encoder's is made by a projection
    heads: int = 3  # each head has width / heads numbers
    layers: int = 3  # of the decoder
    feedforward: int = 384  # inner width
    dropout: float = 0.1  # after embedding and each sublayer
    attention_dropout: float = 0.0  # other than 0 rules out the fused kernel in training
    positions: PositionsName = "sinusoid"
    score: ScoreName = "scaled"
    norm: NormName = "layer"
    norm_place: Literal["before", "after"] = "before"
    activation: ActivationName = "gelu"
    residual: bool = True
    longest: int = 64  # pieces of a caption; longer ones are cut, and the cut is counted

    def __post_init__(self) -> None:
        check_block(self)
        check_sizes({"layers": self.layers})
        check_longest(self.longest)


@settings
class RnnCaptionerSettings:
    """The default is an LSTM that asks with its new state (Luong et al. 2015)."""

    kind: Literal["rnn"] = "rnn"
    encoder: VitSettings = VitSettings()
    cell: CellName = "lstm"
    width: int = 192  # D, of the embedding and of the state
    layers: int = 1
    attention: ScoreName | Literal["none"] = "general"  # none: all it knows of the picture is one thought vector
    order: Literal["luong", "bahdanau"] = "luong"  # who asks: the new state, or the previous one
    dropout: float = 0.2
    longest: int = 64  # pieces of a caption; longer ones are cut, and the cut is counted

    def __post_init__(self) -> None:
        check_sizes({"width": self.width, "layers": self.layers})
        check_longest(self.longest)
        check_shares({"dropout": self.dropout})


CaptionerSettings = TransformerCaptionerSettings | RnnCaptionerSettings

PRESETS: dict[str, CaptionerSettings] = {
    "transformer": TransformerCaptionerSettings(),
    "lstm": RnnCaptionerSettings(cell="lstm"),
    "gru": RnnCaptionerSettings(cell="gru"),
    "rnn": RnnCaptionerSettings(cell="rnn"),
}


def preset(name: str) -> CaptionerSettings:
    """Return the settings of a named model."""
    return named(PRESETS, name)


class TransformerCaptioner(TransformerDecoding):
    """Pictures in, logits over the vocabulary of captions out."""

    def __init__(self, settings: TransformerCaptionerSettings, vocabulary_size: int) -> None:
        super().__init__()
        self.settings = settings
        self.target_embedding = nn.Embedding(vocabulary_size, settings.width)
        self.target_positions = build_adder(settings.positions, settings.longest, settings.width)
        self.dropout = Dropout(settings.dropout)
        self.bridge = _build_bridge(settings)
        self.decoder = nn.ModuleList(
            build_decoder_block(settings, layer, settings.longest, positions_of(settings.encoder))
            for layer in range(settings.layers)
        )
        self.decoder_norm = build_last_norm(settings)
        self.vocabulary = nn.Linear(settings.width, vocabulary_size)
        start_weights(self, settings.width)
        self.vocabulary.weight = self.target_embedding.weight
        self.encoder = Vit(settings.encoder)  # last: it has given itself its first weights

    def forward(
        self, images: Tensor, target_ids: Tensor, target_keep: Tensor | None = None, trace: Trace | None = None
    ) -> Tensor:
        """Return logits (B, T, V): at each position, what comes after the caption so far."""
        return self.vocabulary(self.hidden(images, target_ids, target_keep, trace))

    def hidden(
        self, images: Tensor, target_ids: Tensor, target_keep: Tensor | None = None, trace: Trace | None = None
    ) -> Tensor:
        """Return the decoder's last vectors (B, T, D): a loss needs the logits of real tokens only."""
        return self.decoded(self._memory(images, trace), None, target_ids, target_keep, trace)

    def start(self, images: Tensor) -> TransformerState:
        """Return the state before the first step: the picture is looked at once."""
        return self.begin(self._memory(images), None)

    def _memory(self, images: Tensor, trace: Trace | None = None) -> Tensor:
        return self.bridge(self.encoder.hidden(images, trace))


class RnnCaptioner(RnnDecoding):
    """Pictures in, logits over the vocabulary of captions out."""

    def __init__(self, settings: RnnCaptionerSettings, vocabulary_size: int) -> None:
        super().__init__()
        self.settings = settings
        self.target_embedding = nn.Embedding(vocabulary_size, settings.width)
        self.dropout = Dropout(settings.dropout)
        self.bridge = _build_bridge(settings)
        self.first = nn.Linear(settings.width, settings.layers * settings.width)
        self.decoder = build_decoder(settings, places=positions_of(settings.encoder))
        self.vocabulary = nn.Linear(settings.width, vocabulary_size)
        start_recurrent_weights(self)
        nn.init.normal_(self.target_embedding.weight, std=settings.width**-0.5)
        self.vocabulary.weight = self.target_embedding.weight
        self.encoder = Vit(settings.encoder)  # last: it has given itself its first weights

    def forward(
        self, images: Tensor, target_ids: Tensor, target_keep: Tensor | None = None, trace: Trace | None = None
    ) -> Tensor:
        """Return logits (B, T, V): at each position, what comes after the caption so far."""
        return self.vocabulary(self.hidden(images, target_ids, target_keep, trace))

    def hidden(
        self, images: Tensor, target_ids: Tensor, target_keep: Tensor | None = None, trace: Trace | None = None
    ) -> Tensor:
        """Return the decoder's last vectors (B, T, D). Padding stands at the end, where it changes nothing."""
        memory_BSD = self._memory(images, trace)
        return self.decoded(memory_BSD, self._first_state(memory_BSD), None, target_ids, trace)

    def start(self, images: Tensor) -> RnnState:
        """Return the state before the first step: the picture is looked at once."""
        memory_BSD = self._memory(images)
        return self.begin(memory_BSD, self._first_state(memory_BSD), None)

    def _memory(self, images: Tensor, trace: Trace | None = None) -> Tensor:
        return self.bridge(self.encoder.hidden(images, trace))

    def _first_state(self, memory_BSD: Tensor) -> RecurrentState:
        """Return the thought vector: what the mean of the patches says (Xu et al. 2015, section 3.1.2)."""
        settings = self.settings
        mean_BD = memory_BSD[:, self.encoder.patches_begin :].mean(dim=1)
        first_LBD = self.first(mean_BD).tanh().view(-1, settings.layers, settings.width).transpose(0, 1).contiguous()
        # An LSTM's cells begin empty: what it knows of the picture is in its first output.
        return (first_LBD, torch.zeros_like(first_LBD)) if settings.cell == "lstm" else (first_LBD,)


Captioner = TransformerCaptioner | RnnCaptioner


def build_captioner(settings: CaptionerSettings, vocabulary_size: int) -> Captioner:
    """Return the model with fresh weights."""
    match settings:
        case TransformerCaptionerSettings():
            return TransformerCaptioner(settings, vocabulary_size)
        case RnnCaptionerSettings():
            return RnnCaptioner(settings, vocabulary_size)


def positions_of(encoder: VitSettings) -> int:
    """Return how many vectors a picture gives: its patches, and what stands before them."""
    rows, columns = encoder.grid
    return rows * columns + encoder.registers + (1 if encoder.has_first else 0)


def _build_bridge(settings: CaptionerSettings) -> nn.Module:
    """Return what makes the encoder's vectors as wide as the decoder's."""
    same = settings.encoder.width == settings.width
    return nn.Identity() if same else nn.Linear(settings.encoder.width, settings.width)
