"""Without one head: nothing changes where the head said nothing, and the model is whole again afterwards."""

import pytest
import torch
from tiny_models import LABELS, PAIR, TEXT, VIT, classifier, encoder, picture_classifier
from torch import Tensor

from heed.inspection.explaining.asked import Asked
from heed.inspection.explaining.explain import explain
from heed.inspection.explaining.head_off import Place, places_in, without_head
from heed.layers.attention import SelfAttention
from heed.models.vit import ImageClassifier
from heed.prediction.text_reader import NeuralReader


def network() -> ImageClassifier:
    return picture_classifier().model


@pytest.fixture
def images() -> Tensor:
    torch.manual_seed(2)
    return torch.randn(2, 3, VIT.image, VIT.image)


def test_a_head_whose_output_has_no_weight_can_be_left_out(images: Tensor) -> None:
    model, head, width = network(), 1, VIT.width // VIT.heads
    attention = next(module for module in model.modules() if isinstance(module, SelfAttention))
    with torch.no_grad():
        attention.output.weight[:, head * width : (head + 1) * width] = 0
        whole = model(images)
        with without_head(Place(attention.attend), head):
            torch.testing.assert_close(model(images), whole, atol=0, rtol=0)
        with without_head(Place(attention.attend), 0):
            assert not torch.allclose(model(images), whole, atol=1e-4)
        torch.testing.assert_close(model(images), whole, atol=0, rtol=0)


def test_without_all_heads_attention_says_no_more_than_its_bias(images: Tensor) -> None:
    model = network()
    attention = next(module for module in model.modules() if isinstance(module, SelfAttention))
    seen: list[Tensor] = []
    attention.register_forward_hook(lambda module, inputs, output: seen.append(output))
    place = Place(attention.attend)
    with torch.no_grad(), without_head(place, 0), without_head(place, 1), without_head(place, 2):
        model(images)
    torch.testing.assert_close(seen[0], attention.output.bias.expand_as(seen[0]))


def test_an_error_inside_leaves_no_hook_behind() -> None:
    place = places_in(network())["encoder.1.self"]
    with pytest.raises(ZeroDivisionError), without_head(place, 0):
        _ = 1 / 0
    assert not place.attend._forward_hooks


def test_of_two_towers_each_is_tried_by_itself() -> None:
    predictor = classifier(encoder(), 2, "towers")
    found = explain(predictor, PAIR, Asked(heads=True))
    without = {(off.site, off.head): off.probability for off in found.heads}
    assert len(without) == 2 * 2 * 3
    for site in ("encoder.0.self", "encoder.1.self"):
        for head in range(3):
            assert without[f"first.{site}", head] != without[f"second.{site}", head]


def test_what_is_answered_without_a_head_is_what_the_model_then_predicts() -> None:
    predictor = classifier(encoder())
    assert isinstance(predictor.reader, NeuralReader)
    places = places_in(predictor.reader.model)
    found = explain(predictor, TEXT, Asked(heads=True))
    for off in found.heads:
        with without_head(places[off.site], off.head):
            (now,) = predictor.predict([TEXT])
        assert now.label == off.answer
        assert now.probabilities[found.answer] == pytest.approx(off.probability, abs=1e-5)
    assert {off.answer for off in found.heads} <= set(LABELS.labels.names)
