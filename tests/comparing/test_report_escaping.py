"""Nothing that comes from data or settings can become more than text on the page, whatever it holds."""

from dataclasses import replace
from html import escape

import pytest
from fake_comparisons import labelled, translated
from read_pages import Skeleton

from heed.comparing.page import page_text
from heed.comparing.results import Comparison
from heed.pages.markup import Markup, element, escaped

PAYLOADS = (
    "<script>alert(1)</script>",
    "</script><script>alert(1)</script>",
    "</style><script>alert(1)</script>",
    "</title><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<svg onload=alert(1)>",
    "<svg><script>alert(1)</script></svg>",
    "</svg><script>alert(1)</script>",
    '"><script>alert(1)</script>',
    "'><script>alert(1)</script>",
    '" onmouseover="alert(1)',
    "' onmouseover='alert(1)",
    '" autofocus onfocus=alert(1) x="',
    "` onmouseover=alert(1)",
    "<iframe src=javascript:alert(1)>",
    "<a href=javascript:alert(1)>x</a>",
    "javascript:alert(1)",
    "<body onload=alert(1)>",
    "<details open ontoggle=alert(1)>",
    "</details></summary><b>",
    "</td></tr></table><h1>forged",
    "<!-- a comment",
    "--><b>after a comment",
    "<![CDATA[<b>]]>",
    "<meta http-equiv=refresh content=0>",
    "<base href=//evil.example>",
    "<style>*{display:none}</style>",
    "<form action=//evil.example><input>",
    "&lt;script&gt;alert(1)&lt;/script&gt;",
    "&#60;script&#62;alert(1)&#60;/script&#62;",
    "<<b>><</b>>",
    "\x00<scr\x00ipt>alert(1)</scr\x00ipt>",
    "--s:1;background:url(//evil.example)",
    "{{constructor.constructor('alert(1)')()}}",
    "\u202e<b>backwards\u202c",
    "\ud83d<b>half a character",
)


def everywhere(text: str) -> Comparison:
    """Return a comparison that holds the text wherever data or settings can put one."""
    names = (f"{text}1", f"{text}2")
    comparison = labelled(names=names, seeds=2, examples=12, labels=(f"{text}a", f"{text}b"))
    wrong = f"{text}c"
    examples = [
        replace(
            example,
            texts=(text, text * 30),
            expected=wrong if number < 6 else example.expected,
            place=f"{text}:{number}",
        )
        for number, example in enumerate(comparison.examples)
    ]
    standings = [replace(each, values={text: 0.5}) for each in comparison.standings]
    return replace(
        comparison,
        task=text,
        metric=text,
        origin=text,
        budget=text,
        baseline=names[1],
        examples=examples,
        standings=standings,
        facts={text: text, "command": f"heed compare {text}"},
    )


@pytest.mark.parametrize("payload", PAYLOADS)
def test_a_payload_leaves_the_page_with_the_very_elements_of_a_harmless_text(payload: str) -> None:
    harmless = "x" * len(payload)
    assert Skeleton(page_text(everywhere(payload))).elements == Skeleton(page_text(everywhere(harmless))).elements


@pytest.mark.parametrize("payload", PAYLOADS)
def test_a_payload_is_on_the_page_only_as_text(payload: str) -> None:
    page = page_text(everywhere(payload))
    assert escaped(payload) in page
    if payload != escape(payload):
        assert payload not in page


@pytest.mark.parametrize("payload", PAYLOADS)
def test_what_a_translator_said_is_only_text_too(payload: str) -> None:
    comparison = translated(examples=5)
    trials = [replace(trial, predicted=[f"{trial.contender}{payload}"] * 5) for trial in comparison.trials]
    page = page_text(replace(comparison, trials=trials))
    assert f"lstm{escaped(payload)}" in page
    assert "script" not in {tag for tag, *_ in Skeleton(page).elements}


def test_the_skeleton_would_notice_an_element_that_came_in() -> None:
    page = page_text(everywhere("x"))
    assert Skeleton(page.replace("x</p>", "<b>x</b></p>", 1)).elements != Skeleton(page).elements


def test_children_and_attributes_are_escaped_and_only_markup_is_not() -> None:
    built = element("p", "<b>", Markup("<i></i>"), title="\"'<&>", aria_label=None, class_="a")
    assert built.text == '<p title="&quot;&#x27;&lt;&amp;&gt;" class="a">&lt;b&gt;<i></i></p>'


def test_what_no_file_can_hold_becomes_a_sign_that_something_was_there() -> None:
    assert escaped("a\x00b\ud800c\x1bd\te\nf") == "a\ufffdb\ufffdc\ufffdd\te\nf"
    page_text(everywhere("\ud800")).encode("utf-8")
