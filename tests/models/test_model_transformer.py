"""The Transformer's own settings, ties, starting weights and limits; the laws and references are elsewhere."""

import re

import pytest
import torch

from heed.errors import DataError, SettingsError
from heed.layers.masks import keep_from_lengths
from heed.models.transformer import PRESETS, Transformer, TransformerSettings

TINY = {"width": 8, "heads": 2, "encoder_layers": 1, "decoder_layers": 1, "feedforward": 12, "longest": 6}


def tiny(source_size: int = 13, target_size: int = 13, **switches: object) -> Transformer:
    return Transformer(TransformerSettings(**(TINY | switches)), source_size, target_size).eval()


@pytest.mark.parametrize(
    ("switches", "message"),
    [
        ({"width": 10, "heads": 4}, "model.width is 10, model.heads is 4. Make the width a multiple of the heads."),
        ({"width": 6, "heads": 2, "positions": "rotary"}, "a head has 3 (6 / 2), which is odd."),
        ({"width": 0}, "model.width is 0. Use 1 or more."),
        ({"heads": 0}, "model.heads is 0. Use 1 or more."),
        ({"heads": -2}, "model.heads is -2. Use 1 or more."),
        ({"encoder_layers": 0}, "model.encoder_layers is 0."),
        ({"decoder_layers": 0}, "model.decoder_layers is 0."),
        ({"feedforward": 0}, "model.feedforward is 0."),
        ({"longest": 0}, "model.longest is 0."),
        ({"dropout": 1.0}, "model.dropout is 1.0. Use a share of at least 0 and below 1."),
        ({"dropout": -0.1}, "model.dropout is -0.1."),
        ({"attention_dropout": 1.5}, "model.attention_dropout is 1.5."),
    ],
)
def test_settings_that_cannot_be_built_are_refused_with_their_value(switches: dict, message: str) -> None:
    with pytest.raises(SettingsError, match=re.escape(message)):
        TransformerSettings(**switches)


def test_two_vocabularies_cannot_be_one_table() -> None:
    with pytest.raises(SettingsError, match="the source has 13 pieces, the target 11"):
        tiny(13, 11, tie="all")


@pytest.mark.parametrize(("tie", "tables"), [("all", 1), ("output", 2), ("none", 3)])
def test_a_tie_makes_tables_one(tie: str, tables: int) -> None:
    model = tiny(tie=tie)
    weights = (model.source_embedding.weight, model.target_embedding.weight, model.vocabulary.weight)
    assert len({id(weight) for weight in weights}) == tables
    assert (model.target_embedding.weight is model.vocabulary.weight) == (tie != "none")


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_can_be_built(name: str) -> None:
    with torch.device("meta"):
        Transformer(PRESETS[name], 20, 20)


def test_embeddings_begin_as_large_as_the_positions() -> None:
    torch.manual_seed(0)
    model = Transformer(TransformerSettings(width=64, heads=4), 500, 500)
    embedded_BTD = model._embed(model.source_embedding, torch.arange(500)[None])
    assert embedded_BTD.std().item() == pytest.approx(1.0, rel=0.05)


@torch.no_grad()
def test_a_fresh_model_knows_nothing() -> None:
    """Its loss is near that of guessing: neither sure of anything nor blind."""
    torch.manual_seed(0)
    model = Transformer(TransformerSettings(width=64, heads=4), 500, 500).eval()
    ids = torch.randint(500, (8, 20))
    log_probs_BTV = model(ids, torch.ones_like(ids, dtype=torch.bool), ids.flip(1)).log_softmax(dim=-1)
    random_ids = torch.randint(500, (8, 20, 1))
    assert -log_probs_BTV.gather(2, random_ids).mean().item() == pytest.approx(
        torch.tensor(500.0).log().item(), rel=0.2
    )


@pytest.mark.parametrize("positions", ["sinusoid", "sinusoid-concat", "learned"])
@torch.no_grad()
def test_a_text_longer_than_the_positions_is_refused_by_forward_and_by_step(positions: str) -> None:
    model, long_ids = tiny(positions=positions), torch.zeros(1, 7, dtype=torch.long)
    keep = torch.ones(1, 7, dtype=torch.bool)
    with pytest.raises(DataError, match="7 tokens came to a model that has 6 positions"):
        model(long_ids, keep, long_ids[:, :2])
    with pytest.raises(DataError, match="7 tokens"):
        model(long_ids[:, :2], keep[:, :2], long_ids)
    state = model.start(long_ids[:, :2], keep[:, :2])
    for _ in range(6):
        _, state = model.step(long_ids[:, :1], state)
    with pytest.raises(DataError, match="7 tokens"):
        model.step(long_ids[:, :1], state)


@torch.no_grad()
def test_batch_statistics_of_training_ignore_the_padding_of_both_sides() -> None:
    """The laws run in evaluation, where batch norm does not look at the batch at all."""
    source_ids, target_ids = torch.arange(8).reshape(2, 4), torch.arange(6).reshape(2, 3)
    source_keep, target_keep = keep_from_lengths(torch.tensor([4, 2]), 4), keep_from_lengths(torch.tensor([1, 3]), 3)
    results = []
    for filling in (0, 12):
        torch.manual_seed(0)
        model = tiny(norm="batch", dropout=0.0).train()
        source, target = source_ids.where(source_keep, filling), target_ids.where(target_keep, filling)
        logits_NV = model(source, source_keep, target, target_keep)[target_keep]
        results.append([logits_NV, *(buffer for name, buffer in model.named_buffers() if "norm" in name)])
    assert len(results[0]) > 10
    for first, second in zip(*results, strict=True):
        torch.testing.assert_close(first, second)


@torch.no_grad()
def test_sources_may_leave_a_batch_that_has_no_padding() -> None:
    model, source_ids = tiny(), torch.arange(12).reshape(3, 4)
    keep = torch.ones(3, 4, dtype=torch.bool)
    first_B1 = torch.tensor([[1], [2], [3]])
    _, state = model.step(first_B1, model.start(source_ids, keep))
    state = model.reorder(state, torch.tensor([0, 2]), torch.tensor([[0], [0]]))
    logits_B1V, _ = model.step(torch.tensor([[5], [6]]), state)
    target_ids = torch.tensor([[1, 5], [3, 6]])
    expected_BTV = model(source_ids[[0, 2]], keep[[0, 2]], target_ids)
    torch.testing.assert_close(logits_B1V[:, 0], expected_BTV[:, 1], atol=1e-5, rtol=1e-5)
