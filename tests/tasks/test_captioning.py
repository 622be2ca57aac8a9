"""Captions of many pictures at once: they stand where their pictures stood, and companions change nothing."""

import numpy
import pytest
import torch

from heed.decoding.beam import BeamSettings
from heed.decoding.sampling import SamplingSettings
from heed.models.captioner import Captioner, RnnCaptionerSettings, TransformerCaptionerSettings, build_captioner
from heed.models.vit import VitSettings
from heed.tasks import captioning
from heed.tasks.captioning import decode_image_with_tree, decode_images
from heed.tasks.image import ColourSettings, Squares, to_floats
from heed.tasks.translating import GreedySettings, Search
from heed.tokens.settings import TokenizerSettings
from heed.tokens.training import train_tokenizer

VIT = VitSettings(image=12, patch=4, width=10, heads=2, layers=1, feedforward=14)
SETTINGS = (
    TransformerCaptionerSettings(encoder=VIT, width=12, heads=2, layers=1, feedforward=24, longest=9),
    RnnCaptionerSettings(encoder=VIT, width=12, longest=9),
)
TOKENIZER = train_tokenizer(["a b c d e f g"], TokenizerSettings(kind="words"))


@pytest.fixture(params=SETTINGS, ids=lambda settings: settings.kind)
def model(request: pytest.FixtureRequest) -> Captioner:
    torch.manual_seed(10)
    model = build_captioner(request.param, TOKENIZER.size).eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(0.5 * torch.randn_like(parameter))  # so that pictures are told apart
    return model


@pytest.fixture
def squares() -> Squares:
    return numpy.random.default_rng(4).integers(0, 256, size=(7, 12, 12, 3), dtype=numpy.uint8)


@pytest.mark.parametrize(
    "search",
    [GreedySettings(), BeamSettings(beams=3, results=2), SamplingSettings(seed=3)],
    ids=["greedy", "beam", "sample"],
)
@pytest.mark.parametrize("at_once", [32, 3])
def test_a_picture_alone_and_among_others_has_the_same_captions_in_its_own_place(
    search: Search, at_once: int, model: Captioner, squares: Squares, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(captioning, "AT_ONCE", at_once)
    together = decode_images(model, squares, ColourSettings(), TOKENIZER, search)
    assert len({hypotheses[0].ids for hypotheses in together}) > 1
    for row, hypotheses in enumerate(together):
        (alone,) = decode_images(model, squares[row : row + 1], ColourSettings(), TOKENIZER, search, done=row)
        assert [each.ids for each in alone] == [each.ids for each in hypotheses]
        assert [each.score for each in alone] == pytest.approx([each.score for each in hypotheses], abs=1e-4)


def test_no_caption_is_longer_than_the_model_reads_or_holds_what_nobody_says(
    model: Captioner, squares: Squares
) -> None:
    never = {TOKENIZER.pad, TOKENIZER.start, TOKENIZER.unknown} - {TOKENIZER.end}
    for hypotheses in decode_images(model, squares, ColourSettings(), TOKENIZER, BeamSettings(beams=2)):
        assert 1 <= len(hypotheses[0].ids) <= 9
        assert not never & set(hypotheses[0].ids)


def test_the_tree_of_a_picture_belongs_to_the_same_search(model: Captioner, squares: Squares) -> None:
    search, one, colours = BeamSettings(beams=3, results=2), squares[2:3], ColourSettings()
    found, tree = decode_image_with_tree(model, colours.scaled(to_floats(one, [0])), TOKENIZER, search)
    assert [each.ids for each in found] == [
        each.ids for each in decode_images(model, one, colours, TOKENIZER, search)[0]
    ]
    assert found[0].ids in {tree.ids(position) for position in range(len(tree.nodes))}


def test_the_way_colours_become_numbers_changes_what_is_said(model: Captioner, squares: Squares) -> None:
    other = ColourSettings(mean=(0.1, 0.2, 0.3), spread=(0.1, 0.2, 0.3))
    usual, changed = (
        [found[0].score for found in decode_images(model, squares, colours, TOKENIZER, GreedySettings())]
        for colours in (ColourSettings(), other)
    )
    assert usual != pytest.approx(changed, abs=1e-3)
