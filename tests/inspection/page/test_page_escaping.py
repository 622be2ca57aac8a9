"""A hundred texts that would like to run, in every place that takes a text: they are read, and nothing runs."""

import re
from collections.abc import Callable
from itertools import product
from typing import Any

import pytest
from made_explanations import numbers, rows_that_sum_to_one

from heed.inspection.explanation import Axis, Choice, Curve, Explanation, HeadOff, Looked, Share
from heed.inspection.page.document import page_text

BREAKOUTS = ("", '">', "'>", "</script>", "</style>", "</title>", "</svg>", "--><!--", "</select>", "]]>\u2028")
BODIES = (
    "<script>hit=1;alert(1)</script>",
    "<img src=x onerror=hit=1>",
    "<svg onload=hit=1>",
    "<svg><script>hit=1</script>",
    "<iframe src=javascript:parent.hit=1>",
    "<iframe srcdoc='<script>parent.hit=1</script>'>",
    "<details open ontoggle=hit=1>",
    "<input autofocus onfocus=hit=1>",
    '" onpointerover=hit=1 style=all:initial x="',
    "<style>*{animation:x}@keyframes x{}</style><b onanimationstart=hit=1>",
)
PAYLOADS = tuple("".join(parts) for parts in product(BREAKOUTS, BODIES))

# Where each text of an explanation comes to stand.
PLACES = {
    "h1": "task",
    "main > p": "model",
    ".given .passage": "given",
    ".given .answer": "answer",
    ".given .choices caption": "place",
    ".given .choices bdi": "choice",
    ".share summary": "answer of a share",
    ".share .piece": "label of a share",
    ".share td, .share th": "label in a table",
    "#share-answer option": "answer to choose",
    "#site option": "site",
    "#fields h3": "axis",
    "#fields .piece": "label",
    "#said": "sentence",
    "#largest bdi": "label of a weight",
    "#along-the-text caption": "curve",
    "#heads-switched-off bdi": "head",
    ".tree": "tree",
    "#notes li": "note",
}


def everywhere(text: str) -> Explanation:
    """Return an explanation that holds the text wherever an input or a model can put one."""
    words, others = Axis(f"{text}", (text, "b", text)), Axis("other", (text, "c"))
    return Explanation(
        task=text,
        model=text,
        given=(text, text),
        answer=text,
        probability=0.5,
        axes=(words, others),
        looked=(Looked(text, words.name, others.name, rows_that_sum_to_one(2, 3, 2)),),
        shares=(Share(text, "rollout", words.name, numbers(0.5, 0.2, -0.3)),),
        heads=(HeadOff(text, 0, 0.1, text),),
        curves=(Curve(text, words.name, numbers(0.5, 0.2, 0.3)),),
        choices=(Choice(text, 0.5, text), Choice("d", 0.25, text)),
        tree=(text, f"  {text}"),
        notes=(text,),
    )


# Points at a word and takes a button, and returns the text of each place and whether anything ran.
VISIT = """(places) => {
    document.querySelector("#fields .piece").dispatchEvent(new PointerEvent("pointerover", { bubbles: true }));
    document.querySelector("button[data-site]").click();
    const text = (place) => [...document.querySelectorAll(place)].map((each) => each.textContent).join(" ");
    return { ran: typeof hit !== "undefined", texts: places.map(text) };
}"""


def without_policy(page: str) -> str:
    return re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", page)


def test_there_are_a_hundred_different_payloads_that_fit_into_a_label() -> None:
    assert len(set(PAYLOADS)) == 100
    assert max(map(len, PAYLOADS)) <= 80


@pytest.mark.parametrize("payload", PAYLOADS)
def test_a_payload_never_leaves_the_page_with_another_element(payload: str) -> None:
    harmless = "x" * len(payload)
    starts = [re.findall(r"<[a-z!/][^\s>]*", page_text(everywhere(text))) for text in (payload, harmless)]
    assert starts[0] == starts[1]


@pytest.mark.slow
@pytest.mark.parametrize("policy", [True, False], ids=["with the policy", "without the policy"])
def test_a_hundred_payloads_in_every_place_are_read_and_do_not_run(policy: bool, opened: Callable[..., Any]) -> None:
    page = None
    for payload in PAYLOADS:
        text = page_text(everywhere(payload))
        page = opened(text if policy else without_policy(text), again=page)
        visited = page.evaluate(VISIT, list(PLACES))
        texts = dict(zip(PLACES, visited["texts"], strict=True))
        assert [place for place in PLACES if shown_part(payload, place) not in texts[place]] == [], payload
        assert not visited["ran"]


def shown_part(payload: str, place: str) -> str:
    """Return the part of a payload that a place shows: names in tables of heads lose their middle."""
    return payload[:15] if "head" in place else payload


@pytest.mark.slow
def test_a_page_that_did_not_escape_would_be_noticed(opened: Callable[..., Any]) -> None:
    page = opened(without_policy(page_text(everywhere("x"))).replace("<h1>", "<h1><svg onload=hit=1></svg>", 1))
    assert page.evaluate("typeof hit") == "number"
