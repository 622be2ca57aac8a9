"""Laws of load_pairs: demos by name, files divided as the user said, and all that was done stands in the note."""

from pathlib import Path

import pytest

from heed.data import corpora
from heed.data.corpora import load_pairs
from heed.data.records import TextPair
from heed.data.splits import PairSplits
from heed.errors import DataError, UsageError


def table(folder: Path, name: str, first: int, last: int) -> str:
    path = folder / name
    path.write_text("en\tfr\n" + "".join(f"s {n}\tt {n}\n" for n in range(first, last)) + "\tempty\n")
    return str(path)


def test_one_file_is_split_by_hash(tmp_path: Path) -> None:
    data = table(tmp_path, "a.tsv", 0, 300)
    splits = load_pairs([data])
    assert len(splits.train) + len(splits.valid) + len(splits.test) == 300
    assert splits.valid and splits.test
    assert splits.origin == data
    assert splits.note.startswith(f"Read columns en → fr from the header of {data}. Split by the hash")
    assert splits.note.endswith(f"Left out 1 pair(s) with an empty side, the first at {data}:302.")
    assert (splits.empty, splits.empty_places) == (1, (f"{data}:302",))


def test_with_a_file_for_validation_training_stays_whole_and_test_is_empty(tmp_path: Path) -> None:
    data, valid = table(tmp_path, "a.tsv", 0, 30), table(tmp_path, "b.tsv", 30, 35)
    splits = load_pairs([data], valid=[valid])
    assert (len(splits.train), len(splits.valid), len(splits.test)) == (30, 5, 0)
    assert splits.origin == f"{data}; {valid}"
    assert splits.empty == 2


def test_with_a_file_for_test_alone_only_validation_is_split_off(tmp_path: Path) -> None:
    data, test = table(tmp_path, "a.tsv", 0, 300), table(tmp_path, "c.tsv", 300, 307)
    splits = load_pairs([data], test=[test])
    assert len(splits.train) + len(splits.valid) == 300
    assert f"{len(splits.valid)} validation pairs. Left out 2" in splits.note
    assert [pair.source for pair in splits.test] == [f"s {n}" for n in range(300, 307)]


def test_all_three_may_be_given(tmp_path: Path) -> None:
    words = [table(tmp_path, name, 10 * n, 10 * n + n + 1) for n, name in enumerate(("a.tsv", "b.tsv", "c.tsv"))]
    splits = load_pairs(words[:1], words[1:2], words[2:], columns=("fr", "en"))
    assert (len(splits.train), len(splits.valid), len(splits.test)) == (1, 2, 3)
    assert splits.train[0].source == "t 0"


def test_a_demo_is_loaded_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    demo = PairSplits((TextPair("a", "b"),), (), (), "demo", "note")
    monkeypatch.setattr(corpora, "DEMOS", ("french-english",))
    monkeypatch.setattr(corpora, "load_demo", {"french-english": demo}.__getitem__)
    assert load_pairs(["demo:french-english"]) is demo
    with pytest.raises(
        DataError, match=r"no demo 'french-englsih'. The demos: demo:french-english. Did you mean demo:f"
    ):
        load_pairs(["demo:french-englsih"])
    with pytest.raises(UsageError, match=r"demo:french-english x.tsv: a demo stands alone"):
        load_pairs(["demo:french-english"], valid=["x.tsv"])
