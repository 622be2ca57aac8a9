"""Task `write`: a window of a text becomes a loss, the state of a recurrent network being carried from one to the next.

The state is carried without its gradient: back-propagation is truncated at the beginning of a window.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from heed.layers.digits import with_digits
from heed.layers.recurrent import RecurrentState
from heed.layers.vocabulary_loss import vocabulary_loss
from heed.models.language import LanguageModel
from heed.models.language_rnn import LanguageRnn
from heed.models.language_transformer import LanguageTransformer
from heed.tasks.windows import Windows


class CarriedState:
    """The recurrent state of every lane between two windows; nothing before the first."""

    def __init__(self) -> None:
        self._state: RecurrentState = ()

    def take(self, dtype: torch.dtype) -> RecurrentState | None:
        """Return the state that the last window left, in the precision of the model."""
        return tuple(each.to(dtype) for each in self._state) or None

    def leave(self, state: RecurrentState) -> None:
        """Keep a state for the next window, without its gradient, in at least 32 bits."""
        self._state = tuple(with_digits(each.detach()) for each in state)

    def tensors(self) -> dict[str, Tensor]:
        """Return the state by name, as a checkpoint holds it."""
        return {str(number): each for number, each in enumerate(self._state)}

    def restore(self, tensors: Mapping[str, Tensor]) -> None:
        """Take up a state from a checkpoint."""
        self._state = tuple(tensors[name] for name in sorted(tensors))


@dataclass(frozen=True)
class WriteBatch:
    """Windows of a text. Those of a recurrent network go on from what `carried` holds, and leave their state there."""

    windows: Windows
    carried: CarriedState | None = None
    begins: bool = False  # with no state, whatever was carried: an epoch begins

    @property
    def tokens(self) -> int:
        """Return the number of real tokens."""
        return int(self.windows.keep.sum())

    @property
    def targets(self) -> int:
        """Return what the loss is divided by: each token is one thing to say."""
        return self.tokens


class WriteObjective(nn.Module):
    """The loss of a batch, summed over its real tokens."""

    def __init__(self, model: LanguageModel, label_smoothing: float) -> None:
        super().__init__()
        self.model = model
        self.label_smoothing = label_smoothing

    def forward(self, batch: WriteBatch) -> Tensor:
        """Return the summed loss."""
        keep = batch.windows.keep
        hidden_ND, next_N = self._hidden(batch)[keep], batch.windows.next_ids[keep]
        return vocabulary_loss(hidden_ND, self.model.vocabulary, next_N, self.label_smoothing)

    def _hidden(self, batch: WriteBatch) -> Tensor:
        model, windows, carried = self.model, batch.windows, batch.carried
        match model:
            case LanguageTransformer():
                return model.hidden(windows.token_ids, windows.keep)
            case LanguageRnn():
                assert carried is not None, "the windows of a recurrent network follow each other"
                before = None if batch.begins else carried.take(model.embedding.weight.dtype)
                hidden_BTD, after = model.read(windows.token_ids, before)
                carried.leave(after)
                return hidden_BTD
