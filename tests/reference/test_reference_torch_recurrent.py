"""The recurrent encoder and decoders equal plain runs of torch's cells, row by row and without padding."""

import pytest
import torch
from torch import Tensor, nn

from heed.layers.masks import keep_from_lengths
from heed.layers.recurrent import RecurrentEncoder
from heed.models.rnn_seq2seq import RnnSeq2Seq, RnnSettings

LENGTHS = (2, 7, 4)
CELLS = {"rnn": nn.RNN, "lstm": nn.LSTM, "gru": nn.GRU}


def joined(state: Tensor | tuple[Tensor, ...], both: bool) -> list[Tensor]:
    """Return each state as (L, B, D), forward and backward side by side, written out the long way."""
    states = state if isinstance(state, tuple) else (state,)
    if not both:
        return list(states)
    layers = len(states[0]) // 2
    return [torch.stack([torch.cat([s[2 * n], s[2 * n + 1]], dim=-1) for n in range(layers)]) for s in states]


@torch.no_grad()
@pytest.mark.parametrize("both", [False, True], ids=["one way", "both ways"])
@pytest.mark.parametrize("layers", [1, 2])
@pytest.mark.parametrize("cell", CELLS)
def test_the_encoder_equals_an_unpadded_run_of_each_row(cell: str, layers: int, both: bool) -> None:
    torch.manual_seed(1)
    encoder = RecurrentEncoder(cell, input_width=5, width=6, layers=layers, dropout=0.0, bidirectional=both)
    theirs = CELLS[cell](5, 3 if both else 6, layers, batch_first=True, bidirectional=both)
    theirs.load_state_dict(encoder.recurrence.state_dict())
    x_BSE = torch.randn(3, 7, 5)
    memory_BSD, state = encoder(x_BSE, keep_from_lengths(torch.tensor(LENGTHS), 7))
    for row, length in enumerate(LENGTHS):
        outputs_1SD, last = theirs(x_BSE[row : row + 1, :length])
        torch.testing.assert_close(memory_BSD[row : row + 1, :length], outputs_1SD)
        assert (memory_BSD[row, length:] == 0).all()
        for ours_LBD, theirs_L1D in zip(state, joined(last, both), strict=True):
            torch.testing.assert_close(ours_LBD[:, row : row + 1], theirs_L1D)


class Stack:
    """GRU cells above each other, advanced by hand, with the weights of a recurrence."""

    def __init__(self, recurrence: nn.GRU, state_L1D: Tensor) -> None:
        self.states = list(state_L1D[:, 0])
        weights = recurrence.state_dict()
        self.cells = []
        for layer in range(recurrence.num_layers):
            cell = nn.GRUCell(weights[f"weight_ih_l{layer}"].shape[1], recurrence.hidden_size)
            cell.load_state_dict({name: weights[f"{name}_l{layer}"] for name in cell.state_dict()})
            self.cells.append(cell)

    @property
    def top(self) -> Tensor:
        """Return the state of the uppermost layer."""
        return self.states[-1]

    def advance(self, x_D: Tensor) -> Tensor:
        """Return the top state after one more input."""
        for layer, cell in enumerate(self.cells):
            x_D = self.states[layer] = cell(x_D, self.states[layer])
        return self.top


def small_model(order: str, attention: str, layers: int) -> RnnSeq2Seq:
    torch.manual_seed(3)
    settings = RnnSettings(
        cell="gru", width=6, layers=layers, attention=attention, order=order, dropout=0.0, tie="none"
    )
    return RnnSeq2Seq(settings, source_size=7, target_size=11).eval()


def read_source(model: RnnSeq2Seq) -> tuple[Tensor, Stack]:
    """Return the encoder's states (S, D), and the decoder as it stands before its first step."""
    memory_1SD, (state_L1D,) = model.encoder(model.source_embedding(SOURCE_IDS), SOURCE_KEEP)
    return memory_1SD[0], Stack(model.decoder.recurrence, state_L1D)


SOURCE_IDS, TARGET_IDS = torch.tensor([[3, 1, 6, 2]]), torch.tensor([[5, 9, 0]])
SOURCE_KEEP = torch.ones(1, 4, dtype=torch.bool)


LAYERS = pytest.mark.parametrize("layers", [1, 2])


@LAYERS
@torch.no_grad()
def test_luong_equals_his_equations_written_out(layers: int) -> None:
    model = small_model("luong", "dot", layers)
    (h_SD, decoder), logits = read_source(model), []
    for x_D in model.target_embedding(TARGET_IDS)[0]:
        s_D = decoder.advance(x_D)
        context_D = (h_SD @ s_D).softmax(dim=0) @ h_SD
        logits.append(model.vocabulary(torch.tanh(model.decoder.readout(torch.cat([context_D, s_D])))))
    torch.testing.assert_close(model(SOURCE_IDS, SOURCE_KEEP, TARGET_IDS)[0], torch.stack(logits))


@LAYERS
@torch.no_grad()
def test_bahdanau_equals_his_equations_written_out(layers: int) -> None:
    model = small_model("bahdanau", "additive", layers)
    score = model.decoder.attention.attend.score
    (h_SD, decoder), logits = read_source(model), []
    for x_D in model.target_embedding(TARGET_IDS)[0]:
        hidden_SD = torch.tanh(decoder.top @ score.query_weight_HKK[0] + h_SD @ score.key_weight_HKK[0])
        context_D = (hidden_SD @ score.sum_weight_HK[0]).softmax(dim=0) @ h_SD
        s_D = decoder.advance(torch.cat([x_D, context_D]))
        logits.append(model.vocabulary(torch.tanh(model.decoder.readout(torch.cat([x_D, context_D, s_D])))))
    torch.testing.assert_close(model(SOURCE_IDS, SOURCE_KEEP, TARGET_IDS)[0], torch.stack(logits))


@LAYERS
@torch.no_grad()
def test_the_thought_vector_alone_starts_the_plain_decoder(layers: int) -> None:
    model = small_model("luong", "none", layers)
    _, decoder = read_source(model)
    logits = [model.vocabulary(decoder.advance(x_D)) for x_D in model.target_embedding(TARGET_IDS)[0]]
    torch.testing.assert_close(model(SOURCE_IDS, SOURCE_KEEP, TARGET_IDS)[0], torch.stack(logits))
