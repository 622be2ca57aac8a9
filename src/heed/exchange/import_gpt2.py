"""GPT-2 from a folder of Hugging Face's format, as a run of `write`."""

from pathlib import Path

import torch

from heed.errors import UsageError
from heed.exchange.imported import Imported, check_weights
from heed.models.language_transformer import LanguageTransformerSettings
from heed.runs import write_run
from heed.runs.folder import TokenizerTexts
from heed.runs.write_base import load_language_base
from heed.runs.write_settings import WriteSettings


def import_gpt2(path: Path, task: str | None) -> Imported:
    """Return the model in the folder as a run of `write`."""
    if task not in (None, "write"):
        raise UsageError(f"--task is {task}, but the GPT-2 in {path} can only become a run of write. Leave it out.")
    base = load_language_base(path)
    assert isinstance(base.settings, LanguageTransformerSettings), "a folder holds GPT-2"
    settings = WriteSettings(base=str(path), tokens=base.tokens, model=base.settings)
    with torch.device("meta"):
        model = write_run.build_model(settings, base.tokenizer)
    check_weights(model, base.weights, str(path))
    texts = TokenizerTexts(base.tokenizer.to_json())
    return Imported(settings, texts, base.weights)
