"""The page: a fixed list of files that lie in the package, each with its exact type. No path of a request is opened."""

from dataclasses import dataclass
from importlib import resources

TYPES = {
    "index.html": "text/html; charset=utf-8",
    "page.css": "text/css; charset=utf-8",
    "page.js": "text/javascript; charset=utf-8",
}
FIRST = "index.html"


@dataclass(frozen=True)
class WebFile:
    """A file as it is sent."""

    content: bytes
    content_type: str


def web_files() -> dict[str, WebFile]:
    """Return the files by their addresses; the first of them is also at "/"."""
    folder = resources.files("heed.serving") / "web"
    files = {f"/{name}": WebFile((folder / name).read_bytes(), kind) for name, kind in TYPES.items()}
    return {"/": files[f"/{FIRST}"], **files}
