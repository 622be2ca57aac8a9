"""`export_run`: a run becomes a folder in the format of Hugging Face, or its word vectors a text file."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal, assert_never, get_args

from heed.errors import RunError, UsageError
from heed.exchange.export_bert import export_bert
from heed.exchange.export_gpt2 import export_gpt2
from heed.exchange.export_marian import export_marian
from heed.exchange.export_vit import export_image_run
from heed.exchange.exported import Exported, cannot
from heed.exchange.published_folder import check_free, write_folder
from heed.files.vectors_writing import write_glove, write_word2vec
from heed.models.bert import BertSettings
from heed.models.language_transformer import LanguageTransformerSettings
from heed.models.transformer import TransformerSettings
from heed.runs import vectors_run
from heed.runs.answer_settings import AnswerSettings
from heed.runs.caption_settings import CaptionSettings
from heed.runs.folder import RunFolder, open_run
from heed.runs.image_settings import ImageSettings
from heed.runs.pretraining_settings import PretrainingSettings
from heed.runs.settings import ClassificationSettings, RunSettings, TranslationSettings, read_settings
from heed.runs.tag_settings import TagSettings
from heed.runs.vectors_settings import VectorsSettings
from heed.runs.write_settings import WriteSettings

Format = Literal["hf", "word2vec", "glove"]
FORMATS: tuple[Format, ...] = get_args(Format)


@dataclass(frozen=True)
class ExportedModel:
    """Where an export is, and what it is there."""

    path: Path
    to: Format
    kind: str  # the class that opens it, or how many vectors
    notes: tuple[str, ...] = ()


def export_run(run: Path, to: str, out: Path, force: bool = False) -> ExportedModel:
    """Write the run's model in another format; nothing that is there is replaced without `force`."""
    folder = open_run(run)
    settings = read_settings(folder.read_settings(), f"{run}: settings")
    if to == "hf":
        check_free(out, force)
        exported = _exported(folder, settings)
        write_folder(out, exported.model, exported.texts, force)
        return ExportedModel(out, "hf", _class(exported), exported.notes)
    if to == "word2vec":
        return _export_vectors(folder, settings, "word2vec", out, force)
    if to == "glove":
        return _export_vectors(folder, settings, "glove", out, force)
    raise UsageError(f"--to is {to!r}. Choose one of: {', '.join(FORMATS)}.")


def _exported(folder: RunFolder, settings: RunSettings) -> Exported:
    model, origin = settings.model, str(folder.path)
    match settings:
        case PretrainingSettings() | ClassificationSettings() | TagSettings() | AnswerSettings():
            if isinstance(model, BertSettings):
                return export_bert(folder, settings, model)
            cure = "Train with --model bert-mini or another BERT, or from one with --from."
            raise cannot(origin, "model.kind", model.kind, cure)
        case WriteSettings():
            if isinstance(model, LanguageTransformerSettings):
                return export_gpt2(folder, model)
            raise cannot(origin, "model.kind", model.kind, "Train with --model gpt2.")
        case TranslationSettings():
            if isinstance(model, TransformerSettings):
                return export_marian(folder, settings, model)
            raise cannot(origin, "model.kind", model.kind, "Train with --model transformer.")
        case CaptionSettings():
            raise cannot(origin, "task", settings.task, "Hugging Face's format has no such model. Keep the run itself.")
        case ImageSettings():
            return export_image_run(folder, settings)
        case VectorsSettings():
            raise cannot(origin, "task", settings.task, "Word vectors go to a text file: --to word2vec or --to glove.")
        case _:
            assert_never(settings)


def _export_vectors(
    folder: RunFolder, settings: RunSettings, to: Literal["word2vec", "glove"], out: Path, force: bool
) -> ExportedModel:
    if not isinstance(settings, VectorsSettings):
        raise cannot(str(folder.path), "task", settings.task, f"Only runs of vectors go to {to}: use --to hf.")
    if out.exists() and (out.is_dir() or not force):
        kind = "a folder" if out.is_dir() else "there already"
        raise RunError(
            f"{out} is {kind}. Choose another --out{'' if out.is_dir() else ', or replace it with --force'}."
        )
    space = vectors_run.read_space(folder)
    (write_word2vec if to == "word2vec" else write_glove)(out, space.words, space.table)
    return ExportedModel(out, to, f"{len(space.words):,} vectors")


def _class(exported: Exported) -> str:
    names = exported.model.config["architectures"]
    assert isinstance(names, list), "a config names the class that opens it"
    return str(names[0])
