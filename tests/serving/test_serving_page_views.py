"""The views of the page, in a real browser: what models say, what changes with a word, curves and comparisons."""

import base64
from typing import Any

import pytest
from page_server import Pages
from told_page import Told, facts, refusal

from heed.models.word_space import Neighbour, WordSum
from heed.prediction.answerer import Answer, AnswerOption
from heed.prediction.classifier import Classification
from heed.prediction.filler import Candidate, Filling
from heed.prediction.picture_captioner import Caption, CaptionChoice
from heed.prediction.picture_classifier import Recognition
from heed.prediction.tagger import Entity, LabelledWord, Tagging
from heed.prediction.translator import Alternative, Translation
from heed.prediction.word_vectors import WordAnswer
from heed.prediction.writer import Version, Writing

CONTEXT = "Ann 😀 lives in Hue, and Bob lives in Rome."  # the face is one character, and two halves for a script
PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="


def moody(text: str) -> Classification:
    """Return what a model says that knows one word."""
    good = 0.9 if "good" in text else 0.25
    label = "happy" if good > 0.5 else "sad"
    return Classification((text,), label, max(good, 1 - good), {"happy": good, "sad": 1 - good}, None, 2, 1)


def upper(text: str) -> Translation:
    """Return a translation that shouts."""
    ways = (Alternative(text.upper(), -0.1, -0.5, "end"), Alternative("OTHER", -0.9, -2.0, "end"))
    return Translation(text, text.upper(), -0.1, -0.5, "end", ways, 0, 0)


TAGGED = Tagging(
    CONTEXT,
    (Entity("Ann", "PER", 0, 3, 0.98), Entity("Hue", "LOC", 15, 18, None)),
    (LabelledWord("Ann", 0, 3, "B-PER", 0.98),),
    0,
    0,
    0,
)
NOUN, VERB = LabelledWord("dogs", 0, 4, "NOUN", 0.5), LabelledWord("bark", 5, 9, "VERB", 0.5)
PLAIN = Tagging("dogs bark", (), (NOUN, VERB), 0, 0, 0)
ALIKE = Classification(("one", "two"), "same", 0.9, {"same": 0.9, "no": 0.1}, None, 0, 0)
ANSWER = Answer("Where?", "Hue", 15, 18, 0.75, -3.0, (AnswerOption("Rome", 37, 41, 0.125),), 0, 0)
WRITING = Writing("he", "llo", -0.1, -0.2, "length", 3, (Version("llo", -0.1, -0.2, "length", 3),), 0, 0)
FILLING = Filling("a [MASK] day", "a fine day", ((Candidate("fine", 0.5), Candidate("bad", 0.25)),), 0, 0)
WORDS = WordAnswer("king", WordSum(("king",), ()), (Neighbour("queen", 0.875), Neighbour("prince", 0.5)))
CAPTION = Caption("picture 1", "a red rose", (CaptionChoice("a red rose", -0.1, -0.5, "end"),))

VIEWS: list[tuple[str, str, Any, list[str]]] = [
    ("classify", "text=a+good+day", moody("a good day"), ["happy", "90.0 %", "2 pieces are not in its vocabulary"]),
    ("classify", "text=x", Classification(("x",), None, None, {}, 3.25, 0, 0), ["3.25"]),
    ("pair", "text=one&second=two", ALIKE, ["same", "10.0 %"]),
    ("tag", "text=x", TAGGED, ["Ann", "PER 98.0 %", "Hue", "LOC"]),
    ("tag", "text=x", PLAIN, ["NOUN", "VERB"]),
    ("answer", f"text=Where%3F&second={CONTEXT}", ANSWER, ["Hue", "75.0 %", "Rome", "12.5 %"]),
    ("translate", "text=oh", upper("oh"), ["OH", "OTHER", "60.7 %"]),
    ("write", "text=he", WRITING, ["hello", "stopped at the longest length"]),
    ("pretrain", "text=x", FILLING, ["a fine day", "bad", "25.0 %"]),
    ("vectors", "text=king", WORDS, ["queen", "0.875"]),
    ("image", "example=0", Recognition("picture 1", "rose", 0.5, {"rose": 0.5, "tulip": 0.5}), ["rose", "tulip"]),
    ("image", "example=0", Recognition("picture 1", None, None, {}, "It is broken."), ["It is broken."]),
    ("caption", "example=0", CAPTION, ["a red rose"]),
]  # fmt: skip


