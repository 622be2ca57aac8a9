"""The text encoder equals BERT of the `transformers` library: hidden vectors and weights, with copied weights.

BERT has the norm after each sublayer, gelu, learned positions and a vector for each segment. What we do not have, a
norm right after the embedding, is taken out of theirs.
"""

import os

import pytest
import torch
from torch import nn

from heed.layers.masks import keep_from_lengths
from heed.layers.trace import Trace
from heed.models.encoder import Encoder, EncoderSettings
from heed.models.text_input import TextInput

os.environ["HF_HUB_OFFLINE"] = "1"
transformers = pytest.importorskip("transformers")

VOCABULARY, WIDTH, LONGEST = 23, 12, 9


def bert() -> nn.Module:
    """Return a tiny BERT with random weights, none of them at a special value."""
    config = transformers.BertConfig(
        vocab_size=VOCABULARY, hidden_size=WIDTH, num_hidden_layers=3, num_attention_heads=3, intermediate_size=20,
        hidden_act="gelu", max_position_embeddings=LONGEST, type_vocab_size=2, layer_norm_eps=1e-5,
        attn_implementation="eager",
    )  # fmt: skip
    model = transformers.BertModel(config, add_pooling_layer=False).eval()
    model.embeddings.LayerNorm = nn.Identity()
    torch.manual_seed(3)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(0.3 * torch.randn_like(parameter))
    return model


@torch.no_grad()
def copied(theirs: nn.Module) -> Encoder:
    """Return our encoder with BERT's weights."""
    settings = EncoderSettings(
        width=WIDTH, heads=3, layers=3, feedforward=20, positions="learned", norm_place="after", activation="gelu",
        segments=2, longest=LONGEST,
    )  # fmt: skip
    ours, tables = Encoder(settings, VOCABULARY).eval(), theirs.embeddings
    # Ours are multiplied by the root of the width when they are read.
    ours.embedding.weight.copy_(tables.word_embeddings.weight / WIDTH**0.5)
    ours.segment_embedding.weight.copy_(tables.token_type_embeddings.weight / WIDTH**0.5)
    ours.positions.table.copy_(tables.position_embeddings.weight)
    for block, layer in zip(ours.encoder, theirs.encoder.layer, strict=True):
        attention = layer.attention.self
        copy_linear(block.attention.project, [attention.query, attention.key, attention.value])
        copy_linear(block.attention.output, [layer.attention.output.dense])
        copy_linear(block.feedforward.widen, [layer.intermediate.dense])
        copy_linear(block.feedforward.narrow, [layer.output.dense])
        block.around_attention.norm.norm.load_state_dict(layer.attention.output.LayerNorm.state_dict())
        block.around_feedforward.norm.norm.load_state_dict(layer.output.LayerNorm.state_dict())
    return ours


def copy_linear(ours: nn.Linear, theirs: list[nn.Linear]) -> None:
    """Copy several of their layers into one of ours, side by side."""
    ours.weight.copy_(torch.cat([each.weight for each in theirs]))
    ours.bias.copy_(torch.cat([each.bias for each in theirs]))


def batch() -> TextInput:
    """Return joined pairs of different lengths, padded; the last is as long as can be."""
    lengths = torch.tensor([7, 1, 4, LONGEST])
    ids = torch.randint(VOCABULARY, (4, LONGEST), generator=torch.Generator().manual_seed(8))
    segments = (torch.arange(LONGEST) >= torch.tensor([[3], [1], [2], [5]])).long()
    return TextInput(ids, keep_from_lengths(lengths, LONGEST), segments)


@torch.no_grad()
def test_hidden_vectors_equal_those_of_bert() -> None:
    theirs, text = bert(), batch()
    expected_BTD = theirs(
        input_ids=text.token_ids, attention_mask=text.keep.long(), token_type_ids=text.segments
    ).last_hidden_state
    actual_BTD = copied(theirs).hidden(text)
    torch.testing.assert_close(actual_BTD[text.keep], expected_BTD[text.keep], atol=1e-5, rtol=1e-5)


@torch.no_grad()
def test_attention_weights_equal_those_of_bert_in_every_layer() -> None:
    theirs, text, trace = bert(), batch(), Trace()
    expected = theirs(
        input_ids=text.token_ids, attention_mask=text.keep.long(), token_type_ids=text.segments, output_attentions=True
    ).attentions
    copied(theirs)(text, trace)
    assert len(expected) == 3
    for layer, weights_BHTS in enumerate(expected):
        ours_BHTS = trace.weights[f"encoder.{layer}.self"]
        for row, length in enumerate(text.keep.sum(dim=1).tolist()):
            torch.testing.assert_close(ours_BHTS[row, :, :length], weights_BHTS[row, :, :length], atol=1e-5, rtol=1e-5)


@torch.no_grad()
def test_without_segments_both_read_one_text() -> None:
    theirs, text = bert(), batch()
    expected_BTD = theirs(input_ids=text.token_ids, attention_mask=text.keep.long()).last_hidden_state
    actual_BTD = copied(theirs).hidden(TextInput(text.token_ids, text.keep))
    torch.testing.assert_close(actual_BTD[text.keep], expected_BTD[text.keep], atol=1e-5, rtol=1e-5)
