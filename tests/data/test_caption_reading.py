"""Laws of read_captions: rows of one path are one picture, captions are composed, what is not there is told."""

import os
from pathlib import Path

import pytest

from heed.data.captions import read_captions
from heed.data.records import CaptionedImage
from heed.errors import DataError, UsageError


def put(root: Path, *names: str) -> Path:
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name)
    return root


def written(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode())
    return path


def said_of(path: Path, columns: tuple[str, ...] | None = None) -> dict[str, tuple[str, ...]]:
    records = read_captions([path], columns).records
    return {os.path.relpath(str(record.source), path.parent): record.captions for record in records}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("t.csv", 'path,caption\n2.jpg,a dog\n1.jpg,"a cat, asleep"\n2.jpg,the dog\n'),
        ("t.tsv", "caption\tid\timage\na dog\t1\t2.jpg\na cat, asleep\t2\t1.jpg\nthe dog\t3\t2.jpg\n"),
        (
            "t.jsonl",
            '{"file": "2.jpg", "caption": "a dog"}\n{"caption": "a cat, asleep", "file": "1.jpg"}\n'
            '{"file": "./2.jpg", "caption": "the dog"}\n',
        ),
        ("u.tsv", "2.jpg\ta dog\n1.jpg\ta cat, asleep\n2.jpg\tthe dog\n"),
        ("Flickr8k.token.txt", "2.jpg#0\ta dog\n1.jpg#0\ta cat, asleep\n\n2.jpg#1\tthe dog\n"),
    ],
)
def test_rows_of_one_path_are_the_captions_of_one_picture_in_every_format(tmp_path: Path, name: str, text: str) -> None:
    put(tmp_path, "1.jpg", "2.jpg")
    said = said_of(written(tmp_path, name, text))
    assert list(said.items()) == [("2.jpg", ("a dog", "the dog")), ("1.jpg", ("a cat, asleep",))]


def test_a_picture_tells_the_place_of_its_first_caption(tmp_path: Path) -> None:
    put(tmp_path, "1.jpg", "2.jpg")
    path = written(tmp_path, "t.csv", "path,caption\n2.jpg,a\n1.jpg,b\n1.jpg,c\n")
    assert read_captions([path]).records[1] == CaptionedImage(tmp_path / "1.jpg", ("b", "c"), f"{path}:3")


def test_captions_are_stripped_and_composed_and_what_is_empty_is_counted(tmp_path: Path) -> None:
    put(tmp_path, "1.jpg")
    path = written(tmp_path, "t.tsv", "path\tcaption\n1.jpg\t e\u0301  t \n1.jpg\t \n\tx\n")
    file = read_captions([path])
    assert file.records[0].captions == ("\u00e9  t",)
    assert (file.empty, file.empty_places) == (2, (f"{path}:3", f"{path}:4"))
    tokens = read_captions([written(tmp_path, "tokens.txt", "1.jpg#0\ta\n1.jpg#1\t\n")])
    assert (tokens.records[0].captions, tokens.empty) == (("a",), 1)


@pytest.mark.parametrize("folder", ["Images", "images", "Flicker8k_Dataset", "Flickr8k_Dataset"])
@pytest.mark.parametrize("up", [".", ".."])
def test_pictures_of_flickr_are_found_in_the_folders_that_it_is_unpacked_to(
    tmp_path: Path, folder: str, up: str
) -> None:
    put(tmp_path / "text" / up / folder, "1.jpg")
    path = written(tmp_path / "text", "Flickr8k.token.txt", "1.jpg#0\ta dog\n")
    (record,) = read_captions([path]).records
    assert os.path.samefile(str(record.source), tmp_path / "text" / up / folder / "1.jpg")
    assert folder in read_captions([path]).columns


