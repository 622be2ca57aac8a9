"""The page: a fixed list of files that lie in the package, each with its exact type. No path of a request is opened."""

from dataclasses import dataclass
from functools import cache
from importlib import resources

from heed.pages.document import shared_style

FIRST = "index.html"
NAMES = (
    FIRST,
    "page.css",
    "page.js",
    "address.js",
    "answers.js",
    "api.js",
    "changes.js",
    "chart.js",
    "comparisons.js",
    "editing.js",
    "elements.js",
    "examples.js",
    "inputs.js",
    "inside.js",
    "models.js",
    "options.js",
    "parts.js",
    "pictures.js",
    "spans.js",
    "token.js",
    "training.js",
    "trying.js",
)
SHARED = "shared.css"  # the style that explanations and comparisons begin with too
TYPES = {"html": "text/html", "css": "text/css", "js": "text/javascript"}


@dataclass(frozen=True)
class WebFile:
    """A file as it is sent."""

    content: bytes
    content_type: str


def web_paths() -> tuple[str, ...]:
    """Return the addresses of the files; the first of them is also at "/"."""
    return "/", *(f"/{name}" for name in (*NAMES, SHARED))


@cache
def web_files() -> dict[str, WebFile]:
    """Return the files by their addresses."""
    folder = resources.files("heed.serving") / "web"
    files = {f"/{name}": WebFile((folder / name).read_bytes(), _type_of(name)) for name in NAMES}
    shared = WebFile(shared_style().encode(), _type_of(SHARED))
    return {"/": files[f"/{FIRST}"], **files, f"/{SHARED}": shared}


def _type_of(name: str) -> str:
    return f"{TYPES[name.rpartition('.')[2]]}; charset=utf-8"
