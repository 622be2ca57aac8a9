"""Lower blocks may learn more slowly, or not at all."""

import pytest
import torch

from heed.errors import SettingsError
from heed.models.bert import BertSettings
from heed.models.language_transformer import LanguageTransformer, LanguageTransformerSettings
from heed.models.text_classifier import TextClassifier
from heed.models.text_cnn import TextCnnSettings
from heed.models.transformer import Transformer, TransformerSettings
from heed.training.depth import freeze, rate_shares
from heed.training.optimizer import build_optimizers, move
from heed.training.settings import OptimizerName, TrainingSettings

SETTINGS = BertSettings(width=8, heads=2, layers=3, feedforward=12, longest=6)


def bert() -> TextClassifier:
    return TextClassifier(SETTINGS, 11, 2)


def test_the_rate_falls_from_the_head_to_the_embedding() -> None:
    shares = rate_shares(bert(), 0.5)
    assert shares["head.weight"] == shares["encoder.pooler.bias"] == 1
    assert [shares[f"encoder.encoder.{block}.attention.output.weight"] for block in (2, 1, 0)] == [0.5, 0.25, 0.125]
    below = ("embedding.weight", "positions.table", "segment_embedding.weight", "embedding_norm.norm.weight")
    assert {shares[f"encoder.{name}"] for name in below} == {0.0625}


def test_without_decay_every_parameter_has_the_whole_rate() -> None:
    assert set(rate_shares(bert(), 1.0).values()) == {1.0}


@pytest.mark.parametrize("optimizer", ["adamw", "muon"])
def test_every_parameter_learns_at_its_share_of_the_rate(optimizer: OptimizerName) -> None:
    model = bert()
    optimizers = build_optimizers(model, TrainingSettings(optimizer=optimizer, layer_decay=0.5))
    move(optimizers, rate=0.8)
    groups = [group for each in optimizers for group in each.param_groups]
    rates = {id(each): group["lr"] for group in groups for each in group["params"]}
    shares = rate_shares(model, 0.5)
    assert {name: rates[id(each)] for name, each in model.named_parameters()} == {
        name: 0.8 * share for name, share in shares.items()
    }


@pytest.mark.parametrize("optimizer", ["adamw", "muon"])
@pytest.mark.parametrize("layers", [0, 2])
def test_frozen_blocks_keep_their_weights_and_the_others_learn(layers: int, optimizer: OptimizerName) -> None:
    model = bert()
    freeze(model, layers)
    before = {name: each.detach().clone() for name, each in model.named_parameters()}
    optimizers = build_optimizers(model, TrainingSettings(optimizer=optimizer))
    for each in model.parameters():
        if each.requires_grad:
            each.grad = torch.ones_like(each)
    move(optimizers, rate=0.1)
    kept = {name for name, each in model.named_parameters() if torch.equal(each, before[name])}
    frozen = ("embedding", "positions", "segment_embedding", *(f"encoder.{block}." for block in range(layers)))
    assert kept == {name for name in before if name.startswith(tuple(f"encoder.{part}" for part in frozen))}


def test_more_frozen_blocks_than_there_are_is_refused() -> None:
    with pytest.raises(SettingsError, match="frozen_layers is 4, but this model has 3 blocks"):
        freeze(bert(), 4)
    with pytest.raises(SettingsError, match="frozen_layers is 0, but this model has 0 blocks"):
        freeze(TextClassifier(TextCnnSettings(embedding=4, filters=3, longest=9), 11, 2), 0)


def language_model() -> LanguageTransformer:
    return LanguageTransformer(LanguageTransformerSettings(width=8, heads=2, layers=3, feedforward=12, longest=6), 11)


def test_the_rate_falls_from_block_to_block_of_a_language_model() -> None:
    shares = rate_shares(language_model(), 0.5)
    assert shares["vocabulary.bias"] == shares["decoder_norm.norm.weight"] == 1
    assert [shares[f"decoder.{block}.attention.output.weight"] for block in (2, 1, 0)] == [0.5, 0.25, 0.125]
    assert shares["embedding.weight"] == 0.0625


def test_frozen_blocks_of_a_language_model_are_its_lowest() -> None:
    model = language_model()
    freeze(model, 2)
    frozen = {name for name, each in model.named_parameters() if not each.requires_grad}
    assert frozen == {
        name for name, _ in model.named_parameters() if name.startswith(("embedding.", "decoder.0.", "decoder.1."))
    }


def test_the_decoder_beside_an_encoder_lies_above_it_and_positions_of_the_source_below() -> None:
    sizes = {"width": 8, "heads": 2, "encoder_layers": 2, "decoder_layers": 2, "feedforward": 12, "longest": 6}
    model = Transformer(TransformerSettings(**sizes, positions="learned", tie="output"), 11, 11)  # type: ignore[arg-type]
    shares = rate_shares(model, 0.5)
    assert shares["source_embedding.weight"] == shares["source_positions.table"] == 0.125
    above = ("target_embedding.weight", "target_positions.table", "decoder.0.attention.output.weight")
    assert {shares[name] for name in above} == {1.0}
