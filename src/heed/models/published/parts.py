"""`Part`: one tensor of ours and the tensors of another library that it is made of; both directions from one list."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from heed.errors import RunError

LISTED = 8  # differences that a message spells out
LONGEST_NAME = 100  # characters of a name that a message spells out


@dataclass(frozen=True)
class Part:
    """Our tensor is theirs, one under the other."""

    ours: str
    theirs: tuple[str, ...]
    transposed: bool = False  # theirs are stored as (inputs, outputs)
    skipped: int = 0  # rows at the top of theirs that stand for nothing

    def join(self, tensors: Mapping[str, Tensor]) -> Tensor:
        """Return our tensor, made of theirs."""
        found = [tensors[name].T if self.transposed else tensors[name] for name in self.theirs]
        whole = torch.cat(found) if len(found) > 1 else found[0]
        return whole[self.skipped :].contiguous() if self.skipped else whole.contiguous()

    def split(self, tensor: Tensor) -> dict[str, Tensor]:
        """Return their tensors, cut out of ours; skipped rows are zero."""
        whole = torch.cat([tensor.new_zeros(self.skipped, *tensor.shape[1:]), tensor]) if self.skipped else tensor
        cut = whole.chunk(len(self.theirs))
        return {
            name: (each.T if self.transposed else each).contiguous()
            for name, each in zip(self.theirs, cut, strict=True)
        }


@dataclass(frozen=True)
class WrittenModel:
    """What a folder of another library is made of: the values of its `config.json`, and tensors by its names."""

    config: Mapping[str, object]
    tensors: Mapping[str, Tensor]


def layer(ours: str, *theirs: str, transposed: bool = False) -> tuple[Part, Part]:
    """Return the parts of a product: its matrix and its bias."""
    weight = Part(f"{ours}.weight", tuple(f"{name}.weight" for name in theirs), transposed)
    return weight, Part(f"{ours}.bias", tuple(f"{name}.bias" for name in theirs))


def gather(
    parts: Sequence[Part], tensors: Mapping[str, Tensor], ignored: Iterable[str], origin: str
) -> dict[str, Tensor]:
    """Return our tensors; refuse with every name that is missing or not known."""
    problems = differences(parts, tensors, ignored)
    if problems:
        raise RunError(
            f"The weights of {origin} do not fit its config.json: {listed(problems)}. Get both files from one place."
        )
    return {part.ours: _joined(part, tensors, origin) for part in parts}


def differences(parts: Sequence[Part], tensors: Mapping[str, Tensor], ignored: Iterable[str]) -> list[str]:
    """Return a few words on every name that is missing or not known."""
    wanted = {name for part in parts for name in part.theirs}
    missing = sorted(wanted - tensors.keys())
    extra = sorted(tensors.keys() - wanted - set(ignored))
    return [f"{name} is missing" for name in missing] + [f"{_shown(name)} is not known" for name in extra]


def listed(problems: Sequence[str]) -> str:
    """Return the first of the problems, and how many more there are."""
    more = f"; and {len(problems) - LISTED} more" if len(problems) > LISTED else ""
    return f"{'; '.join(problems[:LISTED])}{more}"


def scatter(parts: Sequence[Part], tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Return their tensors, made of ours."""
    return {name: each for part in parts for name, each in part.split(tensors[part.ours]).items()}


def _shown(name: str) -> str:
    return name if name.isprintable() and len(name) <= LONGEST_NAME else repr(name)[:LONGEST_NAME]


def _joined(part: Part, tensors: Mapping[str, Tensor], origin: str) -> Tensor:
    try:
        return part.join(tensors)
    except (RuntimeError, IndexError):
        shapes = ", ".join(f"{name} {tuple(tensors[name].shape)}" for name in part.theirs)
        raise RunError(
            f"The weights of {origin} cannot be put together: {shapes}. They belong to different models."
        ) from None
