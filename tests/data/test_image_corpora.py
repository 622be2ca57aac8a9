"""Laws of load_images: one side for each picture by its bytes, folders divided as they stand, labels known in train."""

from collections import Counter
from pathlib import Path

import pytest

from heed.data.demos import load_image_demo
from heed.data.image_corpora import load_images
from heed.data.image_splits import ImageSplits, split_images
from heed.data.labelled_corpora import load_labelled
from heed.data.records import LabelledImage
from heed.errors import DataError, UsageError

FLOWERS = Path(__file__).parents[3] / "shared" / "data" / "flowers"


def classes(root: Path, count: int, names: tuple[str, ...] = ("a", "b"), first: int = 0) -> str:
    """Make a folder of so many pictures a class, each with bytes of its own."""
    for name in names:
        (root / name).mkdir(parents=True, exist_ok=True)
        for number in range(first, first + count):
            (root / name / f"{number}.jpg").write_text(f"{name} {number}")
    return str(root)


def sizes(splits: ImageSplits) -> tuple[int, int, int]:
    return len(splits.train), len(splits.valid), len(splits.test)


def contents(records: tuple[LabelledImage, ...] | list[LabelledImage]) -> set[bytes]:
    return {record.source.read_bytes() for record in records if isinstance(record.source, Path)}


def test_one_folder_is_split_by_the_bytes_of_its_files(tmp_path: Path) -> None:
    data = classes(tmp_path / "r", 150)
    splits = load_images([data])
    assert sum(sizes(splits)) == 300
    assert 15 < len(splits.valid) < 45 and 15 < len(splits.test) < 45
    assert splits.origin == data
    assert splits.note == (
        f'Read 300 pictures of {data}; the label is the name of the sub-folder: "a", "b". Split by the hash of the '
        f"file: {len(splits.train)} training, {len(splits.valid)} validation, {len(splits.test)} test pictures."
    )


def test_the_same_picture_falls_to_one_side_under_whatever_name_and_label(tmp_path: Path) -> None:
    first, second = tmp_path / "1", tmp_path / "2"
    classes(first, 60)
    for number in range(60):  # the same bytes as class "a" of the first, in another class, by another name
        path = second / "b" / f"copy-{number}.png"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"a {number}")
    records = [
        LabelledImage(path, path.parent.name, str(path))
        for root in (first, second)
        for path in sorted(root.rglob("*.*"))
    ]
    splits = split_images(records)
    sides = [contents(list(part)) for part in (splits.train, splits.valid, splits.test)]
    assert sum(map(len, sides)) == len(set.union(*sides)) == 120


def test_a_picture_that_is_added_never_moves_another(tmp_path: Path) -> None:
    def side(splits: ImageSplits) -> dict[str, str]:
        return {record.place: name for name in ("train", "valid", "test") for record in getattr(splits, name)}

    data = classes(tmp_path / "r", 60)
    before = side(load_images([data]))
    after = side(load_images([classes(tmp_path / "r", 30, first=60)]))
    assert all(after[place] == name for place, name in before.items()) and len(after) == len(before) + 60


def test_sides_may_be_given_as_folders_or_tables(tmp_path: Path) -> None:
    data, valid = classes(tmp_path / "t", 60), classes(tmp_path / "v", 3, first=60)
    table = tmp_path / "test.csv"
    table.write_text("path,label\nt/a/1.jpg,a\n")
    assert sizes(load_images([data], [valid])) == (120, 6, 0)
    assert sizes(load_images([data], [valid], [str(table)])) == (120, 6, 1)
    splits = load_images([data], test=[str(table)])
    assert len(splits.train) + len(splits.valid) == 120 and len(splits.test) == 1
    assert splits.origin == f"{data}; {table}"


@pytest.mark.parametrize("name", ["val", "valid", "validation", "Val"])
def test_a_folder_that_is_divided_already_is_taken_as_it_stands(tmp_path: Path, name: str) -> None:
    root = tmp_path / "r"
    classes(root / "train", 5)
    classes(root / name, 2, first=5)
    (root / "index.csv").write_text("x")
    (root / "train" / "a" / "notes.txt").write_text("x")
    splits = load_images([str(root)])
    assert sizes(splits) == (10, 4, 0)
    assert f"The folder is divided already: train to train on, {name} to choose by." in splits.note
    assert splits.note.endswith(f"Passed over 2 that are no pictures of a class, such as {root}/train/a/notes.txt.")
    assert (splits.others, splits.other_places) == (2, (f"{root}/train/a/notes.txt", f"{root}/index.csv"))


def test_a_divided_folder_with_a_test_side_alone_has_validation_split_off(tmp_path: Path) -> None:
    classes(tmp_path / "r" / "train", 60)
    classes(tmp_path / "r" / "test", 2, first=60)
    splits = load_images([str(tmp_path / "r")])
    assert len(splits.train) + len(splits.valid) == 120 and splits.valid and len(splits.test) == 4
    classes(tmp_path / "r" / "val", 3, first=70)
    assert sizes(load_images([str(tmp_path / "r")])) == (120, 6, 4)


