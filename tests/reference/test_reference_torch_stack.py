"""Blocks and the whole Transformer equal torch's own, norm before and after, relu and gelu, with copied weights."""

import math
from collections.abc import Callable

import pytest
import torch
from torch import Tensor, nn

from heed.layers.attention import CrossAttention, SelfAttention
from heed.layers.blocks import AddAndNorm, DecoderBlock, EncoderBlock
from heed.layers.feedforward import FeedForward
from heed.layers.masks import attend_to_real, keep_from_lengths
from heed.models.transformer import Transformer, TransformerSettings

WIDTH, HEADS, INNER = 12, 3, 20
SOURCE_KEEP = keep_from_lengths(torch.tensor([5, 2]), 5)
FUTURE_TT = torch.ones(4, 4, dtype=torch.bool).triu(diagonal=1)

# torch warns that its encoder has no fast path with the norm before; we compare with the plain one anyway.
pytestmark = [
    pytest.mark.parametrize("activation", ["relu", "gelu"]),
    pytest.mark.parametrize("norm_place", ["before", "after"]),
    pytest.mark.filterwarnings("ignore:enable_nested_tensor is True"),
]


def shaken(module: nn.Module) -> nn.Module:
    """Return the module with every parameter moved, so that no bias is zero and no norm is one."""
    with torch.no_grad():
        for parameter in module.parameters():
            parameter.add_(0.2 * torch.randn_like(parameter))
    return module


def our_model(norm_place: str, activation: str) -> Transformer:
    torch.manual_seed(2)
    settings = TransformerSettings(
        width=WIDTH, heads=HEADS, feedforward=INNER, encoder_layers=2, decoder_layers=2, dropout=0.0,
        norm_place=norm_place, activation=activation, tie="none", longest=9,
    )  # fmt: skip
    return shaken(Transformer(settings, source_size=7, target_size=11)).eval()


def torch_layer(kind: Callable[..., nn.Module], norm_place: str, activation: str) -> nn.Module:
    return kind(WIDTH, HEADS, INNER, 0.0, activation, batch_first=True, norm_first=norm_place == "before").eval()


def copy_self(ours: SelfAttention, theirs: nn.MultiheadAttention) -> None:
    theirs.in_proj_weight.data.copy_(ours.project.weight)
    theirs.in_proj_bias.data.copy_(ours.project.bias)
    theirs.out_proj.load_state_dict(ours.output.state_dict())


def copy_cross(ours: CrossAttention, theirs: nn.MultiheadAttention) -> None:
    theirs.in_proj_weight.data.copy_(torch.cat([ours.query.weight, ours.key_value.weight]))
    theirs.in_proj_bias.data.copy_(torch.cat([ours.query.bias, ours.key_value.bias]))
    theirs.out_proj.load_state_dict(ours.output.state_dict())


def copy_norm(ours: AddAndNorm, theirs: nn.LayerNorm) -> None:
    theirs.load_state_dict(ours.norm.norm.state_dict())


def copy_feedforward(ours: FeedForward, theirs: nn.Module) -> None:
    theirs.linear1.load_state_dict(ours.widen.state_dict())
    theirs.linear2.load_state_dict(ours.narrow.state_dict())


def copy_encoder_layer(ours: EncoderBlock, theirs: nn.TransformerEncoderLayer) -> None:
    copy_self(ours.attention, theirs.self_attn)
    copy_feedforward(ours.feedforward, theirs)
    copy_norm(ours.around_attention, theirs.norm1)
    copy_norm(ours.around_feedforward, theirs.norm2)


def copy_decoder_layer(ours: DecoderBlock, theirs: nn.TransformerDecoderLayer) -> None:
    copy_self(ours.attention, theirs.self_attn)
    copy_cross(ours.cross, theirs.multihead_attn)
    copy_feedforward(ours.feedforward, theirs)
    copy_norm(ours.around_attention, theirs.norm1)
    copy_norm(ours.around_cross, theirs.norm2)
    copy_norm(ours.around_feedforward, theirs.norm3)


