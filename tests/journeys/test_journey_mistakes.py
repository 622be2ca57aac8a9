"""Every mistake has one clear sentence, the right exit code, and leaves nothing behind; never a traceback."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

# What `conftest.py` makes; its answers have `code`, `out` and `err`.
Heed = Callable[..., Any]

TRAIN = ("train", "translate")
TINY = ("--settings", "tiny.toml", "--steps", "2", "--quiet")
PAIRS = "one two\ttwo one\n"


def sentences(err: str) -> list[str]:
    return [line for line in err.splitlines() if line.startswith("heed: ")]


FILES = {
    "utf16.tsv": ((PAIRS * 99).encode("utf-16"), r"utf16.tsv:1: the first bytes 0xFF 0xFE say UTF-16"),
    "latin.tsv": (("été\tsummer\n" * 99).encode("latin-1"), "latin.tsv:1: byte 0xE9 at byte 1"),
    "empty.tsv": (b"", "empty.tsv is empty (0 lines)"),
    "blank.tsv": (b"\n\n\n", "blank.tsv holds only blank lines (3)"),
    "single.tsv": (PAIRS.encode(), "too few to split"),
    "column.tsv": (b"one\ntwo\n" * 60, "there is no column 2"),
    "long.tsv": (b"x" * 1_200_000 + b"\ty\n", "this line is 1,200,002 bytes long; at most 1,000,000"),
    "nul.tsv": (b"a\0b\tc\n" * 60, "nul.tsv:1: NUL byte 0x00 at byte 2"),
    "quote.csv": (b'source,target\n"a,b\n' * 30, "quote.csv:2: text follows a closing quote"),
    "keys.jsonl": (b'{"a":"x","b":"y","c":"z"}\n' * 60, 'it has 3: "a", "b", "c"'),
    "torn.jsonl": (b'{"source":"x","target":"y"}\n{"source":\n', "torn.jsonl:2: not a JSON object"),
    "sides.tsv": (b"one\t\n\ttwo\n" * 30, "have an empty side"),
}


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("command", [(*TRAIN, *TINY), ("check", "translate")], ids=["train", "check"])
def test_a_file_that_cannot_be_used_is_one_sentence(
    heed: Heed, folder: Path, command: tuple[str, ...], name: str
) -> None:
    data, said = FILES[name]
    Path(name).write_bytes(data)
    before = sorted(folder.rglob("*"))
    answer = heed(*command[:2], name, *command[2:])
    assert answer.code == 1
    assert answer.out == ""
    assert len(sentences(answer.err)) == len(answer.err.splitlines()) == 1
    assert said in answer.err
    assert sorted(folder.rglob("*")) == before


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (
            ("train", "translat", "pairs.tsv"),
            2,
            "There is no task 'translat'. Choose one of: translate, classify",
        ),
        (("check", "translat", "pairs.tsv"), 2, "There is no task 'translat'"),
        (
            (*TRAIN, "pairs.tsv", "--model", "bert"),
            2,
            "There is no model 'bert' for this task. Choose one of: transformer",
        ),
        ((*TRAIN, "demo:fr-de"), 1, "There is no demo 'fr-de'. The demos: demo:fr-en"),
        ((*TRAIN, "pairs.tvs"), 1, "pairs.tvs does not exist. Did you mean"),
        ((*TRAIN, "source.txt"), 2, "source.txt alone is one side of the pairs"),
        ((*TRAIN, "source.txt", "target.txt", "pairs.tsv"), 2, "3 files"),
        ((*TRAIN, "."), 1, "is a folder, not a file"),
        ((*TRAIN, "pairs.tsv", "--budget", "abc"), 2, "'abc' is no duration. Write it like 90s, 10m or 1h30m."),
        ((*TRAIN, "pairs.tsv", "--budget", ""), 2, "'' is no duration"),
        ((*TRAIN, "pairs.tsv", "--budget", "0s"), 1, "training.minutes is 0.0; it must be more than 0."),
        ((*TRAIN, "pairs.tsv", "--steps", "0"), 1, "training.steps is 0; it must be more than 0."),
        ((*TRAIN, "pairs.tsv", "--epochs", "-3"), 1, "training.epochs is -3; it must be more than 0."),
        ((*TRAIN, "pairs.tsv", "--steps", "5", "--epochs", "2"), 1, "training has steps and epochs"),
        ((*TRAIN, "pairs.tsv", "--set", "model.widht=3"), 1, "model.widht is not a setting. Did you mean 'width'?"),
        ((*TRAIN, "pairs.tsv", "--set", "modle.width=3"), 1, "modle is not a setting. Did you mean 'model'?"),
        ((*TRAIN, "pairs.tsv", "--set", "model.width=wide"), 1, "model.width is 'wide'"),
        ((*TRAIN, "pairs.tsv", "--set", "width"), 1, "The override 'width' cannot be read"),
        ((*TRAIN, "pairs.tsv", "--set", "model.longest=1"), 1, "model.longest is 1. Use 2 or more"),
        ((*TRAIN, "pairs.tsv", "--columns", "en"), 2, "--columns is 'en'. Give 2 name"),
        ((*TRAIN, "pairs.csv", "--columns", "de,en"), 1, 'there is no column "de"; the first row has "fr", "en"'),
        ((*TRAIN, "pairs.csv", "--group", "who"), 1, 'there is no group column "who"; its columns are "fr", "en"'),
        (("check", "translate", "pairs.csv", "--group", "who"), 1, 'there is no group column "who"'),
        (("compare", "translate", "pairs.csv", "--group", "who"), 1, 'there is no group column "who"'),
        (("train", "write", "source.txt", "--group", "who"), 1, "task write reads plain text: there is no column"),
        (("check", "answer", "source.txt", "--group", "who"), 2, "the format of SQuAD has none"),
        (("pretrain", "source.txt", "--group", "who"), 2, "source.txt, plain text, has none"),
        (("check", "translate", "pairs.csv", "--columns", "a,b,c"), 2, "--columns is 'a,b,c'. Give 2 name"),
        ((*TRAIN, "pairs.tsv", "--settings", "nope.toml"), 1, "There is no settings file nope.toml"),
        ((*TRAIN, "pairs.tsv", "--settings", "pairs.tsv"), 1, "A settings file ends in .toml or .json"),
        (("resume", "nowhere"), 1, "There is no run at nowhere"),
        (("predict", "nowhere", "one"), 1, "There is no run at nowhere"),
        (("evaluate", "nowhere", "pairs.tsv"), 1, "There is no run at nowhere"),
        (("predict", ".", "one"), 1, "is not a run"),
    ],
    ids=lambda value: " ".join(value)[-60:] if isinstance(value, tuple) else None,
)
def test_a_wrong_command_is_one_sentence_and_changes_nothing(
    heed: Heed, folder: Path, arguments: tuple[str, ...], code: int, said: str
) -> None:
    before = sorted(folder.rglob("*"))
    answer = heed(*arguments)
    assert answer.code == code
    assert said in answer.err
    assert len(sentences(answer.err)) == len(answer.err.splitlines()) == 1
    assert answer.out == ""
    assert sorted(folder.rglob("*")) == before


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("trian",), "No such command 'trian'"),
        (("train",), "Missing argument"),
        (("train", "translate", "--bogus"), "No such option: --bogus"),
        (("train", "translate", "--steps", "many"), "Invalid value for '--steps'"),
        (("evaluate",), "Missing argument"),
        ((), "Usage:"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else None,
)
def test_options_that_do_not_exist_are_wrong_usage(
    heed: Heed, folder: Path, arguments: tuple[str, ...], said: str
) -> None:
    answer = heed(*arguments)
    assert answer.code == 2
    assert said in answer.out + answer.err


def test_files_of_unequal_length_are_told_with_both_counts(heed: Heed, folder: Path) -> None:
    lines = Path("target.txt").read_text().splitlines(keepends=True)
    Path("target.txt").write_text("".join(lines[:-1]))
    answer = heed(*TRAIN, "source.txt", "target.txt", *TINY)
    assert answer.code == 1
    assert "source.txt has 120 lines" in answer.err
    assert "target.txt has 119" in answer.err


def test_a_folder_that_is_not_a_run_is_never_replaced(heed: Heed, folder: Path) -> None:
    Path("thesis").mkdir()
    Path("thesis/chapter.tex").write_text("years of work")
    for out, said in (("thesis", "is not a run and not empty: it holds chapter.tex"), ("pairs.csv", "is a file")):
        answer = heed(*TRAIN, "pairs.tsv", *TINY, "--out", out, "--force")
        assert answer.code == 1
        assert said in answer.err
    assert Path("thesis/chapter.tex").read_text() == "years of work"


def test_a_place_that_cannot_be_written_is_told_before_the_training(heed: Heed, folder: Path) -> None:
    answer = heed(*TRAIN, "pairs.tsv", *TINY, "--out", "pairs.csv/run")
    assert answer.code == 1
    assert "pairs.csv" in answer.err
    assert len(sentences(answer.err)) == 1


def test_a_line_of_a_megabyte_that_is_allowed_is_cut_and_told(heed: Heed, folder: Path) -> None:
    text = Path("pairs.tsv").read_text()
    Path("pairs.tsv").write_text("x " * 450_000 + "\ty\n" + text)
    answer = heed(*TRAIN, "pairs.tsv", "--settings", "tiny.toml", "--steps", "1")
    assert answer.code == 0
    assert "cut (99." in answer.err


FAULTS = {
    "copied": ("one\tone\n" * 40, "copy of the source"),
    "doubled": ("three four\tfour three\n" * 40, "more than once"),
    "empty": ("one\t\n", "1 pair"),
    "endless": (f"{'word ' * 300}\t{'word ' * 290}\n", "longer than 128 words"),
    "unequal": (f"yes\t{'this is far too long to be its translation ' * 4}\n" * 3, "lengths"),
    "control": ("on\x07e\teins\n", "control"),
    "broken": ("caf\ufffd\tcoffee\n", "U+FFFD"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_check_names_each_fault_of_a_file(heed: Heed, folder: Path, fault: str) -> None:
    lines, said = FAULTS[fault]
    clean = [f"{a} {b} {c}\t{c} {b} {a}\n" for a in "abcdef" for b in "ghijk" for c in "lmnop"]
    Path("clean.tsv").write_text("".join(clean))
    Path("faulty.tsv").write_text("".join(clean) + lines)
    found = heed("check", "translate", "faulty.tsv")
    assert found.code == 0
    assert said.lower() in found.out.lower()
    assert said.lower() not in heed("check", "translate", "clean.tsv").out.lower()


def test_check_of_the_demo_finds_no_error(heed: Heed, folder: Path) -> None:
    answer = heed("check", "translate")
    assert answer.code == 0
    assert answer.out.startswith("demo:fr-en: ")
    assert "error:" not in answer.out
