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

from dataclasses import dataclass

import torch
from torch import Tensor

ROOM = 32  # slots added when the cache is full; doubling thereafter


@dataclass(frozen=True)
class BeamCache:
    """The past of B sources x W beams for all layers. `extend` writes into the free room; the rest is replaced."""

    keys: list[Tensor]  # for each layer (B, H, room, K)
    values: list[Tensor]
    ancestors_BWN: Tensor  # True where slot n is in the past of beam w
    widths: tuple[int, ...] = ()  # of each step, how many slots it opened

    @property
    def position(self) -> int:
        """Return where in its sentence the newest token stands; the first is 0."""
        return len(self.widths) - 1

    def places(self) -> Tensor:
        """Return for each slot (N,) the position of the token in it."""
        device = self.ancestors_BWN.device
        widths = torch.tensor(self.widths, device=device)
        return torch.arange(len(widths), device=device).repeat_interleave(widths)

    def open_slots(self, beams: int) -> "BeamCache":
        """Return the cache one step later, with W fresh slots: each beam sees its own new slot."""
        own_WW = torch.eye(beams, dtype=torch.bool, device=self.ancestors_BWN.device)
        own_BWW = own_WW.expand(len(self.ancestors_BWN), beams, beams)
        ancestors_BWN = torch.cat([self.ancestors_BWN, own_BWW], dim=2)
        return BeamCache(self.keys, self.values, ancestors_BWN, (*self.widths, beams))

    def extend(self, layer: int, k_BHWK: Tensor, v_BHWK: Tensor) -> tuple[Tensor, Tensor]:
        """Write one layer's newest keys and values into the last slots; return all that are in use (B, H, N, K)."""
        used, fresh = self.ancestors_BWN.shape[2], k_BHWK.shape[2]
        if layer == len(self.keys):
            self.keys.append(_room_like(k_BHWK, ROOM))
            self.values.append(_room_like(v_BHWK, ROOM))
        room = self.keys[layer].shape[2]
        if used > room:
            self.keys[layer] = torch.cat([self.keys[layer], _room_like(k_BHWK, max(used, room))], dim=2)
            self.values[layer] = torch.cat([self.values[layer], _room_like(v_BHWK, max(used, room))], dim=2)
        keys_BHRK, values_BHRK = self.keys[layer], self.values[layer]
        keys_BHRK.narrow(2, used - fresh, fresh).copy_(k_BHWK)
        values_BHRK.narrow(2, used - fresh, fresh).copy_(v_BHWK)
        return keys_BHRK.narrow(2, 0, used), values_BHRK.narrow(2, 0, used)

    def may_attend(self) -> Tensor | None:
        """Return the mask (B, 1, W, N); None while there was only ever one beam, whose past is every slot."""
        only_one = self.ancestors_BWN.shape[2] == len(self.widths)
        return None if only_one else self.ancestors_BWN.unsqueeze(1)

    def reorder(self, sources: Tensor, beams: Tensor) -> "BeamCache":
        """Keep the named sources; let new beam w of each continue its old beam `beams[b, w]`."""
        ancestors_BWN = self.ancestors_BWN[sources.unsqueeze(1), beams]
        if len(sources) == len(self.ancestors_BWN):
            return BeamCache(self.keys, self.values, ancestors_BWN, self.widths)
        keys, values = ([each[sources] for each in store] for store in (self.keys, self.values))
        return BeamCache(keys, values, ancestors_BWN, self.widths)


def empty_cache(sources: int, device: torch.device) -> BeamCache:
    """Return the cache before the first step: one beam for each source, no past."""
    return BeamCache([], [], torch.zeros(sources, 1, 0, dtype=torch.bool, device=device))


def reading_cache(sources: int, positions: int, device: torch.device) -> BeamCache:
    """Return a cache with slots for a text that is read at once, so that steps can go on from its end."""
    ancestors_BWN = torch.ones(sources, 1, positions, dtype=torch.bool, device=device)
    return BeamCache([], [], ancestors_BWN, (1,) * positions)


def beams_of_sources(cache: BeamCache, beams: int) -> BeamCache:
    """Return the cache of B * W sources with one beam each as that of B sources with W beams."""
    slots = len(cache.widths)

    def side_by_side(each_RHNK: Tensor) -> Tensor:
        _, heads, _, head_width = each_RHNK.shape
        each_BWHNK = each_RHNK[:, :, :slots].reshape(-1, beams, heads, slots, head_width)
        return each_BWHNK.permute(0, 2, 3, 1, 4).flatten(2, 3)  # as steps would have laid them: position by position

    keys, values = ([side_by_side(each) for each in store] for store in (cache.keys, cache.values))
    own_WN = torch.eye(beams, dtype=torch.bool, device=cache.ancestors_BWN.device).repeat(1, slots)
    return BeamCache(keys, values, own_WN.expand(len(keys[0]), beams, beams * slots), (beams,) * slots)


def _room_like(fresh_BHWK: Tensor, slots: int) -> Tensor:
    sources, heads, _, head_width = fresh_BHWK.shape
    return fresh_BHWK.new_empty(sources, heads, slots, head_width)
