"""`TagSettings`: everything that decides what a run of `tag` becomes."""

from typing import Literal

from heed.errors import SettingsError
from heed.models.bert import BertSettings
from heed.models.encoder import EncoderSettings
from heed.models.tagger import PRESETS, Pieces, TaggerSettings
from heed.models.text_rnn import TextRnnSettings
from heed.models.token_encoder import TokenEncoderSettings
from heed.runs.data_settings import DataSettings, check_base, check_split
from heed.settings import settings
from heed.tokens.settings import TokenizerSettings
from heed.training.settings import TrainingSettings


@settings
class TagSettings:
    """The whole of a run that learns to label each word of a text."""

    task: Literal["tag"] = "tag"
    data: DataSettings = DataSettings()  # columns: the numbers of those of word and tag; none: the first and the last
    crf: bool | None = None  # labels judged together; none: where the model is recurrent
    pieces: Pieces = "first"  # a word in several pieces is judged by its first, or by the mean of all
    base: str | None = None  # a run, or a folder in the format of Hugging Face, to start from: weights and vocabulary
    vectors: str | None = None  # a word2vec or GloVe text file, or a run of vectors, that the embedding starts from
    tokens: TokenizerSettings = TokenizerSettings()
    model: TextRnnSettings | EncoderSettings | BertSettings = PRESETS["lstm"]
    training: TrainingSettings = TrainingSettings()

    def __post_init__(self) -> None:
        if len(self.data.columns) not in (0, 2):
            raise SettingsError(
                f"data.columns is {list(self.data.columns)}; task tag needs the numbers of two columns, those of word "
                f"and tag: --columns 1,4."
            )
        check_split(self.task, self.data)
        check_base(self.base, self.model.kind)
        if self.base is not None and self.vectors is not None:
            raise SettingsError(
                f"base is {self.base} and vectors is {self.vectors}: both would start the embedding. Leave one out."
            )
        _ = self.tagger  # which refuses what words cannot be labelled with

    @property
    def tagger(self) -> TaggerSettings:
        """Return the settings of the whole model."""
        encoder: TokenEncoderSettings = self.model
        return TaggerSettings(encoder=encoder, crf=self.crf, pieces=self.pieces)
