"""`Refusal`: why a request gets no result, as a status and one JSON shape; never with a path or an address of ours."""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

# Two or more names after slashes, which stand behind no word: an absolute path, wherever it came from.
_PATH = re.compile(r"(?<![\w./:])~?(?:/[^\s/'\":,;]+){2,}")
_ADDRESS = re.compile(r"\b0x[0-9a-fA-F]{4,}\b")
LONGEST_DETAIL = 600  # characters


@dataclass(eq=False)
class Refusal(Exception):  # noqa: N818  it is an answer, no error of ours
    """No result, and why; `retry_after` says in how many seconds to try again. Not frozen: raising sets fields."""

    status: int
    error: str  # one word for programs: "full"
    detail: str  # one or two sentences for people
    retry_after: int | None = None

    def body(self) -> bytes:
        """Return the JSON of the answer."""
        return json.dumps({"error": self.error, "detail": self.detail}, ensure_ascii=True).encode()

    def headers(self) -> dict[str, str]:
        """Return the headers that go with the answer."""
        later = {} if self.retry_after is None else {"retry-after": str(self.retry_after)}
        return {"content-type": "application/json", "cache-control": "no-store", **later}


def fault() -> Refusal:
    """Return what a client is told when something of ours broke."""
    return Refusal(500, "fault", "This is a fault of ours, not of yours. Whoever runs the server finds it in its log.")


def without_paths(sentence: str, paths: Iterable[tuple[Path, str]] = ()) -> str:
    """Return a sentence for strangers: known paths become the names beside them, other paths and addresses go."""
    for path, name in paths:
        for spelling in sorted({str(path), str(path.absolute()), str(path.resolve())}, key=len, reverse=True):
            sentence = sentence.replace(spelling, name)
    sentence = _ADDRESS.sub("…", _PATH.sub("…", sentence))
    return sentence if len(sentence) <= LONGEST_DETAIL else sentence[: LONGEST_DETAIL - 1] + "…"
