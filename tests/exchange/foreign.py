"""Tiny models as the `transformers` library makes and saves them, each with a tokenizer that knows the texts here."""

import json
import os
from collections.abc import Iterable
from pathlib import Path

import pytest
import tokenizers
import torch
from tokenizers import AddedToken, decoders, models, normalizers, pre_tokenizers, processors
from torch import nn

os.environ["HF_HUB_OFFLINE"] = "1"
transformers = pytest.importorskip("transformers")
transformers.logging.set_verbosity_error()
transformers.logging.disable_progress_bar()

# English, Vietnamese, accents put together and apart, emoji, several spaces, and what looks like a special piece.
TEXTS = (
    "The house is small .",
    "Ngôi nhà thì nhỏ lắm",
    "ma má mà mả mã mạ",
    "où est l'e\u0301te\u0301,  señor?",
    "a 🙂 b 👩‍👩‍👧 c",
    "house 🙂 nhà",
)
BERT_PIECES = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
ROBERTA_PIECES = ("<s>", "<pad>", "</s>", "<unk>", "<mask>")
ENDS = ("<|endoftext|>",)
LONGEST = 90  # positions
ROUND = 8  # tables are padded to a multiple of it, as published ones are


def word_pieces() -> tokenizers.Tokenizer:
    """Return a tokenizer with the rules of BERT: every letter of the texts, and some words."""
    letters = sorted({letter for text in TEXTS for letter in text if letter not in " 👧"})
    pieces = [*BERT_PIECES, *letters, *(f"##{letter}" for letter in letters), "house", "nhà"]
    library = tokenizers.Tokenizer(models.WordPiece({piece: id for id, piece in enumerate(pieces)}, unk_token="[UNK]"))
    library.normalizer = normalizers.BertNormalizer(lowercase=False)
    library.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    library.decoder = decoders.WordPiece()
    library.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    return with_specials(library, BERT_PIECES)


def byte_pairs(specials: tuple[str, ...]) -> tokenizers.Tokenizer:
    """Return a tokenizer with the rules of GPT-2 and RoBERTa: every byte, and one merged pair."""
    pieces = [*specials, *sorted(pre_tokenizers.ByteLevel.alphabet()), "ho"]
    model = models.BPE({piece: id for id, piece in enumerate(pieces)}, [("h", "o")])
    library = tokenizers.Tokenizer(model)
    library.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    library.decoder = decoders.ByteLevel()
    if specials == ROBERTA_PIECES:
        library.post_processor = processors.RobertaProcessing(("</s>", 2), ("<s>", 0), add_prefix_space=False)
    return with_specials(library, specials)


def with_specials(library: tokenizers.Tokenizer, specials: Iterable[str]) -> tokenizers.Tokenizer:
    # The mask of RoBERTa takes the space before it, as published.
    library.add_special_tokens(
        [AddedToken(name, normalized=False, special=True, lstrip=name == "<mask>") for name in specials]
    )
    return library


def save_tokenizer(library: tokenizers.Tokenizer, folder: Path, segments: bool) -> None:
    """Save it as their library does."""
    names = set(library.get_vocab())
    roles = {
        "pad_token": "[PAD] <pad>", "unk_token": "[UNK] <unk>", "cls_token": "[CLS] <s>", "sep_token": "[SEP] </s>",
        "mask_token": "[MASK] <mask>", "eos_token": "<|endoftext|>",
    }  # fmt: skip
    found = {role: name for role, choice in roles.items() for name in choice.split() if name in names}
    inputs = ["input_ids", *(["token_type_ids"] if segments else []), "attention_mask"]
    saved = transformers.PreTrainedTokenizerFast(tokenizer_object=library, model_input_names=inputs, **found)
    saved.save_pretrained(folder)


def tokenizer_for(name: str) -> tokenizers.Tokenizer:
    if name.startswith("Roberta"):
        return byte_pairs(ROBERTA_PIECES)
    return byte_pairs(ENDS) if name.startswith("GPT2") else word_pieces()


def build(name: str, pieces: int, **changes: object) -> nn.Module:
    """Return a tiny model of theirs with random weights, none of them at a special value."""
    rows = -(-pieces // ROUND) * ROUND
    labels = {} if "Question" in name else {"num_labels": 3}
    if name.startswith("DistilBert"):
        sizes = {"dim": 12, "n_layers": 2, "n_heads": 3, "hidden_dim": 20, "max_position_embeddings": LONGEST}
        config = transformers.DistilBertConfig(vocab_size=rows, **{**labels, **sizes, **changes})
    elif name.startswith("GPT2"):
        sizes = {"n_embd": 12, "n_layer": 2, "n_head": 3, "n_positions": LONGEST, "bos_token_id": 0, "eos_token_id": 0}
        config = transformers.GPT2Config(vocab_size=rows, **{**sizes, **changes})
    else:
        family = "Roberta" if name.startswith("Roberta") else "Bert"
        sizes = {
            "hidden_size": 12, "num_hidden_layers": 2, "num_attention_heads": 3, "intermediate_size": 20,
            "max_position_embeddings": LONGEST + (2 if family == "Roberta" else 0),
        }  # fmt: skip
        own = {"type_vocab_size": 1, "layer_norm_eps": 1e-5} if family == "Roberta" else {}
        config = getattr(transformers, f"{family}Config")(vocab_size=rows, **{**labels, **sizes, **own, **changes})
    torch.manual_seed(len(name))
    model: nn.Module = getattr(transformers, name)(config).eval()
    shake(model)
    return model


@torch.no_grad()
def shake(model: nn.Module) -> None:
    for parameter in model.parameters():
        parameter.add_(0.3 * torch.randn_like(parameter))


def publish(name: str, folder: Path, **changes: object) -> nn.Module:
    """Save a tiny model and its tokenizer in the folder; return the model."""
    library = tokenizer_for(name)
    model = build(name, library.get_vocab_size(), **changes)
    model.save_pretrained(folder)  # type: ignore[operator]
    save_tokenizer(library, folder, segments=name.startswith("Bert"))
    return model


def edit_json(path: Path, **changes: object) -> None:
    """Change values of a JSON file; None takes one away."""
    values = {**json.loads(path.read_text()), **changes}
    path.write_text(json.dumps({name: value for name, value in values.items() if value is not None}))


def opened(folder: Path, name: str) -> nn.Module:
    """Return the model that their library finds in a folder; refuse one with weights made up or left over."""
    model, report = getattr(transformers, name).from_pretrained(folder, output_loading_info=True)
    assert not any(report.values()), report
    return model.eval()
