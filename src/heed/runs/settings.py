"""`settings.json`: everything that decides what a run becomes, resolved, so that it can be repeated."""

from typing import Literal

from heed.decoding.beam import BeamSettings
from heed.errors import SettingsError
from heed.models.rnn_seq2seq import RnnSettings
from heed.models.transformer import TransformerSettings
from heed.settings import settings
from heed.tokens.settings import TokenizerSettings
from heed.training.settings import TrainingSettings


@settings
class DataSettings:
    """Where the examples come from."""

    train: tuple[str, ...] = ("demo:fr-en",)  # one table, two line-aligned files, or a built-in demo:NAME
    valid: tuple[str, ...] = ()  # none: a stable part of `train`
    test: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()  # names of the two columns of a table; none: by the table's own header

    def __post_init__(self) -> None:
        if len(self.columns) not in (0, 2):
            raise SettingsError(
                f"data.columns is {list(self.columns)}; give two names, the source's and the target's, such as en,fr."
            )


@settings
class RunSettings:
    """The whole of a run."""

    task: Literal["translate"] = "translate"
    data: DataSettings = DataSettings()
    tokens: TokenizerSettings = TokenizerSettings()
    shared_tokens: bool = True  # one vocabulary for both sides: names and numbers are the same in both
    model: TransformerSettings | RnnSettings = TransformerSettings()
    training: TrainingSettings = TrainingSettings()
    search: BeamSettings = BeamSettings()  # how `predict` and `evaluate` decode unless told otherwise
