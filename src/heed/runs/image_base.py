"""`ImageBase`: what a run of pictures starts from: a ViT that was trained before, here or elsewhere.

A path leads to a run of ours, to a folder in the format of Hugging Face (ViT, DINOv2), or to a file of weights by
DINOv2's official names (`.pt`, `.pth`). Only the encoder is taken over: heads belong to what it was trained for.
"""

from collections.abc import Mapping
from dataclasses import Field, dataclass, replace
from pathlib import Path
from typing import ClassVar, Protocol, TypeVar

from torch import Tensor

from heed.errors import RunError, UsageError
from heed.files.pickled_weights import read_pickled
from heed.files.published import LARGEST_WEIGHTS, is_published, read_json_object, read_published
from heed.models.published.config import Config
from heed.models.published.dinov2 import read_dinov2
from heed.models.published.image_processor import Preprocessing
from heed.models.published.vit import FIRST, POSITIONS, PublishedVit, on_grid, read_vit
from heed.models.vit import Vit, VitSettings
from heed.models.weights import load_weights
from heed.runs.folder import RunFolder, is_run, open_run
from heed.runs.image_settings import ImageSettings, PictureSettings
from heed.settings import from_dict
from heed.tasks.image import ColourSettings

PREPROCESSOR_CONFIG = "preprocessor_config.json"
WEIGHT_SUFFIXES = (".pt", ".pth")


@dataclass(frozen=True)
class ImageBase:
    """A trained encoder of pictures, and how its pictures were made numbers."""

    origin: str
    settings: VitSettings
    weights: Mapping[str, Tensor]  # as in `models.vit.Vit`
    preprocessing: Preprocessing
    notes: tuple[str, ...] = ()


def load_image_base(path: Path) -> ImageBase:
    """Return the encoder at the path."""
    path = path.absolute()  # what a run notes of its base must hold wherever it is read
    if is_run(path):
        return _from_run(open_run(path))
    vit = read_published_vit(path)
    return ImageBase(str(path), vit.settings, vit.trunk, vit.preprocessing, vit.notes)


def read_published_vit(path: Path) -> PublishedVit:
    """Return the model in a folder of Hugging Face's format, or in a file of DINOv2's official names."""
    if path.is_file() and path.suffix in WEIGHT_SUFFIXES:
        return read_dinov2(_weights(path), str(path))
    if not is_published(path):
        raise UsageError(
            f"{path} is no model of pictures. Give a run of `heed train image`, a folder in the format of Hugging Face "
            f"(config.json, weights), or a file of DINOv2 ({', '.join(WEIGHT_SUFFIXES)})."
        )
    published = read_published(path)
    file = path / PREPROCESSOR_CONFIG
    processor = Config(read_json_object(file), str(file)) if file.is_file() else None
    return read_vit(Config(published.config, str(path / "config.json")), published.tensors, processor, str(path))


def preprocessing_of(settings: ImageSettings) -> Preprocessing:
    """Return how the pictures of a run of ours are made numbers."""
    mean, spread = settings.colours.mean, settings.colours.spread
    of_each = (mean[0], mean[1], mean[2]), (spread[0], spread[1], spread[2])
    return Preprocessing(settings.model.image, *of_each, settings.pictures.fit)


class ShownSettings(Protocol):
    """What the settings of every task with pictures have."""

    __dataclass_fields__: ClassVar[dict[str, "Field[object]"]]

    @property
    def pictures(self) -> PictureSettings:
        """Return how pictures become squares."""

    @property
    def colours(self) -> ColourSettings:
        """Return how colours become numbers."""


Settings = TypeVar("Settings", bound=ShownSettings)


def shown_as_taught(settings: Settings, base: ImageBase) -> Settings:
    """Return the settings with the base named, and pictures shown as it was taught: its colours, its squares."""
    taught = base.preprocessing
    colours = ColourSettings(mean=tuple(taught.mean), spread=tuple(taught.std))
    return replace(settings, base=base.origin, colours=colours, pictures=replace(settings.pictures, fit=taught.fit))


def fitted(settings: VitSettings, base: ImageBase) -> VitSettings:
    """Return the settings of a model that starts from the base: its parts, with the person's own other choices."""
    return replace(
        base.settings,
        image=settings.image,
        dropout=settings.dropout,
        attention_dropout=settings.attention_dropout,
        drop_path=settings.drop_path,
        pooling=settings.pooling,
    )


def start_from(encoder: Vit, base: ImageBase, on_top: str) -> tuple[str, ...]:
    """Copy the weights into the encoder, positions read on its grid; return what a person should know.

    `on_top` names what stands over the encoder, which begins with weights of its own.
    """
    given = _weights_for(encoder.settings, base)
    load_weights(encoder, given, base.origin)
    old, new = base.settings.grid, encoder.settings.grid
    moved = "" if old == new else f"; positions of {old[0]} x {old[1]} patches read as {new[0]} x {new[1]}"
    return (f"starting from {base.origin}: {len(given):,} tensors taken over{moved}; the {on_top} is new", *base.notes)


def _weights_for(settings: VitSettings, base: ImageBase) -> dict[str, Tensor]:
    """Return the weights of the base as a model of these settings has them: on its grid, and without [CLS] if it is."""
    given = dict(base.weights)
    drops_first = base.settings.has_first and not settings.has_first
    if drops_first:
        del given[FIRST]
    if POSITIONS in given:
        table = on_grid(given[POSITIONS], base.settings, settings.grid)
        given[POSITIONS] = table[1:] if drops_first else table
    return given


def _from_run(folder: RunFolder) -> ImageBase:
    values = folder.read_settings()
    if values.get("task") != "image":
        raise UsageError(
            f"{folder.path} is a run of {values.get('task')}; --from needs one of image, or a published ViT or DINOv2."
        )
    settings = from_dict(ImageSettings, values, f"{folder.path}: settings")
    weights = {
        name.removeprefix("encoder."): tensor
        for name, tensor in folder.read_best().tensors.items()
        if name.startswith("encoder.")
    }
    return ImageBase(str(folder.path), settings.model, weights, preprocessing_of(settings))


def _weights(file: Path) -> dict[str, Tensor]:
    size = file.stat().st_size
    if size > LARGEST_WEIGHTS:
        raise RunError(f"{file} has {size:,} bytes; at most {LARGEST_WEIGHTS:,} are read. The models here are small.")
    return {name: tensor.float() for name, tensor in read_pickled(file).items()}
