"""`PretrainingSettings`: everything that decides what a run of `heed pretrain` becomes."""

from typing import Literal

from heed.errors import SettingsError
from heed.models.bert import BertSettings
from heed.runs.data_settings import DataSettings, check_split
from heed.settings import settings
from heed.tasks.pretrain import frame_size
from heed.tokens.settings import TokenizerSettings
from heed.training.settings import TrainingSettings


@settings
class PretrainingSettings:
    """The whole of a run that teaches a BERT a language from plain text."""

    task: Literal["pretrain"] = "pretrain"
    data: DataSettings = DataSettings()  # text files or tables; `columns` names the column of a table
    objective: Literal["mlm,nsp", "mlm"] = "mlm,nsp"  # hidden words and next sentence, or hidden words alone
    whole_words: bool = False  # hide all pieces of a word together
    mask_share: float = 0.15  # of the tokens that must be found
    length: int = 128  # tokens of a sequence while it learns; at most model.longest
    base: str | None = None  # a run or a folder of Hugging Face's format: the weights and vocabulary to go on from
    tokens: TokenizerSettings = TokenizerSettings(kind="wordpiece", size=16000, lowercase=True)
    model: BertSettings = BertSettings()
    training: TrainingSettings = TrainingSettings(
        tokens_per_batch=4096, learning_rate=1e-3, average=0.999, label_smoothing=0.0, validations=10
    )

    def __post_init__(self) -> None:
        check_split(self.task, self.data)
        if len(self.data.columns) > 1:
            raise SettingsError(f"data.columns is {list(self.data.columns)}; a corpus has one column of text.")
        if not 0 < self.mask_share < 1:
            raise SettingsError(f"mask_share is {self.mask_share}; it must be above 0 and below 1, such as 0.15.")
        least = frame_size(self.pairs) + 2
        if not least <= self.length <= self.model.longest:
            raise SettingsError(
                f"length is {self.length}; it must be from {least} to model.longest, which is {self.model.longest}."
            )
        if self.pairs and (self.model.segments != 2 or self.model.pooler == "none" or self.model.pooling != "first"):
            raise SettingsError(
                f"objective mlm,nsp needs two segments and a pooler over the first token; the model has "
                f"segments={self.model.segments}, pooler={self.model.pooler}, pooling={self.model.pooling}. "
                f"Use objective=mlm."
            )

    @property
    def pairs(self) -> bool:
        """Tell whether sequences are pairs of texts."""
        return self.objective == "mlm,nsp"
