"""Laws of load_labelled: demos by name, files divided as the user said, and labels that train must know."""

from collections.abc import Callable
from pathlib import Path

import pytest

from heed.data.corpora import load_pairs
from heed.data.labelled_corpora import load_labelled
from heed.errors import DataError, UsageError


def yes_or_no(number: int) -> str:
    return "yes" if number % 3 else "no"


def table(
    folder: Path, name: str, first: int, last: int, label: Callable[[int], str] = yes_or_no, header: str = "text,label"
) -> str:
    path = folder / name
    texts = header.count(",")
    rows = "".join(f"{f't {n},' * texts}{label(n)}\n" for n in range(first, last))
    path.write_text(f"{header}\n{rows}{',' * texts}\n")
    return str(path)


def test_one_file_is_split_by_hash(tmp_path: Path) -> None:
    data = table(tmp_path, "a.csv", 0, 300)
    splits = load_labelled([data])
    assert len(splits.train) + len(splits.valid) + len(splits.test) == 300
    assert splits.valid and splits.test
    assert splits.origin == data
    assert splits.note.startswith(f"Read columns text → label from the header of {data}. Split by the hash of the text")
    assert splits.note.endswith(f"Left out 1 record(s) without text or label, the first at {data}:302.")
    assert (splits.empty, splits.empty_places) == (1, (f"{data}:302",))


def test_with_a_file_for_validation_training_stays_whole_and_test_is_empty(tmp_path: Path) -> None:
    data, valid = table(tmp_path, "a.csv", 0, 30), table(tmp_path, "b.csv", 30, 35)
    splits = load_labelled([data], valid=[valid])
    assert (len(splits.train), len(splits.valid), len(splits.test)) == (30, 5, 0)
    assert splits.origin == f"{data}; {valid}"
    assert splits.empty == 2


def test_with_a_file_for_test_alone_only_validation_is_split_off(tmp_path: Path) -> None:
    data, test = table(tmp_path, "a.csv", 0, 300), table(tmp_path, "c.csv", 300, 307)
    splits = load_labelled([data], test=[test])
    assert len(splits.train) + len(splits.valid) == 300
    assert [record.texts for record in splits.test] == [(f"t {n}",) for n in range(300, 307)]


def test_all_three_may_be_given_with_columns(tmp_path: Path) -> None:
    words = [table(tmp_path, name, 10, 13, header="a,b,c") for name in ("a.csv", "b.csv", "c.csv")]
    splits = load_labelled(words[:1], words[1:2], words[2:], columns=("b", "a", "c"), texts=2)
    assert (len(splits.train), len(splits.valid), len(splits.test)) == (3, 3, 3)
    assert splits.train[0].texts == ("t 10", "t 10")


def test_a_folder_is_data_like_a_table(tmp_path: Path) -> None:
    for label in ("pos", "neg"):
        (tmp_path / "r" / label).mkdir(parents=True)
        for n in range(40):
            (tmp_path / "r" / label / f"{n}.txt").write_text(f"{label} {n}")
    splits = load_labelled([str(tmp_path / "r")])
    assert len(splits.train) + len(splits.valid) + len(splits.test) == 80


@pytest.mark.parametrize("part", ["valid", "test"])
def test_a_label_that_train_does_not_know_is_refused_with_its_place(tmp_path: Path, part: str) -> None:
    data, other = table(tmp_path, "a.csv", 0, 300), table(tmp_path, "b.csv", 0, 3, label=lambda n: "noo")
    with pytest.raises(DataError, match=rf'b.csv:2: the label "noo" stands in {part} and never in train'):
        load_labelled([data], **{part: [other]})


def test_one_class_alone_is_refused(tmp_path: Path) -> None:
    data = table(tmp_path, "a.csv", 0, 300, label=lambda n: "yes")
    with pytest.raises(
        DataError, match=r'a.csv: all \d+ training records have the label "yes".*needs two or more classes'
    ):
        load_labelled([data])


def test_numbers_of_pairs_need_not_stand_in_train_but_must_be_numbers(tmp_path: Path) -> None:
    header = "text1,text2,label"
    data = table(tmp_path, "a.csv", 0, 300, lambda n: str(n % 7 / 2), header)
    valid = table(tmp_path, "b.csv", 0, 3, lambda n: "9.25", header)
    assert load_labelled([data], valid=[valid], texts=2).valid[0].label == "9.25"
    wrong = table(tmp_path, "c.csv", 0, 3, lambda n: "high", header)
    with pytest.raises(DataError, match=r'c.csv:2: the label "high" is not a finite decimal number'):
        load_labelled([data], valid=[wrong], texts=2)


def test_what_the_labels_are_may_be_said(tmp_path: Path) -> None:
    header = "text1,text2,label"
    data = table(tmp_path, "a.csv", 0, 300, lambda n: str(n % 5), header)
    valid = table(tmp_path, "b.csv", 0, 3, lambda n: "7", header)
    with pytest.raises(DataError, match='the label "7" stands in valid'):
        load_labelled([data], valid=[valid], texts=2)
    assert len(load_labelled([data], valid=[valid], texts=2, outcome="number").valid) == 3


def test_no_data_at_all_is_a_wrong_use() -> None:
    with pytest.raises(UsageError, match="No data is given"):
        load_labelled([])


@pytest.mark.parametrize(("name", "texts"), [("reviews", 1), ("reviews-vi", 1), ("paraphrase", 2)])
def test_a_demo_is_loaded_by_name(name: str, texts: int) -> None:
    splits = load_labelled([f"demo:{name}"], texts=texts)
    assert splits.origin == f"demo:{name}"
    assert {len(record.texts) for record in (*splits.train, *splits.valid, *splits.test)} == {texts}


@pytest.mark.parametrize(
    ("word", "texts", "said"),
    [
        ("demo:fr-en", 1, "demo:fr-en is for the task translate. .* fit here: demo:reviews, demo:reviews-vi."),
        ("demo:fr-en", 2, "demo:fr-en is for the task translate. .* fit here: demo:paraphrase."),
        ("demo:paraphrase", 1, "demo:paraphrase is for the task pair"),
        ("demo:reviews", 2, "demo:reviews is for the task classify"),
        ("demo:revews", 1, "no demo 'revews'. The demos: demo:reviews, demo:reviews-vi. Did you mean demo:reviews?"),
    ],
)
def test_a_demo_of_another_task_is_refused_with_those_that_fit(word: str, texts: int, said: str) -> None:
    with pytest.raises(DataError, match=said):
        load_labelled([word], texts=texts)


def test_a_demo_of_labels_is_refused_where_pairs_to_translate_are_wanted() -> None:
    with pytest.raises(DataError, match=r"demo:reviews is for the task classify.*demo:fr-en, demo:en-vi, demo:tasks"):
        load_pairs(["demo:reviews"])


def test_a_demo_stands_alone() -> None:
    with pytest.raises(UsageError, match=r"demo:reviews x.csv: a demo stands alone"):
        load_labelled(["demo:reviews"], valid=["x.csv"])
    with pytest.raises(UsageError, match="demo:reviews: a demo stands alone"):
        load_labelled(["demo:reviews"], columns=("text", "label"))
