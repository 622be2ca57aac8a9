"""`fetched`: a model of the Hugging Face hub on this computer, by the library that is made for it.

This is the only place that may use the network, and only where a person asks for `hub:NAME`.
"""

from pathlib import Path

from heed.errors import MachineError, UsageError
from heed.files.published import CONFIG, INDEX, PICKLED, WEIGHTS
from heed.runs.image_base import PREPROCESSOR_CONFIG
from heed.tokens.marian import MARIAN_FILES
from heed.tokens.published import TOKENIZER_FILES

try:
    import huggingface_hub
except ImportError:  # an extra: nothing else needs it
    huggingface_hub = None  # type: ignore[assignment]

HUB = "hub:"
SHARDS = "model-*.safetensors"


def fetched(name: str) -> Path:
    """Return the folder that holds the model; of its files only those are fetched that are read."""
    model = name.removeprefix(HUB)
    if huggingface_hub is None:
        raise UsageError(f"{name} has to be fetched, and huggingface_hub is not installed: pip install 'heed[hub]'.")
    others = [*TOKENIZER_FILES, *MARIAN_FILES, PREPROCESSOR_CONFIG]
    folder = _download(model, [CONFIG, *others, WEIGHTS, INDEX, SHARDS])
    if (folder / WEIGHTS).is_file() or (folder / INDEX).is_file():
        return folder
    return _download(model, [PICKLED])  # the form of older models: larger, and only fetched where there is no other


def _download(model: str, patterns: list[str]) -> Path:
    try:
        return Path(huggingface_hub.snapshot_download(model, allow_patterns=patterns))
    except (OSError, ValueError) as error:  # theirs for the network and for names that do not exist are of these kinds
        reason = (str(error).splitlines() or ["no reason given"])[0][:200]
        raise MachineError(f"{HUB}{model} cannot be fetched: {reason}. Check the name and the network.") from None
