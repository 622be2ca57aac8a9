"""Laws of SQuAD files: both versions are read as they are, and every fault is told with its place and its value."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from heed.errors import DataError
from heed.files import squad, whole
from heed.files.squad import SquadAnswer, read_squad, why_misplaced

CONTEXT = "Năm 1951 Ivo xây cầu ở Huế."


def question(**changes: object) -> dict[str, object]:
    return {"id": "q1", "question": "Khi nào?", "answers": [{"text": "1951", "answer_start": 4}], **changes}


def document(*questions: object, **changes: object) -> dict[str, Any]:
    paragraph = {"context": CONTEXT, "qas": list(questions)}
    return {"version": "x", "data": [{"title": "cầu", "paragraphs": [paragraph]}], **changes}


def written(folder: Path, value: object) -> Path:
    path = folder / "dev.json"
    path.write_text(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False), encoding="utf-8")
    return path


def refusal(path: Path) -> str:
    with pytest.raises(DataError) as caught:
        list(read_squad(path))
    assert str(path) in str(caught.value)
    assert str(caught.value).isprintable()
    return str(caught.value)


def test_a_question_of_either_version_is_read_with_its_answers_and_its_place(tmp_path: Path) -> None:
    impossible = question(id="q2", answers=[], is_impossible=True, plausible_answers=[{"text": "x"}])
    path = written(tmp_path, document(question(), impossible))
    (paragraph,) = read_squad(path)
    assert (paragraph.title, paragraph.context) == ("cầu", CONTEXT)
    first, second = paragraph.questions
    assert (first.id, first.text, first.answers, first.impossible) == (
        "q1",
        "Khi nào?",
        (SquadAnswer("1951", 4),),
        False,
    )
    assert (second.answers, second.impossible) == ((), True)
    assert second.place == f'{path}: data[0].paragraphs[0].qas[1] (id "q2")'


def test_a_packed_file_reads_as_the_plain_one_does(tmp_path: Path) -> None:
    plain = written(tmp_path, document(question()))
    packed = tmp_path / "dev.json.gz"
    packed.write_bytes(gzip.compress(plain.read_bytes()))
    assert [paragraph.context for paragraph in read_squad(packed)] == [CONTEXT]


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("", "not JSON: Expecting value at character 1"),
        ("[1]", "a list, not an object"),
        ('{"data": [1, 1], "data": []}', 'the key "data" stands twice'),
        ('{"data": NaN}', "NaN is not JSON"),
        ("[" * 100_000, "nested too deeply"),
        ({"version": "1.1"}, 'there is no key "data"; the keys: "version"'),
        ({"data": {}}, 'the value of "data" is an object, not a list'),
        ({"data": [7]}, "data[0]: a number, 7, not an object"),
        ({"data": [{"paragraphs": [{"qas": []}]}]}, 'data[0].paragraphs[0]: there is no key "context"'),
        ({"data": [{"title": 3, "paragraphs": []}]}, 'data[0]: the value of "title" is a number, 3, not text'),
        (document("x"), "data[0].paragraphs[0].qas[0]: a text, not an object"),
        (document(question(id=17)), 'qas[0]: the value of "id" is a number, 17, not text'),
        (document(question(), question()), 'qas[1] (id "q1"): the same id stands at data[0].paragraphs[0].qas[0]'),
        (document(question(question=None)), 'the value of "question" is null, not text'),
        (document(question(question="\ud800")), r"\ud800 at character 1"),
        (document(question(answers=[])), 'the question "Khi nào?" has no answers'),
        (document(question(answers=[], is_impossible=False)), "has no answers"),
        (document(question(is_impossible=True)), 'is_impossible is true, but there is an answer, "1951"'),
        (document(question(is_impossible=1)), 'the value of "is_impossible" is a number, 1, not true or false'),
        (document(question(answers=[{"text": " ", "answer_start": 0}])), 'answers[0]: the answer is " "'),
        (document(question(answers=[{"text": "x", "answer_start": -1}])), "answer_start is a number, -1"),
        (document(question(answers=[{"text": "x", "answer_start": True}])), "answer_start is true or false"),
        (document(question(answers=[{"text": "x", "answer_start": 4.0}])), "answer_start is a number, 4.0"),
    ],
)
def test_a_fault_is_told_with_its_place_and_its_value(tmp_path: Path, value: object, said: str) -> None:
    path = tmp_path / "dev.json"
    path.write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")
    assert said in refusal(path)


def test_an_answer_stands_where_it_promises_or_is_told_where_it_does() -> None:
    assert why_misplaced("a b a", SquadAnswer("a", 4)) is None
    assert 'the answer "a" does not stand at answer_start 2; there is "b". It does stand at 0, 4' in str(
        why_misplaced("a b a", SquadAnswer("a", 2))
    )
    assert "there is nothing, for the paragraph has 5 characters. It stands nowhere" in str(
        why_misplaced("a b a", SquadAnswer("c", 10**30))
    )


def test_a_file_beyond_the_limit_is_refused_with_its_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = written(tmp_path, document(question()))
    size = path.stat().st_size
    monkeypatch.setattr(squad, "LARGEST_FILE", size)
    assert len(list(read_squad(path))) == 1
    monkeypatch.setattr(squad, "LARGEST_FILE", size - 1)
    assert f"at most {size - 1:,} bytes are; it has {size:,}" in refusal(path)
    packed = tmp_path / "big.json.gz"
    packed.write_bytes(gzip.compress(path.read_bytes()))
    assert "it unpacks to more than that" in refusal(packed)


def test_a_text_beyond_the_limit_is_refused_with_its_length(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(squad, "LONGEST_TEXT", len(CONTEXT) - 1)
    assert f"has {len(CONTEXT)} characters" in refusal(written(tmp_path, document(question())))


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (b'{"data":\n "caf\xe9"}', ":2: byte 0xE9 at byte 6 of the line is not UTF-8"),
        (b'{"data"\n:\0 1}', ":2: NUL byte 0x00 at byte 2 of the line"),
        ('{"data": []}'.encode("utf-16"), "say UTF-16"),
    ],
)
def test_what_is_not_utf8_is_told_with_line_and_byte(tmp_path: Path, raw: bytes, said: str) -> None:
    path = tmp_path / "dev.json"
    path.write_bytes(raw)
    assert said in refusal(path)


def test_a_byte_order_mark_is_no_part_of_the_text(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_bytes(b"\xef\xbb\xbf[]")
    assert whole.read_whole(path, 100) == "[]"
