"""ViT and DINOv2 from a folder of Hugging Face's format: a classifier becomes a run of `image`.

An encoder without a head says nothing of a picture: it is something to start from (`--from`), and no run is made of it.
"""

from pathlib import Path

import torch

from heed.data.labels import Labels
from heed.errors import RunError, UsageError
from heed.exchange.imported import Imported, check_weights
from heed.models.published.vit import PublishedVit, resized
from heed.runs import image_run
from heed.runs.image_base import read_published_vit
from heed.runs.image_settings import ImageSettings, PictureSettings
from heed.tasks.image import ColourSettings
from heed.tasks.targets import Classes, to_facts


def import_vit(path: Path, task: str | None) -> Imported:
    """Return the model in the folder as a run of `image`, for pictures of the side that its processor makes."""
    vit = read_published_vit(path)
    _check(vit, task, path)
    sized = resized(vit, vit.preprocessing.side)
    settings, targets = _settings(sized, str(path)), Classes(Labels(sized.labels))
    weights = {f"encoder.{name}": tensor for name, tensor in sized.trunk.items()}
    weights |= {f"head.{name.removeprefix('last.')}": tensor for name, tensor in sized.last.items()}
    with torch.device("meta"):
        model = image_run.build_model(settings, targets)
    check_weights(model, weights, str(path))
    return Imported(settings, None, weights, to_facts(targets), notes=sized.notes)


def _check(vit: PublishedVit, task: str | None, path: Path) -> None:
    if vit.head == "none":
        raise UsageError(
            f"The model in {path} has no head: it cannot say what a picture shows. "
            f"Start a run from it: heed train image DATA --from {path}."
        )
    if task not in (None, "image"):
        raise UsageError(f"--task is {task}, but the model in {path} can only become a run of image. Leave --task out.")
    if len(vit.labels) < 2:
        raise RunError(f"The model in {path} knows one label, {vit.labels[0]!r}: there is nothing to tell apart.")


def _settings(vit: PublishedVit, origin: str) -> ImageSettings:
    return ImageSettings(
        pictures=PictureSettings(fit=vit.preprocessing.fit),
        colours=ColourSettings(mean=vit.preprocessing.mean, spread=vit.preprocessing.std),
        base=origin,
        model=vit.settings,
    )
