"""An explanation inside a notebook: the whole page in a frame of its own, which cannot reach the notebook."""

from typing import TYPE_CHECKING

from heed.inspection.page.document import page_text
from heed.pages.markup import element

if TYPE_CHECKING:
    from heed.inspection.explanation import Explanation

HEIGHT = 720  # pixels


def notebook_frame(explanation: "Explanation") -> str:
    """Return a frame that holds the page; it may run its own script and nothing else."""
    page = page_text(explanation)
    frame = element("iframe", srcdoc=page, sandbox="allow-scripts", width="100%", height=HEIGHT, title="Explanation")
    return frame.text
