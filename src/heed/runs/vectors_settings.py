"""The settings of a run that learns word vectors."""

from typing import Literal

from heed.errors import SettingsError
from heed.models.vectors_settings import GloveSettings, Word2VecSettings
from heed.runs.data_settings import DataSettings, check_split
from heed.settings import settings
from heed.training.settings import TrainingSettings


@settings
class VectorsSettings:
    """The whole of a run that learns a vector for each word of a text."""

    task: Literal["vectors"] = "vectors"
    data: DataSettings = DataSettings()
    model: Word2VecSettings | GloveSettings = Word2VecSettings()
    training: TrainingSettings = TrainingSettings()  # the seed, the threads, and epochs if not those of the model

    def __post_init__(self) -> None:
        check_split(self.task, self.data)
        for name in ("steps", "minutes"):
            value = getattr(self.training, name)
            if value is not None:
                raise SettingsError(
                    f"training.{name} is {value}, but word vectors are learnt in passes over the text. "
                    f"Use training.epochs."
                )
        for name in ("valid", "test", "columns"):
            value = getattr(self.data, name)
            if value:
                raise SettingsError(
                    f"data.{name} is {list(value)}, but word vectors are learnt from all of the text and judged by "
                    f"questions. Leave it out; see heed evaluate."
                )
