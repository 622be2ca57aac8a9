"""`BeamCache`: keys and values of all beams of a source in one place, so that choosing beams copies nothing.

Beam search lets hypotheses change places at every step. Copying their keys and values each time costs more than the
attention itself on a CPU. Here every step appends its W new tokens to slots that are never moved, and a table of
ancestors says which slots belong to which beam:

    step          0    1     1     2     2
    slot          0    1     2     3     4          two beams
    beam 0        x    x     .     x     .
    beam 1        x    x     .     .     x          both now descend from slot 1

That table is the attention mask. Beams are queries of one sequence over shared slots, so one kernel call serves all.
A step uses its cache up: slots are written in place, so stepping twice from one cache spoils the first result.
"""

from dataclasses import dataclass, replace

import torch
from torch import Tensor

ROOM = 32  # slots added when the cache is full; doubling thereafter


@dataclass(frozen=True)
class BeamCache:
    """The past of B sources x W beams for all layers. `extend` writes into the free room; the rest is replaced."""

    keys: list[Tensor]  # for each layer (B, H, room, K)
    values: list[Tensor]
    ancestors_BWN: Tensor  # True where slot n is in the past of beam w
    places_N: Tensor  # the position in its sentence of the token in slot n
    steps: int

    def open_slots(self, beams: int) -> "BeamCache":
        """Return the cache with W fresh slots in the tables: each beam sees its own new slot."""
        sources, _, _ = self.ancestors_BWN.shape
        own_BWW = torch.eye(beams, dtype=torch.bool, device=self.ancestors_BWN.device).expand(sources, beams, beams)
        return replace(
            self,
            ancestors_BWN=torch.cat([self.ancestors_BWN, own_BWW], dim=2),
            places_N=torch.cat([self.places_N, self.places_N.new_full((beams,), self.steps)]),
        )

    def extend(self, layer: int, k_BHWK: Tensor, v_BHWK: Tensor) -> tuple[Tensor, Tensor]:
        """Write one layer's newest keys and values into the opened slots; return all that are in use (B, H, N, K)."""
        used = self.ancestors_BWN.shape[2]
        first = used - k_BHWK.shape[2]
        for store, fresh in ((self.keys, k_BHWK), (self.values, v_BHWK)):
            if layer == len(store):
                store.append(_room_like(fresh, ROOM))
            if used > store[layer].shape[2]:
                store[layer] = torch.cat([store[layer], _room_like(fresh, max(used, store[layer].shape[2]))], dim=2)
            store[layer][:, :, first:used] = fresh
        return self.keys[layer][:, :, :used], self.values[layer][:, :, :used]

    def may_attend(self) -> Tensor | None:
        """Return the mask (B, 1, W, N); None while there was only ever one beam, whose past is every slot."""
        only_one = self.ancestors_BWN.shape[2] == self.steps + 1
        return None if only_one else self.ancestors_BWN[:, None]

    def stepped(self) -> "BeamCache":
        """Return the cache one step later."""
        return replace(self, steps=self.steps + 1)

    def reorder(self, sources: Tensor, beams: Tensor) -> "BeamCache":
        """Keep the named sources; let new beam w of each continue its old beam `beams[b, w]`."""
        ancestors_BWN = self.ancestors_BWN[sources[:, None], beams]
        if len(sources) == self.ancestors_BWN.shape[0]:
            return replace(self, ancestors_BWN=ancestors_BWN)
        return replace(
            self,
            keys=[each[sources] for each in self.keys],
            values=[each[sources] for each in self.values],
            ancestors_BWN=ancestors_BWN,
        )


def empty_cache(sources: int, device: torch.device) -> BeamCache:
    """Return the cache before the first step: one beam for each source, no past."""
    ancestors_BWN = torch.zeros(sources, 1, 0, dtype=torch.bool, device=device)
    return BeamCache([], [], ancestors_BWN, places_N=torch.zeros(0, dtype=torch.long, device=device), steps=0)


def _room_like(fresh_BHWK: Tensor, slots: int) -> Tensor:
    sources, heads, _, head_width = fresh_BHWK.shape
    return fresh_BHWK.new_empty(sources, heads, slots, head_width)
