"""Laws of load_captions: one side for each picture, and the lists of Flickr8k are followed where they stand."""

from pathlib import Path

import pytest

from heed.data.caption_corpora import load_captions
from heed.data.caption_splits import CaptionSplits
from heed.data.demos import load_caption_demo
from heed.errors import DataError, UsageError
from heed.prediction.evaluation_data import evaluation_captions

TRAIN, DEV, TEST = (f"Flickr_8k.{side}Images.txt" for side in ("train", "dev", "test"))


def table(folder: Path, name: str, first: int, last: int) -> str:
    """Write a table of pictures with two captions each, and the pictures."""
    folder.mkdir(exist_ok=True)
    for number in range(first, last):
        (folder / f"{number}.jpg").write_text(f"picture {number}")
    rows = "".join(f"{number}.jpg,{word} {number}\n" for word in ("a", "the") for number in range(first, last))
    (folder / name).write_text(f"path,caption\n{rows}")
    return str(folder / name)


def flickr(folder: Path, **lists: list[str]) -> str:
    """Write six pictures with captions, captions of a seventh that is not there, and the lists asked for."""
    images = folder / "Images"
    images.mkdir(parents=True)
    for number in range(6):
        (images / f"{number}.jpg").write_text(str(number))
    (folder / "tokens.txt").write_text("".join(f"{number}.jpg#{at}\tc {at}\n" for number in range(7) for at in (0, 1)))
    for side, names in lists.items():
        (folder / f"Flickr_8k.{side}Images.txt").write_text("".join(f"{name}.jpg\n" for name in names))
    return str(folder / "tokens.txt")


def sizes(splits: CaptionSplits) -> tuple[int, int, int]:
    return len(splits.train), len(splits.valid), len(splits.test)


def names(splits: CaptionSplits) -> list[str]:
    return ["".join(record.source.name[0] for record in getattr(splits, side)) for side in ("train", "valid", "test")]


def test_one_file_is_split_by_the_bytes_of_its_pictures(tmp_path: Path) -> None:
    data = table(tmp_path, "t.csv", 0, 150)
    splits = load_captions([data])
    assert sum(sizes(splits)) == 150 and splits.valid and splits.test
    assert splits.origin == data
    assert splits.note == (
        f"Read columns path → caption from the header of {data}. Split by the hash of the file: {len(splits.train)} "
        f"training, {len(splits.valid)} validation, {len(splits.test)} test pictures."
    )


def test_the_same_bytes_under_two_names_fall_to_one_side(tmp_path: Path) -> None:
    data = table(tmp_path, "t.csv", 0, 60)
    for number in range(60):
        (tmp_path / f"{number}-copy.jpg").write_text(f"picture {number}")
    with open(data, "a") as stream:
        stream.writelines(f"{number}-copy.jpg,again\n" for number in range(60))
    splits = load_captions([data])
    sides = [{Path(str(r.source)).read_text() for r in part} for part in (splits.train, splits.valid, splits.test)]
    assert sum(map(len, sides)) == 60 and sum(sizes(splits)) == 120


def test_files_are_divided_as_the_user_said(tmp_path: Path) -> None:
    data, valid, test = (table(tmp_path / name, "t.csv", first, last) for name, first, last in
                         (("a", 0, 60), ("b", 60, 63), ("c", 63, 65)))  # fmt: skip
    assert sizes(load_captions([data], [valid])) == (60, 3, 0)
    assert sizes(load_captions([data], [valid], [test])) == (60, 3, 2)
    splits = load_captions([data], test=[test])
    assert len(splits.train) + len(splits.valid) == 60 and splits.valid and len(splits.test) == 2


def test_the_lists_of_flickr_divide_it(tmp_path: Path) -> None:
    data = flickr(tmp_path / "f", train=["3", "0", "6", "0"], dev=["2"], test=["1", "5"])
    splits = load_captions([data])
    assert names(splits) == ["30", "2", "15"]
    assert splits.train[0].captions == ("c 0", "c 1")
    assert f"Divided as the lists beside it say: 2 by {TRAIN}, 1 by {DEV}, 2 by {TEST}." in splits.note
    assert "1 picture(s) that no list names are left out." in splits.note
    assert splits.note.endswith(f'are not there, the first "6.jpg" at {data}:13.')
    assert [unknown.name for unknown in splits.unknown] == ["6.jpg"]


