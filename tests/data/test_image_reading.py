"""Laws of read_images: folders and tables give the same records, what is passed over is counted, the rest refused."""

import os
from pathlib import Path

import pytest

from heed.data import labelled_columns
from heed.data.images import read_images
from heed.data.records import LabelledImage
from heed.errors import DataError, UsageError
from heed.files import walking


def put(root: Path, *names: str) -> Path:
    """Make files below the root, each with its own name as content, for no picture is opened here."""
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name)
    return root


def said_of(path: Path, columns: tuple[str, ...] | None = None) -> list[tuple[str, str]]:
    records = read_images([path], columns).records
    return [(os.path.relpath(record.source, path.parent), record.label) for record in records]


def test_a_folder_has_a_sub_folder_a_class_with_pictures_at_any_depth_sorted_by_name(tmp_path: Path) -> None:
    root = put(tmp_path / "r", "b/2.JPG", "b/deep/er/1.png", "a/z.WebP", "a/10.tiff", "a/2.gif", "b/a.jpeg", "a/x.bmp")
    put(root, "a/y.tif")
    assert said_of(root) == [
        *(("r/a/10.tiff", "a"), ("r/a/2.gif", "a"), ("r/a/x.bmp", "a"), ("r/a/y.tif", "a"), ("r/a/z.WebP", "a")),
        *(("r/b/2.JPG", "b"), ("r/b/a.jpeg", "b"), ("r/b/deep/er/1.png", "b")),
    ]
    file = read_images([root])
    assert file.records[0] == LabelledImage(root / "a" / "10.tiff", "a", str(root / "a" / "10.tiff"))
    assert file.columns == f'8 pictures of {root}; the label is the name of the sub-folder: "a", "b"'


def test_files_that_are_no_pictures_or_in_no_class_are_counted_and_hidden_ones_are_not(tmp_path: Path) -> None:
    root = put(tmp_path / "r", "a/1.jpg", "b/1.jpg", "a/notes.txt", "loose.jpg", "index.csv")
    put(root, "a/._1.jpg", ".DS_Store", ".hidden/1.jpg", "__MACOSX/a/1.jpg")
    (root / "b" / "nowhere.jpg").symlink_to(tmp_path / "missing.jpg")
    file = read_images([root])
    assert [record.label for record in file.records] == ["a", "b"]
    others = [root / name for name in ("a/notes.txt", "b/nowhere.jpg", "index.csv", "loose.jpg")]
    assert (file.others, file.other_places) == (4, tuple(map(str, others)))


def test_a_pipe_with_the_name_of_a_picture_is_passed_over(tmp_path: Path) -> None:
    root = put(tmp_path / "r", "a/1.jpg")
    os.mkfifo(root / "a" / "2.jpg")
    file = read_images([root])
    assert (len(file.records), file.others) == (1, 1)


def test_the_name_of_a_class_is_composed_and_stripped(tmp_path: Path) -> None:
    root = put(tmp_path / "r", "e\u0301 /1.jpg", "\u00e9/2.jpg")
    assert {label for _, label in said_of(root)} == {"\u00e9"}


def test_a_linked_folder_is_read_like_its_own(tmp_path: Path) -> None:
    put(tmp_path / "far", "1.jpg")
    root = put(tmp_path / "r", "a/0.jpg")
    (root / "b").symlink_to(tmp_path / "far")
    assert said_of(root) == [("r/a/0.jpg", "a"), ("r/b/1.jpg", "b")]


def test_a_link_that_leads_back_is_refused(tmp_path: Path) -> None:
    root = put(tmp_path / "r", "a/0.jpg")
    (root / "a" / "back").symlink_to(root)
    with pytest.raises(DataError, match=r"r/a/back leads back to a folder above it"):
        read_images([root])


def test_a_link_to_itself_is_refused(tmp_path: Path) -> None:
    root = put(tmp_path / "r", "a/0.jpg")
    (root / "a" / "self").symlink_to(root / "a" / "self")
    with pytest.raises(DataError, match=r"r/a/self cannot be read: Too many levels of symbolic links"):
        read_images([root])


def test_folders_without_end_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(walking, "DEEPEST", 3)
    assert len(read_images([put(tmp_path / "r", "a/b/c/1.jpg")]).records) == 1
    with pytest.raises(DataError, match=r"r/a/b/c/d lies more than 3 folders below .*/r\."):
        read_images([put(tmp_path / "r", "a/b/c/d/1.jpg")])


@pytest.mark.parametrize("names", [["a/1.jpg", "a/2.jpg", "a/3.jpg"], ["a/1.jpg", "b/2.jpg"], ["a/b/c/1.jpg"]])
def test_too_many_files_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, names: list[str]) -> None:
    root = put(tmp_path / "r", *names)
    monkeypatch.setattr(walking, "MOST_FILES", 4)  # folders count as well, for they may be without end
    assert len(read_images([root]).records) == len(names)
    monkeypatch.setattr(walking, "MOST_FILES", 3)
    with pytest.raises(DataError, match=r"r holds more than 3 files and folders"):
        read_images([root])


def test_too_many_files_in_one_folder_are_refused_before_they_are_looked_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(walking, "MOST_FILES", 2)
    with pytest.raises(DataError, match=r"r holds more than 2 files and folders"):
        walking.list_folders(put(tmp_path / "r", "1.jpg", "2.jpg", "3.jpg"))


def test_a_name_that_is_not_utf8_is_refused(tmp_path: Path) -> None:
    root = put(tmp_path / "r", "a/0.jpg")
    try:
        (root / "a" / os.fsdecode(b"\xff.jpg")).write_bytes(b"")
    except OSError:
        pytest.skip("this file system takes UTF-8 names alone")
    with pytest.raises(DataError, match=r'the name "\\udcff.jpg" in it is not UTF-8'):
        read_images([root])


