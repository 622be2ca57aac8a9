"""The words and patches that moved the answer: shaded, underlined by their sign, the strongest with their numbers.

Every share is on the page without a script, one under the other; the script shows one and lets choose.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy

from heed.inspection.page.held import follows_closely, label_text
from heed.pages.markup import Child, Markup, element, together
from heed.pages.parts import table

if TYPE_CHECKING:
    from heed.inspection.explanation import Axis, Explanation, Method, Numbers, Share

MOST_PIECES = 60_000  # pieces of all shares together, beyond which the rest is left out
STRONGEST = 10  # pieces that bear their number
LEVELS = 10  # of shade
CHUNK = 200  # pieces that a browser lays out together, and only when they come into sight
ROWS = 6  # of the table beside the words
CELL = 10  # width of a patch in the picture
VEIL = 0.75  # darkness of a patch that moved nothing

ABOUT: "dict[Method, str]" = {
    "rollout": "How much of each piece reaches the answer when the attention of all layers is multiplied; "
    "it knows no sign.",
    "gradient x input": "How much each piece adds to the answer's score, if the model were a straight line here.",
    "integrated gradients": "How much each piece adds to the answer's score on the way from an empty input "
    "to this one.",
}


def shares_section(explanation: "Explanation") -> Markup:
    """Return every share that fits, and the controls to choose one."""
    shares = shares_that_fit(explanation)
    if not shares:
        return Markup("")
    answers = list(dict.fromkeys(share.answer for share in shares))
    methods = list(dict.fromkeys(share.method for share in shares))
    several = len({share.axis for share in shares}) > 1
    blocks = []
    for number, share in enumerate(shares):
        opened = "" if number == 0 else None
        places = {"data_answer": answers.index(share.answer), "data_method": methods.index(share.method)}
        inside = _share(explanation.axis(share.axis), share, _largest_beside(share, shares), several)
        blocks.append(element("details", *inside, class_="share", open=opened, **places))
    return together([_controls(answers, methods), *blocks, _key(explanation)])


def shares_that_fit(explanation: "Explanation") -> "list[Share]":
    """Return the first shares that are not too many pieces together."""
    pieces = numpy.cumsum([share.values_S.size for share in explanation.shares])
    return list(explanation.shares[: int(numpy.searchsorted(pieces, MOST_PIECES, side="right"))])


def strongest(values_S: "Numbers", most: int = STRONGEST) -> list[int]:
    """Return the places of the numbers that are furthest from zero, the furthest first."""
    sizes_S = numpy.abs(numpy.nan_to_num(values_S))
    order = numpy.argsort(-sizes_S, kind="stable")[:most]
    return [int(place) for place in order if sizes_S[place] > 0]


def signed(value: float) -> str:
    """Return a number with its sign, with three decimals or, if it is tiny, with its power of ten."""
    return (f"{value:+.1e}" if 0 < abs(value) < 0.0005 else f"{value:+.3f}").replace("-", "−")


def _key(explanation: "Explanation") -> Markup:
    if explanation.picture:
        text = "The brighter a patch, the more it moved the answer: + towards it, − away from it."
        return element("p", text, class_="hint")
    return element(
        "p",
        element("span", "towards", class_="piece up s7"),
        " the answer is underlined, ",
        element("span", "away", class_="piece down s7"),
        " from it has dashes; the fuller the colour, the stronger.",
        class_="hint",
    )


def _controls(answers: Sequence[str], methods: Sequence[str]) -> Markup:
    chosen = [_choice("Answer", "share-answer", answers), _choice("Method", "share-method", methods)]
    return element("div", *chosen, class_="controls scripted-only")


def _choice(title: str, identifier: str, texts: Sequence[str]) -> Markup:
    options = [element("option", text or "(nothing)", value=number) for number, text in enumerate(texts)]
    return element("label", title, element("select", *options, id=identifier))


def _largest_beside(share: "Share", shares: "Sequence[Share]") -> float:
    """Return the largest size among all axes of one answer and method, which are shaded alike to be compared."""
    together_with = [each for each in shares if (each.answer, each.method) == (share.answer, share.method)]
    return max(float(numpy.abs(numpy.nan_to_num(each.values_S)).max(initial=0)) for each in together_with) or 1.0


def _share(axis: "Axis", share: "Share", largest: float, named: bool) -> list[Child]:
    values_S = numpy.nan_to_num(share.values_S)
    drawn = _picture(axis, values_S) if axis.grid else _words(axis, values_S, largest)
    return [
        element("summary", element("bdi", share.answer or "(nothing)"), f", by {share.method}"),
        *([element("h3", axis.name)] if named else []),
        element("div", drawn, _table(axis, values_S), class_="looking"),
        element("p", ABOUT[share.method], class_="hint"),
    ]


def _words(axis: "Axis", values_S: "Numbers", largest: float) -> Markup:
    levels_S, numbered = _levels(values_S, largest), set(strongest(values_S))
    spans = [
        _word(label_text(label), float(value), int(level), index in numbered, follows_closely(axis, index))
        for index, (label, value, level) in enumerate(zip(axis.labels, values_S, levels_S, strict=True))
    ]
    chunks = [element("span", *spans[start : start + CHUNK], class_="chunk") for start in range(0, len(spans), CHUNK)]
    return element("div", *chunks, class_="words", dir="auto")


def _word(label: str, value: float, level: int, numbered: bool, joined: bool) -> Markup:
    kind = f" {'up' if value > 0 else 'down'} s{level}" if level else ""
    number = [element("small", signed(value))] if numbered and level else []
    return element("span", label, *number, class_=f"piece{kind}{' joined' if joined else ''}")


def _levels(values_S: "Numbers", largest: float) -> "numpy.typing.NDArray[numpy.int64]":
    return numpy.rint(LEVELS * numpy.abs(values_S) / largest).astype(numpy.int64)


def _picture(axis: "Axis", values_S: "Numbers") -> Markup:
    """Return the picture, dark where it moved nothing; the strongest patches bear their sign."""
    assert axis.grid is not None
    rows, columns = axis.grid
    patches_P = values_S[-rows * columns :]
    largest = float(numpy.abs(patches_P).max()) or 1.0  # of the patches: what stands for the whole would outshine all
    signs = set(strongest(patches_P)) if (patches_P < 0).any() else set()
    parts = [element("use", href="#picture", width=columns * CELL, height=rows * CELL)]
    for place, (value, level) in enumerate(zip(patches_P, _levels(patches_P, largest), strict=True)):
        x, y = place % columns * CELL, place // columns * CELL
        veil = round(VEIL * (1 - level / LEVELS), 2)
        parts.append(element("rect", x=x, y=y, width=CELL, height=CELL, fill_opacity=veil, class_="veil"))
        if place in signs:
            sign = "+" if value > 0 else "−"
            parts.append(element("text", sign, x=x + CELL / 2, y=y + CELL * 0.66, text_anchor="middle", class_="sign"))
    box = f"0 0 {columns * CELL} {rows * CELL}"
    described = "The picture, bright where it moved the answer"
    return element("svg", *parts, viewBox=box, role="img", aria_label=described, class_="picture")


def _table(axis: "Axis", values_S: "Numbers") -> Markup:
    rows: list[list[Child]] = [
        [element("bdi", label_text(axis.labels[place])), signed(float(values_S[place]))]
        for place in strongest(values_S, ROWS)
    ]
    return table("The strongest", ["Piece", "Share"], rows)
