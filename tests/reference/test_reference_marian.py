"""The Transformer equals Marian of the `transformers` library: logits and greedy output, with copied weights.

Marian's model is the paper's: norm after, one table for source, target and output; but with all sines first, and a bias
on the output. It begins every translation with the padding id.
"""

import os

import pytest
import torch
from torch import Tensor, nn

from heed.layers.masks import keep_from_lengths
from heed.models.transformer import Transformer, TransformerSettings

os.environ["HF_HUB_OFFLINE"] = "1"
transformers = pytest.importorskip("transformers")

PAD, END, VOCABULARY = 22, 0, 23


def marian(activation: str) -> nn.Module:
    """Return a tiny Marian with random weights."""
    config = transformers.MarianConfig(
        vocab_size=VOCABULARY, d_model=12, encoder_layers=2, decoder_layers=3, encoder_attention_heads=3,
        decoder_attention_heads=3, encoder_ffn_dim=20, decoder_ffn_dim=20, activation_function=activation,
        max_position_embeddings=32, scale_embedding=True, pad_token_id=PAD, eos_token_id=END, forced_eos_token_id=None,
        decoder_start_token_id=PAD, dropout=0.0, bos_token_id=None,
    )  # fmt: skip
    model = transformers.MarianMTModel(config).eval()
    scramble(model)
    return model


@torch.no_grad()
def scramble(model: nn.Module) -> None:
    """Give weights with which greedy output wanders: fresh from the library a model says its last word for ever.

    Norms with mixed signs break that echo, and words of equal length keep one of them from winning always.
    """
    torch.manual_seed(3)
    for name, parameter in model.named_parameters():
        if parameter.requires_grad:
            spread = 1.0 if name.endswith("norm.weight") else 0.1 if parameter.dim() == 1 else 0.3
            parameter.copy_(spread * torch.randn_like(parameter))
    words_VD = model.model.shared.weight
    words_VD.copy_(1.5 * words_VD / words_VD.norm(dim=1, keepdim=True))
    model.final_logits_bias.normal_(std=0.1)


def copied(theirs: nn.Module, activation: str) -> Transformer:
    """Return our Transformer with Marian's weights."""
    settings = TransformerSettings(
        width=12, heads=3, encoder_layers=2, decoder_layers=3, feedforward=20, dropout=0.0, longest=32,
        positions="sinusoid-concat", norm_place="after", activation=activation, tie="all",
    )  # fmt: skip
    ours = Transformer(settings, VOCABULARY, VOCABULARY).eval()
    with torch.no_grad():
        ours.source_embedding.weight.copy_(theirs.model.shared.weight)
        ours.vocabulary.bias.copy_(theirs.final_logits_bias[0])
    for block, layer in zip(ours.encoder, theirs.model.encoder.layers, strict=True):
        copy_block(block, layer)
    for block, layer in zip(ours.decoder, theirs.model.decoder.layers, strict=True):
        copy_block(block, layer)
        copy_linear(block.cross.query, [layer.encoder_attn.q_proj])
        copy_linear(block.cross.key_value, [layer.encoder_attn.k_proj, layer.encoder_attn.v_proj])
        copy_linear(block.cross.output, [layer.encoder_attn.out_proj])
        block.around_cross.norm.norm.load_state_dict(layer.encoder_attn_layer_norm.state_dict())
    return ours


def copy_block(block: nn.Module, layer: nn.Module) -> None:
    """Copy what encoder and decoder blocks have in common."""
    attention = layer.self_attn
    copy_linear(block.attention.project, [attention.q_proj, attention.k_proj, attention.v_proj])
    copy_linear(block.attention.output, [attention.out_proj])
    copy_linear(block.feedforward.widen, [layer.fc1])
    copy_linear(block.feedforward.narrow, [layer.fc2])
    block.around_attention.norm.norm.load_state_dict(layer.self_attn_layer_norm.state_dict())
    block.around_feedforward.norm.norm.load_state_dict(layer.final_layer_norm.state_dict())


def copy_linear(ours: nn.Linear, theirs: list[nn.Linear]) -> None:
    """Copy several of their layers into one of ours, side by side."""
    ours.weight.data.copy_(torch.cat([each.weight for each in theirs]))
    ours.bias.data.copy_(torch.cat([each.bias for each in theirs]))


def batch() -> tuple[Tensor, Tensor]:
    """Return sources of different lengths, each ended and then padded."""
    generator = torch.Generator().manual_seed(8)
    lengths = torch.tensor([7, 3, 5, 1])
    source_ids = torch.randint(1, PAD, (4, 7), generator=generator).scatter(1, lengths[:, None] - 1, END)
    keep = keep_from_lengths(lengths, 7)
    return source_ids.masked_fill(~keep, PAD), keep


def greedy(model: Transformer, source_ids: Tensor, source_keep: Tensor, longest: int) -> Tensor:
    """Return (B, T) ids as `generate` does: from the start id, padded after the end."""
    state, ended_B = model.start(source_ids, source_keep), torch.zeros(len(source_ids), dtype=torch.bool)
    said = [torch.full((len(source_ids),), PAD)]
    while len(said) < longest and not ended_B.all():
        logits_B1V, state = model.step(said[-1][:, None], state)
        said.append(logits_B1V[:, 0].argmax(dim=-1).masked_fill(ended_B, PAD))
        ended_B |= said[-1] == END
    return torch.stack(said, dim=1)


@torch.no_grad()
@pytest.mark.parametrize("activation", ["relu", "gelu"])
def test_logits_equal_those_of_marian(activation: str) -> None:
    theirs, (source_ids, source_keep) = marian(activation), batch()
    target_ids = torch.randint(VOCABULARY, (4, 6), generator=torch.Generator().manual_seed(9))
    expected_BTV = theirs(
        input_ids=source_ids, attention_mask=source_keep.long(), decoder_input_ids=target_ids, use_cache=False
    ).logits
    actual_BTV = copied(theirs, activation)(source_ids, source_keep, target_ids)
    torch.testing.assert_close(actual_BTV, expected_BTV, atol=1e-5, rtol=1e-5)


@torch.no_grad()
@pytest.mark.parametrize("activation", ["relu", "gelu"])
def test_greedy_output_equals_that_of_marian(activation: str) -> None:
    theirs, (source_ids, source_keep) = marian(activation), batch()
    expected_BT = theirs.generate(
        input_ids=source_ids, attention_mask=source_keep.long(), do_sample=False, num_beams=1, max_length=20
    )
    actual_BT = greedy(copied(theirs, activation), source_ids, source_keep, longest=20)
    assert actual_BT.tolist() == expected_BT.tolist()
    # Or else the equality would say little:
    assert len({tuple(row) for row in expected_BT.tolist()}) == 4, "each source has an output of its own"
    assert max(len(set(row)) for row in expected_BT.tolist()) > 3, "and outputs do not repeat one word"


def test_positions_are_those_of_marian() -> None:
    theirs = transformers.models.marian.modeling_marian.MarianSinusoidalPositionalEmbedding(32, 12)
    ours = copied(marian("relu"), "relu").source_positions.table
    torch.testing.assert_close(ours, theirs.create_weight(), atol=1e-7, rtol=0.0)
