"""The page in a real browser, opened from disk with the network off: by mouse, by keyboard, on paper and at night."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy
import pytest
from made_explanations import EVERY, captioned, classified, filled_in, numbers, pictured, translated, written

from heed.inspection.explanation import Explanation, Looked, Numbers, Share
from heed.inspection.page.document import page_text

pytestmark = pytest.mark.slow

Opened = Callable[..., Any]  # of a page in a browser
HOVER_LIMIT = 500  # milliseconds; about 15 are usual, and a busy machine takes many times that


def assert_shown(page: Any, labels: tuple[str, ...], values_S: Numbers) -> None:
    """Assert that the table shows the ten largest of these weights, with three decimals."""
    order = numpy.argsort(-values_S, kind="stable")[:10]
    assert page.locator("#largest bdi").all_inner_texts() == [labels[place] for place in order]
    numpy.testing.assert_allclose(shown_weights(page), values_S[order], atol=0.00052)


def shown_weights(page: Any) -> list[float]:
    return [float(cell) for cell in page.locator("#largest td:last-child").all_inner_texts()]


@pytest.fixture
def classification(opened: Opened) -> Any:
    return opened(page_text(classified()))


@pytest.mark.parametrize("task", EVERY)
def test_the_page_of_every_task_opens_from_disk_without_a_fault(task: str, opened: Opened) -> None:
    page = opened(page_text(EVERY[task]()))
    assert shown_weights(page)
    assert page.locator("#multiples canvas").count() > 1


def test_pointing_at_a_word_shows_its_weights_and_leaving_brings_back_the_kept_one(classification: Any) -> None:
    explanation = classified()
    labels, mean_TS = explanation.axes[0].labels, explanation.looked[1].weights_HTS.mean(axis=0)
    for place in (7, 2, 10):
        classification.locator("#fields .piece").nth(place).hover()
        assert_shown(classification, labels, mean_TS[place])
    classification.locator("h1").hover()
    assert_shown(classification, labels, mean_TS[0])


def test_weights_that_are_next_to_nothing_are_told_in_their_column(opened: Opened) -> None:
    weights_HTS = numpy.zeros((2, 12, 12), dtype=numpy.float32)
    weights_HTS[:, :, 0] = 1.0
    weights_HTS[0, :, 1] = 1 / 65535  # the least that a page holds; half of it in the mean of both heads
    tiny = replace(classified(), looked=(Looked("encoder.0.self", "text", "text", weights_HTS),))
    page = opened(page_text(tiny))
    assert page.locator("#largest td:last-child").all_inner_texts() == ["1.000", "7.6e-6"]
    fits = "cell => cell.scrollWidth <= cell.clientWidth"
    assert all(cell.evaluate(fits) for cell in page.locator("#largest td:last-child").all())


def test_layer_head_and_direction_can_be_chosen_by_mouse(classification: Any) -> None:
    explanation = classified()
    labels, weights_TS = explanation.axes[0].labels, explanation.looked[0].weights_HTS[2]
    classification.select_option("#site", label="encoder.0.self")
    classification.locator("#multiples button").nth(3).click()
    classification.locator("#fields .piece").nth(5).click()
    assert classification.locator("#head").input_value() == "3"
    assert_shown(classification, labels, weights_TS[5])
    classification.select_option("#side", value="keys")
    assert_shown(classification, labels, weights_TS[:, 5])
    assert "forget is looked at most by" in classification.locator("#said").inner_text()


def test_layer_head_and_word_can_be_chosen_by_keyboard(classification: Any) -> None:
    explanation = classified()
    labels, weights_TS = explanation.axes[0].labels, explanation.looked[0].weights_HTS[1]
    classification.locator("#site").focus()
    classification.keyboard.press("ArrowUp")
    classification.wait_for_selector("#said:has-text('encoder.0.self')")
    classification.keyboard.press("Tab")
    classification.keyboard.press("ArrowDown")
    classification.keyboard.press("ArrowDown")
    classification.wait_for_selector("#said:has-text('encoder.0.self, head 1')")
    for key in ("Tab", "Tab", "ArrowRight", "ArrowRight", "End", "ArrowLeft"):
        classification.keyboard.press(key)
    assert classification.locator("[aria-selected=true]").inner_text() == "dull"
    assert classification.evaluate("document.activeElement.innerText") == "dull"
    assert_shown(classification, labels, weights_TS[10])


def test_small_heads_are_walked_with_arrow_keys_and_chosen_with_enter(classification: Any) -> None:
    buttons = classification.locator("#multiples button")
    buttons.nth(1).focus()
    classification.keyboard.press("Enter")
    assert classification.locator("#head").input_value() == "1"
    classification.keyboard.press("ArrowRight")
    assert classification.locator("#head").input_value() == "2"
    assert [buttons.nth(number).get_attribute("aria-pressed") for number in range(3)] == ["false", "false", "true"]


def test_a_ranked_head_leads_to_where_it_looked(classification: Any) -> None:
    classification.locator("button[data-site]").nth(1).click()
    classification.wait_for_selector("#said:has-text('encoder.0.self, head 3')")


def test_one_share_is_shown_and_the_method_chooses_it(classification: Any) -> None:
    shown = classification.locator(".share .hint:visible")
    assert "empty input" in shown.inner_text()
    classification.select_option("#share-method", label="rollout")
    assert "knows no sign" in shown.inner_text()


def test_shares_of_two_texts_are_shown_together_and_a_method_that_is_missing_gives_way(opened: Opened) -> None:
    explanation = translated()
    one, other = numbers(*[0.5] * 7), numbers(*[0.25] * 6)
    shares = (
        Share("all", "gradient x input", "source", one),
        Share("all", "gradient x input", "target", other),
        Share("I", "rollout", "source", one),
    )
    page = opened(page_text(replace(explanation, shares=shares)))
    assert page.locator(".share h3:visible").all_inner_texts() == ["source", "target"]
    page.select_option("#share-answer", label="I")
    assert page.locator(".share h3:visible").all_inner_texts() == ["source"]
    assert page.locator("#share-method option:checked").inner_text() == "rollout"


def test_the_hidden_word_is_looked_from_first(opened: Opened) -> None:
    assert "[MASK] looks most at" in opened(page_text(filled_in())).locator("#said").inner_text()


def test_of_a_translation_either_side_can_be_pointed_at_and_the_alignment_is_drawn(opened: Opened) -> None:
    explanation = translated()
    page, weights_TS = opened(page_text(explanation)), explanation.looked[2].weights_HTS.mean(axis=0)
    page.locator("[data-side=queries] .piece").nth(3).hover()
    assert_shown(page, explanation.axes[0].labels, weights_TS[3])
    page.locator("[data-side=keys] .piece").nth(2).hover()
    assert_shown(page, explanation.axes[1].labels, weights_TS[:, 2])
    assert page.locator(".matrix rect").count() == weights_TS.size
    drawn = [float(each.get_attribute("fill-opacity")) for each in page.locator(".matrix rect").all()]
    numpy.testing.assert_allclose(drawn, weights_TS.flatten(), atol=6e-4)


def veils(page: Any) -> list[float]:
    return [float(each.get_attribute("fill-opacity")) for each in page.locator("#fields .veil").all()]


def test_the_picture_is_brightest_where_each_word_of_a_caption_looks(opened: Opened) -> None:
    explanation = captioned()
    page, weights_TS = opened(page_text(explanation)), explanation.looked[1].weights_HTS.mean(axis=0)
    page.locator("#fields .piece").nth(0).focus()
    for place in range(1, 4):
        page.keyboard.press("ArrowRight")
        assert numpy.argmin(veils(page)) == weights_TS[place].argmax()
        assert page.locator("#strip button").nth(place).get_attribute("aria-pressed") == "true"
    page.locator("#strip button").nth(0).click()
    assert numpy.argmin(veils(page)) == weights_TS[0].argmax()


def test_a_patch_can_be_chosen_by_mouse_and_by_keyboard(opened: Opened) -> None:
    explanation = pictured()
    labels, mean_TS = explanation.axes[0].labels, explanation.looked[1].weights_HTS.mean(axis=0)
    page = opened(page_text(explanation))
    page.locator("#fields .veil").nth(10).click()
    assert_shown(page, labels, mean_TS[11])
    page.locator("#fields .picture").focus()
    page.keyboard.press("ArrowDown")
    page.locator("h1").hover()
    assert_shown(page, labels, mean_TS[18])


def test_without_a_script_the_answer_and_all_shares_are_there_and_no_control(opened: Opened) -> None:
    page = opened(page_text(classified()), java_script_enabled=False)
    assert page.locator(".answer").inner_text() == "positive"
    assert page.locator(".share summary:visible").count() == 3
    assert page.locator("select:visible, button:visible").count() == 0
    assert page.locator("#silent").is_visible()


def test_on_paper_there_is_the_chosen_view_and_no_control(classification: Any) -> None:
    classification.emulate_media(media="print", color_scheme="dark")
    assert classification.locator("#fields .piece:visible").count() == 12
    assert classification.locator("#largest").is_visible()
    assert classification.locator("select:visible, button[data-site]:visible, nav:visible").count() == 0
    assert classification.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert classification.evaluate("getComputedStyle(document.querySelector('canvas')).filter") == "none"
    assert classification.pdf().startswith(b"%PDF")


def luminance(colour: str) -> float:
    channels = [int(each) / 255 for each in colour.removeprefix("rgb(").removesuffix(")").split(", ")]
    linear = [each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4 for each in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out_by_day_and_by_night(scheme: str, opened: Opened) -> None:
    page = opened(page_text(classified()), color_scheme=scheme)
    ground, text = (
        luminance(page.evaluate(f"getComputedStyle(document.body).{name}")) for name in ("backgroundColor", "color")
    )
    assert (ground < text) == (scheme == "dark")
    assert (max(ground, text) + 0.05) / (min(ground, text) + 0.05) > 7


@pytest.mark.parametrize("task", EVERY)
def test_a_narrow_screen_never_scrolls_sideways(task: str, opened: Opened) -> None:
    page = opened(page_text(EVERY[task]()), viewport={"width": 360, "height": 700})
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_a_notebook_shows_the_page_at_work(opened: Opened) -> None:
    page = opened(f"<!doctype html><title>notebook</title>{classified()._repr_html_()}")
    frame = page.frame_locator("iframe")
    frame.locator("#fields .piece").nth(5).hover()
    assert "forget looks most at" in frame.locator("#said").inner_text()


@pytest.fixture(scope="module")
def long_text() -> Explanation:
    return written(10_000)


@pytest.fixture
def long_page(opened: Opened, long_text: Explanation) -> Iterator[Any]:
    yield opened(page_text(long_text))


def test_a_text_of_ten_thousand_words_stays_usable(long_page: Any, long_text: Explanation) -> None:
    point = """([side, place]) => {
        const word = document.querySelectorAll(`[data-side=${side}] .piece`)[place];
        const start = performance.now();
        word.dispatchEvent(new PointerEvent("pointerover", { bubbles: true }));
        document.body.offsetHeight;
        return performance.now() - start;
    }"""
    places = [("queries", 1), ("keys", 5000), ("queries", 2), ("keys", 9999), ("queries", 0)]
    times = [long_page.evaluate(point, list(place)) for place in places]
    assert numpy.median(times) < HOVER_LIMIT, times
    mean_S = long_text.looked[0].weights_HTS.mean(axis=0)[0]
    assert_shown(long_page, long_text.axes[0].labels, mean_S)
    long_page.locator("[data-side=keys] .piece").nth(9_999).click()
    assert "word9999 is looked at most by" in long_page.locator("#said").inner_text()
