"""ViT and DINOv2 from a folder of Hugging Face's format, as a run of `image`: what becomes of each head.

ForImageClassification     image
none                       image, without its head: something to start from (`--from`), not to predict with
"""

from pathlib import Path

import torch
from torch import Tensor, nn

from heed.data.labels import Labels
from heed.errors import RunError, UsageError
from heed.exchange.imported import Imported, check_weights
from heed.models.published.vit import PublishedVit, resized
from heed.models.vit import Vit
from heed.runs import image_run
from heed.runs.image_base import read_published_vit
from heed.runs.image_settings import ImageSettings, PictureSettings
from heed.tasks.image import ColourSettings
from heed.tasks.targets import Classes, to_facts


def import_vit(path: Path, task: str | None) -> Imported:
    """Return the model in the folder as a run of `image`, for pictures of the side that its processor makes."""
    if task not in (None, "image"):
        raise UsageError(f"--task is {task}, but the model in {path} can only become a run of image. Leave --task out.")
    vit = read_published_vit(path)
    vit = resized(vit, vit.preprocessing.side)
    return _encoder(vit, str(path)) if vit.head == "none" else _classifier(vit, str(path))


def _encoder(vit: PublishedVit, origin: str) -> Imported:
    with torch.device("meta"):
        model = nn.ModuleDict({"encoder": Vit(vit.settings)})
    # No head is made up: what it said would look like an answer and be none.
    weights = _trunk(vit)
    check_weights(model, weights, origin)
    note = "it has no head: start a run from it with --from; it cannot predict"
    return Imported(_settings(vit, origin), None, weights, facts={"head": "none"}, notes=(*vit.notes, note))


def _classifier(vit: PublishedVit, origin: str) -> Imported:
    if len(vit.labels) < 2:
        raise RunError(f"The model in {origin} knows one label, {vit.labels[0]!r}: there is nothing to tell apart.")
    settings, targets = _settings(vit, origin), Classes(Labels(vit.labels))
    with torch.device("meta"):
        model = image_run.build_model(settings, targets)
    weights = _trunk(vit) | {f"head.{name.removeprefix('last.')}": tensor for name, tensor in vit.last.items()}
    check_weights(model, weights, origin)
    return Imported(settings, None, weights, to_facts(targets), notes=vit.notes)


def _trunk(vit: PublishedVit) -> dict[str, Tensor]:
    return {f"encoder.{name}": tensor for name, tensor in vit.trunk.items()}


def _settings(vit: PublishedVit, origin: str) -> ImageSettings:
    return ImageSettings(
        pictures=PictureSettings(fit=vit.preprocessing.fit),
        colours=ColourSettings(mean=vit.preprocessing.mean, spread=vit.preprocessing.std),
        base=origin,
        model=vit.settings,
    )
