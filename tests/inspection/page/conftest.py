"""A real browser without a network for the tests here, which import `made_explanations` and `read_pages`."""

import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[2] / "pages"))

CHROMIUM = shutil.which("chromium")


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Yield Chromium; the tests skip where it or playwright is missing.

    For one file of tests: while it runs, its loop is that of the thread, and no other file could have one.
    """
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    if CHROMIUM is None:
        pytest.skip("chromium is not installed")
    with sync_api.sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield launched
        launched.close()


@pytest.fixture
def opened(browser: Any, tmp_path: Path) -> Iterator[Callable[..., Any]]:
    """Yield a function that opens a page from disk, offline; a request or an error on the page fails the test."""
    contexts, faults = [], []
    address = (tmp_path / "page.html").as_uri()

    def new_page(**options: Any) -> Any:
        context = browser.new_context(offline=True, **{"viewport": {"width": 1200, "height": 900}, **options})
        contexts.append(context)
        page = context.new_page()
        page.on("request", lambda request: request.url in (address, "about:srcdoc") or faults.append(request.url[:100]))
        page.on("console", lambda message: faults.append(message.text))
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("dialog", lambda dialog: (faults.append(f"dialog {dialog.message}"), dialog.dismiss()))
        return page

    def open_page(text: str, again: Any = None, **options: Any) -> Any:
        (tmp_path / "page.html").write_text(text, encoding="utf-8")
        page = again or new_page(**options)
        page.goto(address)
        if options.get("java_script_enabled", True) and 'id="viewer"' in text:
            page.wait_for_selector("#viewer:not([hidden])")
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert faults == []
