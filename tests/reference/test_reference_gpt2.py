"""A run of `write` starts from GPT-2 as the `transformers` library saves it, and says what that says."""

import json
import os
from pathlib import Path

import pytest
import tokenizers
import torch
from tokenizers import AddedToken, decoders, models, pre_tokenizers
from torch import nn

from heed.decoding.sampling import SamplingSettings
from heed.errors import RunError
from heed.machine import Ranks
from heed.models.language import build_language_model
from heed.models.language_transformer import LanguageTransformer, LanguageTransformerSettings
from heed.prediction.writer import Writer
from heed.runs import write_run
from heed.runs.write_base import fitted, load_language_base, start_from
from heed.runs.write_settings import WriteSettings
from heed.settings import from_dict
from heed.tasks.translating import GreedySettings
from heed.tasks.writing import Extent

os.environ["HF_HUB_OFFLINE"] = "1"
transformers = pytest.importorskip("transformers")

PIECES, LONGEST = 257, 9  # every byte, and the end of a text


def gpt2(pieces: int = PIECES + 3, **changes: object) -> nn.Module:
    """Return a tiny GPT-2 with random weights, none of them at a special value."""
    config = transformers.GPT2Config(
        vocab_size=pieces, n_embd=12, n_layer=2, n_head=3, n_positions=LONGEST, bos_token_id=0, eos_token_id=0,
        attn_implementation="eager", **changes,
    )  # fmt: skip
    model = transformers.GPT2LMHeadModel(config).eval()
    torch.manual_seed(3)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(0.3 * torch.randn_like(parameter))
    return model


def saved(model: nn.Module, folder: Path) -> Path:
    """Save the model as the library does, with a tokenizer of bytes whose pieces number one more than them."""
    model.save_pretrained(folder)
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    library = tokenizers.Tokenizer(models.BPE({piece: id for id, piece in enumerate(alphabet)}, []))
    library.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    library.decoder = decoders.ByteLevel()
    library.add_special_tokens([AddedToken("<|endoftext|>", normalized=False, special=True)])
    library.save(str(folder / "tokenizer.json"))
    return folder


def ours(folder: Path, longest: int = LONGEST) -> LanguageTransformer:
    base = load_language_base(folder)
    model = build_language_model(fitted(LanguageTransformerSettings(longest=longest), base), base.tokenizer.size)
    start_from(model, base)
    assert isinstance(model, LanguageTransformer)
    return model.eval()


@pytest.mark.parametrize(
    "changes",
    [{}, {"n_inner": 20}, {"activation_function": "relu"}, {"tie_word_embeddings": False}],
    ids=["as published", "inner width", "relu", "untied"],
)
@torch.no_grad()
def test_logits_equal_those_of_gpt2(changes: dict[str, object], tmp_path: Path) -> None:
    theirs = gpt2(**changes)
    token_ids = torch.randint(PIECES, (2, LONGEST), generator=torch.Generator().manual_seed(4))
    expected = theirs(token_ids).logits[..., :PIECES]  # rows beyond the pieces are there for a round number
    torch.testing.assert_close(ours(saved(theirs, tmp_path))(token_ids), expected, atol=1e-5, rtol=1e-5)


@torch.no_grad()
def test_a_body_without_its_head_is_the_same_model(tmp_path: Path) -> None:
    whole = gpt2()
    token_ids = torch.arange(5)[None]
    expected = ours(saved(whole, tmp_path / "whole"))(token_ids)
    assert torch.equal(ours(saved(whole.transformer, tmp_path / "body"))(token_ids), expected)


def test_a_shorter_window_takes_the_first_positions_and_is_told(tmp_path: Path) -> None:
    base = load_language_base(saved(gpt2(), tmp_path))
    model = build_language_model(fitted(LanguageTransformerSettings(longest=4), base), base.tokenizer.size)
    notes = start_from(model, base)
    assert "reading 4 tokens at a time, of 9 that it could: see model.longest" in notes
    assert torch.equal(model.positions.table, base.weights["positions.table"][:4])


def test_gpt2_writes_line_ends_as_pieces_and_ends_a_text_by_itself(tmp_path: Path) -> None:
    base = load_language_base(saved(gpt2(), tmp_path))
    writer = Writer(ours(tmp_path), base.tokenizer, SamplingSettings(), Extent(length=12))
    found = writer.write("one\ntwo", search=GreedySettings())
    assert (found.unknown, found.cut) == (0, 0)
    assert writer.evaluate("one\ntwo\n").tokens == 8
    writer.model.embedding.weight.data[base.tokenizer.end] = 50 * writer.model.embedding.weight.data.sum(dim=0)
    ended = {writer.write("one", search=SamplingSettings(seed=seed)).ended for seed in range(20)}
    assert "end" in ended


def test_a_run_is_prepared_from_a_folder_of_gpt2(tmp_path: Path) -> None:
    saved(gpt2(), tmp_path / "gpt2")
    (tmp_path / "text.txt").write_text("to be or not to be\n" * 20)
    values = {"base": str(tmp_path / "gpt2"), "data": {"train": [str(tmp_path / "text.txt")]}, "training": {"steps": 2}}
    prepared = write_run.prepare(from_dict(WriteSettings, values, "settings"), Ranks())
    assert (prepared.settings.model.width, prepared.settings.model.longest) == (12, LONGEST)
    assert prepared.tokenizer.size == PIECES
    assert prepared.task.train.ids.tolist().count(prepared.tokenizer.end) == 1


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("model_type", "llama", "model_type is 'llama'"),
        ("layer_norm_epsilon", 1e-6, "layer_norm_epsilon is 1e-06"),
        ("scale_attn_weights", False, "scale_attn_weights is false"),
        ("add_cross_attention", True, "add_cross_attention is true"),
        ("n_layer", 3, r"h\.2\.attn\.c_attn\.bias is missing"),
        ("activation_function", "silu", "activation_function is 'silu'"),
    ],
)
def test_what_gpt2_never_was_is_refused(name: str, value: object, message: str, tmp_path: Path) -> None:
    saved(gpt2(), tmp_path)
    config = json.loads((tmp_path / "config.json").read_text())
    (tmp_path / "config.json").write_text(json.dumps({**config, name: value}))
    with pytest.raises(RunError, match=message):
        load_language_base(tmp_path)


def test_a_tokenizer_of_more_pieces_than_the_model_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="has 257 pieces, the model 250"):
        load_language_base(saved(gpt2(pieces=250), tmp_path))
