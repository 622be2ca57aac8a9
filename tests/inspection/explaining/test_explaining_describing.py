"""How an explanation names its model."""

from heed.inspection.explaining.describing import model_line
from heed.models.rnn_seq2seq import RnnSettings
from heed.models.vit import VitSettings


def test_a_model_is_named_by_its_kind_and_sizes() -> None:
    assert model_line(VitSettings(layers=6, heads=3, width=192)) == "vit, 6 layers, 3 heads, 192 wide"
    assert model_line(RnnSettings(cell="gru", layers=2, width=32)) == "gru, 2 layers, 32 wide"


def test_one_of_a_thing_is_not_many() -> None:
    assert model_line(VitSettings(layers=1, heads=1, width=1, feedforward=1)) == "vit, 1 layer, 1 head, 1 wide"
