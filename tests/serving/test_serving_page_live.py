"""The page with a real server behind it: predictions, the inside in its frame, pictures, curves, and the token."""

import base64
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from page_server import Pages, page_server

from heed.prediction.loading import load_classifier, load_translator
from heed.serving.models import Models

TOKEN = "a-token-of-the-page's-tests"


@pytest.fixture(scope="module")
def loaded(colours: Path, reversing: Path, seeing: Path) -> Models:
    """Return three models, of texts and of pictures."""
    models = Models([colours, reversing, seeing])
    models.start()
    models.wait(60)
    return models


@pytest.fixture(scope="module")
def address(loaded: Models) -> Iterator[str]:
    """Yield where they are served."""
    with page_server(loaded) as found:
        yield found


def unfolded(page: Any) -> Any:
    """Return the frame with the inside of the model."""
    page.locator("#inside summary").first.click()
    return page.frame_locator("#inside iframe")


def test_what_is_shown_is_what_the_model_says(pages: Pages, address: str, colours: Path) -> None:
    page = pages.open(f"{address}/#model=colours&text=sky+sea")
    page.locator("#answer").wait_for()
    (expected,) = load_classifier(colours).predict(["sky sea"])
    assert page.locator("#answer .said").inner_text().split()[0] == expected.label
    assert sorted(page.locator("#answer tbody th").all_inner_texts()) == sorted(expected.probabilities)


def test_leaving_a_word_out_shows_what_the_model_says_without_it(pages: Pages, address: str, colours: Path) -> None:
    page = pages.open(f"{address}/#model=colours&text=sky+apple+cherry")
    page.get_by_role("button", name="sky", exact=True).click()
    page.get_by_role("button", name="Leave it out", exact=True).click()
    page.locator(".sides").wait_for()
    before, after = load_classifier(colours).predict(["sky apple cherry", "apple cherry"])
    shown = page.locator(".sides .said").all_inner_texts()
    assert [each.strip() for each in shown] == [before.label, after.label]


def test_the_inside_of_a_translator_is_drawn_with_its_beam_in_a_frame_that_is_a_stranger(
    pages: Pages, address: str, reversing: Path
) -> None:
    page = pages.open(f"{address}/#model=reversing&text=one+two+three&option.beam=3")
    page.locator("#answer").wait_for()
    frame = unfolded(page)
    frame.locator("#viewer:not([hidden])").wait_for()
    assert "one" in frame.locator("#fields").inner_text() and "score=" in frame.locator(".tree").inner_text()
    text = load_translator(reversing).predict(["one two three"])[0].text
    assert page.locator("#answer .said").inner_text().strip() == (text or "(nothing)")
    assert page.locator("#inside iframe").get_attribute("sandbox") == "allow-scripts"
    inner = page.frames[1]
    assert inner.evaluate("origin") == "null"
    reach = "(() => { try { return parent.document.title } catch { return 'refused' } })()"
    assert inner.evaluate(reach) == "refused"
    page.wait_for_function("document.querySelector('#inside iframe').height > 900")  # as tall as what it shows


def test_a_picture_that_is_dropped_is_classified_and_its_inside_shows_it(
    pages: Pages, address: str, seeing: Path
) -> None:
    page = pages.open(f"{address}/#model=seeing")
    file = next((seeing.parent / "pictures").rglob("*.png"))
    drop = """(base64) => {
      const data = new DataTransfer();
      const bytes = Uint8Array.from(atob(base64), (each) => each.charCodeAt(0));
      data.items.add(new File([bytes], 'a.png', { type: 'image/png' }));
      document.querySelector('.drop').dispatchEvent(new DragEvent('drop', { dataTransfer: data, cancelable: true }));
    }"""
    page.locator(".drop").wait_for()
    page.evaluate(drop, base64.b64encode(file.read_bytes()).decode())
    page.locator(".drop img").wait_for()
    page.get_by_role("button", name="Classify").click()
    page.locator("#answer").wait_for()
    assert sorted(page.locator("#answer tbody th").all_inner_texts()) == ["blue", "green", "red"]
    frame = unfolded(page)
    frame.locator("#viewer:not([hidden])").wait_for()
    assert frame.locator(".picture.large").count() == 1


def test_curves_of_the_served_runs_are_drawn(pages: Pages, address: str) -> None:
    page = pages.open(f"{address}/#view=training")
    page.locator(".chart").wait_for()
    assert page.locator(".runs bdi").all_inner_texts() == ["colours", "reversing", "seeing"]
    assert page.locator(".chart .line").count() == 3


def test_a_token_is_asked_for_until_it_is_right_and_kept_for_the_tab_alone(pages: Pages, loaded: Models) -> None:
    with page_server(loaded, TOKEN) as address:
        page = pages.open(f"{address}/#model=colours&text=sky")
        for given in ("wrong-token-which-is-long", TOKEN):
            page.locator("dialog[open] input").fill(given)
            page.locator("dialog[open] button").click()
        page.locator("#answer").wait_for()
        assert not page.locator("dialog[open]").count() and page.url.startswith(address)
        assert TOKEN not in page.url
        page.reload()
        page.locator("#answer").wait_for()
        assert page.evaluate("[sessionStorage.length, localStorage.length]") == [1, 0]
