"""Lower blocks may learn more slowly, or not at all."""

import pytest
import torch

from heed.errors import SettingsError
from heed.models.bert import BertSettings
from heed.models.text_classifier import TextClassifier
from heed.models.text_cnn import TextCnnSettings
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
