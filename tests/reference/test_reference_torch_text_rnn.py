"""The recurrent text model equals torch's own networks run text by text, without padding, and pooled in plain words."""

import pytest
import torch
from torch import Tensor, nn

from heed.layers.masks import keep_from_lengths
from heed.models.text_input import TextInput
from heed.models.text_rnn import TextRnn, TextRnnSettings

LENGTHS = (2, 7, 1, 4)
CELLS = {"rnn": nn.RNN, "lstm": nn.LSTM, "gru": nn.GRU}


def expected(model: TextRnn, outputs_TD: Tensor, last_XD: Tensor, both: bool) -> Tensor:
    """Return the pooled vector (D,) of one text, from torch's outputs and last states (layers and directions, D)."""
    match model.settings.pooling:
        case "last":
            return torch.cat([last_XD[-2], last_XD[-1]]) if both else last_XD[-1]
        case "mean":
            return outputs_TD.mean(dim=0)
        case "max":
            return outputs_TD.amax(dim=0)
        case "attention":
            # Bahdanau's score of the learnt query and each state: v . tanh(W q + U h).
            score, query_D = model.pooling.attend.score, model.pooling.query_D
            asked_D = query_D @ score.query_weight_HKK[0]
            scores_T = torch.tanh(asked_D + outputs_TD @ score.key_weight_HKK[0]) @ score.sum_weight_HK[0]
            return scores_T.softmax(dim=0) @ outputs_TD


@torch.no_grad()
@pytest.mark.parametrize("pooling", ["last", "mean", "max", "attention"])
@pytest.mark.parametrize("both", [False, True], ids=["one way", "both ways"])
@pytest.mark.parametrize("layers", [1, 2])
@pytest.mark.parametrize("cell", CELLS)
def test_pooled_texts_equal_those_of_torch_run_text_by_text(cell: str, layers: int, both: bool, pooling: str) -> None:
    torch.manual_seed(1)
    settings = TextRnnSettings(
        cell=cell, embedding=5, width=6, layers=layers, bidirectional=both, pooling=pooling, longest=7
    )
    model = TextRnn(settings, vocabulary_size=11).eval()
    theirs = CELLS[cell](5, 3 if both else 6, layers, batch_first=True, bidirectional=both)
    theirs.load_state_dict(model.encoder.recurrence.state_dict())
    ids = torch.randint(11, (4, 7))
    pooled_BD = model(TextInput(ids, keep_from_lengths(torch.tensor(LENGTHS), 7)))
    for row, length in enumerate(LENGTHS):
        outputs_1TD, last = theirs(model.embedding(ids[row : row + 1, :length]))
        last_X1D = last[0] if isinstance(last, tuple) else last
        text_D = expected(model, outputs_1TD[0], last_X1D[:, 0], both)
        torch.testing.assert_close(pooled_BD[row], text_D, atol=1e-6, rtol=1e-5)
