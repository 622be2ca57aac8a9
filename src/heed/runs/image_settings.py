"""`ImageSettings`: everything that decides what a run of task `image` becomes."""

from typing import Literal

from heed.data.squares import Fit
from heed.errors import SettingsError
from heed.models.vit import VitSettings
from heed.runs.data_settings import DataSettings, check_columns
from heed.settings import settings
from heed.tasks.augmentation import AugmentationSettings
from heed.tasks.image import ColourSettings
from heed.training.settings import TrainingSettings


@settings
class PictureSettings:
    """How pictures of any size become squares, and how they are looked at."""

    fit: Fit = "squash"  # the whole picture with its sides made equal, or `crop`, the square in its middle
    detail: float = 1.25  # side of the pictures to learn from, in sides of what the model reads: parts stay sharp
    workers: int | None = None  # processes that decode; none: one for each core. The result does not depend on it
    strict: bool = False  # a picture that cannot be read ends the run; else it is named and left out

    def __post_init__(self) -> None:
        if not 1 <= self.detail <= 4:
            raise SettingsError(f"pictures.detail is {self.detail}. Use 1 to 4.")
        if self.workers is not None and not 0 <= self.workers <= 64:
            raise SettingsError(f"pictures.workers is {self.workers}. Use 0 (this process) to 64, or none.")


@settings
class ImageSettings:
    """The whole of a run that learns to say what a picture shows."""

    task: Literal["image"] = "image"
    data: DataSettings = DataSettings()
    pictures: PictureSettings = PictureSettings()
    colours: ColourSettings = ColourSettings()
    augmentation: AugmentationSettings = AugmentationSettings()
    base: str | None = None  # a run or a folder of Hugging Face's format: the weights to start from
    model: VitSettings = VitSettings()
    training: TrainingSettings = TrainingSettings(
        tokens_per_batch=4096, learning_rate=1e-3, weight_decay=0.05, average=0.998, warmup=0.1, validations=15
    )

    def __post_init__(self) -> None:
        check_columns(self.task, self.data)
