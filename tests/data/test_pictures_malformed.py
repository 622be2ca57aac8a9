"""Malformed tables, token files, lists and folders of pictures: read, or refused in one line that names the file."""

import os
import random
from collections.abc import Callable
from pathlib import Path

import pytest
from mutations import MUTATIONS, Mutation, attack, malformed, outcomes, peak_megabytes

from heed.data.caption_corpora import load_captions
from heed.data.captions import read_captions
from heed.data.images import read_images
from heed.errors import HeedError

ROWS = [("1.jpg", "a dog", "dog"), ("p/2.jpg", 'says "no", n\u00e9 \U0001f600', "cat"), ("1.jpg", "x y", "dog")]
QUOTED = [(path, caption.replace('"', '""'), label) for path, caption, label in ROWS]
ESCAPED = [(path, caption.replace('"', '\\"'), label) for path, caption, label in ROWS]
IMAGE_TABLES = {
    "i.csv": "path,label\n" + "".join(f"{path},{label}\n" for path, _, label in ROWS),
    "i.tsv": "\ufefflabel\tid\tfile\n" + "".join(f"{label}\t7\t{path}\n" for path, _, label in ROWS),
    "i.jsonl": "".join(f'{{"image": "{path}", "class": "{label}", "more": [1]}}\n' for path, _, label in ROWS),
}
CAPTION_FILES = {
    "c.csv": "path,caption\n" + "".join(f'{path},"{caption}"\n' for path, caption, _ in QUOTED),
    "c.tsv": "".join(f"{path}\t{caption}\n" for path, caption, _ in ROWS),
    "c.jsonl": "".join(f'{{"file": "{path}", "caption": "{caption}"}}\n' for path, caption, _ in ESCAPED),
    "c.token.txt": "".join(f"{path}#{at}\t{caption}\n" for at, (path, caption, _) in enumerate(ROWS)),
}
GOOD = {name: text.encode() for name, text in {**IMAGE_TABLES, **CAPTION_FILES}.items()}
PATHS = [b"..", b"/", b"", b"p", b"1.jpg/x", b"a" * 300, b"~", b"\\", b"1.jpg\xc2\x85", b"\xe2\x80\xa8", b"/dev/zero"]


def other_path(data: bytes, dice: random.Random) -> bytes:
    return data.replace(b"1.jpg", dice.choice(PATHS), dice.randint(1, 3))


def other_number(data: bytes, dice: random.Random) -> bytes:
    return data.replace(b"#", dice.choice([b"", b"##", b"#-", b"#\xd9\xa1", b"\t"]), dice.randint(1, 3))


def other_name(data: bytes, dice: random.Random) -> bytes:
    names = [b"path", b"label", b"caption", b"file", b"image", b"class"]
    return data.replace(dice.choice(names), dice.choice([b"", b"x", b"path", b"label", b"\xc3\xa9", b"text"]))


def nothing(data: bytes, dice: random.Random) -> bytes:
    return dice.choice([b"", b"\n", b"\xef\xbb\xbf", data.split(b"\n")[0], b" \n\t\n"])


ALL: list[Mutation] = [*MUTATIONS, other_path, other_number, other_name, nothing]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "p").mkdir()
    for name in ("1.jpg", "p/2.jpg"):
        (tmp_path / name).write_text(name)
    return tmp_path


def refusal(error: HeedError, *names: str) -> str:
    assert any(name in str(error) for name in names)
    assert str(error).isprintable()  # so it is one line, too
    return "refused"


def read_images_of(path: Path) -> str:
    try:
        file = read_images([path])
    except HeedError as error:
        return refusal(error, str(path))
    for record in file.records:
        assert record.source.is_file() and 0 < len(record.label) <= 200
        assert record.place.startswith(f"{path}:")
    return "read"


def read_captions_of(path: Path, keep_going: bool) -> str:
    try:
        file = read_captions([path], keep_going=keep_going)
    except HeedError as error:
        return refusal(error, str(path))
    assert len({record.source for record in file.records}) == len(file.records) > 0
    for record in file.records:
        assert record.source.is_file() and record.captions and all(record.captions)
        assert record.place.startswith(f"{path}:")
    return "read"


def read(path: Path, dice: random.Random) -> str:
    """Read a file as what its name says, and now and then with missing pictures left out."""
    return read_images_of(path) if path.name.startswith("i") else read_captions_of(path, dice.random() < 0.3)


