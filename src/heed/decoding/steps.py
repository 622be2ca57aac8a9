"""The protocol between a model and the searches: one step for all sources and beams at once.

A state belongs to B sources with W beams each, so that a model keeps what depends on the source alone (encoder memory,
image features) once per source and what depends on the words so far (key-value cache, recurrent state) once per beam.

How a state begins differs by model (token ids, images), so the task calls the model's own `start(...)`; the state that
it returns has one beam per source. A search then repeats: `step` with the last id of every beam, choose, `reorder`.

A step gives logits, not log probabilities, and hands them over: the search turns them into log probabilities in their
own memory. For 64 sources x 4 beams x 10,000 ids on two cores that took a quarter of the time of `log_softmax` into a
new tensor.
Log probabilities are logits too, so a model that has only those may return them.
"""

from typing import Protocol, TypeVar

from torch import Tensor

State = TypeVar("State")


class StepModel(Protocol[State]):
    """What a model offers to every search."""

    def step(self, last_ids_BW: Tensor, state: State) -> tuple[Tensor, State]:
        """Return (logits_BWV, the state after `last_ids_BW`).

        A search overwrites the logits, and is done with them when it calls `step` again: a model must not count on
        what is in them, but may use the same memory for the next ones.
        """
        ...

    def reorder(self, state: State, sources: Tensor, beams: Tensor) -> State:
        """Return the state of the sources that stay, each new beam continuing the named old one.

        `sources` (B',) are ascending positions in the old batch; as many as the old batch had means that nobody leaves,
        and what is kept per source need not be copied. `beams` (B', W') names for every staying source the old beam
        that new beam w continues. W' differs from the old W only at the first call of a beam search (from 1 to W).
        """
        ...
