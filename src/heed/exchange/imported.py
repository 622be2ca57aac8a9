"""`Imported`: what a run is made of that was trained elsewhere, and how it becomes a finished run."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor, nn

from heed.errors import RunError
from heed.files.published import CONFIG, weight_files
from heed.models.weights import copy_weights, weights_of
from heed.runs import durable
from heed.runs.folder import TokenizerTexts, create
from heed.runs.image_base import PREPROCESSOR_CONFIG
from heed.runs.settings import RunSettings
from heed.runs.strict_json import JSON
from heed.settings import to_dict
from heed.tokens.marian import MARIAN_FILES
from heed.tokens.published import TOKENIZER_FILES
from heed.tokens.tokenizer import Tokenizer

LISTED = 5  # weights that a message names
PROBE = "The ﬁrst house,\tngôi nhà – 1/2 ẛ🙂 （１２）\n"  # letters of several alphabets, signs, and white space


@dataclass(frozen=True)
class Imported:
    """A model with all that prediction needs, read and checked; nothing has been written yet."""

    settings: RunSettings
    tokenizers: TokenizerTexts | None  # none: the model reads pictures
    weights: Mapping[str, Tensor]  # by the names of the run's model
    labels: Mapping[str, JSON] | None = None
    facts: Mapping[str, JSON] | None = None  # of the weights, beside task and vocabulary
    notes: tuple[str, ...] = ()


def check_weights(model: nn.Module, weights: Mapping[str, Tensor], origin: str) -> None:
    """Refuse weights that do not fit the model, which is built on the meta device and costs no memory."""
    copy_weights(weights_of(model), weights, origin)
    broken = [name for name, tensor in weights.items() if not bool(torch.isfinite(tensor).all())]
    if broken:
        more = f" and {len(broken) - LISTED} more" if len(broken) > LISTED else ""
        raise RunError(
            f"The weights of {origin} hold numbers that are not finite: {', '.join(broken[:LISTED])}{more}. "
            f"Fetch the folder again."
        )


def write_run(imported: Imported, origin: Path, out: Path, force: bool) -> None:
    """Make the run; until its last file is there, it is none that could be opened."""
    facts: dict[str, JSON] = {
        "task": imported.settings.task,
        **({} if imported.tokenizers is None else {"vocabulary": _vocabulary(imported.tokenizers)}),
        "origin": str(origin),
        "step": 0,
        **(imported.facts or {}),
    }
    digests = _digests(origin)
    folder = create(out, force)
    with folder.lock():
        if imported.tokenizers is not None:
            folder.write_tokenizers(imported.tokenizers)
        if imported.labels is not None:
            folder.write_labels(imported.labels)
        folder.write_data_facts({"origin": str(origin), "files": digests})
        folder.write_best(imported.weights, facts)
        folder.mark_finished({"step": 0, "origin": str(origin)})
        folder.write_settings(to_dict(imported.settings))


def _vocabulary(texts: TokenizerTexts) -> str:
    """Return what the weights are tied to: the fingerprints of the tokenizers as they will be read.

    The library may write a score with one digit less than it reads: what it made of a file first is not what counts.
    """
    return "+".join(_tried(text).fingerprint for text in (texts.source, texts.target) if text is not None)


def _tried(text: str) -> Tokenizer:
    """Return the tokenizer if it can cut a text; some damage shows only then."""
    tokenizer = Tokenizer.from_json(text)
    tokenizer.decode(tokenizer.encode(PROBE).ids)
    return tokenizer


def _digests(folder: Path) -> dict[str, JSON]:
    """Return the SHA-256 of every file that was read, by its name."""
    named = [folder / name for name in (CONFIG, *TOKENIZER_FILES, *MARIAN_FILES, PREPROCESSOR_CONFIG)]
    return {path.name: _digest(path) for path in sorted({*named, *weight_files(folder)}) if path.is_file()}


def _digest(path: Path) -> str:
    digest = hashlib.sha256()
    with durable.reported(path):
        for chunk in durable.read_chunks(path):
            digest.update(chunk)
    return digest.hexdigest()
