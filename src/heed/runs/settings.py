"""`settings.json`: everything that decides what a run becomes, resolved, so that it can be repeated."""

from collections.abc import Mapping
from typing import Literal

from heed.data.labels import Outcome
from heed.decoding.beam import BeamSettings
from heed.errors import SettingsError, UsageError
from heed.models.bert import BertSettings
from heed.models.encoder import EncoderSettings
from heed.models.rnn_seq2seq import RnnSettings
from heed.models.text_cnn import TextCnnSettings
from heed.models.text_rnn import TextRnnSettings
from heed.models.tfidf import TfidfSettings
from heed.models.transformer import TransformerSettings
from heed.runs.answer_settings import AnswerSettings
from heed.runs.caption_settings import CaptionSettings
from heed.runs.data_settings import DataSettings, check_base, check_columns, with_own_split
from heed.runs.image_settings import ImageSettings
from heed.runs.pretraining_settings import PretrainingSettings
from heed.runs.tag_settings import TagSettings
from heed.runs.vectors_settings import VectorsSettings
from heed.runs.write_settings import WriteSettings
from heed.settings import from_dict, settings
from heed.tasks.classify import Reading
from heed.tokens.settings import TokenizerSettings
from heed.training.settings import TrainingSettings

DEMOS = {
    "translate": "demo:fr-en",
    "classify": "demo:reviews",
    "pair": "demo:paraphrase",
    "tag": "demo:entities",
    "answer": "demo:questions",
    "write": "demo:hello",
    "vectors": "demo:royals",
    "pretrain": "demo:reviews",
    "image": "demo:flowers",
    "caption": "demo:flowers",
}


@settings
class TranslationSettings:
    """The whole of a run that learns to make one text of another."""

    task: Literal["translate"] = "translate"
    data: DataSettings = DataSettings()
    tokens: TokenizerSettings = TokenizerSettings()
    shared_tokens: bool = True  # one vocabulary for both sides: names and numbers are the same in both
    model: TransformerSettings | RnnSettings = TransformerSettings()
    training: TrainingSettings = TrainingSettings()
    search: BeamSettings = BeamSettings()  # how `predict` and `evaluate` decode unless told otherwise

    def __post_init__(self) -> None:
        check_columns(self.task, self.data)


@settings
class ClassificationSettings:
    """The whole of a run that learns to label texts, or pairs of them."""

    task: Literal["classify", "pair"] = "classify"
    data: DataSettings = DataSettings()
    outcome: Outcome | None = None  # a label or a number; none: by what stands in the column (numbers for `pair` alone)
    reading: Reading = "joined"  # of pairs: both texts as one sequence, or each by itself (towers)
    vectors: str | None = None  # a run of vectors, or a word2vec or GloVe text file: where the embedding starts
    base: str | None = None  # a run or a folder of Hugging Face's format: the weights and vocabulary to start from
    tokens: TokenizerSettings = TokenizerSettings()
    model: EncoderSettings | TextRnnSettings | TextCnnSettings | BertSettings | TfidfSettings = EncoderSettings()
    training: TrainingSettings = TrainingSettings()

    def __post_init__(self) -> None:
        check_columns(self.task, self.data)
        if self.task == "classify" and self.outcome == "number":
            raise SettingsError("outcome is number, but task classify gives labels. Use outcome=label, or task pair.")
        check_base(self.base, self.model.kind)

    @property
    def towers(self) -> bool:
        """Tell whether a model reads the two texts of a pair each by itself."""
        return self.task == "pair" and self.reading == "towers"


RunSettings = (
    TranslationSettings
    | ClassificationSettings
    | TagSettings
    | AnswerSettings
    | WriteSettings
    | VectorsSettings
    | PretrainingSettings
    | ImageSettings
    | CaptionSettings
)
_CLASSES: dict[str, type[RunSettings]] = {
    "translate": TranslationSettings,
    "classify": ClassificationSettings,
    "pair": ClassificationSettings,
    "tag": TagSettings,
    "answer": AnswerSettings,
    "write": WriteSettings,
    "vectors": VectorsSettings,
    "pretrain": PretrainingSettings,
    "image": ImageSettings,
    "caption": CaptionSettings,
}
TASKS = tuple(_CLASSES)


def read_settings(values: Mapping[str, object], where: str) -> RunSettings:
    """Return the settings of a run of whatever task; what an older version did not write is as it was then."""
    return from_dict(settings_class(values.get("task")), with_own_split(values), where)


def settings_class(task: object) -> type[RunSettings]:
    """Return the settings that a task has."""
    if not isinstance(task, str) or task not in _CLASSES:
        raise UsageError(f"There is no task {task!r}. Choose one of: {', '.join(TASKS)}.")
    return _CLASSES[task]
