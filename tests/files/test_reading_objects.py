"""Laws of JSON Lines reading: all that JSON readers let pass in silence is refused, with the place and the value."""

import json
from pathlib import Path

import pytest

from heed.errors import DataError
from heed.files.columns import find_columns
from heed.files.objects import scalar_of
from heed.files.tables import read_rows

GOOD = '{"source": "a", "target": "b"}'


def written(folder: Path, text: str) -> Path:
    path = folder / "pairs.jsonl"
    path.write_bytes(text.encode())
    return path


def rows(path: Path, wanted: tuple[str, str] | None = None) -> list[dict[str, str]]:
    columns = find_columns(path, wanted, usual=(("source", "target"),), count=2)
    return [row.values for row in read_rows(path, columns)]


def test_objects_are_read_whatever_else_they_hold(tmp_path: Path) -> None:
    path = written(tmp_path, '{"id": 7, "source": "a\\nb", "target": "é", "more": ["x", {"y": null}]}\n\n' + GOOD)
    assert rows(path) == [{"source": "a\nb", "target": "é"}, {"source": "a", "target": "b"}]


def test_the_only_two_texts_are_taken_in_their_order_and_said(tmp_path: Path) -> None:
    path = written(tmp_path, '{"id": 3, "vi": "a", "en": "b"}\n')
    columns = find_columns(path, None, count=2)
    assert columns.names == ("vi", "en")
    assert columns.sentence == f"keys vi → en of the objects in {path}"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('{"source": "a", "target": "b", "source": "c"}', 'the key "source" stands twice'),
        ('{"source": "a", "target": "b", "score": NaN}', "NaN is not JSON"),
        ('{"source": "a", "target": "b", "score": -Infinity}', "-Infinity is not JSON"),
        ('{"source": "a", "target": "b", "id": ' + "9" * 5000 + "}", "a number of 5,000 digits"),
        ('{"source": "a", "target": "b", "deep": ' + "[" * 100_000 + "]" * 100_000 + "}", "nested too deeply"),
        ('{"source": "a\\ud800", "target": "b"}', r"\\ud800 at character 2 .* half of a character"),
        ('{"source": "a", "target": "b", "\\udc00": 1}', r"\\udc00 at character 1 .* half of a character"),
        ('{"source": "a\\u0000", "target": "b"}', r"NUL character"),
        ('{"source": 17, "target": "b"}', 'the value of "source" is a number, 17, not text'),
        ('{"source": 1e999, "target": "b"}', 'the value of "source" is a number, inf, not text'),
        ('{"source": null, "target": "b"}', 'the value of "source" is null, not text'),
        ('{"source": true, "target": "b"}', 'the value of "source" is true or false, not text'),
        ('{"source": "a", "target": {"en": "b"}}', 'the value of "target" is an object, not text'),
        ('{"source": "a", "target": ' + "[" * 900 + "]" * 900 + "}", 'the value of "target" is a list, not text'),
        ('{"source": "a"}', 'no key "target"; its keys: "source"'),
        ("{}", 'no key "source"; its keys: none'),
        ('["a", "b"]', r"a list, not an object"),
        ('"a"', r"a text, not an object"),
        ("{", "not a JSON object: Expecting property name enclosed in double quotes at character 2"),
        (GOOD + GOOD, "not a JSON object: Extra data at character 31"),
    ],
)
def test_what_is_not_two_texts_is_refused_with_place_and_value(tmp_path: Path, line: str, said: str) -> None:
    with pytest.raises(DataError, match=rf"pairs.jsonl:2: .*{said}"):
        rows(written(tmp_path, f"{GOOD}\n{line}\n"))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", r"pairs.jsonl is empty \(0 lines\)"),
        ("\n\n", r"pairs.jsonl holds only blank lines \(2\)"),
        ('{"a": "x", "b": "y", "c": "z"}\n', r'2 columns of text are needed and it has 3: "a", "b", "c"'),
        ('{"a": 1}\n', r"2 columns of text are needed and it has 0: none"),
    ],
)
def test_without_two_texts_in_the_first_object_the_reader_asks(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(DataError, match=said):
        rows(written(tmp_path, text))


def test_a_key_that_is_asked_for_and_missing_is_met_with_the_nearest(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r'no column "soruce".*Did you mean "source"'):
        rows(written(tmp_path, GOOD), ("soruce", "target"))


def test_every_text_comes_back_as_it_was_written(tmp_path: Path) -> None:
    texts = ["tab\there", 'quote " and \\', "\u2028", "😀 naïve", " spaces "]
    lines = "\n".join(json.dumps({"source": text, "target": "b"}) for text in texts)
    assert [row["source"] for row in rows(written(tmp_path, lines))] == texts


@pytest.mark.parametrize(
    ("value", "text"),
    [
        *(("x", "x"), (1, "1"), (1.0, "1"), (-0.0, "0"), (0.1, "0.1"), (1e300, "1e+300"), (True, "true")),
        *((False, "false"), (None, ""), (" 1 ", " 1 ")),
    ],
)
def test_a_scalar_becomes_one_text_whatever_its_kind(value: object, text: str) -> None:
    assert scalar_of("x:1", {"label": value}, "label") == text


@pytest.mark.parametrize(
    ("value", "said"),
    [([], "a list"), ({}, "an object"), (float("inf"), "a number, inf"), (float("nan"), "a number, nan")],
)
def test_what_is_no_scalar_is_refused_with_its_place(value: object, said: str) -> None:
    with pytest.raises(DataError, match=f'x:1: the value of "label" is {said}, not text'):
        scalar_of("x:1", {"label": value}, "label")
    with pytest.raises(DataError, match='x:1: the object has no key "label"'):
        scalar_of("x:1", {}, "label")


def test_usual_keys_are_found_among_values_of_other_kinds(tmp_path: Path) -> None:
    path = written(tmp_path, '{"Score": 3, "Text": "a", "id": "x"}\n')
    assert find_columns(path, None, usual=(("text", "score"),), count=2).names == ("Text", "Score")