def torch_transformer(ours: Transformer, norm_place: str, activation: str) -> nn.Transformer:
    """Return `nn.Transformer` with our weights.

    Left to itself it adds a last norm after each stack also when every block has already ended with one; the paper's
    model, and ours, has it only where the blocks begin with a norm.
    """
    last = [norm.norm if norm_place == "before" else None for norm in (ours.encoder_norm, ours.decoder_norm)]
    encoder_layer = torch_layer(nn.TransformerEncoderLayer, norm_place, activation)
    decoder_layer = torch_layer(nn.TransformerDecoderLayer, norm_place, activation)
    theirs = nn.Transformer(
        WIDTH, HEADS, batch_first=True,
        custom_encoder=nn.TransformerEncoder(encoder_layer, len(ours.encoder), last[0]),
        custom_decoder=nn.TransformerDecoder(decoder_layer, len(ours.decoder), last[1]),
    )  # fmt: skip
    # Only now: nn.Transformer draws new weights for whatever it is given.
    for block, layer in zip(ours.encoder, theirs.encoder.layers, strict=True):
        copy_encoder_layer(block, layer)
    for block, layer in zip(ours.decoder, theirs.decoder.layers, strict=True):
        copy_decoder_layer(block, layer)
    return theirs.eval()


def random_input(positions: int) -> Tensor:
    return torch.randn(2, positions, WIDTH, generator=torch.Generator().manual_seed(positions))


@torch.no_grad()
def test_an_encoder_block_equals_torch(norm_place: str, activation: str) -> None:
    ours, x_BSD = our_model(norm_place, activation).encoder[0], random_input(5)
    theirs = torch_layer(nn.TransformerEncoderLayer, norm_place, activation)
    copy_encoder_layer(ours, theirs)
    expected_BSD = theirs(x_BSD, src_key_padding_mask=~SOURCE_KEEP)
    actual_BSD = ours(x_BSD, SOURCE_KEEP, attend_to_real(SOURCE_KEEP))
    # torch's fast path writes zeros into padding, so only real tokens are compared.
    torch.testing.assert_close(actual_BSD[SOURCE_KEEP], expected_BSD[SOURCE_KEEP], atol=1e-5, rtol=1e-5)


@torch.no_grad()
def test_a_decoder_block_equals_torch(norm_place: str, activation: str) -> None:
    ours, x_BTD, memory_BSD = our_model(norm_place, activation).decoder[0], random_input(4), random_input(5)
    theirs = torch_layer(nn.TransformerDecoderLayer, norm_place, activation)
    copy_decoder_layer(ours, theirs)
    expected_BTD = theirs(x_BTD, memory_BSD, tgt_mask=FUTURE_TT, memory_key_padding_mask=~SOURCE_KEEP)
    actual_BTD = ours(x_BTD, None, ours.cross.keys_and_values(memory_BSD), attend_to_real(SOURCE_KEEP))
    torch.testing.assert_close(actual_BTD, expected_BTD, atol=1e-5, rtol=1e-5)


@torch.no_grad()
def test_the_whole_transformer_equals_torch(norm_place: str, activation: str) -> None:
    ours = our_model(norm_place, activation)
    source_ids, target_ids = torch.arange(10).reshape(2, 5) % 7, torch.arange(8).reshape(2, 4)
    source_BSD, target_BTD = (
        positions(embedding(ids) * math.sqrt(WIDTH))
        for positions, embedding, ids in (
            (ours.source_positions, ours.source_embedding, source_ids),
            (ours.target_positions, ours.target_embedding, target_ids),
        )
    )
    hidden_BTD = torch_transformer(ours, norm_place, activation)(
        source_BSD, target_BTD, tgt_mask=FUTURE_TT,
        src_key_padding_mask=~SOURCE_KEEP, memory_key_padding_mask=~SOURCE_KEEP,
    )  # fmt: skip
    actual_BTV = ours(source_ids, SOURCE_KEEP, target_ids)
    torch.testing.assert_close(actual_BTV, ours.vocabulary(hidden_BTD), atol=1e-5, rtol=1e-5)