def test_without_a_list_for_validation_it_is_split_off(tmp_path: Path) -> None:
    splits = load_captions([flickr(tmp_path / "f", train=["0", "1", "2", "3", "4"], test=["5"])])
    assert sorted(names(splits)[0] + names(splits)[1]) == list("01234")
    assert splits.valid and names(splits)[2] == "5"
    assert "Split by the hash of the file" in splits.note
    splits = load_captions([flickr(tmp_path / "g", train=["0", "1", "2"], dev=["5"])])
    assert sizes(splits) == (3, 1, 0)


@pytest.mark.parametrize(
    ("lists", "said"),
    [
        ({"dev": ["1"]}, rf"{DEV} says what to judge by, but there is no \S+{TRAIN}"),
        ({"train": ["1", "9"]}, rf'{TRAIN}:2: the picture "9.jpg" has no caption'),
        ({"train": ["1", "2"], "dev": ["3", "2"]}, rf'{DEV}:2: the picture "2.jpg" stands in \S+{TRAIN} too'),
        ({"train": ["1", "2"], "dev": ["6"]}, rf"{DEV} names 0 pictures that are there"),
        ({"train": [], "dev": ["1"]}, rf"{TRAIN} names 0 pictures"),
    ],
)
def test_lists_that_do_not_fit_are_refused(tmp_path: Path, lists: dict[str, list[str]], said: str) -> None:
    with pytest.raises(DataError, match=said):
        load_captions([flickr(tmp_path / "f", **lists)])


def test_lists_and_files_for_the_same_are_refused(tmp_path: Path) -> None:
    data = flickr(tmp_path / "f", train=["1"], dev=["2"])
    with pytest.raises(UsageError, match=rf"{TRAIN} divides the data, but x.csv is given as well"):
        load_captions([data], valid=["x.csv"])


def test_what_was_left_out_is_counted(tmp_path: Path) -> None:
    data = table(tmp_path, "t.csv", 0, 60)
    with open(data, "a") as stream:
        stream.write("0.jpg,\ngone.jpg,x\n")
    with pytest.raises(DataError, match=r't.csv:123: the picture "gone.jpg" does not exist'):
        load_captions([data])
    splits = load_captions([data], keep_going=True)
    assert (splits.empty, splits.empty_places) == (1, (f"{data}:122",))
    assert "Left out 1 row(s) without path or caption" in splits.note
    assert [unknown.place for unknown in splits.unknown] == [f"{data}:123"]


def test_the_demo_is_loaded_by_name() -> None:
    splits = load_captions(["demo:flowers"])
    assert splits.origin == "demo:flowers" and all(sizes(splits))
    assert all(record.captions for record in splits.train)
    with pytest.raises(DataError, match=r"demo:hello is for the task write\. .*fit here: demo:flowers\."):
        load_captions(["demo:hello"])
    with pytest.raises(UsageError, match=r"demo:flowers: a demo stands alone"):
        load_captions(["demo:flowers"], columns=("a", "b"))
    with pytest.raises(DataError, match=r"no built-in corpus 'roses'"):
        load_caption_demo("roses")


def test_no_data_at_all_is_a_wrong_use() -> None:
    with pytest.raises(UsageError, match="No data is given"):
        load_captions([])


def test_flickr8k_is_scored_on_the_pictures_of_its_test_list_alone(tmp_path: Path) -> None:
    data = flickr(tmp_path, train=["0", "1", "2"], dev=["3"], test=["4", "5"])
    assert [record.source.name for record in evaluation_captions([data]).records] == ["4.jpg", "5.jpg"]


def test_flickr8k_without_a_test_list_is_scored_on_all_its_pictures(tmp_path: Path) -> None:
    data = flickr(tmp_path, train=["0", "1", "2"])
    assert len(evaluation_captions([data]).records) == 6