def test_folders_that_hold_no_classes_are_explained(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"flat holds no folders \(but 2 files\)\. Make a sub-folder for each class"):
        read_images([put(tmp_path / "flat", "1.jpg", "2.jpg")])
    with pytest.raises(DataError, match=r"e/b: this folder of a class holds no picture\. .*\.jpg, .*remove the folder"):
        read_images([put(tmp_path / "e", "a/1.jpg", "b/readme.txt")])


def test_more_classes_than_a_model_can_have_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(labelled_columns, "MOST_LABELS", 1)
    with pytest.raises(DataError, match=r"r: 2 different labels; at most 1 are read.*ids of the pictures"):
        read_images([put(tmp_path / "r", "a/1.jpg", "b/1.jpg")])


def test_a_folder_has_no_columns(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"Columns \(a, b\) are for tables; \S+r is a folder"):
        read_images([put(tmp_path / "r", "a/1.jpg")], ("a", "b"))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("t.csv", "path,label\np/1.jpg,x\np/2.jpg, y\n"),
        ("t.tsv", "label\tfilename\nx\tp/1.jpg\ny\tp/2.jpg\n"),
        ("t.jsonl", '{"image": "p/1.jpg", "class": "x", "w": 3}\n{"image": "p/2.jpg", "class": "y"}\n'),
        ("u.csv", "p/1.jpg,x\np/2.jpg,y\n"),
        ("v.csv", "file,split,class\np/1.jpg,train,x\np/2.jpg,val,y\n"),
    ],
)
def test_a_table_gives_the_same_records_in_every_format(tmp_path: Path, name: str, text: str) -> None:
    put(tmp_path, "p/1.jpg", "p/2.jpg")
    (tmp_path / name).write_text(text)
    assert said_of(tmp_path / name) == [("p/1.jpg", "x"), ("p/2.jpg", "y")]


def test_paths_count_from_the_folder_of_the_table_and_may_be_absolute(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(tmp_path, "one/1.jpg", "two/2.jpg")
    table = tmp_path / "one" / "t.csv"
    table.write_text(f"path,label\n1.jpg,x\n../two/2.jpg,y\n{tmp_path}/two/2.jpg,y\n")
    monkeypatch.chdir("/")
    sources = [record.source for record in read_images([table]).records]
    assert [Path(source).read_text() for source in sources if isinstance(source, Path)] == [
        *("one/1.jpg", "two/2.jpg", "two/2.jpg"),
    ]
    assert read_images([table]).records[1].place == f"{table}:3"


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("gone.jpg", "does not exist"),
        ("p/1.jpg/x.jpg", "does not exist"),
        ("p", "is a folder"),
        ("a" * 300, r"cannot be read \(File name too long\)"),
    ],
)
def test_a_picture_that_is_not_there_is_an_error_with_its_line(tmp_path: Path, name: str, reason: str) -> None:
    put(tmp_path, "p/1.jpg")
    (tmp_path / "t.csv").write_text(f"path,label\np/1.jpg,x\n{name},y\n")
    with pytest.raises(DataError, match=rf't.csv:3: the picture "{name[:199]}.*" {reason}\. Paths count from'):
        read_images([tmp_path / "t.csv"])


def test_a_pipe_in_a_table_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "p.jpg")
    (tmp_path / "t.csv").write_text("path,label\np.jpg,x\n")
    with pytest.raises(DataError, match=r't.csv:2: the picture "p.jpg" is no plain file'):
        read_images([tmp_path / "t.csv"])


def test_rows_without_path_or_label_are_counted(tmp_path: Path) -> None:
    put(tmp_path, "1.jpg")
    table = tmp_path / "t.csv"
    table.write_text("path,label\n1.jpg,x\n,x\n1.jpg, \n")
    file = read_images([table])
    assert (len(file.records), file.empty, file.empty_places) == (1, 2, (f"{table}:3", f"{table}:4"))
    table.write_text("path,label\n,x\n")
    with pytest.raises(DataError, match=r"no record has both path and label: all 1 lack one"):
        read_images([table])


def test_columns_that_are_not_known_are_asked_for(tmp_path: Path) -> None:
    put(tmp_path, "1.jpg")
    table = tmp_path / "t.csv"
    table.write_text("7,1.jpg,x\n8,1.jpg,y\n")
    with pytest.raises(DataError, match=r"which of its 3 columns are path and label .*--columns PATH,LABEL.*2,3"):
        read_images([table])
    assert said_of(table, ("2", "3")) == [("1.jpg", "x"), ("1.jpg", "y")]
    with pytest.raises(UsageError, match=r"1 column\(s\) are named \(2\); name 2: PATH,LABEL"):
        read_images([table], ("2",))


@pytest.mark.parametrize(
    ("names", "said"),
    [
        ([], "No data is given. Give a folder"),
        (["a.jpg"], "a.jpg is no folder and no table, for its suffix"),
        (["a.csv", "b.csv"], r"2 paths \(a.csv, b.csv\) are not one set"),
    ],
)
def test_paths_that_are_no_labelled_pictures_are_a_wrong_use(
    names: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    put(tmp_path, *names)
    with pytest.raises(UsageError, match=said):
        read_images([Path(name) for name in names])


def test_a_mistyped_folder_is_told_as_such(tmp_path: Path) -> None:
    put(tmp_path / "flowers", "a/1.jpg")
    with pytest.raises(DataError, match=r"flwers does not exist\. Did you mean .*flowers"):
        read_images([tmp_path / "flwers"])
