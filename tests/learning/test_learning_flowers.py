"""The flowers that are drawn here are learnt by small models in about twenty seconds of one core.

Flowers have all colours, so the kind shows in shapes alone; chance names one of five. One and the same caption for all
pictures would be right of 9 in 250 at most.
"""

from pathlib import Path

import pytest

from heed import api
from heed.prediction.picture_captioner import CaptionEvaluation
from heed.prediction.picture_classifier import PictureEvaluation

VIT = {
    "image": 24,
    "patch": 4,
    "width": 64,
    "heads": 2,
    "layers": 2,
    "feedforward": 128,
    "drop_path": 0.0,
    "pooling": "mean",
    "stem": "convolutional",
}
AUGMENTATION = {"crop": 0.9, "stretch": 1.0, "turn": 0.0, "colour": 0.0, "grey": 0.0, "erase": 0.0, "cutmix": 0.0}
TRAINING = {"learning_rate": 2e-3, "average": 0.98, "label_smoothing": 0.0, "validations": 1, "threads": 1}
TRANSFORMER = {"kind": "transformer", "heads": 2, "layers": 1, "feedforward": 128}
LSTM = {"kind": "rnn", "cell": "lstm"}


@pytest.mark.slow
def test_a_small_vit_learns_kinds_of_flowers_by_their_shapes(tmp_path: Path) -> None:
    training = {**TRAINING, "steps": 450, "tokens_per_batch": 1776}
    settings = {"model": VIT, "augmentation": AUGMENTATION, "training": training}
    run = api.train("image", "demo:flowers", settings=settings, out=tmp_path / "run")
    found = api.evaluate(run.path, "demo:flowers").unseen
    assert isinstance(found, PictureEvaluation)
    assert found.scores.accuracy > 0.6


@pytest.mark.slow
@pytest.mark.parametrize("decoder", [TRANSFORMER, LSTM], ids=["transformer", "lstm"])
def test_a_small_captioner_learns_to_say_all_of_many_pictures(tmp_path: Path, decoder: dict[str, object]) -> None:
    settings = {
        "model": {**decoder, "encoder": VIT, "width": 64, "dropout": 0.0, "longest": 20},
        "augmentation": AUGMENTATION,
        "training": {**TRAINING, "steps": 500, "learning_rate": 3e-3, "tokens_per_batch": 2400, "validation_texts": 20},
    }
    run = api.train("caption", "demo:flowers", settings=settings, out=tmp_path / "run")
    found = api.evaluate(run.path, "demo:flowers").unseen
    assert isinstance(found, CaptionEvaluation)
    assert found.scores.exact > 0.2
    assert found.scores.bleu[3] > 50
