"""A text's vector from a recurrent network: rnn, lstm or gru, read one way or both ways, pooled in four ways."""

from typing import Literal

from torch import Tensor, nn

from heed.errors import SettingsError
from heed.layers.dropout import Dropout
from heed.layers.pooling import LastPooling, build_pooling
from heed.layers.recurrent import CellName, RecurrentEncoder, start_recurrent_weights
from heed.layers.scores import ScoreName
from heed.layers.trace import Trace
from heed.models.ranges import check_shares, check_sizes
from heed.models.text_input import TextInput, refuse_longer, refuse_segments
from heed.settings import settings


@settings
class TextRnnSettings:
    """The default reads both ways; sizes suit some ten thousand texts on two cores."""

    kind: Literal["rnn"] = "rnn"
    cell: CellName = "lstm"
    embedding: int = 200  # E, the size of a word's vector; that of the word vectors, where a file of them is given
    width: int = 256  # D, of the states; both directions have half of it each
    layers: int = 1
    bidirectional: bool = True
    # Of a long text the last state has forgotten the beginning; every other pooling reaches each word directly.
    pooling: Literal["last", "mean", "max", "attention"] = "max"
    score: ScoreName = "additive"  # of pooling=attention
    dropout: float = 0.5  # on words' vectors, between layers and on the text's vector
    word_dropout: float = 0.3  # share of the tokens made unknown in training
    longest: int = 512  # tokens; longer texts are cut, and the cut is counted

    def __post_init__(self) -> None:
        check_sizes({"embedding": self.embedding, "width": self.width, "layers": self.layers, "longest": self.longest})
        check_shares({"dropout": self.dropout, "word_dropout": self.word_dropout})
        if self.bidirectional and self.width % 2:
            raise SettingsError(
                f"model.width is {self.width}; two directions need an even one. "
                f"Use {self.width + 1}, or model.bidirectional=false."
            )


class TextRnn(nn.Module):
    """Texts in, one vector each out; `hidden` has a vector for each token."""

    def __init__(self, settings: TextRnnSettings, vocabulary_size: int) -> None:
        super().__init__()
        self.settings = settings
        self.pooled_width = settings.width
        self.embedding = nn.Embedding(vocabulary_size, settings.embedding)
        self.dropout = Dropout(settings.dropout)
        self.encoder = RecurrentEncoder(
            settings.cell, settings.embedding, settings.width, settings.layers, settings.dropout, settings.bidirectional
        )
        self.pooling = (
            LastPooling(settings.bidirectional)
            if settings.pooling == "last"
            else build_pooling(settings.pooling, settings.width, settings.score, settings.longest)
        )
        self._start_weights()

    def forward(self, text: TextInput, trace: Trace | None = None) -> Tensor:
        """Return (B, D)."""
        return self.pooling(self.hidden(text), text.keep, trace)

    def hidden(self, text: TextInput, trace: Trace | None = None) -> Tensor:
        """Return the states (B, T, D), one for each token; there is no attention in them for a trace to see."""
        refuse_segments(text, "rnn")
        refuse_longer(text, self.settings.longest)
        return self.encoder.memory(self.dropout(self.embedding(text.token_ids)), text.keep)

    def _start_weights(self) -> None:
        nn.init.normal_(self.embedding.weight, std=self.settings.embedding**-0.5)
        start_recurrent_weights(self.encoder)
