"""`Frame`: the tokens around a text, and between two: none for most models, [CLS] and [SEP] for BERT."""

from collections.abc import Sequence
from dataclasses import dataclass

from heed.models.bert import BertSettings
from heed.models.text_classifier import TextClassifierSettings
from heed.tokens.tokenizer import Tokenizer


@dataclass(frozen=True)
class Frame:
    """What stands before, between and after texts; between two there is always something that parts them."""

    before: tuple[int, ...]
    between: tuple[int, ...]
    after: tuple[int, ...]

    def ids(self) -> tuple[int, ...]:
        """Return the ids of all that stands around texts; none of them is ever a piece of a text."""
        return tuple(sorted({*self.before, *self.between, *self.after}))

    def around(self, ids: Sequence[int]) -> list[int]:
        """Return one text with what stands around it."""
        return [*self.before, *ids, *self.after]

    def around_both(self, first: Sequence[int], second: Sequence[int]) -> list[int]:
        """Return two texts as one sequence."""
        return [*self.before, *first, *self.between, *second, *self.after]

    def second_begins(self, first: int) -> int:
        """Return where the second text begins after a first one of so many tokens."""
        return len(self.before) + first + len(self.between)

    def room(self, longest: int) -> int:
        """Return how many tokens of one text a model of so many positions can read."""
        return longest - len(self.before) - len(self.after)

    def room_for_both(self, longest: int) -> int:
        """Return how many tokens of two texts together a model of so many positions can read."""
        return self.room(longest) - len(self.between)


def frame_of(model: TextClassifierSettings, tokenizer: Tokenizer) -> Frame:
    """Return what stands around the texts of a model."""
    if not isinstance(model, BertSettings):
        return Frame((), (tokenizer.end,), ())
    # RoBERTa, which has no segments to tell two texts apart, puts two tokens between them.
    between = (tokenizer.end,) * (2 if model.segments == 1 else 1)
    return Frame((tokenizer.start,), between, (tokenizer.end,))
