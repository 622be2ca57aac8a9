"""Laws of labels: their order, their numbers, and when they are numbers themselves."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heed.data.labels import Labels, as_number, guess_outcome, numbers_of
from heed.data.records import LabelledText
from heed.errors import DataError


def records(*labels: str) -> list[LabelledText]:
    return [LabelledText((f"text {number}",), label, f"x:{number}") for number, label in enumerate(labels, start=1)]


@pytest.mark.parametrize(
    ("labels", "names"),
    [
        (["pos", "neg", "pos"], ("neg", "pos")),
        (["10", "9", "-1"], ("-1", "9", "10")),
        (["10", "9", "x"], ("10", "9", "x")),
        (["1.0", "1", "0.5"], ("0.5", "1", "1.0")),
    ],
)
def test_labels_are_sorted_by_value_where_all_are_numbers_and_else_by_text(
    labels: list[str], names: tuple[str, ...]
) -> None:
    assert Labels.of(records(*labels)).names == names


@given(st.lists(st.text(min_size=1), min_size=1))
def test_the_number_of_a_label_is_its_place_whatever_the_order_of_the_records(names: list[str]) -> None:
    labels = Labels.of(records(*names))
    assert labels == Labels.of(records(*reversed(names)))
    assert [labels.number(name) for name in labels.names] == list(range(len(set(names))))


def test_an_unknown_label_is_refused_with_the_known_and_the_nearest() -> None:
    labels = Labels(("negative", "positive"))
    with pytest.raises(
        DataError, match=r'no label "positve".*2 known label\(s\): "negative", "positive"\. Did you mean "pos'
    ):
        labels.number("positve")
    with pytest.raises(DataError, match=r'"Negative".*Did you mean "negative"'):
        labels.number("Negative")
    with pytest.raises(DataError, match=r'no label "".*Correct it'):
        labels.number("")


def test_of_many_labels_only_the_first_are_shown() -> None:
    with pytest.raises(DataError, match=r'"label 19" and 10 more\.'):
        Labels(tuple(f"label {number}" for number in range(30))).number("x")


@pytest.mark.parametrize("text", ["1", "-2.5", "+.5", "3.", "1e3", "007"])
def test_finite_decimal_numbers_are_numbers(text: str) -> None:
    assert as_number(text) == float(text)


@pytest.mark.parametrize("text", ["", "nan", "inf", "1e999", "1_000", "0x1", "1,5", "٣", "1 2", ".", "--1"])
def test_anything_else_is_no_number(text: str) -> None:
    assert as_number(text) is None


@pytest.mark.parametrize(
    ("labels", "outcome"),
    [
        (["0", "1", "5"], "label"),
        (["0", "1", "2.5"], "number"),
        (["1.0", "2.0"], "label"),
        ([str(n) for n in range(20)], "label"),
        ([str(n) for n in range(21)], "number"),
        (["1", "1.0", *(str(n) for n in range(20))], "label"),
        (["0.5", "x"], "label"),
        (["0.5", "nan"], "label"),
    ],
)
def test_labels_are_numbers_when_one_is_not_whole_or_over_twenty_differ(labels: list[str], outcome: str) -> None:
    assert guess_outcome(records(*labels)) == outcome


def test_numbers_come_in_the_order_of_the_records() -> None:
    assert numbers_of(records("3", "-1.5", "3")) == [3.0, -1.5, 3.0]


def test_a_label_that_is_no_number_is_named_with_its_place() -> None:
    with pytest.raises(DataError, match=r'x:2: the label "high" is not a finite decimal number'):
        numbers_of(records("3", "high"))
    with pytest.raises(DataError, match=r'^the label "high"'):
        numbers_of([LabelledText(("a",), "high")])
