"""Classifiers by name and by settings: presets, head, towers and what they record."""

import pytest
import torch

from heed.errors import UsageError
from heed.layers.trace import Trace
from heed.models.encoder import Encoder, EncoderSettings
from heed.models.text_classifier import PRESETS, TextClassifier, compared, preset
from heed.models.text_cnn import TextCnn, TextCnnSettings
from heed.models.text_input import TextInput
from heed.models.text_rnn import TextRnn, TextRnnSettings
from heed.settings import from_dict, to_dict

TINY = [
    EncoderSettings(width=8, heads=2, layers=1, feedforward=12),
    TextRnnSettings(embedding=6, width=8),
    TextCnnSettings(embedding=6, widths=(1, 2), filters=5),
]
TEXT = TextInput(torch.tensor([[3, 1, 4], [1, 5, 9]]), torch.tensor([[True] * 3, [True, False, False]]))
OTHER = TextInput(torch.tensor([[2, 6], [5, 3]]), torch.tensor([[True] * 2, [True] * 2]))


def test_a_preset_is_found_by_its_name() -> None:
    assert list(PRESETS)[:6] == ["rnn", "lstm", "gru", "textcnn", "textcnn-wide", "transformer"]
    assert preset("gru") == TextRnnSettings(cell="gru")
    assert preset("textcnn") == TextCnnSettings()
    assert preset("transformer") == EncoderSettings()


def test_an_unknown_preset_is_refused_with_the_choices() -> None:
    with pytest.raises(UsageError, match=r"no model 'bert'.*one of: rnn, lstm, gru, textcnn, textcnn-wide, "):
        preset("bert")


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_can_be_built_and_written_down(name: str) -> None:
    with torch.device("meta"):
        TextClassifier(PRESETS[name], 20, outputs=3)
    assert from_dict(type(PRESETS[name]), to_dict(PRESETS[name]), "model") == PRESETS[name]


@pytest.mark.parametrize(("settings", "kind"), list(zip(TINY, (Encoder, TextRnn, TextCnn), strict=True)))
def test_the_type_of_the_settings_decides_the_encoder(settings, kind: type) -> None:
    model = TextClassifier(settings, 13, outputs=3)
    assert isinstance(model.encoder, kind)
    assert model.settings is model.encoder.settings is settings
    assert model.encoder.embedding.num_embeddings == 13


@torch.no_grad()
@pytest.mark.parametrize("settings", TINY)
def test_one_text_is_read_pooled_and_judged(settings) -> None:
    model = TextClassifier(settings, 13, outputs=3).eval()
    assert model.head.weight.shape == (3, model.encoder.pooled_width)
    torch.testing.assert_close(model([TEXT]), model.head(model.encoder(TEXT)))


@torch.no_grad()
@pytest.mark.parametrize("settings", TINY)
def test_two_texts_are_read_by_one_encoder_and_judged_together(settings) -> None:
    model = TextClassifier(settings, 13, outputs=3, towers=True).eval()
    assert model.head.weight.shape == (3, 4 * model.encoder.pooled_width)
    torch.testing.assert_close(model([TEXT, OTHER]), model.head(compared(model.encoder(TEXT), model.encoder(OTHER))))


def test_two_vectors_are_compared_by_distance_and_product() -> None:
    features = compared(torch.tensor([[1.0, -2.0]]), torch.tensor([[3.0, 4.0]]))
    assert features.tolist() == [[1.0, -2.0, 3.0, 4.0, 2.0, 6.0, 3.0, -8.0]]


@pytest.mark.parametrize(("towers", "texts"), [(False, [TEXT, OTHER]), (True, [TEXT])])
def test_the_number_of_texts_is_that_of_the_towers(towers: bool, texts: list[TextInput]) -> None:
    with pytest.raises(ValueError, match="unpack"):
        TextClassifier(TINY[0], 13, outputs=3, towers=towers)(texts)


@torch.no_grad()
def test_each_tower_records_under_a_name_of_its_own() -> None:
    settings = EncoderSettings(width=8, heads=2, layers=1, feedforward=12, pooling="attention")
    model, trace = TextClassifier(settings, 13, outputs=3, towers=True).eval(), Trace("second.*", "first.pool")
    model([TEXT, OTHER], trace)
    assert {site: tuple(weights.shape) for site, weights in trace.weights.items()} == {
        "first.pool": (2, 1, 1, 3),
        "second.pool": (2, 1, 1, 2),
        "second.encoder.0.self": (2, 2, 2, 2),
    }
    assert model.sites == ["first.encoder.0.self", "first.pool", "second.encoder.0.self", "second.pool"]
    alone = Trace()
    model.encoder(OTHER, alone)
    assert torch.equal(trace.weights["second.pool"], alone.weights["pool"])


def test_dropout_falls_on_what_the_head_reads() -> None:
    settings = TextCnnSettings(embedding=6, widths=(1,), filters=400, dropout=0.5)
    model = TextClassifier(settings, 13, outputs=400).train()
    with torch.no_grad():
        model.head.weight.copy_(torch.eye(400))
    pooled_BD, seen_BD = model.encoder(TEXT), model([TEXT])
    dropped = (seen_BD == 0) & (pooled_BD > 0)
    assert 0.4 < dropped.sum() / (pooled_BD > 0).sum() < 0.6
    torch.testing.assert_close(seen_BD[~dropped], 2 * pooled_BD[~dropped])


@torch.no_grad()
@pytest.mark.parametrize("name", [name for name in PRESETS if name not in ("bert-base", "bert-large")])
def test_a_fresh_model_is_sure_of_nothing(name: str) -> None:
    torch.manual_seed(0)
    ids = torch.randint(2000, (16, 60))
    logits_BC = TextClassifier(preset(name), 2000, outputs=4).eval()(
        [TextInput(ids, torch.ones_like(ids, dtype=torch.bool))]
    )
    assert logits_BC.softmax(dim=-1).max() < 0.75
    assert logits_BC.std(dim=0).min() > 1e-4, "nor is it blind"
