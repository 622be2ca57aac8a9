"""What the script of the page reads: axes and packed weights as JSON that cannot end its own element."""

import json
from typing import TYPE_CHECKING

from heed.files.quoting import shortened
from heed.inspection.page.packing import Packed
from heed.pages.markup import Markup, readable

if TYPE_CHECKING:
    from heed.inspection.explanation import Axis, Explanation

LONGEST_LABEL = 80  # characters of a piece; a word of a million would push all others away


def held_data(explanation: "Explanation", packed: Packed) -> Markup:
    """Return the data in an element that no browser runs."""
    names = {name for site in packed.sites for name in (site.queries, site.keys)}
    axes = [_axis(axis) for axis in explanation.axes if axis.name in names]
    sites = [
        {"site": readable(site.site), "queries": site.queries, "keys": site.keys, "heads": site.heads}
        for site in packed.sites
    ]
    text = json.dumps({"axes": axes, "sites": sites, "rounding": packed.rounding})
    for character in "<>&":  # beyond ASCII all is escaped already, U+2028 and U+2029 too
        text = text.replace(character, f"\\u{ord(character):04x}")
    return Markup(f'<script type="application/json" id="held">{text}</script>')


def label_text(label: str) -> str:
    """Return a label as the page shows it: never blank, never endless."""
    return shortened(readable(label), LONGEST_LABEL) if label.strip() else "␣"


def follows_closely(axis: "Axis", index: int) -> bool:
    """Tell whether a piece goes on where the one before it ended, inside one word."""
    if not 0 < index < len(axis.spans):
        return False
    return 0 < axis.spans[index - 1][1] == axis.spans[index][0]


def _axis(axis: "Axis") -> dict[str, object]:
    return {
        "name": axis.name,
        "labels": [label_text(label) for label in axis.labels],
        "grid": axis.grid,
        "joined": [index for index in range(len(axis.labels)) if follows_closely(axis, index)],
    }
