"""Our Transformer's weights as a Marian model of `transformers`, the peer of equal size beside which we are measured.

Marian has its norms after the sublayers, sines and cosines side by side and one shared table, so ours is built so too.
"""

import torch
from transformers import MarianConfig, MarianMTModel

from heed.models.transformer import Transformer, TransformerSettings

LIKE_MARIAN = TransformerSettings(
    width=256,
    heads=8,
    encoder_layers=3,
    decoder_layers=3,
    feedforward=1024,
    norm_place="after",
    positions="sinusoid-concat",
    activation="gelu",
    longest=128,
)


def to_marian(model: Transformer) -> MarianMTModel:
    """Return a Marian model that computes the same."""
    settings, vocabulary = model.settings, model.vocabulary.out_features
    marian = fresh_marian(settings, vocabulary)
    weights = marian.state_dict()
    weights["model.shared.weight"] = model.source_embedding.weight
    weights["final_logits_bias"] = model.vocabulary.bias[None]
    for side, blocks in (("encoder", model.encoder), ("decoder", model.decoder)):
        weights[f"model.{side}.embed_tokens.weight"] = model.source_embedding.weight
        for number, block in enumerate(blocks):
            weights |= _block(f"model.{side}.layers.{number}", block)
    weights["lm_head.weight"] = model.source_embedding.weight
    marian.load_state_dict({name: tensor.detach().clone() for name, tensor in weights.items()})
    return marian


PAD, START, END = 0, 2, 3  # in every vocabulary that heed trains


def fresh_marian(settings: TransformerSettings, vocabulary: int) -> MarianMTModel:
    """Return a Marian model of the same size with weights of its own."""
    config = MarianConfig(
        vocab_size=vocabulary,
        d_model=settings.width,
        encoder_layers=settings.encoder_layers,
        decoder_layers=settings.decoder_layers,
        encoder_attention_heads=settings.heads,
        decoder_attention_heads=settings.heads,
        encoder_ffn_dim=settings.feedforward,
        decoder_ffn_dim=settings.feedforward,
        max_position_embeddings=settings.longest,
        activation_function=settings.activation,
        dropout=settings.dropout,
        attention_dropout=settings.attention_dropout,
        activation_dropout=settings.dropout,
        scale_embedding=True,
        pad_token_id=PAD,
        eos_token_id=END,
        bos_token_id=START,
        decoder_start_token_id=START,
        forced_eos_token_id=None,
    )
    return MarianMTModel(config)


def _block(name: str, block: torch.nn.Module) -> dict[str, torch.Tensor]:
    weights = _self_attention(f"{name}.self_attn", block.attention)
    weights |= _norm(f"{name}.self_attn_layer_norm", block.around_attention)
    if hasattr(block, "cross"):
        weights |= _cross_attention(f"{name}.encoder_attn", block.cross)
        weights |= _norm(f"{name}.encoder_attn_layer_norm", block.around_cross)
    weights |= _linear(f"{name}.fc1", block.feedforward.widen) | _linear(f"{name}.fc2", block.feedforward.narrow)
    return weights | _norm(f"{name}.final_layer_norm", block.around_feedforward)


def _self_attention(name: str, attention: torch.nn.Module) -> dict[str, torch.Tensor]:
    weights = _linear(f"{name}.out_proj", attention.output)
    parts = zip("qkv", attention.project.weight.chunk(3), attention.project.bias.chunk(3), strict=True)
    for part, weight, bias in parts:
        weights |= {f"{name}.{part}_proj.weight": weight, f"{name}.{part}_proj.bias": bias}
    return weights


def _cross_attention(name: str, cross: torch.nn.Module) -> dict[str, torch.Tensor]:
    weights = _linear(f"{name}.out_proj", cross.output) | _linear(f"{name}.q_proj", cross.query)
    for part, weight, bias in zip("kv", cross.key_value.weight.chunk(2), cross.key_value.bias.chunk(2), strict=True):
        weights |= {f"{name}.{part}_proj.weight": weight, f"{name}.{part}_proj.bias": bias}
    return weights


def _norm(name: str, around: torch.nn.Module) -> dict[str, torch.Tensor]:
    return {f"{name}.weight": around.norm.norm.weight, f"{name}.bias": around.norm.norm.bias}


def _linear(name: str, linear: torch.nn.Linear) -> dict[str, torch.Tensor]:
    return {f"{name}.weight": linear.weight, f"{name}.bias": linear.bias}
