"""The language model of Transformer blocks equals GPT-2 of the `transformers` library, with copied weights."""

import os

import pytest
import torch
from torch import nn

from heed.models.language import preset
from heed.models.language_transformer import LanguageTransformer, LanguageTransformerSettings

os.environ["HF_HUB_OFFLINE"] = "1"
transformers = pytest.importorskip("transformers")

VOCABULARY, WIDTH, LAYERS, LONGEST = 23, 12, 2, 9


def gpt2() -> nn.Module:
    """Return a tiny GPT-2 with random weights, none of them at a special value."""
    config = transformers.GPT2Config(
        vocab_size=VOCABULARY, n_embd=WIDTH, n_layer=LAYERS, n_head=3, n_inner=20, n_positions=LONGEST,
        bos_token_id=0, eos_token_id=0, attn_implementation="eager",
    )  # fmt: skip
    model = transformers.GPT2LMHeadModel(config).eval()
    torch.manual_seed(3)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(0.3 * torch.randn_like(parameter))
    return model


@torch.no_grad()
def copied(theirs: nn.Module) -> LanguageTransformer:
    """Return our model with their weights; their products keep input before output, ours the other way round."""
    gpt = preset("gpt2")
    assert isinstance(gpt, LanguageTransformerSettings)
    sizes = {"width": WIDTH, "heads": 3, "layers": LAYERS, "feedforward": 20, "longest": LONGEST}
    names = ("positions", "norm", "norm_place", "activation", "tie", "output_bias", "scale_embedding")
    switches = {name: getattr(gpt, name) for name in names}
    ours = LanguageTransformer(LanguageTransformerSettings(**sizes, **switches), VOCABULARY).eval()
    body = theirs.transformer
    ours.embedding.weight.copy_(body.wte.weight)
    ours.positions.table.copy_(body.wpe.weight)
    for block, other in zip(ours.decoder, body.h, strict=True):
        pairs = [
            (block.attention.project, other.attn.c_attn),
            (block.attention.output, other.attn.c_proj),
            (block.feedforward.widen, other.mlp.c_fc),
            (block.feedforward.narrow, other.mlp.c_proj),
        ]
        for linear, turned in pairs:
            linear.weight.copy_(turned.weight.T)
            linear.bias.copy_(turned.bias)
        block.around_attention.norm.norm.load_state_dict(other.ln_1.state_dict())
        block.around_feedforward.norm.norm.load_state_dict(other.ln_2.state_dict())
    ours.decoder_norm.norm.load_state_dict(body.ln_f.state_dict())
    return ours


@torch.no_grad()
def test_logits_equal_those_of_gpt2() -> None:
    theirs = gpt2()
    token_ids = torch.randint(VOCABULARY, (2, LONGEST), generator=torch.Generator().manual_seed(4))
    torch.testing.assert_close(copied(theirs)(token_ids), theirs(token_ids).logits, atol=1e-5, rtol=1e-5)
