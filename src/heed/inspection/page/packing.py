"""Attention weights as text that a page can hold: rounded, deflated and in base64, head by head.

    fine      two bytes a weight, in steps of 1 / 65,535
    coarse    one byte, which holds the square root: small weights stay visible, large ones are right within 0.004
    largest   as coarse, and of each row only the largest weights; the others become zero, which deflates to nothing

The finest that keeps a page small is taken, for all sites alike. What still does not fit is left out, and said.
"""

import base64
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, assert_never

import numpy
from numpy.typing import NDArray

if TYPE_CHECKING:  # an Explanation shows itself through these modules, which therefore cannot load it
    from heed.inspection.explanation import Looked, Numbers

Rounding = Literal["fine", "coarse", "largest"]

FINE_CELLS = 4_000_000  # weights of a page up to which each has two bytes
COARSE_CELLS = 16_000_000  # up to which none is dropped: 6 layers of 8 heads over 512 tokens are 12.6 million
LARGEST = 32  # weights kept of each row beyond that
SITE_CELLS = 16_000_000  # weights of one site; a browser unpacks them to 64 MB
MOST_BYTES = 10_500_000  # of all sites together, deflated; in base64 they are 14 MB


@dataclass(frozen=True)
class PackedSite:
    """The weights of one site, a text for each head."""

    site: str
    queries: str
    keys: str
    heads: tuple[str, ...]


@dataclass(frozen=True)
class Packed:
    """The sites that a page holds, and what a reader should know of how they were packed."""

    sites: tuple[PackedSite, ...]
    rounding: Rounding
    notes: tuple[str, ...]


def pack(looked: Sequence["Looked"]) -> Packed:
    """Return the sites in few enough bytes, the first ones where not all fit."""
    seen = [each for each in looked if each.weights_HTS.size]
    fitting = [each for each in seen if each.weights_HTS.size <= SITE_CELLS]
    rounding = _rounding(sum(each.weights_HTS.size for each in fitting))
    sites: dict[str, PackedSite] = {}
    room = MOST_BYTES
    for each in fitting:
        deflated = [_deflated(weights_TS, rounding) for weights_TS in each.weights_HTS]
        room -= sum(map(len, deflated))
        if room < 0:
            break
        heads = tuple(base64.b64encode(head).decode("ascii") for head in deflated)
        sites[each.site] = PackedSite(each.site, each.queries, each.keys, heads)
    left_out = [each.site for each in seen if each.site not in sites]
    return Packed(tuple(sites.values()), rounding, tuple(_notes(rounding, left_out)))


def _rounding(cells: int) -> Rounding:
    if cells <= FINE_CELLS:
        return "fine"
    return "coarse" if cells <= COARSE_CELLS else "largest"


def _deflated(weights_TS: "Numbers", rounding: Rounding) -> bytes:
    between_TS = numpy.clip(numpy.nan_to_num(weights_TS), 0, 1)
    match rounding:
        case "fine":
            return zlib.compress(numpy.rint(between_TS * 65_535).astype("<u2").tobytes())
        case "coarse":
            return zlib.compress(_square_roots(between_TS).tobytes())
        case "largest":
            return zlib.compress(_square_roots(_largest_only(between_TS)).tobytes())
        case _:
            assert_never(rounding)


def _square_roots(weights_TS: "Numbers") -> NDArray[numpy.uint8]:
    return numpy.rint(numpy.sqrt(weights_TS) * 255).astype(numpy.uint8)


def _largest_only(weights_TS: "Numbers") -> "Numbers":
    columns = weights_TS.shape[1]
    if columns <= LARGEST:
        return weights_TS
    kept = numpy.argpartition(weights_TS, columns - LARGEST, axis=1)[:, columns - LARGEST :]
    only_TS = numpy.zeros_like(weights_TS)
    numpy.put_along_axis(only_TS, kept, numpy.take_along_axis(weights_TS, kept, axis=1), axis=1)
    return only_TS


def _notes(rounding: Rounding, left_out: Sequence[str]) -> list[str]:
    notes = []
    if rounding != "fine":
        notes.append("There are many attention weights: on this page each is right within 0.004.")
    if rounding == "largest":
        notes.append(f"Of what each word looks at, only the {LARGEST} largest weights are on this page.")
    if left_out:
        notes.append(f"Attention too large for a page is left out: {', '.join(left_out)}.")
    return notes
