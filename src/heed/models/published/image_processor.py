"""`Preprocessing`: how pictures were made numbers for a published model, out of its `preprocessor_config.json`."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from heed.errors import RunError
from heed.models.published.config import Config

Three = tuple[float, float, float]  # one number each for red, green and blue
HALVES: Three = (0.5, 0.5, 0.5)  # mean and spread with which Google's ViT were trained
IMAGENET_MEAN: Three = (0.485, 0.456, 0.406)
IMAGENET_STD: Three = (0.229, 0.224, 0.225)
_RESCALE = 1 / 255
_BILINEAR = 2  # as Pillow numbers its filters
_LARGEST = 1e6  # of a mean or a spread; some files count pixels from 0 to 255


@dataclass(frozen=True)
class Preprocessing:
    """Pixels from 0 to 1 become (pixel - mean) / std; `fit` says how a picture becomes a square of this side."""

    side: int
    mean: Three = HALVES
    std: Three = HALVES
    fit: Literal["crop", "squash"] = "squash"


def read_preprocessing(config: Config, usual: Preprocessing) -> tuple[Preprocessing, tuple[str, ...]]:
    """Return what the file says, for what it does not say the usual, and what a person should know of it."""
    config = config.given()
    _check_range(config)
    size, cropped = config.values.get("size"), config.truth("do_center_crop", False)
    side = _side(config, "crop_size" if cropped and "crop_size" in config.values else "size", usual.side)
    by_edge = isinstance(size, Mapping) and "shortest_edge" in size
    if config.truth("do_normalize", True):
        mean, std = _three(config, "image_mean", usual.mean), _three(config, "image_std", usual.std)
    else:
        mean, std = (0.0, 0.0, 0.0), (1.0, 1.0, 1.0)
    if min(std) <= 0:
        raise _odd(config, "image_std", "three numbers above 0")
    resample = config.values.get("resample", _BILINEAR)
    notes = (
        () if resample == _BILINEAR else (f"its pictures were resized with filter {str(resample)[:20]}; here bilinear",)
    )
    return Preprocessing(side, mean, std, "crop" if cropped or by_edge else "squash"), notes


def write_preprocessing(preprocessing: Preprocessing) -> dict[str, object]:
    """Return the values of the file; `read_preprocessing` gives them back."""
    side = {"height": preprocessing.side, "width": preprocessing.side}
    values: dict[str, object] = {
        "do_resize": True,
        "resample": _BILINEAR,
        "do_rescale": True,
        "rescale_factor": _RESCALE,
        "do_normalize": True,
        "image_mean": list(preprocessing.mean),
        "image_std": list(preprocessing.std),
    }
    if preprocessing.fit == "squash":
        return {**values, "image_processor_type": "ViTImageProcessor", "size": side}
    # The shorter side is brought to the size, and what is too much of the longer one is cut off.
    cut = {"size": {"shortest_edge": preprocessing.side}, "do_center_crop": True, "crop_size": side}
    return {**values, "image_processor_type": "BitImageProcessor", "do_convert_rgb": True, **cut}


def _check_range(config: Config) -> None:
    factor = _number(config.values.get("rescale_factor", _RESCALE))
    if factor is None or not math.isclose(factor, _RESCALE, rel_tol=1e-4):
        raise _odd(config, "rescale_factor", "1/255: pixels from 0 to 1 are read")
    if not config.truth("do_rescale", True):
        raise _odd(config, "do_rescale", "true: pixels from 0 to 1 are read")


def _side(config: Config, name: str, usual: int) -> int:
    """Return the side of the square; it may be written as a number, as height and width, or as the shortest edge."""
    value = config.values.get(name, usual)
    if isinstance(value, Mapping):
        sides = {value[key] for key in ("height", "width", "shortest_edge") if isinstance(value.get(key), int)}
        value = sides.pop() if len(sides) == 1 else None
    return Config({name: value}, config.origin).size(name)


def _three(config: Config, name: str, usual: Three) -> Three:
    value = config.values.get(name, list(usual))
    numbers = [_number(each) for each in value] if isinstance(value, list) else []
    match numbers:
        case [float() as red, float() as green, float() as blue]:
            return red, green, blue
        case _:
            raise _odd(config, name, "three numbers, for red, green and blue")


def _number(value: object) -> float | None:
    """Return a number that is one, and not absurdly large."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= _LARGEST:
        return None
    return float(value)


def _odd(config: Config, name: str, expected: str) -> RunError:
    return RunError(
        f"{config.origin}: {name} is {str(config.values.get(name))[:80]!r}, but must be {expected}. "
        f"Give the file that belongs to the weights."
    )
