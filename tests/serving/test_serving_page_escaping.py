"""Whatever models, runs, examples and servers say is shown literally on the page, and nothing of it runs."""

from typing import Any

import pytest
from page_server import Pages
from told_page import Told, facts, refusal

from heed.prediction.classifier import Classification
from heed.prediction.tagger import Entity, Tagging
from heed.serving import policy
from heed.serving.replies import Result

PAYLOADS = [
    "<img src=x onerror=hits++>",
    "<script>hits++</script>",
    '"><svg onload=hits++>',
    "</textarea><script>hits++</script>",
    "javascript:hits++",
    "' onmouseover=hits++ x='",
    "<iframe srcdoc='<script>parent.hits++</script>'></iframe>",
    "<style>*{display:none}</style>",
]
EVERYTHING = " ".join(PAYLOADS)


def hostile(task: str) -> Result:
    if task == "tag":
        return Tagging(EVERYTHING, (Entity(EVERYTHING[:9], EVERYTHING, 0, 9, 0.5),), (), 0, 0, 0)
    return Classification(
        (EVERYTHING,), EVERYTHING, 0.5, {EVERYTHING: 0.5, **dict.fromkeys(PAYLOADS, 0.05)}, None, 0, 0
    )


def told(task: str) -> Told:
    answers = Told([facts(EVERYTHING, task, kind=EVERYTHING)], lambda _: hostile(task), *PAYLOADS[:4], EVERYTHING)
    run: dict[str, Any] = {"model": EVERYTHING, "task": EVERYTHING, "finished": True, "settings": {"kind": EVERYTHING}}
    points = [{"step": 1, "loss": 2.0, EVERYTHING: 3.0}]
    answers.more["/v1/runs"] = {"runs": [{**run, "points": points, "served": True, "problem": None}]}
    compared = {"name": EVERYTHING, "titles": [EVERYTHING] * 2, "rows": [[EVERYTHING] * 2], "facts": {"x": EVERYTHING}}
    answers.more["/v1/comparisons"] = {
        "comparisons": [{**compared, "problem": None}, {**compared, "problem": EVERYTHING}]
    }
    return answers


def check(page: Any) -> None:
    """Nothing ran, and no element came that the page did not make itself."""
    assert page.evaluate("hits") == 0
    strange = "img:not(.example img), body script, body style, iframe, svg[onload], [onmouseover], [onerror]"
    assert page.evaluate(f"document.querySelectorAll({strange!r}).length") == 0


@pytest.mark.parametrize("with_policy", [True, False])
@pytest.mark.parametrize("task", ["classify", "tag"])
def test_nothing_that_is_said_runs_and_all_of_it_is_shown(
    pages: Pages, monkeypatch: pytest.MonkeyPatch, task: str, with_policy: bool
) -> None:
    if not with_policy:  # escaping alone must be enough
        monkeypatch.setattr("page_server.POLICY", "default-src * 'unsafe-inline' 'unsafe-eval' data: blob:")
    page = pages.open_told(told(task))
    page.locator(".example").last.click()
    page.locator("#answer").wait_for()
    assert EVERYTHING in page.locator("#answer").inner_text()
    assert EVERYTHING in page.locator("#models").inner_text()
    page.locator(".word").first.click()
    page.get_by_label("Instead of").fill(PAYLOADS[0])
    page.get_by_role("button", name="Try it").click()
    page.locator(".sides").wait_for()
    assert PAYLOADS[0] in page.locator("#editing").inner_text()
    check(page)
    for view in ("training", "comparisons"):
        page.locator(f"[data-view={view}]").click()
        page.locator(f"#{view} bdi").first.wait_for()
        assert EVERYTHING in page.locator(f"#{view}").inner_text()
        check(page)


def test_a_refusal_is_text_too(pages: Pages) -> None:
    answers = told("classify")
    answers.refusals = [refusal(400, EVERYTHING)]
    page = pages.open_told(answers)
    page.locator(".example").first.click()
    page.locator("#told.wrong").wait_for()
    assert page.locator("#told").inner_text() == EVERYTHING
    check(page)


def test_the_policy_refuses_a_script_that_came_in_all_the_same(pages: Pages) -> None:
    page = pages.open_told(told("classify"))
    page.locator(".example").first.wait_for()
    page.evaluate("document.body.append(Object.assign(document.createElement('script'), { textContent: 'hits++' }))")
    assert page.evaluate("hits") == 0 and "refused by policy" in pages.faults.pop()
    assert [fault for fault in pages.faults if "Content Security Policy" not in fault] == []
    pages.faults.clear()
    assert "unsafe" not in policy.POLICY