@pytest.mark.parametrize(("task", "address", "result", "shown"), VIEWS)
def test_every_kind_of_answer_is_shown_as_a_person_reads_it(
    pages: Pages, task: str, address: str, result: Any, shown: list[str]
) -> None:
    examples = [{"picture": PIXEL}] if task in ("image", "caption") else ["an example"]
    page = pages.open_told(Told([facts(task=task)], lambda _: result, *examples), f"#model=model&{address}")
    answer = page.locator("#answer")
    answer.wait_for()
    for text in shown:
        assert text in answer.inner_text()
    assert page.locator("#editing").is_visible() == (task not in ("image", "caption"))
    assert page.locator("#inside").is_visible() == (task != "vectors")


def test_stretches_are_marked_where_the_server_counts_characters(pages: Pages) -> None:
    for task, address, result in (("tag", "text=x", TAGGED), ("answer", f"text=Where&second={CONTEXT}", ANSWER)):
        page = pages.open_told(Told([facts(task=task)], lambda _, result=result: result), f"#model=model&{address}")
        page.locator("mark").first.wait_for()
        marked = [text.split("\n")[0] for text in page.locator("mark").all_inner_texts()]
        assert [text.removesuffix("LOC").split()[0] for text in marked][-1] == "Hue"


def test_another_word_shows_both_answers_and_how_chances_moved(pages: Pages) -> None:
    told = Told([facts()], moody)
    page = pages.open_told(told, "#model=model&text=a+good+day")
    page.get_by_role("button", name="good", exact=True).click()
    page.get_by_label("Instead of good").fill("bad")
    page.get_by_role("button", name="Try it").click()
    page.locator(".sides").wait_for()
    assert told.asked[-1]["inputs"] == ["a bad day"]
    assert page.locator("del").all_inner_texts() == ["happy"] and page.locator("ins").all_inner_texts() == ["sad"]
    cells = [row.split("\t") for row in page.locator("#editing tbody tr").all_inner_texts()]
    assert ["happy", "90.0 %", "25.0 %", "▼ −65.0"] in cells and ["sad", "10.0 %", "75.0 %", "▲ +65.0"] in cells


def test_only_the_words_of_a_translation_that_changed_are_marked_and_it_can_become_the_input(pages: Pages) -> None:
    told = Told([facts(task="translate")], upper)
    page = pages.open_told(told, "#model=model&text=one+two%2C+three&option.best=2")
    page.get_by_role("button", name="two", exact=True).click()
    page.get_by_role("button", name="Leave it out", exact=True).click()
    page.locator(".sides").wait_for()
    assert told.asked[-1] == {"model": "model", "inputs": ["one, three"], "options": {"best": 2}}
    assert page.locator("del").all_inner_texts() == ["ONE", "TWO,"] and page.locator("ins").all_inner_texts() == [
        "ONE,"
    ]
    page.get_by_role("button", name="Make this the input").click()
    page.locator("text=ONE, THREE").first.wait_for()
    assert page.get_by_label("Text to translate").input_value() == "one, three"
    assert "text=one%2C+three" in page.url


