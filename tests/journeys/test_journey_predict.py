"""Using a model: texts on the line, in a file, on standard input; every way to decode; what was not seen is said."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

# What `conftest.py` makes; its answers have `code`, `out` and `err`.
Heed = Callable[..., Any]


def lines(text: str) -> list[str]:
    return text.split("\n")[:-1]


def test_texts_on_the_line_in_a_file_and_on_standard_input_are_the_same(heed: Heed, run: Path) -> None:
    texts = ["one two three", "seven", "four four"]
    Path("texts.txt").write_text("".join(f"{text}\n" for text in texts))
    on_the_line = heed("predict", "run", *texts)
    assert on_the_line.code == 0
    assert len(lines(on_the_line.out)) == 3
    assert heed("predict", "run", "texts.txt").out == on_the_line.out
    assert heed("predict", "run", stdin="".join(f"{text}\n" for text in texts).encode()).out == on_the_line.out
    assert heed("predict", "run", stdin="\ufeffone two three\r\nseven\r\nfour four".encode()).out == on_the_line.out


def test_each_line_has_its_line_also_when_it_is_empty(heed: Heed, run: Path) -> None:
    found = lines(heed("predict", "run", stdin=b"one two\n\nseven\n").out)
    assert len(found) == 3
    assert found[1] == ""
    assert heed("predict", "run", stdin=b"").out == ""


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"one\n\xe9t\xe9\n", "standard input:2: byte 0xE9 at byte 1 of the line is not UTF-8"),
        (b"one\0two\n", "standard input:1: NUL byte 0x00 at byte 4"),
        ("one two\n".encode("utf-16"), "standard input:1: the first bytes 0xFF 0xFE say UTF-16"),
        (b"x" * 1_100_000, "standard input:1: this line is 1,100,000 bytes long"),
    ],
)
def test_standard_input_that_is_no_text_is_one_sentence(heed: Heed, run: Path, data: bytes, said: str) -> None:
    answer = heed("predict", "run", stdin=data)
    assert answer.code == 1
    assert said in answer.err
    assert len(answer.err.splitlines()) == 1


def test_a_text_longer_than_a_file_name_is_still_a_text(heed: Heed, run: Path) -> None:
    answer = heed("predict", "run", "one two " * 100)
    assert answer.code == 0
    assert "pieces cut off the end of 'one two" in answer.err


def test_a_file_name_that_is_mistyped_is_told(heed: Heed, run: Path) -> None:
    answer = heed("predict", "run", "textz.txt")
    assert answer.code == 0
    assert "there is no file 'textz.txt'; it is taken for a text" in answer.err


def test_what_the_model_does_not_know_is_said_beside_the_result(heed: Heed, run: Path) -> None:
    answer = heed("predict", "run", "one zebra", "one two")
    assert len(lines(answer.out)) == 2
    assert "1 piece unknown in 'one zebra'" in answer.err
    assert "one two" not in answer.err


def test_json_is_one_object_a_text_with_all_that_is_known(heed: Heed, run: Path) -> None:
    answer = heed("predict", "run", "one zebra", "seven", "--json", "--best", "3")
    first, second = (json.loads(line) for line in lines(answer.out))
    assert (first["source"], first["unknown"], second["unknown"]) == ("one zebra", 1, 0)
    assert len(first["alternatives"]) == 3
    assert first["alternatives"][0]["text"] == first["text"]
    assert answer.err == ""


def test_the_best_so_many_are_numbered_with_their_scores(heed: Heed, run: Path) -> None:
    rows = [line.split("\t") for line in lines(heed("predict", "run", "one two", "--best", "6").out)]
    assert [row[0] for row in rows] == ["1", "2", "3", "4", "5", "6"]
    assert [float(row[1]) for row in rows] == sorted((float(row[1]) for row in rows), reverse=True)


def test_every_way_to_decode_can_be_chosen(heed: Heed, run: Path) -> None:
    greedy = heed("predict", "run", "one two three", "--greedy").out
    assert heed("predict", "run", "one two three", "--beam", "1").out == greedy
    drawn = [
        heed("predict", "run", "one two three", "--sample", "--temperature", "3", "--seed", seed).out for seed in "112"
    ]
    assert drawn[0] == drawn[1] != drawn[2]
    assert heed("predict", "run", "one", "--beam", "3", "--normalise", "gnmt", "--alpha", "0.9").code == 0


@pytest.mark.parametrize(
    ("options", "code", "said"),
    [
        (("--greedy", "--beam", "3"), 2, "Choose one way to decode"),
        (("--greedy", "--sample"), 2, "Choose one way to decode"),
        (("--seed", "3", "--beam", "3"), 2, "Choose one way to decode"),
        (("--tree", "--greedy"), 2, "--tree shows a beam search: leave out --greedy and --sample."),
        (("--tree", "--sample"), 2, "--tree shows a beam search"),
        (("--tree", "--alignment", "a.png"), 2, "--tree and --alignment are two views"),
        (("--alignment", "a.jpg"), 2, "a.jpg ends with '.jpg'. Use one of .png, .svg, .pdf."),
        (("--alignment", "pairs.tsv/a.png"), 1, "pairs.tsv/a.png cannot be written"),
        (("--beam", "0"), 1, "beams is 0"),
        (("--best", "0"), 2, "--best is 0"),
        (("--best", "5", "--beam", "3"), 2, "--best is 5 with --beam 3"),
        (("--temperature", "0"), 1, "temperature is 0.0"),
        (("--top-k", "-1"), 1, "top_k is -1"),
        (("--top-p", "2"), 1, "top_p is 2.0"),
        (("--normalise", "sum"), 1, "normalisation is 'sum'"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else None,
)
def test_ways_to_decode_that_make_no_sense_are_refused(
    heed: Heed, run: Path, options: tuple[str, ...], code: int, said: str
) -> None:
    answer = heed("predict", "run", "one two", *options)
    assert answer.code == code
    assert said in answer.err
    assert answer.out == ""


def test_the_tree_is_drawn_for_people_and_given_whole_to_programs(heed: Heed, run: Path) -> None:
    drawn = lines(heed("predict", "run", "one two", "--tree", "--beam", "2").out)
    tree = json.loads(heed("predict", "run", "one two", "--tree", "--beam", "2", "--json").out)
    assert len(tree["nodes"]) == len(tree["pieces"]) == len(drawn)
    assert any("ended: end token" in line for line in drawn)


def test_the_word_alignment_is_drawn(heed: Heed, run: Path) -> None:
    answer = heed("predict", "run", "one two three", "--alignment", "new/words.png")
    assert answer.code == 0
    assert "the word alignment is in new/words.png" in answer.err
    assert Path("new/words.png").read_bytes().startswith(b"\x89PNG")


def test_an_evaluation_tells_what_it_left_out_and_saves_a_line_for_each_pair(heed: Heed, run: Path) -> None:
    Path("pairs.tsv").write_text(Path("pairs.tsv").read_text() + "one\t\n")
    answer = heed("evaluate", "run", "pairs.tsv", "--save", "new/found.txt", "--greedy")
    assert answer.code == 0
    assert "1 pairs with an empty side were left out: pairs.tsv:121" in answer.err
    assert len(lines(Path("new/found.txt").read_text())) == 120


def test_an_evaluation_that_could_not_be_saved_does_not_begin(heed: Heed, run: Path) -> None:
    answer = heed("evaluate", "run", "pairs.tsv", "--save", "pairs.csv/found.txt")
    assert answer.code == 1
    assert "pairs.csv" in answer.err
    assert answer.out == ""


def test_a_damaged_model_is_refused(heed: Heed, run: Path) -> None:
    data = bytearray((run / "model.safetensors").read_bytes())
    data[-9] ^= 1
    (run / "model.safetensors").write_bytes(data)
    answer = heed("predict", "run", "one")
    assert answer.code == 1
    assert "model.safetensors is damaged" in answer.err
