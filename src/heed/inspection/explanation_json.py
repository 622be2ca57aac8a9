"""An explanation as JSON: all its labels and numbers, under the names that `Explanation` has."""

import base64
import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import numpy

from heed.errors import UsageError
from heed.files.atomic import write_text
from heed.inspection.explanation import Explanation, Looked, Numbers

DIGITS = 6  # behind the point
LARGEST = 50_000_000  # bytes; programs that read JSON take many times that in memory
BYTES_EACH = DIGITS + 4  # of a number: "0.", its digits, a comma and a space


def write_json(explanation: Explanation, path: Path) -> None:
    """Write the file, whole or not at all."""
    write_text(path, json_text(explanation) + "\n")


def json_text(explanation: Explanation, largest: int = LARGEST) -> str:
    """Return the explanation on one line, or refuse one that would be too large and say what would fit."""
    refuse_larger(explanation.looked, largest)
    return json.dumps(values_of(explanation), ensure_ascii=False, allow_nan=False)


def values_of(explanation: Explanation) -> dict[str, object]:
    """Return what JSON can hold; the picture is a PNG file in base 64."""
    return {
        "task": explanation.task,
        "model": explanation.model,
        "given": explanation.given,
        "answer": explanation.answer,
        "probability": explanation.probability,
        "axes": [asdict(axis) for axis in explanation.axes],
        "looked": [
            {"site": each.site, "queries": each.queries, "keys": each.keys, "weights": _numbers(each.weights_HTS)}
            for each in explanation.looked
        ],
        "shares": [
            {"answer": each.answer, "method": each.method, "axis": each.axis, "values": _numbers(each.values_S)}
            for each in explanation.shares
        ],
        "heads": [asdict(head) for head in explanation.heads],
        "curves": [
            {"name": each.name, "axis": each.axis, "values": _numbers(each.values_S)} for each in explanation.curves
        ],
        "choices": [asdict(choice) for choice in explanation.choices],
        "tree": explanation.tree,
        "picture": base64.b64encode(explanation.picture).decode("ascii"),
        "notes": explanation.notes,
    }


def refuse_larger(looked: Sequence[Looked], largest: int = LARGEST) -> None:
    """Refuse weights that would make more text than so many bytes; name a site that would fit."""
    sizes = {each.site: each.weights_HTS.size * BYTES_EACH for each in looked}
    if sum(sizes.values()) <= largest:
        return
    fitting = [site for site, size in sizes.items() if size <= largest]
    cure = f"Ask for less: --site {fitting[-1]}." if fitting else "No single attention fits: write an .html page."
    raise UsageError(
        f"The weights of {len(sizes)} attentions would be about {sum(sizes.values()) // 1_000_000:,} MB of JSON; "
        f"at most {largest // 1_000_000:,} MB are written. {cure}"
    )


def _numbers(values: Numbers) -> object:
    """Return rounded numbers in lists of lists; as 64-bit ones, or rounding would leave digits behind."""
    return numpy.round(values.astype(numpy.float64), DIGITS).tolist()
