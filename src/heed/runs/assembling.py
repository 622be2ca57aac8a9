"""What runs with one vocabulary share: reading it back, starting its embedding, and putting a run together."""

from collections.abc import Mapping
from pathlib import Path

from torch import nn

from heed.machine import Ranks
from heed.models.weights import parameter_count
from heed.models.word_vectors import start_embedding, wanted_words
from heed.runs.folder import RunFolder
from heed.runs.run import TrainerRun
from heed.runs.settings import RunSettings
from heed.runs.strict_json import JSON
from heed.runs.vectors_run import vectors_at
from heed.settings import from_dict
from heed.tokens.settings import TokenizerSettings
from heed.tokens.tokenizer import Tokenizer
from heed.training.trainer import TrainableTask, Trainer


def assemble(
    folder: RunFolder, settings: RunSettings, task: TrainableTask, tokenizer: Tokenizer, ranks: Ranks
) -> TrainerRun:
    """Return the run of a task, ready to train."""
    trainer = Trainer(task, settings.training, ranks)
    facts: dict[str, JSON] = {"task": settings.task, "vocabulary": tokenizer.fingerprint}
    size = f"{parameter_count(task.model):,} parameters, {tokenizer.size:,} pieces in the vocabulary"
    return TrainerRun(folder, settings, task, trainer, facts, (size,))


def read_tokenizer(folder: RunFolder) -> Tokenizer:
    """Return the tokenizer of a run that has one."""
    return Tokenizer.from_json(folder.read_tokenizers().source)


def token_settings(folder: RunFolder, tokenizer: Tokenizer) -> TokenizerSettings:
    """Return what a run's vocabulary is: the settings it was trained with, or, if they are not its own, what it shows.

    Runs of version 0.5 that started from another noted the settings of a vocabulary that they did not have.
    """
    shown, noted = tokenizer.settings, folder.read_settings().get("tokens")
    if not isinstance(noted, Mapping):
        return shown
    own = from_dict(TokenizerSettings, noted, f"{folder.path}: settings.tokens")
    alike = (own.kind, own.lowercase, own.strip_accents) == (shown.kind, shown.lowercase, shown.strip_accents)
    return own if alike and shown.size <= own.size else shown


def start_from_vectors(embedding: nn.Embedding, tokenizer: Tokenizer, path: str | None) -> tuple[str, ...]:
    """Start the embedding from a file or a run of word vectors, if one is given; return what a person should know."""
    if path is None:
        return ()
    pieces = [tokenizer.piece(id) for id in range(tokenizer.size)]
    found = start_embedding(embedding, pieces, vectors_at(Path(path), wanted_words(pieces)))
    return (f"{found:,} of {len(pieces):,} pieces start from the vectors of {path}",)
