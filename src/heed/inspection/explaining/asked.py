"""`Asked`: what a person wants to see of a model."""

from dataclasses import dataclass

from heed.errors import UsageError

MOST_STEPS = 1000  # of integrated gradients; at a hundred the shares of most models no longer change
MOST_BEAMS = 64  # the tree of more cannot be read


@dataclass(frozen=True)
class Asked:
    """The default costs little more than a prediction: all attentions, and one pass backwards."""

    sites: tuple[str, ...] = ()  # patterns of the attentions to look at, such as "decoder.*.cross"; none: all
    heads: bool = False  # what the answer becomes without one head: a prediction for each head
    steps: int = 0  # of integrated gradients, each a pass forwards and backwards; 0: none
    answer: str | None = None  # explain this label, word or answer; none: what the model says
    beams: int | None = None  # of translations and captions; none: as the run searches

    def __post_init__(self) -> None:
        if not 0 <= self.steps <= MOST_STEPS:
            raise UsageError(f"{self.steps} steps of integrated gradients are asked for. Ask for 0 to {MOST_STEPS:,}.")
        if self.beams is not None and not 1 <= self.beams <= MOST_BEAMS:
            raise UsageError(f"{self.beams} beams are asked for. Ask for 1 to {MOST_BEAMS}.")