def test_a_class_may_be_named_train(tmp_path: Path) -> None:
    splits = load_images([classes(tmp_path / "r", 60, ("train", "bus", "test"))])
    assert {record.label for record in splits.train} == {"train", "bus", "test"}


def test_sides_that_are_given_twice_are_refused(tmp_path: Path) -> None:
    root = tmp_path / "r"
    classes(root / "train", 5)
    other = classes(root / "val", 2)
    with pytest.raises(UsageError, match=rf"r is divided already \(train and val\), but {other} is given as well"):
        load_images([str(root)], valid=[other])
    classes(root / "valid", 2)
    with pytest.raises(DataError, match=r"r holds val and valid, which are the same side"):
        load_images([str(root)])


def test_a_folder_one_above_the_classes_is_told_as_such(tmp_path: Path) -> None:
    classes(tmp_path / "r" / "train", 60)
    with pytest.raises(DataError, match=r"r holds one folder, train, .*the classes\? Then give \S+r/train\."):
        load_images([str(tmp_path / "r")])


def test_one_class_alone_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r'r: all \d+ training records have the label "a".*two or more classes'):
        load_images([classes(tmp_path / "r", 60, ("a",))])


@pytest.mark.parametrize("side", ["valid", "test"])
def test_a_label_that_train_lacks_is_refused_with_its_place(tmp_path: Path, side: str) -> None:
    data, other = classes(tmp_path / "t", 60), classes(tmp_path / "v", 2, ("aa",))
    with pytest.raises(DataError, match=rf'v/aa/0.jpg: the label "aa" stands in {side} and never in train'):
        load_images([data], **{side: [other]})


def test_a_class_too_rare_to_be_dealt_is_moved_to_train(tmp_path: Path) -> None:
    data = classes(tmp_path / "t", 100)
    aside = Path(str(load_images([data]).valid[0].source))
    rare = tmp_path / "t" / "rare" / "1.jpg"
    rare.parent.mkdir()
    aside.rename(rare)
    splits = load_images([data])
    assert Counter(record.label for record in splits.train)["rare"] == 1
    assert '1 label(s) ("rare") are so rare' in splits.note


def test_too_few_pictures_are_refused_with_what_is_needed(tmp_path: Path) -> None:
    data = classes(tmp_path / "r", 1)
    with pytest.raises(DataError, match=r"2 pictures with 2 different contents are too few .* 30 or more"):
        load_images([data])


def test_rows_left_out_are_told_in_the_note(tmp_path: Path) -> None:
    classes(tmp_path / "t", 30)
    rows = "".join(f"t/{name}/{number}.jpg,{name}\n" for name in "ab" for number in range(30))
    (tmp_path / "t.csv").write_text(f"path,label\n{rows},a\n")
    splits = load_images([str(tmp_path / "t.csv")])
    assert splits.note.endswith(f"Left out 1 row(s) without path or label, the first at {tmp_path}/t.csv:62.")
    assert (splits.empty, splits.empty_places) == (1, (f"{tmp_path}/t.csv:62",))


def test_a_picture_that_is_gone_when_it_is_dealt_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"gone.jpg does not exist"):
        split_images([LabelledImage(tmp_path / "gone.jpg", "a")])


def test_no_data_at_all_is_a_wrong_use() -> None:
    with pytest.raises(UsageError, match="No data is given"):
        load_images([])


def test_the_demo_is_loaded_by_name() -> None:
    splits = load_images(["demo:flowers"])
    assert splits.origin == "demo:flowers" and all(sizes(splits))
    assert "{} train, {} valid, {} test".format(*sizes(splits)) in splits.note
    assert len({record.label for record in splits.train}) == 5


def test_demos_of_other_tasks_and_of_no_task_are_refused_with_those_that_fit() -> None:
    with pytest.raises(DataError, match=r"demo:reviews is for the task classify\. .*fit here: demo:flowers\."):
        load_images(["demo:reviews"])
    with pytest.raises(DataError, match=r"no demo 'flowrs'\. The demos: demo:flowers\. Did you mean demo:flowers\?"):
        load_images(["demo:flowrs"])
    with pytest.raises(UsageError, match=r"demo:flowers x: a demo stands alone"):
        load_images(["demo:flowers"], valid=["x"])
    with pytest.raises(DataError, match=r"demo:flowers is for the task image or caption"):
        load_labelled(["demo:flowers"])
    with pytest.raises(DataError, match=r"no built-in corpus 'roses'"):
        load_image_demo("roses")


@pytest.mark.skipif(not FLOWERS.exists(), reason="the flowers are not on this machine")
def test_the_real_flowers_are_divided_as_they_stand() -> None:
    splits = load_images([str(FLOWERS)])
    assert sizes(splits) == (2_934, 736, 0)
    assert {record.label for record in splits.train} == {"daisy", "dandelion", "roses", "sunflowers", "tulips"}
    assert splits.other_places == (str(FLOWERS / "index.csv"),)
    assert len(load_images([str(FLOWERS / "index.csv")]).train) > 2_700
