"""Malformed SQuAD files of every kind: questions are read from them, or refused in one line that names the file."""

import json
import random
from pathlib import Path

import pytest
from mutations import MUTATIONS, Mutation, attack, outcomes, peak_megabytes

from heed.data.questions import read_questions
from heed.errors import HeedError

CONTEXTS = ("Năm 1951 Ivo xây cầu ở Huế.", 'She said "no" \U0001f600 twice.', "x y z")
GOOD = {
    "one.json": [[("q1", "When?", "1951", 4)], [("q2", "What?", "no", 10), ("q3", "Who?", "She", 0)], []],
    "two.json": [[("a", "When?", "Ivo", 9), ("b", "Where?", None, 0)], [], [("c", "Which?", "z", 4)]],
}
ODD = [
    b"9" * 900,
    b"-1",
    b"1e400",
    b"4.0",
    b"[" * 900 + b"]" * 900,
    b"{}",
    b"[]",
    b'""',
    b'" "',
    b"null",
    b"true",
    b"4",
]


def document(name: str) -> bytes:
    paragraphs = [
        {"context": context, "qas": [asked(*row) for row in rows]}
        for context, rows in zip(CONTEXTS, GOOD[name], strict=True)
    ]
    value = {"version": "v2.0", "data": [{"title": "t", "paragraphs": paragraphs}]}
    return json.dumps(value, ensure_ascii=False, indent=1 if name == "two.json" else None).encode()


def asked(id: str, question: str, answer: str | None, start: int) -> dict[str, object]:
    answers = [] if answer is None else [{"text": answer, "answer_start": start}]
    return {"id": id, "question": question, "answers": answers, "is_impossible": answer is None}


def other_value(data: bytes, dice: random.Random) -> bytes:
    old = dice.choice([b"4", b"true", b"false", b'"1951"', b'"q1"', b'"When?"', b"[]", b"0"])
    return data.replace(old, dice.choice(ODD), dice.randint(1, 2))


def other_key(data: bytes, dice: random.Random) -> bytes:
    keys = [b"data", b"paragraphs", b"context", b"qas", b"id", b"question", b"answers", b"text", b"answer_start"]
    return data.replace(dice.choice(keys), dice.choice([*keys, b"", b"\xc3\xa9"]), dice.randint(1, 9))


def nothing(data: bytes, dice: random.Random) -> bytes:
    return dice.choice([b"", b"\n", b"\xef\xbb\xbf", b"{}", b"[]", b'{"data": []}', b'{"data": [{}]}'])


ALL: list[Mutation] = [*MUTATIONS, other_value, other_key, nothing]


def read(path: Path, keep_going: bool) -> str:
    try:
        file = read_questions([path], keep_going=keep_going)
    except HeedError as error:
        assert str(path) in str(error)
        assert str(error).isprintable()  # so it is one line, too
        return "refused"
    for question in file.questions:
        assert question.question.strip() and question.context.strip()
        assert question.impossible == (not question.answers)
        assert question.place.startswith(f"{path}: data[")
        for answer in question.answers:
            assert question.context[answer.start : answer.end] == answer.text
    return "read"


def read_drawn(path: Path, dice: random.Random) -> str:
    """Read a file, now and then passing over misplaced answers."""
    return read(path, keep_going=dice.random() < 0.2)


def spoil(folder: Path, count: int, seed: int) -> set[str]:
    return attack(folder, {name: document(name) for name in GOOD}, ALL, read_drawn, count, seed)


@pytest.mark.parametrize("name", sorted(GOOD))
def test_the_questions_that_are_spoilt_were_good(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(document(name))
    assert read(tmp_path / name, keep_going=False) == "read"


def test_a_few_hundred_malformed_files_of_questions_are_read_or_refused(tmp_path: Path) -> None:
    assert spoil(tmp_path, 500, seed=1) == outcomes(GOOD)


def test_ten_thousand_malformed_files_of_questions_are_read_or_refused_in_little_memory(tmp_path: Path) -> None:
    before = peak_megabytes()
    assert spoil(tmp_path, 10_000, seed=2) == outcomes(GOOD)
    assert peak_megabytes() - before < 512
