"""The first section: what was given, what was answered, and what else might have been."""

import base64
from itertools import groupby
from typing import TYPE_CHECKING

from heed.pages.markup import Child, Markup, element, together
from heed.pages.parts import fold, passage, table

if TYPE_CHECKING:
    from heed.inspection.explanation import Choice, Explanation

MOST_GIVEN = 20_000  # characters of a text that is given
FEW_PLACES = 3  # whose choices are shown at once
BAR = 100  # width of a bar that stands for certainty


def answer_section(explanation: "Explanation") -> Markup:
    """Return the input, the answer and the choices."""
    rows: list[Child] = []
    for number, text in enumerate(explanation.given):
        rows += [element("dt", _given_title(explanation, number)), element("dd", passage(text, MOST_GIVEN))]
    rows += [element("dt", "answer"), element("dd", _answer(explanation))]
    shown = [element("dl", *rows)]
    if explanation.picture:
        shown.append(element("div", plain_picture(), class_="seen"))
    return element("div", *shown, _choices(explanation), class_="given")


def picture_symbol(picture: bytes) -> Markup:
    """Return the picture, held once and drawn wherever it is used."""
    address = f"data:image/png;base64,{base64.b64encode(picture).decode('ascii')}"
    image = element("image", href=address, width=100, height=100, preserveAspectRatio="none")
    symbol = element("symbol", image, id="picture", viewBox="0 0 100 100", preserveAspectRatio="none")
    return element("svg", symbol, width=0, height=0, class_="store", aria_hidden="true")


def plain_picture() -> Markup:
    """Return the picture as the model saw it."""
    drawn = element("use", href="#picture", width=100, height=100)
    return element("svg", drawn, viewBox="0 0 100 100", class_="picture", role="img", aria_label="The picture")


def percent(probability: float) -> str:
    """Return a probability in percent; what is not quite certain never reads as certain."""
    if 0.9995 <= probability < 1:
        return "> 99.9 %"
    return "< 0.1 %" if 0 < probability < 0.0005 else f"{100 * probability:.1f} %"


def bar(share: float) -> Markup:
    """Return a bar of that share of its width."""
    width = round(BAR * min(max(share, 0), 1), 1)
    rectangle = element("rect", width=width, height=8)
    box = f"0 0 {BAR} 8"
    return element("svg", rectangle, viewBox=box, preserveAspectRatio="none", class_="bar", aria_hidden="true")


def _given_title(explanation: "Explanation", number: int) -> str:
    if explanation.picture:
        return "picture"
    return "given" if len(explanation.given) == 1 else f"given, {number + 1}"


def _answer(explanation: "Explanation") -> Markup:
    said = element("span", explanation.answer or "(nothing)", dir="auto", class_="answer")
    if explanation.probability is None:
        return said
    return together([said, " ", element("span", percent(explanation.probability), class_="sure")])


def _choices(explanation: "Explanation") -> Markup:
    places = groupby(explanation.choices, key=lambda choice: choice.place)
    tables = [_choices_table(place, list(choices)) for place, choices in places]
    shown = element("div", *tables, class_="choices")
    return shown if len(tables) <= FEW_PLACES else fold(f"What might have stood at each of {len(tables)} places", shown)


def _choices_table(place: str, choices: "list[Choice]") -> Markup:
    rows: list[list[Child]] = [
        [element("bdi", choice.text), bar(choice.probability), percent(choice.probability)] for choice in choices
    ]
    caption = f"What might stand at “{place}”" if place else "What might have been said"
    return table(caption, ["Choice", "", "Probability"], rows)
