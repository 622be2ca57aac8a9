"""Recurrent parts: an encoder, and decoders without attention, with Luong's and with Bahdanau's.

A recurrent state is a tuple of (L, B, D) tensors: one for rnn and gru, two (hidden and cell) for lstm. Decoders work on
(B, T, D) in training and on (B, W, D) when decoding, where W beams of one source share its memory.
"""

from typing import Literal, TypeVar

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import PackedSequence, pack_padded_sequence, pad_packed_sequence

from heed.layers.attention import Attend
from heed.layers.dropout import Dropout, keep_or_drop
from heed.layers.trace import Trace

CellName = Literal["rnn", "lstm", "gru"]
RecurrentState = tuple[Tensor, ...]
Memory = tuple[Tensor, Tensor]  # keys and values of a source, as `prepare` makes them
Steps = TypeVar("Steps", Tensor, PackedSequence)


def build_recurrence(
    cell: CellName, input_width: int, width: int, layers: int, dropout: float, bidirectional: bool = False
) -> nn.RNNBase:
    """Return torch's own recurrence; dropout stands between layers, so one layer has none."""
    kind = {"rnn": nn.RNN, "lstm": nn.LSTM, "gru": nn.GRU}[cell]
    between = dropout if layers > 1 else 0.0
    return kind(input_width, width, layers, batch_first=True, dropout=between, bidirectional=bidirectional)


