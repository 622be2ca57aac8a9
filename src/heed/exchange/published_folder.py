"""`write_folder`: a folder in the format of Hugging Face, there as a whole or not at all."""

import json
import secrets
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import safetensors.torch
from torch import Tensor

from heed.errors import RunError
from heed.files.published import CONFIG, WEIGHTS
from heed.models.published.parts import WrittenModel
from heed.runs import durable
from heed.runs.image_base import PREPROCESSOR_CONFIG

GENERATION = "generation_config.json"
TOKENIZER_CONFIG = "tokenizer_config.json"
# All that is ever written: a folder that holds anything else is not ours to replace.
NAMES = (
    CONFIG,
    WEIGHTS,
    GENERATION,
    "tokenizer.json",
    "tokenizer.target.json",
    TOKENIZER_CONFIG,
    "vocab.txt",
    PREPROCESSOR_CONFIG,
)


def check_free(out: Path, force: bool) -> None:
    """Refuse to write over anything, or with `force` over anything but an earlier export."""
    with durable.reported(out):
        if not out.exists():
            return
        if not out.is_dir():
            raise RunError(f"{out} is a file. Choose another --out.")
        names = durable.list_names(out)
    strangers = [name for name in names if name not in NAMES]
    if strangers:
        raise RunError(f"{out} is no export: it holds {', '.join(strangers[:3])}. Choose another --out.")
    if names and not force:
        raise RunError(f"{out} holds an export already. Replace it with --force, or choose another --out.")


def write_folder(out: Path, model: WrittenModel, texts: Mapping[str, str], force: bool) -> None:
    """Write the model and the texts by their names into a new folder, and give it its name at the end."""
    check_free(out, force)
    new = out.with_name(f".{out.name}.{secrets.token_hex(4)}.new")
    with durable.reported(out, sum(tensor.nbytes for tensor in model.tensors.values())):
        durable.make_folder(new)
        try:
            for name, text in {CONFIG: json_text(model.config), **texts}.items():
                durable.write_file(new / name, text.encode())
            _write_tensors(new / WEIGHTS, model.tensors)
            durable.sync_folder(new)
            _rename(new, out)
        finally:
            with suppress(FileNotFoundError):  # there is nothing to remove once it has its name
                durable.remove_tree(new)
        durable.sync_folder(out.parent)


def json_text(value: Mapping[str, object]) -> str:
    """Return the object as indented JSON with a newline at the end."""
    return json.dumps(dict(value), indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def _write_tensors(path: Path, tensors: Mapping[str, Tensor]) -> None:
    whole = {name: tensor.float().contiguous() for name, tensor in sorted(tensors.items())}
    # Their library reads no file that does not say which library wrote it.
    safetensors.torch.save_file(whole, path, {"format": "pt"})
    durable.sync_file(path)


def _rename(new: Path, out: Path) -> None:
    if not out.exists():
        durable.rename(new, out)
        return
    old = out.with_name(f".{out.name}.{secrets.token_hex(4)}.old")
    durable.rename(out, old)
    durable.rename(new, out)
    durable.remove_tree(old)