def test_a_picture_that_a_table_names_and_is_not_there_is_an_error_with_its_line(tmp_path: Path) -> None:
    put(tmp_path, "1.jpg")
    path = written(tmp_path, "t.csv", "path,caption\n1.jpg,a\ngone.jpg,b\n")
    with pytest.raises(DataError, match=r't.csv:3: the picture "gone.jpg" does not exist\. Paths count from'):
        read_captions([path])
    file = read_captions([path], keep_going=True)
    assert [(each.place, each.name, each.reason) for each in file.unknown] == [
        (f"{path}:3", "gone.jpg", "does not exist")
    ]
    assert len(file.records) == 1


def test_captions_of_a_picture_that_flickr_does_not_have_are_left_out_and_listed(tmp_path: Path) -> None:
    put(tmp_path, "1.jpg")
    path = written(tmp_path, "tokens.txt", "1.jpg#0\ta\n2.jpg.1#0\tb\n2.jpg.1#1\tc\n")
    file = read_captions([path])
    assert (len(file.records), [each.name for each in file.unknown]) == (1, ["2.jpg.1"])


@pytest.mark.parametrize(("name", "row"), [("t.csv", "x.jpg,a\n"), ("tokens.txt", "x.jpg#0\ta\n")])
def test_when_no_picture_is_there_the_user_is_told(tmp_path: Path, name: str, row: str) -> None:
    path = written(tmp_path, name, ("path,caption\n" if name == "t.csv" else "") + row)
    with pytest.raises(DataError, match=r'no picture can be used: none of 1 is there; the first, "x.jpg", does not'):
        read_captions([path], keep_going=True)


def test_a_header_that_is_not_known_is_offered_as_one(tmp_path: Path) -> None:
    put(tmp_path, "1.jpg")
    path = written(tmp_path, "t.csv", "bild,satz\n1.jpg,a\n")
    with pytest.raises(DataError, match=r't.csv:1: the picture "bild" does not exist.*--columns bild,satz'):
        read_captions([path])
    assert said_of(path, ("bild", "satz")) == {"1.jpg": ("a",)}


def test_columns_that_are_not_known_are_asked_for(tmp_path: Path) -> None:
    put(tmp_path, "1.jpg")
    path = written(tmp_path, "t.tsv", "7\t1.jpg\ta\n")
    with pytest.raises(DataError, match=r"which of its 3 columns are path and caption .*--columns PATH,CAPTION"):
        read_captions([path])
    with pytest.raises(UsageError, match=r"1 column\(s\) are named \(2\); name 2: PATH,CAPTION"):
        read_captions([path], ("2",))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("image,caption\n", r't:1: "image,caption" is no caption as Flickr8k has them.*end its name in .csv'),
        ("1.jpg#0\ta\n1.jpg#x\tb\n", r't:2: "1.jpg#x\\tb" is no caption'),
        ("1.jpg#0 a\n", r't:1: "1.jpg#0 a" is no caption'),
        ("#0\ta\n", r't:1: "#0\\ta" is no caption'),
        ("1.jpg\ta\n", r't:1: "1.jpg\\ta" is no caption'),
        ("", r"t: no row has both path and caption: it is empty"),
        ("1.jpg#0\t\n", r"no row has both path and caption: all 1 lack one \(the first at \S+t:1\)"),
    ],
)
def test_a_line_of_another_form_in_a_token_file_is_refused(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(DataError, match=said):
        read_captions([written(tmp_path, "t", text)])


def test_a_token_file_has_no_columns(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"Columns \(a, b\) are for tables; \S+t is read as Flickr8k's"):
        read_captions([written(tmp_path, "t", "1.jpg#0\ta\n")], ("a", "b"))


def test_paths_that_are_no_captions_are_a_wrong_use(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"No data is given\. Give one table"):
        read_captions([])
    put(tmp_path, "a.csv", "b.csv")
    with pytest.raises(UsageError, match=r"2 files \(\S+a.csv, \S+b.csv\) are not one set of captions"):
        read_captions([tmp_path / "a.csv", tmp_path / "b.csv"])
    with pytest.raises(DataError, match=r"is a folder, not a file\. Give a file in it, for example \S+a.csv"):
        read_captions([tmp_path])
    with pytest.raises(DataError, match=r"c.txt does not exist"):
        read_captions([tmp_path / "c.txt"])
