"""`Exported`: what a run becomes in the format of Hugging Face, and the sentence for what cannot be said there."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from heed.errors import UsageError
from heed.models.published.parts import WrittenModel


@dataclass(frozen=True)
class Exported:
    """A model by their names, and the texts of the other files by their names; nothing has been written yet."""

    model: WrittenModel
    texts: Mapping[str, str]
    notes: tuple[str, ...] = field(default=())


def cannot(origin: str, setting: str, value: object, cure: str) -> UsageError:
    """Return the refusal of a switch that the other library does not have."""
    return UsageError(f"{origin} cannot be exported: {setting} is {value}. {cure}")
