"""The encoder-decoder Transformer of the decks (Vaswani et al. 2017), every choice of the decks a choice of parts."""

from typing import Literal

from torch import Tensor, nn

from heed.errors import SettingsError
from heed.layers.dropout import Dropout
from heed.layers.feedforward import ActivationName
from heed.layers.masks import attend_to_real
from heed.layers.norms import NormName
from heed.layers.positions import PositionsName, build_adder
from heed.layers.scores import ScoreName
from heed.layers.trace import Trace
from heed.models.block_settings import build_encoder_block, build_last_norm, check_block, start_weights
from heed.models.ranges import check_longest, check_sizes
from heed.models.transformer_decoding import TransformerDecoding, TransformerState, build_decoder_block
from heed.settings import settings


@settings
class TransformerSettings:
    """The default trains in minutes on two cores; `base` is the paper's."""

    kind: Literal["transformer"] = "transformer"
    width: int = 256  # D, the size of a token's vector everywhere
    heads: int = 4  # each head has width / heads numbers
    encoder_layers: int = 3
    decoder_layers: int = 3
    feedforward: int = 1024  # inner width; the paper's four times the width
    dropout: float = 0.1  # after embedding and each sublayer
    attention_dropout: float = 0.0  # other than 0 rules out the fused kernel in training
    positions: PositionsName = "sinusoid"
    score: ScoreName = "scaled"
    norm: NormName = "layer"
    norm_place: Literal["before", "after"] = "before"  # before learns without a long warm-up; the paper has after
    activation: ActivationName = "relu"
    residual: bool = True
    tie: Literal["all", "output", "none"] = "all"  # which of source, target and output tables are one
    longest: int = 256  # positions that exist; longer texts are cut, and the cut is counted

    def __post_init__(self) -> None:
        check_block(self)
        check_sizes({"encoder_layers": self.encoder_layers, "decoder_layers": self.decoder_layers})
        check_longest(self.longest)


PRESETS = {
    "transformer": TransformerSettings(),
    "transformer-tiny": TransformerSettings(
        width=128, heads=4, encoder_layers=4, decoder_layers=4, feedforward=256, dropout=0.3
    ),
    "transformer-small": TransformerSettings(width=256, heads=4, encoder_layers=3, decoder_layers=3, feedforward=1024),
    "transformer-base": TransformerSettings(
        width=512, heads=8, encoder_layers=6, decoder_layers=6, feedforward=2048, norm_place="after"
    ),
}


class Transformer(TransformerDecoding):
    """Source tokens in, logits over the target vocabulary out."""

    def __init__(self, settings: TransformerSettings, source_size: int, target_size: int) -> None:
        super().__init__()
        self.settings = settings
        if settings.tie == "all" and source_size != target_size:
            raise SettingsError(
                f"model.tie=all needs one vocabulary for both sides; the source has {source_size} pieces, "
                f"the target {target_size}. Use shared_tokens=true or model.tie=output."
            )
        self.source_embedding = nn.Embedding(source_size, settings.width)
        self.target_embedding = (
            self.source_embedding if settings.tie == "all" else nn.Embedding(target_size, settings.width)
        )
        self.source_positions = build_adder(settings.positions, settings.longest, settings.width)
        self.target_positions = build_adder(settings.positions, settings.longest, settings.width)
        self.dropout = Dropout(settings.dropout)
        self.encoder = nn.ModuleList(
            build_encoder_block(settings, layer, settings.longest) for layer in range(settings.encoder_layers)
        )
        self.decoder = nn.ModuleList(
            build_decoder_block(settings, layer, settings.longest, settings.longest)
            for layer in range(settings.decoder_layers)
        )
        self.encoder_norm = build_last_norm(settings)
        self.decoder_norm = build_last_norm(settings)
        self.vocabulary = nn.Linear(settings.width, target_size)
        start_weights(self, settings.width)
        if settings.tie != "none":
            self.vocabulary.weight = self.target_embedding.weight

    def forward(
        self,
        source_ids: Tensor,
        source_keep: Tensor,
        target_ids: Tensor,
        target_keep: Tensor | None = None,
        trace: Trace | None = None,
    ) -> Tensor:
        """Return logits (B, T, V): at each position, what comes after the target so far."""
        return self.vocabulary(self.hidden(source_ids, source_keep, target_ids, target_keep, trace))

    def hidden(
        self,
        source_ids: Tensor,
        source_keep: Tensor,
        target_ids: Tensor,
        target_keep: Tensor | None = None,
        trace: Trace | None = None,
    ) -> Tensor:
        """Return the decoder's last vectors (B, T, D): a loss needs the logits of real tokens only."""
        memory_BSD = self.encode(source_ids, source_keep, trace)
        return self.decoded(memory_BSD, attend_to_real(source_keep), target_ids, target_keep, trace)

    def encode(self, source_ids: Tensor, source_keep: Tensor, trace: Trace | None = None) -> Tensor:
        """Return the memory (B, S, D)."""
        source_mask = attend_to_real(source_keep)
        x_BSD = self.dropout(self.source_positions(self._embed(self.source_embedding, source_ids)))
        for block in self.encoder:
            x_BSD = block(x_BSD, source_keep, source_mask, trace)
        return self.encoder_norm(x_BSD, source_keep)

    def start(self, source_ids: Tensor, source_keep: Tensor) -> TransformerState:
        """Return the state before the first step: the source is read once."""
        return self.begin(self.encode(source_ids, source_keep), attend_to_real(source_keep))
