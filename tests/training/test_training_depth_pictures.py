"""Lower blocks of a ViT may learn more slowly, alone or below a decoder, which is new from its embedding on."""

from dataclasses import replace

import pytest

from heed.errors import SettingsError
from heed.models.captioner import (
    CaptionerSettings,
    RnnCaptionerSettings,
    TransformerCaptionerSettings,
    build_captioner,
)
from heed.models.vit import ImageClassifier, VitSettings
from heed.training.depth import freeze, rate_shares

VIT = VitSettings(
    image=12, patch=4, width=8, heads=2, layers=3, feedforward=10, drop_path=0.0, registers=2, layer_scale=0.1
)
CAPTIONERS = (
    TransformerCaptionerSettings(encoder=VIT, width=12, heads=3, layers=2, feedforward=14, positions="learned"),
    RnnCaptionerSettings(encoder=VIT, width=12),
)


@pytest.mark.parametrize("stem", ["patches", "overlapping", "convolutional", "residual"])
def test_the_rate_falls_from_the_head_to_the_pixels(stem: str) -> None:
    shares = rate_shares(ImageClassifier(replace(VIT, stem=stem), outputs=3), 0.5)
    assert shares["head.weight"] == shares["encoder.encoder_norm.norm.weight"] == 1
    for block, expected in ((2, 0.5), (1, 0.25), (0, 0.125)):
        found = {share for name, share in shares.items() if name.startswith(f"encoder.encoder.{block}.")}
        assert found == {expected}
    below = {name: share for name, share in shares.items() if name.startswith("encoder.embedding.")}
    assert set(below.values()) == {0.0625}
    assert {"encoder.embedding.first_D", "encoder.embedding.registers_RD"} < set(below)


@pytest.mark.parametrize("settings", CAPTIONERS, ids=lambda settings: settings.kind)
def test_all_of_a_decoder_learns_at_the_whole_rate(settings: CaptionerSettings) -> None:
    shares = rate_shares(build_captioner(settings, 11), 0.5)
    decoder = {name for name in shares if not name.startswith("encoder.")}
    assert {"target_embedding.weight", "bridge.weight", "vocabulary.bias"} < decoder
    assert {shares[name] for name in decoder} == {1}
    assert shares["encoder.encoder.0.attention.output.weight"] == 0.125
    assert shares["encoder.embedding.positions.table"] == 0.0625


@pytest.mark.parametrize("settings", CAPTIONERS, ids=lambda settings: settings.kind)
def test_frozen_layers_are_those_of_the_encoder_and_what_is_below_them(settings: CaptionerSettings) -> None:
    model = build_captioner(settings, 11)
    freeze(model, 2)
    frozen = {name for name, parameter in model.named_parameters() if not parameter.requires_grad}
    below = ("encoder.embedding.", "encoder.encoder.0.", "encoder.encoder.1.")
    assert frozen == {name for name, _ in model.named_parameters() if name.startswith(below)}
    with pytest.raises(SettingsError, match="frozen_layers is 4, but this model has 3 blocks"):
        freeze(model, 4)
