"""A page as one HTML file that needs nothing else: no network, by day and by night, and on paper."""

from collections.abc import Sequence
from importlib.resources import files

from heed.pages.markup import Markup, element


def document(title: str, main: Markup, style: str, policy: str, after: Sequence[Markup] = ()) -> str:
    """Return the page of these parts; `policy` says what a browser may run and fetch, `after` follows the text."""
    head = element(
        "head",
        element("meta", charset="utf-8"),
        Markup(f'<meta http-equiv="Content-Security-Policy" content="{policy}">'),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="color-scheme", content="light dark"),
        element("title", title),
        element("style", Markup(style)),
    )
    return f"<!doctype html>\n{element('html', head, element('body', main, *after), lang='en').text}\n"


def shared_style() -> str:
    """Return the style that every page starts from."""
    return files("heed.pages").joinpath("style.css").read_text(encoding="utf-8")


def links_to(sections: dict[str, Markup]) -> Markup:
    """Return a link to each section by its title."""
    links = [element("li", element("a", title, href=f"#{identifier_of(title)}")) for title in sections]
    return element("nav", element("ul", *links), aria_label="Sections")


def identifier_of(title: str) -> str:
    """Return what a link calls the section of that title."""
    return title.lower().replace(" ", "-")
