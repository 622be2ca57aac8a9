"""Elements of HTML and SVG, made so that text from outside cannot become anything but text.

Whatever is not `Markup` is escaped on its way in, in attributes too, so that no caller has to remember it.
"""

import html
import re
from collections.abc import Iterable
from dataclasses import dataclass

VOID = {"br", "meta"}  # elements without an end
# Half characters cannot be written as UTF-8, and control characters have no place in HTML.
_FOREIGN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")


@dataclass(frozen=True)
class Markup:
    """Finished HTML or SVG."""

    text: str


Child = Markup | str


def element(tag: str, *children: Child, **attributes: str | float | None) -> Markup:
    """Return an element. `class_` and `aria_label` stand for class and aria-label; an attribute of None is left out."""
    named = [
        f' {name.strip("_").replace("_", "-")}="{escaped(str(value))}"'
        for name, value in attributes.items()
        if value is not None
    ]
    start = f"<{tag}{''.join(named)}>"
    return Markup(start if tag in VOID else f"{start}{together(children).text}</{tag}>")


def together(children: Iterable[Child]) -> Markup:
    """Return the children one after the other."""
    return Markup("".join(child.text if isinstance(child, Markup) else escaped(child) for child in children))


def escaped(text: str) -> str:
    """Return the text as HTML shows it, in an element or between the quotes of an attribute."""
    return html.escape(readable(text), quote=True)


def readable(text: str) -> str:
    """Return the text with a sign in place of each character that no page can hold."""
    return _FOREIGN.sub("\N{REPLACEMENT CHARACTER}", text)
