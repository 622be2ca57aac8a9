"""`LanguageBase`: what a run of `write` starts from: a language model that was trained before, with its vocabulary."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from torch import Tensor

from heed.errors import UsageError
from heed.models.language import LanguageSettings
from heed.runs.folder import open_run
from heed.runs.write_settings import WriteSettings
from heed.settings import from_dict
from heed.tokens.tokenizer import Tokenizer


@dataclass(frozen=True)
class LanguageBase:
    """A trained language model with its vocabulary."""

    origin: str
    settings: LanguageSettings
    tokenizer: Tokenizer
    weights: Mapping[str, Tensor]


def load_language_base(path: Path) -> LanguageBase:
    """Return the model of a run of `write`."""
    folder = open_run(path)
    values = folder.read_settings()
    if values.get("task") != "write":
        raise UsageError(
            f"{path} is a run of {values.get('task')}, but a language model starts from another: "
            f"give a run of `heed train write`."
        )
    settings = from_dict(WriteSettings, values, f"{path}: settings")
    tokenizer = Tokenizer.from_json(folder.read_tokenizers().source)
    return LanguageBase(str(path), settings.model, tokenizer, folder.read_best().tensors)
