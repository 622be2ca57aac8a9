"""Laws of check_images: each fault that is planted is counted, named with its place, and nothing else is said."""

import dataclasses
import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from PIL import Image

from heed.data.image_checks import ImageReport, check_images
from heed.data.image_corpora import load_images
from heed.data.image_splits import ImageSplits
from heed.data.image_survey import look_at
from heed.data.records import LabelledImage
from heed.errors import DataError

FLOWERS = Path(__file__).parents[3] / "shared" / "data" / "flowers"


class Painter:
    """Paint pictures, each with a colour of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.painted = folder, 0

    def paint(
        self, label: str, size: tuple[int, int] = (40, 50), mode: str = "RGB", suffix: str = ".png"
    ) -> LabelledImage:
        self.painted += 1
        path = self.folder / f"{self.painted}{suffix}"
        colour = (self.painted % 251, self.painted // 251, 7)
        Image.new("RGB", size, colour).convert(mode).save(path)
        return LabelledImage(path, label, f"x:{self.painted}")

    def set(self, count: int, labels: Sequence[str] = ("neg", "pos")) -> list[LabelledImage]:
        return [self.paint(labels[number % len(labels)]) for number in range(count)]


@dataclasses.dataclass(frozen=True)
class Square:
    """A drawing of one colour."""

    name: str
    red: int

    def draw(self) -> Image.Image:
        return Image.new("RGB", (33, 34), (self.red, 0, 0))


@pytest.fixture
def painter(tmp_path: Path) -> Painter:
    return Painter(tmp_path)


def check(
    train: Sequence[LabelledImage], valid: Sequence[LabelledImage] = (), test: Sequence[LabelledImage] = ()
) -> ImageReport:
    return check_images(ImageSplits(train, valid, test, origin="files", note=""))


def said(report: ImageReport) -> list[tuple[str, str]]:
    return [(finding.level, finding.text) for finding in report.findings]


def path_of(record: LabelledImage) -> Path:
    assert isinstance(record.source, Path)
    return record.source


def copied(record: LabelledImage, name: str, label: str) -> LabelledImage:
    path = path_of(record).with_name(name)
    path.write_bytes(path_of(record).read_bytes())
    return LabelledImage(path, label, name)


def test_clean_pictures_have_no_findings(painter: Painter) -> None:
    report = check(painter.set(30), painter.set(4), painter.set(6))
    assert said(report) == []
    assert report.counts == {"train": 30, "valid": 4, "test": 6}
    assert report.lines()[0] == "files: 30 train, 4 valid, 6 test"
    assert report.lines()[-1] == "Nothing odd was found."


def test_how_far_it_is_is_told_after_each_picture(painter: Painter) -> None:
    heard: list[tuple[int, int]] = []
    splits = ImageSplits(painter.set(3), painter.set(2), (), "", "")
    check_images(splits, tell=lambda done, of: heard.append((done, of)))
    assert heard == [(1, 5), (2, 5), (3, 5), (4, 5), (5, 5)]


def test_the_report_goes_to_json_and_back(painter: Painter) -> None:
    report = check(painter.set(20), painter.set(2))
    values = json.loads(json.dumps(dataclasses.asdict(report), allow_nan=False))
    assert values["labels"][0] == {"label": "neg", "train": 10, "valid": 1, "test": 0}
    assert values["sizes"]["formats"] == {"PNG": 22}


def test_sizes_formats_and_colours_are_told(painter: Painter) -> None:
    kinds = [
        ("RGB", ".jpg"),
        ("L", ".webp"),
        ("RGBA", ".png"),
        ("P", ".gif"),
        ("1", ".bmp"),
        ("CMYK", ".tiff"),
        ("L", ".png"),
    ]
    odd = [painter.paint("ab"[n % 2], (40 + n, 100), *kind) for n, kind in enumerate(kinds)]
    report = check([*odd, *painter.set(20, "ab")])
    assert [(each.measure, each.smallest, each.median, each.largest) for each in report.sizes.summaries] == [
        *(("width", 40, 40, 46), ("height", 50, 50, 100), ("aspect", 0.4, 0.8, 0.8)),
    ]
    assert report.sizes.formats == {"PNG": 22, "JPEG": 1, "WEBP": 1, "GIF": 1, "BMP": 1, "TIFF": 1}
    assert set(report.sizes.colours) == {"RGB", "grey", "RGB with alpha", "palette", "black and white", "CMYK"}
    lines = report.lines()
    assert "width                    40       40       40       44       46" in lines
    assert "formats: 22 PNG, 1 JPEG, 1 WEBP, 1 GIF, 1 BMP, 1 TIFF" in lines


def test_a_picture_is_measured_upright(painter: Painter) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6  # to be turned by a quarter
    path = painter.folder / "turned.jpg"
    Image.new("RGB", (40, 90)).save(path, exif=exif)
    look = look_at(path)
    assert (look.width, look.height) == (90, 40)


def test_pictures_that_cannot_be_read_are_named_with_the_reason(painter: Painter) -> None:
    train = painter.set(30)
    path_of(train[3]).write_bytes(path_of(train[3]).read_bytes()[:60])
    path_of(train[4]).write_text("no picture")
    path_of(train[5]).unlink()
    report = check(train)
    assert len(report.broken) == 3 and str(train[3].source) in report.broken[0] and "5" in str(train[4].source)
    ((level, text),) = said(report)
    assert level == "warning" and text.startswith("3 of 30 picture(s) (10.0%) cannot be read and are left out. ")
    assert all(str(train[n].source) in text for n in (3, 4, 5))
    path_of(train[6]).write_text("nor this")
    assert said(check(train))[0][0] == "error"


def test_when_no_picture_can_be_read_there_are_no_sizes(painter: Painter) -> None:
    train = painter.set(4)
    for record in train:
        path_of(record).write_text(str(record.source))
    report = check(train)
    assert report.sizes.summaries == () and report.sizes.lines() == []
    assert "4 of 4 picture(s) (100.0%) cannot be read" in said(report)[0][1]


def test_identical_files_are_counted_and_those_with_another_label_named(painter: Painter) -> None:
    train = painter.set(30)
    train += [copied(train[0], "again.png", train[0].label), copied(train[1], "other.png", "neg")]
    report = check(train)
    assert (report.repeats.duplicates, report.repeats.conflicts) == (1, 1)
    assert said(report) == [
        (
            "warning",
            '1 picture(s) of train have several labels (x:2 says "pos", other.png says "neg"). Decide on one for each.',
        ),
        ("note", "1 record(s) of train (3.12%) stand there more than once."),
    ]


def test_a_picture_of_a_later_split_that_stands_in_train_is_a_leak(painter: Painter) -> None:
    train, valid = painter.set(30), painter.set(20)
    valid.append(copied(train[0], "leak.png", "pos"))
    (found,) = [text for level, text in said(check(train, valid)) if level == "warning"]
    assert found == (
        "1 of the 21 validation pictures (4.76%) also occur in train (1 with another label) (leak.png), so validation "
        "scores are inflated. Remove them from train."
    )
    assert said(check(train, train[:4]))[0][0] == "error"


def test_a_picture_that_is_stored_in_another_way_is_alike(painter: Painter) -> None:
    train, valid = painter.set(30), painter.set(20)
    path = painter.folder / "same.bmp"
    with Image.open(path_of(train[0])) as image:
        image.save(path)
    valid.append(LabelledImage(path, "neg", "same.bmp"))
    assert ("note", "1 validation picture(s) differ from one in train only in how they are stored (same.bmp).") in said(
        check(train, valid)
    )


def test_the_balance_the_rare_and_the_misspelt_are_told(painter: Painter) -> None:
    train = [*painter.set(60), painter.paint("rare"), painter.paint("Pos")]
    report = check(train)
    assert [(each.label, each.meant) for each in report.misspellings] == [("Pos", "pos")]
    texts = " ".join(text for _, text in said(report))
    assert '2 label(s) have fewer than 10 training records ("Pos": 1, "rare": 1)' in texts
    assert "Judge by macro F1" in texts


def test_small_and_long_pictures_are_told(painter: Painter) -> None:
    train = [*painter.set(50), painter.paint("neg", (31, 60)), painter.paint("pos", (151, 50))]
    report = check(train)
    assert [text for _, text in said(report)] == [
        "1 picture(s) (1.9%) have a side of fewer than 32 pixels (x:51): little is to be seen there.",
        "1 picture(s) (1.9%) are more than 3 times as long as broad (x:52): their middle square is less than a third "
        "of them. Cut them, or have them squashed.",
    ]
    just_fit = check([*painter.set(50), painter.paint("neg", (32, 96))])
    assert (just_fit.sizes.small.count, just_fit.sizes.long.count) == (0, 0)
    many = [*painter.set(20), painter.paint("neg", (9, 9)), painter.paint("pos", (9, 9))]
    assert ("warning", True) in [(level, "2 picture(s) (9.1%)" in text) for level, text in said(check(many))]


def test_what_loading_left_out_is_told(painter: Painter) -> None:
    splits = ImageSplits(painter.set(20), (), (), "", "", 3, ("t.csv:5",), 2, ("readme.txt",))
    assert said(check_images(splits)) == [
        ("warning", "3 row(s) without path or label are left out (t.csv:5)."),
        ("note", "2 file(s) are passed over, for they are no pictures of a class (readme.txt)."),
    ]


def test_drawings_are_looked_at_as_they_are_drawn() -> None:
    train = [LabelledImage(Square(f"s{n}", n), "ab"[n % 2], f"d:{n}") for n in range(20)]
    report = check(train, [LabelledImage(Square("other", 3), "b", "d:3")])
    assert report.sizes.formats == {"drawn": 21}
    assert report.repeats.leaks[0].records == 1


def test_no_pictures_at_all_are_refused() -> None:
    with pytest.raises(DataError, match="files holds 0 training pictures"):
        check([])


@pytest.mark.slow
@pytest.mark.skipif(not FLOWERS.exists(), reason="the flowers are not on this machine")
def test_the_real_flowers_are_whole_and_of_one_kind() -> None:
    report = check_images(load_images([str(FLOWERS)]))
    assert (report.broken, report.sizes.formats, report.misspellings) == ((), {"JPEG": 3_670}, ())
    assert min(report.sizes.summaries[1].smallest, report.sizes.summaries[0].smallest) == 128
