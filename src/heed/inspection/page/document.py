"""An explanation as one HTML file: data, style and script inside, nothing fetched, and nothing else may run.

The browser is given the hashes of the one style and the one script. Text from outside is escaped on its way into the
page and set as text by the script; even if it became more than text, the browser would not run it.
"""

import base64
import hashlib
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from heed.files.atomic import write_text
from heed.inspection.page.answer import answer_section, picture_symbol
from heed.inspection.page.attention import CAUTION, attention_section, heads_section
from heed.inspection.page.curves import curves_section
from heed.inspection.page.held import held_data
from heed.inspection.page.packing import Packed, pack
from heed.inspection.page.shares import shares_section, shares_that_fit
from heed.pages.document import document, identifier_of, links_to, shared_style
from heed.pages.markup import Markup, element
from heed.pages.parts import bullets, section

if TYPE_CHECKING:
    from heed.inspection.explanation import Explanation

SCRIPTS = ("held.js", "fields.js", "drawings.js", "explanation.js")  # one after the other they are one module
MOST_LINES = 5_000  # of a beam tree


def write_explanation(explanation: "Explanation", path: Path) -> None:
    """Write the page."""
    write_text(path, page_text(explanation))


def page_text(explanation: "Explanation") -> str:
    """Return the page."""
    packed = pack(explanation.looked)
    title = f"{explanation.task}: one answer, seen from inside"
    sections = _sections(explanation, packed)
    head = element("p", element("bdi", explanation.model))
    main = element("main", element("h1", title), head, links_to(sections), *sections.values())
    after = [held_data(explanation, packed), Markup(f'<script type="module">{_script()}</script>')]
    if explanation.picture:
        after.insert(0, picture_symbol(explanation.picture))
    return document(title, main, _style(), _policy(), after)


def script_source() -> str:
    """Return the hash of the script of every explanation, as a policy names what may run."""
    return _source(_script())


def style_source() -> str:
    """Return the hash of the style of every explanation, as a policy names it."""
    return _source(_style())


def _sections(explanation: "Explanation", packed: Packed) -> dict[str, Markup]:
    """Return the sections by their titles, in order."""
    parts: dict[str, Markup] = {
        "The answer": answer_section(explanation),
        "What moved the answer": shares_section(explanation),
        "Where the model looked": attention_section(explanation, packed),
        "The search": _tree(explanation),
        "Along the text": curves_section(explanation),
        "Heads switched off": heads_section(explanation, packed),
        "Notes": _notes(explanation, packed),
    }
    return {title: section(identifier_of(title), title, part) for title, part in parts.items() if part.text}


def _tree(explanation: "Explanation") -> Markup:
    if not explanation.tree:
        return Markup("")
    more = len(explanation.tree) - MOST_LINES
    lines = [*explanation.tree[:MOST_LINES], *([f"… and {more:,} more lines"] if more > 0 else [])]
    return element("pre", "\n".join(lines), tabindex="0", class_="tree", aria_label="Every step of the search")


def _notes(explanation: "Explanation", packed: Packed) -> Markup:
    left_out = len(explanation.shares) - len(shares_that_fit(explanation))
    notes = [*explanation.notes, *packed.notes]
    notes += [f"Shares of {left_out:,} more answers are left out: they would be too many pieces."] if left_out else []
    notes += [] if packed.sites else [CAUTION]
    return bullets(notes)


def _policy() -> str:
    allowed = f"script-src {script_source()}; style-src {style_source()}; img-src data:"
    return f"default-src 'none'; {allowed}; base-uri 'none'; form-action 'none'"


def _source(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode('utf-8')).digest()).decode('ascii')}'"


def _style() -> str:
    return shared_style() + _own("style.css")


def _script() -> str:
    return "".join(map(_own, SCRIPTS))


def _own(file: str) -> str:
    return files("heed.inspection.page").joinpath(file).read_text(encoding="utf-8")
