"""What is random in training is not in use: a picture has one answer, however often a model is asked."""

import sys
from pathlib import Path

import numpy
import pytest
import torch

from heed.data.labels import Labels
from heed.decoding.beam import BeamSettings
from heed.models.captioner import TransformerCaptionerSettings, build_captioner
from heed.models.vit import ImageClassifier, VitSettings
from heed.prediction.picture_captioner import PictureCaptioner
from heed.prediction.picture_classifier import PictureClassifier
from heed.tasks.image import ColourSettings
from heed.tasks.targets import Classes
from heed.tokens.settings import TokenizerSettings
from heed.tokens.training import train_tokenizer

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "runs"))
from pictured import noisy_picture

VIT = VitSettings(image=16, patch=8, width=12, heads=2, layers=3, feedforward=20, drop_path=0.5, dropout=0.5)


@pytest.fixture
def picture(tmp_path: Path) -> Path:
    noisy_picture((40, 60, 200), seed=4).save(tmp_path / "picture.png")
    return tmp_path / "picture.png"


def test_a_classifier_that_drops_in_training_always_says_the_same_of_a_picture(picture: Path) -> None:
    torch.manual_seed(3)
    classes = Classes(Labels(("blue", "green", "red")))
    model = PictureClassifier(ImageClassifier(VIT, 3), classes, "crop", ColourSettings())
    assert {tuple(found.probabilities.values()) for found in model.predict([picture] * 6)} == {
        tuple(found.probabilities.values()) for found in model.predict([picture] * 6)
    }
    assert len({tuple(model.predict([picture])[0].probabilities.values()) for _ in range(4)}) == 1


def test_a_captioner_that_drops_in_training_always_says_the_same_of_a_picture(picture: Path) -> None:
    torch.manual_seed(3)
    tokenizer = train_tokenizer(["a red picture", "all of it is blue"], TokenizerSettings(kind="words"))
    settings = TransformerCaptionerSettings(
        encoder=VIT, width=12, heads=2, layers=2, feedforward=20, dropout=0.5, longest=7
    )
    captioner = PictureCaptioner(
        build_captioner(settings, tokenizer.size), tokenizer, "crop", ColourSettings(), BeamSettings(beams=2)
    )
    scores = [captioner.predict([picture])[0].alternatives[0].log_prob for _ in range(4)]
    assert numpy.ptp(scores) == 0
