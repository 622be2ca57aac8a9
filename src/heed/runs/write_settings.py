"""The settings of a run of `write`: a language model over characters, words or pieces of words."""

from typing import Literal

from heed.decoding.sampling import SamplingSettings
from heed.errors import SettingsError
from heed.models.language_rnn import LanguageRnnSettings
from heed.models.language_transformer import LanguageTransformerSettings
from heed.runs.data_settings import DataSettings, check_split
from heed.settings import settings
from heed.tokens.settings import TokenizerSettings
from heed.training.settings import TrainingSettings


@settings
class WriteSettings:
    """The whole of a run that learns to write on."""

    task: Literal["write"] = "write"
    data: DataSettings = DataSettings()
    base: str | None = None  # a run of `write`, or a folder of GPT-2, whose weights and vocabulary it starts from
    tokens: TokenizerSettings = TokenizerSettings(kind="characters")
    model: LanguageTransformerSettings | LanguageRnnSettings = LanguageTransformerSettings()
    # No label smoothing: a model that must keep some probability for every piece cannot foretell a text well.
    training: TrainingSettings = TrainingSettings(label_smoothing=0.0, validations=10)
    search: SamplingSettings = SamplingSettings(temperature=0.8)  # how `predict` draws unless told otherwise
    length: int = 200  # tokens that `predict` writes unless told otherwise

    def __post_init__(self) -> None:
        check_split(self.task, self.data)
        if self.data.columns:
            raise SettingsError(
                f"data.columns is {list(self.data.columns)}, but task write reads plain text. Use none."
            )
        if self.length < 1:
            raise SettingsError(f"length is {self.length}. Use 1 or more: so many tokens are written.")