def test_the_keyboard_alone_is_enough(pages: Pages) -> None:
    told = Told([facts("first"), facts("second")], moody, "a good example")
    page = pages.open_told(told)
    page.locator(".example").wait_for()
    page.locator("input[type=radio]:checked").focus()
    page.keyboard.press("ArrowDown")
    page.wait_for_function("location.hash.includes('model=second')")
    page.locator(".example").wait_for()
    for _ in range(30):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.tagName") == "TEXTAREA":
            break
    page.keyboard.type("a good day")
    for _ in range(30):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.className") == "main":
            break
    page.keyboard.press("Enter")
    page.locator("#answer").wait_for()
    for _ in range(30):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.innerText") == "good":
            break
    page.keyboard.press("Enter")
    page.keyboard.type("bad")  # the word that stood there is selected
    page.keyboard.press("Enter")
    page.locator(".sides").wait_for()
    assert told.asked[-1]["inputs"] == ["a bad day"] and told.asked[-1]["model"] == "second"
    page.keyboard.press("Escape")
    assert page.evaluate("document.activeElement.innerText") == "good"


def test_a_reload_shows_the_same(pages: Pages) -> None:
    told = Told([facts("one"), facts("two", "translate")], lambda text: upper(text))
    page = pages.open_told(told, "#model=two&text=oh+no&option.beam=3")
    page.locator("#answer").wait_for()
    address = page.url
    page.reload()
    page.locator("#answer").wait_for()
    assert page.url == address and page.get_by_label("Text to translate").input_value() == "oh no"
    assert told.asked[0] == told.asked[1] == {"model": "two", "inputs": ["oh no"], "options": {"beam": 3}}


def test_examples_are_there_before_the_model_and_the_answer_comes_with_it(pages: Pages) -> None:
    told = Told([facts(state="loading")], moody, "a good example")
    page = pages.open_told(told)
    page.locator(".example").click()
    page.wait_for_function("document.getElementById('told').textContent.includes('still loading')")
    assert told.asked == []
    told.models = [facts()]
    page.locator("#answer").wait_for()
    assert told.asked[0]["inputs"] == ["a good example"]


def test_a_model_that_failed_says_why(pages: Pages) -> None:
    page = pages.open_told(Told([facts(state="failed", problem="its weights are damaged.")], moody))
    page.locator("text=model could not be loaded: its weights are damaged.").wait_for()
    assert "failed" in page.locator(".model").inner_text()


def test_a_server_that_is_full_is_asked_once_more_by_itself_and_then_told(pages: Pages) -> None:
    told = Told([facts()], moody)
    told.refusals = [refusal(429, "9 requests wait already.", retry_after="1")]
    page = pages.open_told(told, "#model=model&text=good")
    page.locator("#answer").wait_for()
    assert len(told.asked) == 2
    told.refusals = [refusal(503, "The server is being stopped.", retry_after="1")] * 2
    page.get_by_role("button", name="Classify").click()
    page.locator("#told.wrong", has_text="The server is being stopped.").wait_for()
    assert len(told.asked) == 4


def test_a_refusal_is_shown_as_its_sentence_and_not_tried_again(pages: Pages) -> None:
    told = Told([facts()], moody)
    told.refusals = [refusal(400, "Input 1 is a text; word vectors read none.")]
    page = pages.open_told(told, "#model=model&text=good")
    page.locator("#told.wrong", has_text="Input 1 is a text; word vectors read none.").wait_for()
    assert len(told.asked) == 1 and not page.locator("#answer").is_visible()


DROP = """([base64, kind]) => {
  const bytes = Uint8Array.from(atob(base64), (each) => each.charCodeAt(0));
  const data = new DataTransfer();
  data.items.add(new File([bytes], 'a.png', { type: 'image/png' }));
  const bubbling = { bubbles: true, cancelable: true };
  document.querySelector('.drop').dispatchEvent(kind === 'drop'
    ? new DragEvent('drop', { ...bubbling, dataTransfer: data })
    : new ClipboardEvent('paste', { ...bubbling, clipboardData: data }));
}"""


