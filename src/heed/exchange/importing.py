"""`import_published`: a model in the format of Hugging Face becomes a finished run, ready to predict."""

from dataclasses import dataclass
from pathlib import Path

from heed.errors import RunError, UsageError
from heed.exchange.hub import HUB, fetched
from heed.exchange.import_bert import import_bert
from heed.exchange.import_gpt2 import import_gpt2
from heed.exchange.import_marian import import_marian
from heed.exchange.import_vit import import_vit
from heed.exchange.imported import Imported, write_run
from heed.files.published import CONFIG, is_published, read_json_object
from heed.models.published.bert import FAMILIES as BERTS
from heed.models.published.config import Config
from heed.models.published.gpt2 import FAMILY as GPT2
from heed.models.published.marian import FAMILY as MARIAN
from heed.models.published.vit import FAMILIES as VITS
from heed.runs.folder import check_free, is_run
from heed.runs.settings import settings_class


@dataclass(frozen=True)
class ImportedRun:
    """Where an imported run is, and what a person should know of it."""

    path: Path
    task: str
    origin: str
    weights: int  # how many numbers the model has
    notes: tuple[str, ...]


def import_published(name: str, out: Path, task: str | None = None, force: bool = False) -> ImportedRun:
    """Make a run of the model in a folder, or of "hub:NAME", which is fetched first."""
    check_free(out, force)
    return import_folder(fetched(name) if name.startswith(HUB) else Path(name), out, task, force)


def import_folder(path: Path, out: Path, task: str | None = None, force: bool = False) -> ImportedRun:
    """Make a run of the model in the folder; nothing is written before all of it was read and fits."""
    if task is not None:
        settings_class(task)
    check_free(out, force)
    path = path.absolute()  # what a run notes of its origin must hold wherever it is read
    if not is_published(path):
        raise UsageError(f"{path} {_instead(path)}. Give a folder in the format of Hugging Face, or hub:NAME.")
    imported = _read(path, task)
    write_run(imported, path, out, force)
    numbers = sum(tensor.numel() for tensor in imported.weights.values())
    return ImportedRun(out, imported.settings.task, str(path), numbers, imported.notes)


def _read(path: Path, task: str | None) -> Imported:
    family = Config(read_json_object(path / CONFIG), str(path / CONFIG)).model_type
    if family in BERTS:
        return import_bert(path, task)
    if family == GPT2:
        return import_gpt2(path, task)
    if family == MARIAN:
        return import_marian(path, task)
    if family in VITS:
        return import_vit(path, task)
    known = ", ".join((*BERTS, GPT2, MARIAN, *VITS))
    raise RunError(f"{path / CONFIG}: model_type is {family[:80]!r}, which is not read. Known are: {known}.")


def _instead(path: Path) -> str:
    if is_run(path):
        return "is a run already"
    if path.is_dir():
        return f"holds no {CONFIG}"
    return "is a file" if path.exists() else "is not there"
