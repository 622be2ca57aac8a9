"""The page of a comparison: whole, alone, readable by people and by screen readers, and small."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from fake_comparisons import FIVE, MANY, labelled, numbered, translated, with_one_seed_of
from read_pages import Reader

from heed.comparing.page import page_text, write_page
from heed.comparing.page_confusion import summed
from heed.comparing.results import Comparison
from heed.errors import MachineError

KINDS = {
    "two labels": labelled(),
    "five labels": labelled(labels=FIVE),
    "sixty labels": labelled(labels=MANY),
    "one seed": with_one_seed_of(labelled(), "gru"),
    "one model": labelled(names=("gru",), seeds=1),
    "numbers": numbered(),
    "translations": translated(),
}


@pytest.fixture(params=KINDS, scope="module")
def comparison(request: pytest.FixtureRequest) -> Comparison:
    return KINDS[request.param]


@pytest.fixture(scope="module")
def page(comparison: Comparison) -> str:
    return page_text(comparison)


def test_every_element_is_closed_in_its_turn(page: str) -> None:
    assert Reader(page).open == []


def test_the_page_needs_no_script_and_nothing_from_outside(page: str) -> None:
    reader = Reader(page)
    assert not {"script", "link", "img", "iframe", "object", "embed", "form", "base"} & {
        tag for tag, _ in reader.starts
    }
    assert all(each["href"] in {f"#{section['id']}" for section in reader.all("section")} for each in reader.all("a"))
    assert not re.search(r"https?:|url\(|@import", page)


def test_the_browser_is_told_to_run_and_fetch_nothing(page: str) -> None:
    policy = next(each for each in Reader(page).all("meta") if "http-equiv" in each)
    assert policy == {
        "http-equiv": "Content-Security-Policy",
        "content": "default-src 'none'; style-src 'unsafe-inline'; img-src data:",
    }


def test_every_table_has_a_caption_and_every_heading_says_what_it_heads(page: str) -> None:
    reader = Reader(page)
    assert len(reader.all("caption")) == len(reader.all("table")) > 0
    assert {each.get("scope") for each in reader.all("th")} == {"row", "col"}


def test_what_scrolls_can_be_reached_from_the_keyboard_and_has_a_name(page: str) -> None:
    boxes = [each for each in Reader(page).all("div") if each.get("class") == "scroll"]
    assert boxes
    assert all(each["tabindex"] == "0" and each["aria-label"] for each in boxes)


def test_every_picture_is_told_in_words(page: str) -> None:
    pictures = Reader(page).all("svg")
    assert pictures
    assert all(each["role"] == "img" and each["aria-label"] for each in pictures)


def test_every_contender_every_fact_and_the_command_are_there(comparison: Comparison, page: str) -> None:
    text = Reader(page).text
    assert all(standing.name in text for standing in comparison.standings)
    assert all(fact in text for fact in comparison.facts.values())


def test_no_section_appears_twice_or_is_empty(page: str) -> None:
    sections = [each["id"] for each in Reader(page).all("section")]
    assert len(sections) == len(set(sections))
    assert sections[0] == "the-answer"
    assert sections[-1] == "how-to-repeat-it"


def test_confusion_matrices_are_shown_only_where_there_are_labels() -> None:
    assert 'id="confusions"' in page_text(labelled())
    assert 'id="confusions"' not in page_text(numbered())
    assert 'id="confusions"' not in page_text(translated())


def test_a_confusion_matrix_is_the_sum_over_seeds_with_shares_of_each_row() -> None:
    comparison = labelled(names=("gru",), seeds=2, examples=4)
    trials = [
        replace(trial, confusion=matrix)
        for trial, matrix in zip(comparison.trials, ([[3, 0], [1, 0]],) * 2, strict=True)
    ]
    comparison = replace(comparison, trials=trials)
    assert summed(comparison, "gru").tolist() == [[6, 0], [2, 0]]
    page = page_text(comparison)
    assert '<td style="--s:1.00">6 <small>100%</small></td><td>0</td><td>6</td>' in page
    assert '<td style="--s:1.00">2 <small>100%</small></td><td>0</td><td>2</td>' in page


def test_with_too_many_labels_for_a_matrix_the_worst_confusions_are_listed() -> None:
    page = page_text(labelled(labels=MANY))
    assert "The most frequent confusions of 60 labels" in page
    assert "expected ↓ said →" not in page


def test_an_example_is_shown_with_its_place_what_was_expected_and_who_said_what() -> None:
    comparison = labelled(names=("gru", "tfidf"), seeds=1, examples=3)
    first = replace(comparison.trials[0], predicted=["positive"] * 3, confidence=[0.91] * 3)
    second = replace(comparison.trials[1], predicted=["negative"] * 3, confidence=[0.52] * 3)
    examples = [replace(example, expected="positive", texts=("so warm",)) for example in comparison.examples]
    text = Reader(page_text(replace(comparison, trials=[first, second], examples=examples))).text
    assert "reviews.tsv:2 so warm positive positive ✓ right: gru 91% negative ✗ wrong: tfidf 52%" in text
    assert "3 of 3 test examples (100.0 %)" in text
    assert "There is none: every test example is answered rightly" in text


def test_a_long_text_is_shortened_and_can_be_unfolded_whole() -> None:
    comparison = labelled(names=("gru",), seeds=1, examples=2)
    long = "word " * 100 + "end"
    examples = [replace(example, texts=(long,), expected="never said") for example in comparison.examples]
    page = page_text(replace(comparison, examples=examples))
    assert f"<details><summary><bdi>{long[:159]}…</bdi></summary>" in page
    assert f">{long}</p></details>" in page


def test_an_endless_text_is_cut_and_the_cut_is_said() -> None:
    comparison = labelled(names=("gru",), seeds=1, examples=1)
    examples = [replace(comparison.examples[0], texts=("x" * 1_000_000,), expected="never said")]
    page = page_text(replace(comparison, examples=examples))
    assert "(998,000 more characters)" in page
    assert len(page) < 50_000


def test_models_that_never_disagree_are_said_to_agree() -> None:
    comparison = labelled(names=("gru", "tfidf"), seeds=1, examples=5)
    same = [replace(trial, predicted=comparison.trials[0].predicted) for trial in comparison.trials]
    assert "The models say the same of every test example." in page_text(replace(comparison, trials=same))


def test_what_was_cut_and_unknown_is_shown_unless_all_was_read() -> None:
    assert "Tokens of the test data that a model did not see" in page_text(labelled())
    standings = [replace(each, cut_share=0, unknown_share=0) for each in labelled().standings]
    assert "Every model read every token of the test data." in page_text(replace(labelled(), standings=standings))


def test_the_page_of_ten_thousand_long_examples_stays_below_a_megabyte() -> None:
    comparison = labelled(names=tuple("abcdefgh"), seeds=3, examples=10_000, labels=FIVE)
    examples = [replace(example, texts=("đường " * 1000,)) for example in comparison.examples]
    assert len(page_text(replace(comparison, examples=examples)).encode()) < 1_000_000


def test_the_page_is_written_as_it_is(tmp_path: Path) -> None:
    write_page(labelled(), tmp_path / "report.html")
    assert (tmp_path / "report.html").read_text(encoding="utf-8") == page_text(labelled())


def test_a_folder_that_is_not_there_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(MachineError, match=r"report\.html cannot be written: .*mkdir -p"):
        write_page(labelled(), tmp_path / "none" / "report.html")
