"""A language model from a recurrent network: rnn, lstm or gru, whose state carries all that was read so far."""

from dataclasses import dataclass, replace
from typing import Literal

from torch import Tensor, nn

from heed.errors import SettingsError
from heed.layers.dropout import Dropout
from heed.layers.recurrent import (
    CellName,
    RecurrentState,
    build_recurrence,
    reorder_state,
    run,
    start_recurrent_weights,
)
from heed.layers.recurrent_step import advance
from heed.layers.trace import Trace
from heed.models.ranges import check_shares, check_sizes
from heed.settings import settings


@settings
class LanguageRnnSettings:
    """The default learns a megabyte of characters in minutes on two cores."""

    kind: Literal["rnn"] = "rnn"
    cell: CellName = "lstm"
    embedding: int = 128  # E, the size of a token's vector
    width: int = 512  # D, of the state
    layers: int = 1
    dropout: float = 0.1  # on tokens' vectors, between layers and before the vocabulary
    tie: bool = False  # one table for input and output; of use for a vocabulary of words, and needs embedding = width
    longest: int = 64  # tokens of a window: how far back a gradient reaches; the state reaches back without end

    def __post_init__(self) -> None:
        check_sizes({"embedding": self.embedding, "width": self.width, "layers": self.layers, "longest": self.longest})
        check_shares({"dropout": self.dropout})
        if self.tie and self.embedding != self.width:
            raise SettingsError(
                f"model.tie makes one table of input and output, but model.embedding is {self.embedding} and "
                f"model.width is {self.width}. Make them equal, or use model.tie=false."
            )


PRESETS = {cell: LanguageRnnSettings(cell=cell) for cell in ("rnn", "lstm", "gru")}


@dataclass(frozen=True)
class LanguageRnnState:
    """Where writing stands: one recurrent state for each beam."""

    recurrent: RecurrentState  # (L, B * W, D) each
    beams: int  # W
    first_B1V: Tensor | None  # the logits after the prompt, until the first step has handed them over


class LanguageRnn(nn.Module):
    """Tokens in, logits over what comes next out."""

    def __init__(self, settings: LanguageRnnSettings, vocabulary_size: int) -> None:
        super().__init__()
        self.settings = settings
        self.embedding = nn.Embedding(vocabulary_size, settings.embedding)
        self.dropout = Dropout(settings.dropout)
        self.recurrence = build_recurrence(
            settings.cell, settings.embedding, settings.width, settings.layers, settings.dropout
        )
        self.vocabulary = nn.Linear(settings.width, vocabulary_size)
        self._start_weights()
        if settings.tie:
            self.vocabulary.weight = self.embedding.weight

    def forward(self, token_ids: Tensor, keep: Tensor | None = None, trace: Trace | None = None) -> Tensor:
        """Return logits (B, T, V): at each position, what comes after the text so far."""
        return self.vocabulary(self.hidden(token_ids, keep, trace))

    def hidden(self, token_ids: Tensor, keep: Tensor | None = None, trace: Trace | None = None) -> Tensor:
        """Return (B, T, D). Padding stands at the end, too late to matter, and there is no attention to look at."""
        return self.read(token_ids, None)[0]

    def read(self, token_ids: Tensor, state: RecurrentState | None) -> tuple[Tensor, RecurrentState]:
        """Return (B, T, D) and the state after the last token; None: nothing was read before."""
        outputs_BTD, after = run(self.recurrence, self.dropout(self.embedding(token_ids)), state)
        return self.dropout(outputs_BTD), after

    def start(self, prompt_ids: Tensor) -> LanguageRnnState:
        """Return the state after prompts of one length. The first step gives what follows them, whatever its ids."""
        hidden_BTD, recurrent = self.read(prompt_ids, None)
        return LanguageRnnState(recurrent, beams=1, first_B1V=self.vocabulary(hidden_BTD[:, -1:]))

    def step(self, last_ids_BW: Tensor, state: LanguageRnnState) -> tuple[Tensor, LanguageRnnState]:
        """Return logits (B, W, V) for what follows each beam's last token, and the state after it."""
        if state.first_B1V is not None:
            return state.first_B1V, replace(state, first_B1V=None)
        hidden_RD, recurrent = advance(self.recurrence, self.embedding(last_ids_BW.flatten()), state.recurrent)
        logits_BWV = self.vocabulary(hidden_RD).view(*last_ids_BW.shape, -1)
        return logits_BWV, replace(state, recurrent=recurrent)

    def reorder(self, state: LanguageRnnState, sources: Tensor, beams: Tensor) -> LanguageRnnState:
        """Keep the named sources; let new beam w of each continue its old beam `beams[b, w]`."""
        recurrent = reorder_state(state.recurrent, sources, beams, state.beams)
        return LanguageRnnState(recurrent, beams.shape[1], first_B1V=None)

    def _start_weights(self) -> None:
        start_recurrent_weights(self.recurrence)
        nn.init.normal_(self.embedding.weight, std=self.settings.embedding**-0.5)
        nn.init.normal_(self.vocabulary.weight, std=self.settings.width**-0.5)
        nn.init.zeros_(self.vocabulary.bias)
