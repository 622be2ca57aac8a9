"""Tiny Marian models with hand-written SentencePiece vocabularies, saved as the `transformers` library saves them."""

import json
from pathlib import Path

import spm
import torch
from foreign import transformers
from torch import nn

NAME = "MarianMTModel"
SOURCE = {"▁": -3.0, "▁the": -2.0, "▁house": -4.5, "s": -3.5, "h": -4.0, "o": -4.1, "u": -4.2, "e": -4.3, "t": -4.4,
          "▁s": -3.9, "ho": -5.0, "use": -5.5, "<": -6.0, "/": -6.1, ">": -6.2}  # fmt: skip
TARGET = {"▁": -2.5, "▁nhà": -2.2, "n": -3.3, "h": -3.4, "à": -3.6, "ô": -3.7, "i": -3.8, "▁ng": -4.0, "ôi": -4.9,
          "s": -5.0, "e": -5.1}  # fmt: skip
CHARACTERS = {"ﬁ": "fi", "\t": " ", "Ｓ": "s"}


def ids_of(*sides: dict[str, float], languages: tuple[str, ...] = ()) -> dict[str, int]:
    """Return the common list of Marian: its end first, its padding last."""
    pieces = dict.fromkeys(["</s>", "<unk>", *languages, *(piece for side in sides for piece in side), "<pad>"])
    return {piece: id for id, piece in enumerate(pieces)}


def marian(source: int, target: int | None = None, **changes: object) -> nn.Module:
    """Return a tiny Marian with weights with which translations wander."""
    rows = source if target is None else target
    sizes = {
        "d_model": 12, "encoder_layers": 1, "decoder_layers": 2, "encoder_attention_heads": 3, "encoder_ffn_dim": 20,
        "decoder_attention_heads": 3, "decoder_ffn_dim": 20, "activation_function": "swish", "scale_embedding": True,
        "max_position_embeddings": 32, "pad_token_id": rows - 1, "decoder_start_token_id": rows - 1, "eos_token_id": 0,
        "forced_eos_token_id": None, "share_encoder_decoder_embeddings": target is None, "bos_token_id": None,
    }  # fmt: skip
    config = transformers.MarianConfig(vocab_size=source, decoder_vocab_size=rows, **{**sizes, **changes})
    torch.manual_seed(8)
    model = getattr(transformers, NAME)(config).eval()
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if "embed_positions" not in name:
                spread = 1.0 if name.endswith("norm.weight") else 0.1 if parameter.dim() == 1 else 0.3
                parameter.copy_(spread * torch.randn_like(parameter))
        model.final_logits_bias.normal_(std=0.1)
    return model


def publish(folder: Path, own: bool = False, target: dict[str, float] = TARGET, **changes: object) -> nn.Module:
    """Save a Marian with two vocabularies, over one list of ids or each over its own."""
    source_ids = ids_of(SOURCE) if own else ids_of(SOURCE, target)
    target_ids = ids_of(target) if own else source_ids
    model = marian(len(source_ids), len(target_ids) if own else None, **changes)
    model.save_pretrained(folder)  # type: ignore[operator]
    save_pieces(folder, source_ids, target)
    if own:
        (folder / "target_vocab.json").write_text(json.dumps(target_ids))
    return model


def save_pieces(folder: Path, ids: dict[str, int], target: dict[str, float] = TARGET) -> None:
    folder.mkdir(exist_ok=True)
    (folder / "vocab.json").write_text(json.dumps(ids))
    (folder / "source.spm").write_bytes(spm.vocabulary(SOURCE, charsmap=spm.charsmap(CHARACTERS)))
    (folder / "target.spm").write_bytes(spm.vocabulary(target, charsmap=spm.charsmap(CHARACTERS)))