@pytest.mark.parametrize("way", ["drop", "paste", "choose"])
def test_a_picture_is_dropped_pasted_or_chosen(pages: Pages, way: str) -> None:
    told = Told([facts(task="image")], lambda _: Recognition("picture 1", "rose", 1.0, {"rose": 1.0}))
    page = pages.open_told(told)
    page.locator(".drop").wait_for()
    if way == "choose":
        file = {"name": "a.png", "mimeType": "image/png", "buffer": base64.b64decode(PIXEL)}
        page.locator("input[type=file]").set_input_files(file)
    else:
        page.evaluate(DROP, [PIXEL, way])
    page.locator(".drop img").wait_for()
    page.get_by_role("button", name="Classify").click()
    page.locator("#answer").wait_for()
    assert told.asked[0]["inputs"] == [{"picture": PIXEL}]


def run_of(name: str, *losses: float, served: bool = True) -> dict[str, Any]:
    points = [{"step": step, "seconds": step / 2, "loss": loss} for step, loss in enumerate(losses, start=1)]
    points[-1]["valid.accuracy"] = 0.5
    facts = {"task": "classify", "finished": True, "settings": {"kind": "lstm"}, "problem": None}
    return {"model": name, "points": points, "served": served, **facts}


def test_curves_of_several_runs_differ_in_dash_and_mark_and_bear_their_axes(pages: Pages) -> None:
    told = Told([facts()], moody)
    told.more["/v1/runs"] = {
        "runs": [run_of("one", 3, 2, 1), run_of("two", 4, 3, 3), run_of("three", 9, 9, served=False)]
    }
    page = pages.open_told(told, "#view=training")
    page.locator(".chart").wait_for()
    assert page.locator(".chart").get_attribute("aria-label") == "loss in training over steps, 2 lines"
    assert page.locator(".chart .title").all_text_contents() == ["steps", "loss in training"]
    lines = page.locator(".chart .line")
    dashes = [lines.nth(at).locator("polyline").get_attribute("stroke-dasharray") for at in range(2)]
    marks = [lines.nth(at).locator("path").first.get_attribute("d") for at in range(2)]
    assert len(set(dashes)) == len(set(marks)) == 2
    heights = [float(pair.split(",")[1]) for pair in lines.nth(0).locator("polyline").get_attribute("points").split()]
    assert heights == sorted(heights)  # a smaller loss is drawn lower, and the picture counts from above
    page.get_by_label("three").check()
    assert page.locator(".chart .line").count() == 3
    page.get_by_label("Number").select_option("valid.accuracy")
    assert page.locator(".chart .title").last.text_content() == "validation: accuracy"


def test_comparisons_are_tables_and_without_one_it_is_said_how_to_make_it(pages: Pages) -> None:
    told = Told([facts()], moody)
    page = pages.open_told(told, "#view=comparisons")
    assert "heed compare classify" in page.locator("#comparisons pre").inner_text()
    found = {"name": "mine", "titles": ["Model", "Score"], "rows": [["lstm", "0.9"]], "facts": {}, "problem": None}
    broken = {**found, "name": "other", "rows": [], "problem": "It cannot be read."}
    told.more["/v1/comparisons"] = {"comparisons": [found, broken]}
    page.get_by_role("link", name="Training").click()
    page.get_by_role("link", name="Comparisons").click()
    page.locator("#comparisons td").wait_for()
    assert "0.9" in page.locator("#comparisons table").inner_text()
    assert "It cannot be read." in page.locator("#comparisons").inner_text()


@pytest.mark.parametrize("width", [400, 1600])
def test_nothing_is_wider_than_the_window(pages: Pages, width: int) -> None:
    told = Told([facts("a-name-that-goes-on-and-on" * 4)], moody, "an example " * 30, "w" * 300)
    told.more["/v1/runs"] = {"runs": [run_of("r" * 90, 3, 2)]}
    long = f"#model={'a-name-that-goes-on-and-on' * 4}&text={'good+' * 40}{'w' * 300}"
    for fragment, waited in ((long, "#answer"), ("#view=training", ".chart"), ("#view=comparisons", "pre")):
        page = pages.open_told(told, fragment, viewport={"width": width, "height": 800})
        page.locator(f"{waited} >> visible=true").first.wait_for()
        assert page.evaluate("document.documentElement.scrollWidth") <= width
