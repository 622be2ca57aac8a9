"""Training settings: every value that cannot be trained with is refused, with its name and itself."""

import pytest

from heed.errors import SettingsError
from heed.training.settings import TrainingSettings


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"steps": 0}, r"training\.steps is 0; it must be more than 0"),
        ({"epochs": -1}, r"training\.epochs is -1; it must be more than 0"),
        ({"minutes": 0.0}, r"training\.minutes is 0\.0; it must be more than 0"),
        ({"learning_rate": 0.0}, r"training\.learning_rate is 0\.0; it must be more than 0"),
        ({"clip": -2.0}, r"training\.clip is -2\.0; it must be more than 0"),
        ({"threads": 0}, r"training\.threads is 0; it must be more than 0"),
        ({"tokens_per_batch": 0}, r"training\.tokens_per_batch is 0; it must be at least 1"),
        ({"accumulate": 0}, r"training\.accumulate is 0; it must be at least 1"),
        ({"window": -3}, r"training\.window is -3; it must be at least 1"),
        ({"validations": 0}, r"training\.validations is 0; it must be at least 1"),
        ({"checkpoint_every": 0}, r"training\.checkpoint_every is 0; it must be at least 1"),
        ({"keep_checkpoints": 0}, r"training\.keep_checkpoints is 0; it must be at least 1"),
        ({"patience": 0}, r"training\.patience is 0; it must be at least 1"),
        ({"validation_texts": 0}, r"training\.validation_texts is 0; it must be at least 1"),
        ({"seed": -1}, r"training\.seed is -1; it must be from 0 to 4294967295"),
        ({"seed": 2**32}, r"training\.seed is 4294967296; it must be from 0"),
        ({"weight_decay": -0.1}, r"training\.weight_decay is -0\.1; it must be 0 or more"),
        ({"warmup": 1.0}, r"training\.warmup is 1\.0; it must be from 0 to less than 1"),
        ({"average": -0.5}, r"training\.average is -0\.5; it must be from 0 to less than 1"),
        ({"label_smoothing": 1.5}, r"training\.label_smoothing is 1\.5; it must be from 0 to less than 1"),
        ({"steps": 4, "epochs": 2}, r"training has steps and epochs; give one of steps, epochs and minutes"),
        ({"steps": 4, "minutes": 2.0}, r"training has steps and minutes"),
    ],
)
def test_a_value_that_cannot_be_trained_with_is_refused(given: dict[str, float], message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        TrainingSettings(**given)
