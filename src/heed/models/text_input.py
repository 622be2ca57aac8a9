"""`TextInput`: a batch of texts as every model of text takes it."""

from dataclasses import dataclass

from torch import Tensor

from heed.errors import DataError, SettingsError


@dataclass(frozen=True)
class TextInput:
    """Texts of at least one token each, padded at the end."""

    token_ids: Tensor  # (B, T)
    keep: Tensor  # (B, T)
    segments: Tensor | None = None  # (B, T) 0 or 1: which text of a joined pair; None: all 0

    def __post_init__(self) -> None:
        assert self.token_ids.shape == self.keep.shape, f"{self.token_ids.shape} ids, keep is {self.keep.shape}"
        lengths_B = self.keep.sum(dim=1)
        if not bool(lengths_B.all()):
            row = int(lengths_B.argmin())
            raise DataError(
                f"Text {row + 1} of a batch of {len(lengths_B)} has no token. Give a text, or leave this one out."
            )
        # Models count on it: a hole, or padding in front, would lose words unseen.
        assert not bool((self.keep[:, 1:] & ~self.keep[:, :-1]).any()), "padding stands at the end of a text"


def refuse_longer(text: TextInput, longest: int) -> None:
    """Refuse texts of more positions than a model has."""
    positions = text.token_ids.shape[1]
    if positions > longest:
        raise DataError(
            f"A text of {positions} tokens came to a model that reads {longest}. "
            f"Cut it to {longest} tokens, or train with a larger model.longest."
        )


def refuse_segments(text: TextInput, kind: str) -> None:
    """Refuse texts with segments where a model would read over them."""
    if text.segments is not None:
        raise SettingsError(
            f"The texts say by segments which of two each token belongs to, but this {kind} model has no segments. "
            f"Use model.kind=transformer with model.segments=2, or give both texts to two towers."
        )