def spoil_lists(folder: Path, count: int, seed: int) -> set[str]:
    """Spoil the lists beside a token file, and return what became of them."""
    dice, seen = random.Random(seed), set()
    tokens = folder / "tokens.txt"
    tokens.write_text("".join(f"{n}.jpg#0\tsaid {n}\n" for n in range(40)))
    for number in range(40):
        (folder / f"{number}.jpg").write_text(str(number))
    good = {"train": range(0, 30), "dev": range(30, 35), "test": range(35, 38)}
    for _ in range(count):
        for side, numbers in good.items():
            data = "".join(f"{number}.jpg\n" for number in numbers).encode()
            data = malformed(data, dice, ALL) if dice.random() < 0.4 else data
            (folder / f"Flickr_8k.{side}Images.txt").write_bytes(data)
        try:
            splits = load_captions([str(tokens)])
            names = [record.source.name for part in (splits.train, splits.valid, splits.test) for record in part]
            assert len(names) == len(set(names)) and splits.valid
            seen.add("read")
        except HeedError as error:
            seen.add(refusal(error, "Flickr_8k"))
    return seen


def add_link(folder: Path, dice: random.Random) -> None:
    (folder / f"link{dice.random()}").symlink_to(dice.choice([folder, folder.parent, folder / "gone", Path("loop")]))


def add_circle(folder: Path, dice: random.Random) -> None:
    if not (folder / "circle.jpg").is_symlink():
        (folder / "circle.jpg").symlink_to("circle.jpg")


def add_empty(folder: Path, dice: random.Random) -> None:
    (folder / f"empty{dice.random()}").mkdir()


def add_file(folder: Path, dice: random.Random) -> None:
    names = [
        "x.JPG",
        "\x1b[31m.jpg",
        "a\nb.png",
        "\u2028.webp",
        "._a.jpg",
        "notes.txt",
        "c" * 250,
        ".jpg",
        "e\u0301.gif",
    ]
    (folder / dice.choice(names)).write_text("x")


def add_odd_name(folder: Path, dice: random.Random) -> None:
    (folder / os.fsdecode(b"\xff\xfe.jpg")).write_text("x")


def add_pipe(folder: Path, dice: random.Random) -> None:
    os.mkfifo(folder / f"{dice.random()}.jpg")


DAMAGE: list[Callable[[Path, random.Random], None]] = [
    *(add_link, add_circle, add_empty, add_file, add_file, add_pipe, add_odd_name),
]


def spoil_folders(folder: Path, count: int, seed: int) -> set[str]:
    """Put odd things into folders of classes, and return what became of them."""
    dice, seen = random.Random(seed), set()
    for number in range(count):
        root = folder / str(number)
        for name in ("a/1.jpg", "b/2.png", "b/deep/3.gif"):
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(name)
        for _ in range(dice.randint(1, 3)):
            dice.choice(DAMAGE)(root / dice.choice(["", "a", "b", "b/deep"]), dice)
        try:
            file = read_images([root])
            assert {record.label for record in file.records} >= {"a", "b"}
            assert all(record.source.is_file() for record in file.records)
            seen.add("read")
        except HeedError as error:
            seen.add(refusal(error, str(root)))
    return seen


@pytest.mark.parametrize("name", sorted(GOOD))
def test_the_files_that_are_spoilt_were_good(folder: Path, name: str) -> None:
    (folder / name).write_bytes(GOOD[name])
    assert read(folder / name, random.Random(1)) == "read"


def test_a_few_hundred_malformed_files_are_read_or_refused(folder: Path) -> None:
    assert attack(folder, GOOD, ALL, read, 400, seed=1) == outcomes(GOOD)


def test_malformed_lists_of_sides_are_followed_or_refused(tmp_path: Path) -> None:
    assert spoil_lists(tmp_path, 60, seed=1) == {"read", "refused"}


def test_odd_things_in_folders_are_passed_over_or_refused(tmp_path: Path) -> None:
    assert spoil_folders(tmp_path, 100, seed=1) == {"read", "refused"}


@pytest.mark.slow
def test_ten_thousand_malformed_files_and_folders_are_read_or_refused_in_little_memory(folder: Path) -> None:
    before = peak_megabytes()
    assert attack(folder, GOOD, ALL, read, 9_000, seed=2) == outcomes(GOOD)
    for name, spoil, count in (("lists", spoil_lists, 500), ("folders", spoil_folders, 500)):
        (folder / name).mkdir()
        assert spoil(folder / name, count, seed=3) == {"read", "refused"}
    assert peak_megabytes() - before < 512
