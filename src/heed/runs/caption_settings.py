"""`CaptionSettings`: everything that decides what a run of task `caption` becomes."""

from typing import Literal

from heed.decoding.beam import BeamSettings
from heed.errors import SettingsError
from heed.models.captioner import RnnCaptionerSettings, TransformerCaptionerSettings
from heed.runs.data_settings import DataSettings, check_columns
from heed.runs.image_settings import PictureSettings
from heed.settings import settings
from heed.tasks.augmentation import AugmentationSettings
from heed.tasks.image import ColourSettings
from heed.tokens.settings import TokenizerSettings
from heed.training.settings import TrainingSettings


@settings
class CaptionSettings:
    """The whole of a run that learns to say in words what a picture shows."""

    task: Literal["caption"] = "caption"
    data: DataSettings = DataSettings()
    pictures: PictureSettings = PictureSettings()
    colours: ColourSettings = ColourSettings()
    # Colours are often what a caption speaks of, and a picture that is mixed or half hidden has none that is true.
    augmentation: AugmentationSettings = AugmentationSettings(crop=0.7, turn=5.0, colour=0.1, erase=0.0, cutmix=0.0)
    base: str | None = None  # a run or a folder of Hugging Face's format: the weights that the encoder starts from
    tokens: TokenizerSettings = TokenizerSettings(kind="words", size=10000, minimum_count=2, lowercase=True)
    model: TransformerCaptionerSettings | RnnCaptionerSettings = TransformerCaptionerSettings()
    training: TrainingSettings = TrainingSettings(
        tokens_per_batch=4096, learning_rate=1e-3, weight_decay=0.05, average=0.998, warmup=0.1, validations=10
    )
    search: BeamSettings = BeamSettings()  # how `predict` and `evaluate` decode unless told otherwise

    def __post_init__(self) -> None:
        check_columns(self.task, self.data)
        if self.augmentation.mixup or self.augmentation.cutmix:
            raise SettingsError(
                f"augmentation.mixup is {self.augmentation.mixup} and augmentation.cutmix {self.augmentation.cutmix}: "
                f"no sentence is true of two pictures in one. Use 0 for both."
            )
