"""The frame of the attention: controls and empty places that the script fills, and what is said without a script."""

from typing import TYPE_CHECKING

from heed.inspection.page.answer import percent
from heed.inspection.page.packing import Packed, PackedSite
from heed.pages.markup import Child, Markup, element, together
from heed.pages.parts import fold, name, table

if TYPE_CHECKING:
    from heed.inspection.explanation import Explanation, HeadOff

CAUTION = "Attention shows where the model looked, not why it answered so: it is not an explanation by itself."
FEW = 12  # heads that are listed before the others must be unfolded


def attention_section(explanation: "Explanation", packed: Packed) -> Markup:
    """Return the controls and the places that the script fills."""
    if not packed.sites:
        return Markup("")
    pointed = "a word or a patch" if explanation.picture else "a word"
    hint = f"Point at {pointed}, or go there with Tab and the arrow keys. A click keeps it."
    rest = element("div", _multiples(), element("figure", id="matrix"))
    viewer = element(
        "div",
        _controls(packed),
        element("p", hint, class_="hint scripted-only"),
        element("div", element("div", id="fields"), _aside(), rest, class_="viewing"),
        id="viewer",
        hidden="",
    )
    silent = element("p", "To look at the attention, open this page in a browser that runs scripts.", id="silent")
    return together([element("p", CAUTION, class_="caution"), viewer, silent])


def heads_section(explanation: "Explanation", packed: Packed) -> Markup:
    """Return what becomes of the answer without each head, with buttons that lead to it."""
    if not explanation.heads:
        return Markup("")
    said = "Each head alone is switched off, so that it passes nothing on; the largest change comes first."
    few, others = explanation.heads[:FEW], explanation.heads[FEW:]
    parts: list[Child] = [element("p", said), _heads_table("Without one head", explanation, packed, few)]
    if others:
        parts.append(fold(f"{len(others)} more", _heads_table("More heads", explanation, packed, others)))
    return together(parts)


def _multiples() -> Markup:
    title = "All heads of this layer"
    strip = element("div", id="strip", class_="multiples", role="group", aria_label="The picture word by word")
    heads = element("div", id="multiples", class_="multiples", role="group", aria_label=title)
    return together([strip, element("h3", title), heads])


def _aside() -> Markup:
    caption = element("caption", "The largest weights")
    largest = element("table", caption, element("tbody"), class_="numbers", id="largest")
    return element("div", element("p", id="said", aria_live="polite"), largest, class_="aside")


def _controls(packed: Packed) -> Markup:
    options = [element("option", _title(site), value=number) for number, site in enumerate(packed.sites)]
    directions = [
        element("option", "what it looks at", value="queries"),
        element("option", "what looks at it", value="keys"),
    ]
    return element(
        "div",
        element("label", "Layer", element("select", *options, id="site")),
        element("label", "Head", element("select", id="head")),
        element("label", "Show", element("select", *directions, id="side")),
        class_="controls",
    )


def _title(site: PackedSite) -> str:
    return site.site if site.queries == site.keys else f"{site.site} ({site.queries} → {site.keys})"


def _heads_table(caption: str, explanation: "Explanation", packed: Packed, heads: "tuple[HeadOff, ...]") -> Markup:
    numbers = {site.site: number for number, site in enumerate(packed.sites)}
    rows: list[list[Child]] = [
        [
            name(head.site),
            str(head.head),
            percent(head.probability),
            _change(explanation.probability, head.probability),
            name(head.answer or "(nothing)"),
            _button(numbers.get(head.site), head.head),
        ]
        for head in heads
    ]
    return table(caption, ["Layer", "Head", "Probability", "Change", "Answer then", ""], rows, kind="numbers heads")


def _change(whole: float | None, without: float) -> str:
    """Return the change in points of percent; of a sentence, whose probability is tiny, as a factor."""
    if whole is None or not whole > 0:
        return "–"
    if whole < 0.01:
        return f"× {without / whole:.2f}"
    points = round(100 * (without - whole), 1)
    return f"{points:+.1f}".replace("-", "−") if points else "0.0"


def _button(site: int | None, head: int) -> Markup:
    if site is None:
        return Markup("")
    return element("button", "look", type="button", data_site=site, data_head=head, class_="scripted-only")