def start_recurrent_weights(module: nn.Module) -> None:
    """Make what goes from state to state orthogonal, and biases zero; leave everything else as it is."""
    for name, parameter in module.named_parameters():
        if "weight_hh" in name:
            # Orthogonal blocks keep gradients alive over many steps (Saxe et al. 2014).
            for block in parameter.data.chunk(len(parameter) // parameter.shape[1]):
                nn.init.orthogonal_(block)
        elif "bias" in name:
            nn.init.zeros_(parameter)


def run(recurrence: nn.RNNBase, x: Steps, state: RecurrentState | None) -> tuple[Steps, RecurrentState]:
    """Return outputs and state; a state is always a tuple, whichever the cell."""
    if drops_between_layers(recurrence) and isinstance(x, Tensor):
        return _run_layer_by_layer(recurrence, x, state)
    given = state[0] if state is not None and len(state) == 1 else state
    outputs, after = recurrence(x, given)
    return outputs, after if isinstance(after, tuple) else (after,)


def drops_between_layers(recurrence: nn.RNNBase) -> bool:
    """Tell whether a recurrence must be read layer by layer: torch's own dropout would draw by batch."""
    return recurrence.training and recurrence.dropout > 0 and recurrence.num_layers > 1


def _run_layer_by_layer(
    recurrence: nn.RNNBase, x_BTE: Tensor, state: RecurrentState | None
) -> tuple[Tensor, RecurrentState]:
    """Return what `run` does, of a recurrence that goes one way, with dropout between its layers."""
    states = []
    for layer in range(recurrence.num_layers):
        if layer:
            x_BTE = x_BTE * keep_or_drop(x_BTE, recurrence.dropout, recurrence)
        before = None if state is None else tuple(each[layer : layer + 1] for each in state)
        x_BTE, after = _one_way(recurrence, x_BTE, f"l{layer}", before)
        states.append(after)
    return x_BTE, tuple(torch.cat(each) for each in zip(*states, strict=True))


class RecurrentEncoder(nn.Module):
    """Reads the source; what it says of a text does not depend on the padding behind it."""

    def __init__(
        self, cell: CellName, input_width: int, width: int, layers: int, dropout: float, bidirectional: bool
    ) -> None:
        super().__init__()
        directions = 2 if bidirectional else 1
        self.recurrence = build_recurrence(cell, input_width, width // directions, layers, dropout, bidirectional)

    def forward(self, x_BSE: Tensor, keep: Tensor) -> tuple[Tensor, RecurrentState]:
        """Return the memory (B, S, D), zeros at padding, and each layer's last state, both directions side by side."""
        if isinstance(self.recurrence, nn.LSTM):
            return self._read_packed(x_BSE, keep)
        memory_BSD, last_LBD = self._read_padded(x_BSE, keep)
        return memory_BSD, (last_LBD,)

    def memory(self, x_BSE: Tensor, keep: Tensor) -> Tensor:
        """Return the memory alone, which is quicker to have of an LSTM."""
        return self._read_padded(x_BSE, keep)[0]

    def _read_packed(self, x_BSE: Tensor, keep: Tensor) -> tuple[Tensor, RecurrentState]:
        """Read without padding: the last cells of an LSTM cannot be found among its outputs."""
        if drops_between_layers(self.recurrence):
            return self._read_packed_layers(x_BSE, keep)
        packed = pack_padded_sequence(x_BSE, keep.sum(dim=1).cpu(), batch_first=True, enforce_sorted=False)
        outputs, state = run(self.recurrence, packed, None)
        memory_BSD, _ = pad_packed_sequence(outputs, batch_first=True, total_length=x_BSE.shape[1])
        return memory_BSD, tuple(self._join_directions(each) for each in state)

    def _read_packed_layers(self, x_BSE: Tensor, keep: Tensor) -> tuple[Tensor, RecurrentState]:
        """Read layer by layer, with dropout between: each is padded again, so that every example draws by itself."""
        recurrence, states = self.recurrence, []
        directions = ["", "_reverse"] if recurrence.bidirectional else [""]
        start_XBD = x_BSE.new_zeros(len(directions), len(x_BSE), recurrence.hidden_size)
        for layer in range(recurrence.num_layers):
            if layer:
                x_BSE = x_BSE * keep_or_drop(x_BSE, recurrence.dropout, recurrence)
            packed = pack_padded_sequence(x_BSE, keep.sum(dim=1).cpu(), batch_first=True, enforce_sorted=False)
            weights = [each for way in directions for each in _weights_of(recurrence, f"l{layer}{way}")]
            start, both = (start_XBD, start_XBD), recurrence.bidirectional
            # The last five: has biases, layers, dropout, training (for the dropout), both directions.
            data, *state = torch.lstm(packed.data, packed.batch_sizes, start, weights, True, 1, 0.0, False, both)
            outputs = PackedSequence(data, packed.batch_sizes, packed.sorted_indices, packed.unsorted_indices)
            x_BSE, _ = pad_packed_sequence(outputs, batch_first=True, total_length=keep.shape[1])
            states.append([self._join_directions(each[:, packed.unsorted_indices]) for each in state])
        return x_BSE, tuple(torch.cat(each) for each in zip(*states, strict=True))

    def _join_directions(self, state_XBD: Tensor) -> Tensor:
        if not self.recurrence.bidirectional:
            return state_XBD
        return torch.cat([state_XBD[0::2], state_XBD[1::2]], dim=-1)

    def _read_padded(self, x_BSE: Tensor, keep: Tensor) -> tuple[Tensor, Tensor]:
        """Read padding too, but always after the text, so that it is too late to matter; return also the last outputs.

        torch multiplies the inputs of all steps at once here, and step by step when they are packed: this is 1.5
        to 2.2 times as fast (`benchmarks/recurrent.py`).
        """
        recurrence, (texts, positions) = self.recurrence, keep.shape
        rows_B, last_B = torch.arange(texts, device=keep.device), keep.sum(dim=1) - 1
        places_S = torch.arange(positions, device=keep.device)
        # Each text back to front, with its padding where it was; turning twice is turning back.
        turned_BS = torch.where(keep, last_B[:, None] - places_S, places_S)
        states = []
        for layer in range(recurrence.num_layers):
            if layer and drops_between_layers(recurrence):
                x_BSE = x_BSE * keep_or_drop(x_BSE, recurrence.dropout, recurrence)
            ways = [_one_way(recurrence, x_BSE, f"l{layer}")[0]]
            lasts = [ways[0][rows_B, last_B]]
            if recurrence.bidirectional:
                back_BSD, _ = _one_way(recurrence, x_BSE[rows_B[:, None], turned_BS], f"l{layer}_reverse")
                ways.append(back_BSD[rows_B[:, None], turned_BS])
                lasts.append(back_BSD[rows_B, last_B])
            x_BSE = torch.cat(ways, dim=-1)
            states.append(torch.cat(lasts, dim=-1))
        return x_BSE * keep[..., None], torch.stack(states)


def _one_way(
    recurrence: nn.RNNBase, x_BSE: Tensor, name: str, state: RecurrentState | None = None
) -> tuple[Tensor, RecurrentState]:
    """Return the outputs (B, S, D) of one layer in one direction, and its state (1, B, D) after the last."""
    weights = _weights_of(recurrence, name)
    start_1BD = x_BSE.new_zeros(1, len(x_BSE), recurrence.hidden_size)
    # The last six: has biases, layers, dropout, training (for the dropout), both directions, batch first.
    if isinstance(recurrence, nn.LSTM):
        outputs_BSD, *after = torch.lstm(
            x_BSE, state or (start_1BD, start_1BD), weights, True, 1, 0.0, False, False, True
        )
        return outputs_BSD, tuple(after)
    read = torch.gru if isinstance(recurrence, nn.GRU) else torch.rnn_tanh
    (before_1BD,) = state or (start_1BD,)
    outputs_BSD, after_1BD = read(x_BSE, before_1BD, weights, True, 1, 0.0, False, False, True)
    return outputs_BSD, (after_1BD,)


def _weights_of(recurrence: nn.RNNBase, name: str) -> list[Tensor]:
    """Return the weights of one layer in one direction, as torch's functions take them."""
    return [getattr(recurrence, f"{part}_{name}") for part in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")]


class RecurrentAttention(nn.Module):
    """One head, no projections: the decoder's state itself asks the encoder's states."""

    def __init__(self, attend: Attend) -> None:
        super().__init__()
        self.attend = attend

    def prepare(self, memory_BSD: Tensor) -> Memory:
        """Return keys and values (B, 1, S, D) of a memory."""
        values_B1SD = memory_BSD.unsqueeze(1)
        return self.attend.score.prepare(values_B1SD), values_B1SD

    def forward(
        self, query_BTD: Tensor, memory: Memory, may_attend: Tensor | None, trace: Trace | None = None
    ) -> Tensor:
        """Return the contexts (B, T, D)."""
        return self.attend(query_BTD.unsqueeze(1), *memory, may_attend, trace).squeeze(1)


class PlainDecoder(nn.Module):
    """No attention: the encoder's last state, the thought vector, is all that is known of the source."""

    def __init__(self, recurrence: nn.RNNBase, dropout: float) -> None:
        super().__init__()
        self.recurrence = recurrence
        self.dropout = Dropout(dropout)

    def prepare(self, memory_BSD: Tensor) -> Memory:
        """Return keys and values of no places at all: this decoder never looks back."""
        nothing_B0D = memory_BSD[:, :0]
        return nothing_B0D, nothing_B0D

    def forward(
        self,
        x_BTE: Tensor,
        state: RecurrentState,
        memory: Memory,
        may_attend: Tensor | None,
        trace: Trace | None = None,
    ) -> Tensor:
        """Return (B, T, D), all steps at once."""
        return self.dropout(run(self.recurrence, x_BTE, state)[0])

    def step(
        self, x_BWE: Tensor, state: RecurrentState, memory: Memory, may_attend: Tensor | None
    ) -> tuple[Tensor, RecurrentState]:
        """Return (B, W, D) and the state after one step of every beam."""
        return _step(self.recurrence, x_BWE, state)


class LuongDecoder(nn.Module):
    """The new state asks (Luong et al. 2015, eq. 5): in training the recurrence runs over all steps at once."""

    def __init__(self, recurrence: nn.RNNBase, attention: RecurrentAttention, dropout: float) -> None:
        super().__init__()
        self.recurrence = recurrence
        self.attention = attention
        self.dropout = Dropout(dropout)
        self.readout = nn.Linear(2 * recurrence.hidden_size, recurrence.hidden_size)

    def prepare(self, memory_BSD: Tensor) -> Memory:
        """Return keys and values of the memory."""
        return self.attention.prepare(memory_BSD)

    def forward(
        self,
        x_BTE: Tensor,
        state: RecurrentState,
        memory: Memory,
        may_attend: Tensor | None,
        trace: Trace | None = None,
    ) -> Tensor:
        """Return (B, T, D)."""
        outputs_BTD, _ = run(self.recurrence, x_BTE, state)
        return self._read(outputs_BTD, self.attention(outputs_BTD, memory, may_attend, trace))

    def step(
        self, x_BWE: Tensor, state: RecurrentState, memory: Memory, may_attend: Tensor | None
    ) -> tuple[Tensor, RecurrentState]:
        """Return (B, W, D) and the state after one step of every beam."""
        outputs_BWD, state = _step(self.recurrence, x_BWE, state)
        return self._read(outputs_BWD, self.attention(outputs_BWD, memory, may_attend)), state

    def _read(self, outputs_BTD: Tensor, contexts_BTD: Tensor) -> Tensor:
        return torch.tanh(self.readout(self.dropout(torch.cat([contexts_BTD, outputs_BTD], dim=-1))))


class BahdanauDecoder(nn.Module):
    """The previous state asks (Bahdanau et al. 2015, eq. 6); the next input holds what it found, so steps go singly."""

    def __init__(self, recurrence: nn.RNNBase, attention: RecurrentAttention, dropout: float) -> None:
        super().__init__()
        self.recurrence = recurrence
        self.attention = attention
        self.dropout = Dropout(dropout)
        self.readout = nn.Linear(recurrence.input_size + recurrence.hidden_size, recurrence.hidden_size)

    def prepare(self, memory_BSD: Tensor) -> Memory:
        """Return keys and values of the memory."""
        return self.attention.prepare(memory_BSD)

    def forward(
        self,
        x_BTE: Tensor,
        state: RecurrentState,
        memory: Memory,
        may_attend: Tensor | None,
        trace: Trace | None = None,
    ) -> Tensor:
        """Return (B, T, D)."""
        seen, rows, site = [], [], self.attention.attend.site
        for x_B1E in x_BTE.chunk(x_BTE.shape[1], dim=1):
            at_this_step = Trace(*trace.patterns) if trace is not None else None
            hidden_B1D, state = self._advance(x_B1E, state, memory, may_attend, at_this_step)
            rows.append(hidden_B1D)
            if at_this_step is not None and site in at_this_step.weights:
                seen.append(at_this_step.weights[site])
        if trace is not None and seen:
            trace.record(site, torch.cat(seen, dim=2))
        return self._read(torch.cat(rows, dim=1))

    def step(
        self, x_BWE: Tensor, state: RecurrentState, memory: Memory, may_attend: Tensor | None
    ) -> tuple[Tensor, RecurrentState]:
        """Return (B, W, D) and the state after one step of every beam."""
        hidden_BWX, state = self._advance(x_BWE, state, memory, may_attend, None)
        return self._read(hidden_BWX), state

    def _advance(
        self,
        x_BWE: Tensor,
        state: RecurrentState,
        memory: Memory,
        may_attend: Tensor | None,
        trace: Trace | None,
    ) -> tuple[Tensor, RecurrentState]:
        """Return input, context and output side by side (they are read all at once later), and the next state."""
        previous_BWD = state[0][-1].view(*x_BWE.shape[:2], -1)
        context_BWD = self.attention(previous_BWD, memory, may_attend, trace)
        input_BWX = torch.cat([x_BWE, context_BWD], dim=-1)
        output_BWD, state = _step(self.recurrence, input_BWX, state)
        return torch.cat([input_BWX, output_BWD], dim=-1), state

    def _read(self, seen_BTX: Tensor) -> Tensor:
        return torch.tanh(self.readout(self.dropout(seen_BTX)))


def reorder_state(state: RecurrentState, sources: Tensor, beams: Tensor, width: int) -> RecurrentState:
    """Return the state of the chosen beams; `width` is how many beams each source had."""
    rows_R = (sources[:, None] * width + beams).flatten()
    return tuple(each[:, rows_R] for each in state)


def _step(recurrence: nn.RNNBase, x_BWE: Tensor, state: RecurrentState) -> tuple[Tensor, RecurrentState]:
    outputs_R1D, state = run(recurrence, x_BWE.flatten(0, 1).unsqueeze(1), state)
    return outputs_R1D.view(*x_BWE.shape[:2], -1), state
