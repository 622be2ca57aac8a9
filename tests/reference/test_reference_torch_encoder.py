"""The text encoder equals `torch.nn.TransformerEncoder` with copied weights: norm before and after, relu and gelu."""

import pytest
import torch
from torch import Tensor, nn

from heed.layers.masks import keep_from_lengths
from heed.models.encoder import Encoder, EncoderSettings
from heed.models.text_input import TextInput

WIDTH, HEADS, INNER, LAYERS = 12, 3, 20, 2

# torch warns that its encoder has no fast path with the norm before; we compare with the plain one anyway.
pytestmark = [
    pytest.mark.parametrize("activation", ["relu", "gelu"]),
    pytest.mark.parametrize("norm_place", ["before", "after"]),
    pytest.mark.filterwarnings("ignore:enable_nested_tensor is True"),
]


def our_encoder(norm_place: str, activation: str, pooling: str = "mean") -> Encoder:
    """Return an encoder with every parameter moved, so that no bias is zero and no norm is one."""
    torch.manual_seed(2)
    settings = EncoderSettings(
        width=WIDTH, heads=HEADS, feedforward=INNER, layers=LAYERS, norm_place=norm_place, activation=activation,
        pooling=pooling, positions="sinusoid", longest=9,
    )  # fmt: skip
    model = Encoder(settings, vocabulary_size=7).eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(0.2 * torch.randn_like(parameter))
    return model


def torch_encoder(ours: Encoder, norm_place: str, activation: str) -> nn.TransformerEncoder:
    layer = nn.TransformerEncoderLayer(
        WIDTH, HEADS, INNER, 0.0, activation, batch_first=True, norm_first=norm_place == "before"
    )
    theirs = nn.TransformerEncoder(layer, LAYERS, ours.encoder_norm.norm if norm_place == "before" else None)
    for block, copy in zip(ours.encoder, theirs.layers, strict=True):
        copy.self_attn.in_proj_weight.data.copy_(block.attention.project.weight)
        copy.self_attn.in_proj_bias.data.copy_(block.attention.project.bias)
        copy.self_attn.out_proj.load_state_dict(block.attention.output.state_dict())
        copy.linear1.load_state_dict(block.feedforward.widen.state_dict())
        copy.linear2.load_state_dict(block.feedforward.narrow.state_dict())
        copy.norm1.load_state_dict(block.around_attention.norm.norm.state_dict())
        copy.norm2.load_state_dict(block.around_feedforward.norm.norm.state_dict())
    return theirs.eval()


def batch() -> TextInput:
    ids = torch.arange(15).reshape(3, 5) % 7
    return TextInput(ids, keep_from_lengths(torch.tensor([5, 1, 3]), 5))


def embedded(ours: Encoder, text: TextInput) -> Tensor:
    return ours.positions(ours.embedding(text.token_ids) * WIDTH**0.5)


@torch.no_grad()
def test_hidden_vectors_equal_those_of_torch(norm_place: str, activation: str) -> None:
    ours, text = our_encoder(norm_place, activation), batch()
    theirs = torch_encoder(ours, norm_place, activation)
    expected_BTD = theirs(embedded(ours, text), src_key_padding_mask=~text.keep)
    torch.testing.assert_close(ours.hidden(text)[text.keep], expected_BTD[text.keep], atol=1e-5, rtol=1e-5)


@torch.no_grad()
def test_the_mean_equals_that_of_torch_run_text_by_text(norm_place: str, activation: str) -> None:
    ours, text = our_encoder(norm_place, activation), batch()
    theirs = torch_encoder(ours, norm_place, activation)
    x_BTD, pooled_BD = embedded(ours, text), ours(text)
    for row, length in enumerate((5, 1, 3)):
        expected_D = theirs(x_BTD[row : row + 1, :length])[0].mean(dim=0)
        torch.testing.assert_close(pooled_BD[row], expected_D, atol=1e-5, rtol=1e-5)


@torch.no_grad()
def test_the_vector_in_front_equals_torch_given_one_more_word(norm_place: str, activation: str) -> None:
    ours, text = our_encoder(norm_place, activation, "first"), batch()
    theirs = torch_encoder(ours, norm_place, activation)
    words_BTD = torch.cat([ours.first_D.expand(3, 1, WIDTH), ours.embedding(text.token_ids)], dim=1)
    keep = torch.cat([torch.ones(3, 1, dtype=torch.bool), text.keep], dim=1)
    expected_BTD = theirs(ours.positions(words_BTD * WIDTH**0.5), src_key_padding_mask=~keep)
    torch.testing.assert_close(ours(text), expected_BTD[:, 0], atol=1e-5, rtol=1e-5)
