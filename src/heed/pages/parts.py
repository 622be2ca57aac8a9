"""The parts that every section of the page is made of: sections, tables, things to unfold, and texts from the data."""

from collections.abc import Sequence

from heed.files.quoting import shortened
from heed.pages.markup import Child, Markup, element, together

SHOWN = 160  # characters of a text before it must be unfolded
MOST = 2000  # characters of a text that the page holds at all; the data has the rest
LONGEST_NAME = 40  # characters of a label, a model's name or a place


def section(identifier: str, title: str, *children: Child) -> Markup:
    """Return a section that a link can point to."""
    return element("section", element("h2", title), *children, id=identifier)


def table(caption: str, titles: Sequence[Child], rows: Sequence[Sequence[Child]], kind: str = "numbers") -> Markup:
    """Return a table; the first cell of each row is its heading. A wide one scrolls, also by keyboard."""
    head = element("tr", *(element("th", title, scope="col") for title in titles))
    body = [
        element("tr", element("th", row[0], scope="row"), *(element("td", cell) for cell in row[1:])) for row in rows
    ]
    return scrolling(caption, element("thead", head), element("tbody", *body), kind=kind)


def scrolling(caption: str, *parts: Markup, kind: str) -> Markup:
    """Return the parts of a table as a table with its caption, in a box that scrolls."""
    whole = element("table", element("caption", caption), *parts, class_=kind)
    return element("div", whole, class_="scroll", role="region", aria_label=caption, tabindex="0")


def fold(summary: Child, *children: Child, unfolded: bool = False) -> Markup:
    """Return something to unfold."""
    inside = element("summary", summary), *children
    return element("details", *inside, open="") if unfolded else element("details", *inside)


def bullets(sentences: Sequence[Child]) -> Markup:
    """Return a list of sentences, or nothing where there are none."""
    return element("ul", *(element("li", sentence) for sentence in sentences)) if sentences else Markup("")


def name(text: str) -> Markup:
    """Return a name, set apart from the direction in which the words around it are written; a long one is shortened."""
    whole = text if len(text) > LONGEST_NAME else None
    return element("bdi", shortened(text, LONGEST_NAME), title=None if whole is None else _cut(whole, MOST))


def passage(text: str, most: int = MOST) -> Markup:
    """Return a text from the data, in its own direction; a long one is unfolded."""
    if len(text) <= SHOWN:
        return element("p", text or "(empty)", dir="auto", class_="passage")
    whole = element("p", _cut(text, most), dir="auto", class_="passage")
    return fold(element("bdi", f"{text[: SHOWN - 1]}…"), whole)


def pairs_list(pairs: Sequence[tuple[Child, Child]]) -> Markup:
    """Return terms with what is said of each."""
    return element("dl", *(together([element("dt", term), element("dd", said)]) for term, said in pairs))


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[:most]}… ({len(text) - most:,} more characters)"
