"""`AnswerSettings`: everything that decides what a run of `answer` becomes."""

from typing import Literal

from heed.errors import SettingsError
from heed.models.bert import BertSettings
from heed.models.encoder import EncoderSettings
from heed.models.span_reader import DEFAULT, check_span_reader
from heed.runs.data_settings import DataSettings, check_base, check_split
from heed.settings import settings
from heed.tasks.answer_search import SpanSearch
from heed.tasks.answer_windows import WindowSettings
from heed.tokens.settings import TokenizerSettings
from heed.training.settings import TrainingSettings


@settings
class AnswerSettings:
    """The whole of a run that learns to answer questions by a stretch of a paragraph."""

    task: Literal["answer"] = "answer"
    data: DataSettings = DataSettings()  # files in the format of SQuAD
    windows: WindowSettings = WindowSettings()
    search: SpanSearch = SpanSearch()  # how `predict` and `evaluate` look for answers unless told otherwise
    base: str | None = None  # a run, or a folder in the format of Hugging Face, to start from: weights and vocabulary
    # Answers are cut from the paragraph as it was given, so nothing is lost where capitals are folded.
    tokens: TokenizerSettings = TokenizerSettings(kind="wordpiece", lowercase=True)
    model: EncoderSettings | BertSettings = DEFAULT
    training: TrainingSettings = TrainingSettings(
        label_smoothing=0.0
    )  # a start or an end next to the right one is wrong

    def __post_init__(self) -> None:
        if self.data.columns:
            raise SettingsError(
                f"data.columns is {list(self.data.columns)}, but task answer reads files in the format of SQuAD, which "
                f"have no columns. Leave it out."
            )
        check_split(self.task, self.data)
        check_base(self.base, self.model.kind)
        check_span_reader(self.model)
        self.windows.check_room(self.model.longest)
