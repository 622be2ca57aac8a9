"""The page of a run in a real browser, opened from disk with the network off: by day, by night, narrow and on paper."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from made_runs import DATA, MASKING, made_run

from heed.reporting.facts import gather
from heed.reporting.page import page_text
from heed.tasks.validation import Sample

pytestmark = pytest.mark.slow

CHROMIUM = shutil.which("chromium")
Opened = Callable[..., Any]  # of a page in a browser


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Yield Chromium; the tests skip where it or playwright is missing."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    if CHROMIUM is None:
        pytest.skip("chromium is not installed")
    with sync_api.sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield launched
        launched.close()


@pytest.fixture
def opened(browser: Any, tmp_path: Path) -> Iterator[Opened]:
    """Yield what opens the page of a run; a request, a message or a refusal of the policy fails the test."""
    run = made_run(
        tmp_path / "run",
        "pretrain",
        data={**DATA, "masking": MASKING},
        sample=Sample("<script>alert(1)</script> " * 30, "b", "<img src=x onerror=alert(1)>"),
    )
    file, contexts, faults = tmp_path / "page.html", [], []
    file.write_text(page_text(gather(run)), encoding="utf-8")

    def open_page(**options: Any) -> Any:
        context = browser.new_context(offline=True, **options)
        contexts.append(context)
        page = context.new_page()
        page.on("request", lambda request: request.url == file.as_uri() or faults.append(request.url[:100]))
        page.on("console", lambda message: faults.append(message.text))
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("dialog", lambda dialog: (faults.append(f"dialog {dialog.message}"), dialog.dismiss()))
        page.goto(file.as_uri())
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert faults == []


def test_the_page_opens_with_its_style_and_its_curves(opened: Opened) -> None:
    page = opened(viewport={"width": 1100, "height": 900})
    assert page.locator("h2").all_inner_texts()[1] == "Curves"
    assert page.locator("svg.chart").count() == 3
    box = page.locator("svg.chart").first.bounding_box()
    assert box["width"] > 500
    assert page.evaluate("getComputedStyle(document.querySelector('.validated polyline')).fill") == "none"


def test_a_narrow_screen_never_scrolls_sideways(opened: Opened) -> None:
    page = opened(viewport={"width": 360, "height": 700})
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_follows_day_and_night(scheme: str, opened: Opened) -> None:
    page = opened(color_scheme=scheme)
    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (ground == "rgb(255, 255, 255)") == (scheme == "light")


def test_settings_are_unfolded_by_keyboard(opened: Opened) -> None:
    page = opened()
    summary = page.locator("#settings summary")
    summary.focus()
    page.keyboard.press("Enter")
    assert page.locator("#settings details table").is_visible()


def test_the_page_prints(opened: Opened) -> None:
    assert opened().pdf().startswith(b"%PDF")
