"""`read_squad`: paragraphs with questions in the JSON format of SQuAD, version 1.1 and 2.0.

    {"data": [{"title": "…", "paragraphs": [{"context": "…", "qas": [
        {"id": "…", "question": "…", "answers": [{"text": "…", "answer_start": 17}], "is_impossible": false}]}]}]}

Version 1.1 has no `is_impossible`: every question has an answer. In 2.0 a question that is impossible has none. Other
keys (`version`, `plausible_answers`) are read over. One JSON object cannot be read in parts, so the file is bounded.
Whether an answer stands where it promises is told by `why_misplaced`, for a report wants to count what others refuse.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from heed.errors import DataError
from heed.files.json_values import described, parse_json, refuse_half_characters
from heed.files.quoting import quote
from heed.files.whole import read_whole

LARGEST_FILE = 100_000_000  # bytes, unpacked; SQuAD 2.0 has 42 million; in memory it becomes several times that
LONGEST_TEXT = 1_000_000  # characters of a paragraph or a question; longer is a book
SHOWN_PLACES = 3  # places at which a misplaced answer does stand
_FORM = "Write it as SQuAD does."


@dataclass(frozen=True, slots=True)
class SquadAnswer:
    """An answer, and the character of the paragraph at which it says it begins."""

    text: str
    start: int


@dataclass(frozen=True, slots=True)
class SquadQuestion:
    """One question; `place` is "path: data[3].paragraphs[7].qas[2] (id …)"."""

    id: str
    text: str
    answers: tuple[SquadAnswer, ...]
    impossible: bool
    place: str


@dataclass(frozen=True, slots=True)
class SquadParagraph:
    """A paragraph with the questions on it."""

    title: str  # "" where there is none
    context: str
    questions: tuple[SquadQuestion, ...]


@dataclass(frozen=True, slots=True)
class _Place:
    """Where in which file: messages begin with it."""

    path: Path
    inside: str = ""

    def item(self, key: str, number: int) -> "_Place":
        return _Place(self.path, f"{self.inside}.{key}[{number}]".lstrip("."))

    def __str__(self) -> str:
        return f"{self.path}: {self.inside}" if self.inside else str(self.path)


def read_squad(path: Path) -> Iterator[SquadParagraph]:
    """Yield the paragraphs of a SQuAD file (also `.gz`); raise DataError at the first thing that is not as it must."""
    seen: dict[str, str] = {}  # of each id, the place
    whole = _object(_Place(path), _parse(path, read_whole(path, LARGEST_FILE)))
    for place, article in _items(_Place(path), whole, "data"):
        title = _text(place, article, "title") if "title" in article else ""
        for inner, paragraph in _items(place, article, "paragraphs"):
            yield _paragraph(inner, paragraph, title, seen)


def why_misplaced(context: str, answer: SquadAnswer) -> str | None:
    """Return the sentence on an answer that does not stand at its place in the paragraph; None if it does."""
    if context.startswith(answer.text, answer.start):
        return None
    there = context[answer.start : answer.start + len(answer.text)]
    found = quote(there) if there else f"nothing, for the paragraph has {len(context):,} characters"
    places = _places_of(answer.text, context)
    advice = (
        f"It does stand at {', '.join(f'{at:,}' for at in places)}: set answer_start to where it is meant."
        if places
        else "It stands nowhere in the paragraph: give the answer as it is written there."
    )
    return (
        f"the answer {quote(answer.text)} does not stand at answer_start {answer.start:,}; there is {found}. {advice}"
    )


def _paragraph(place: _Place, values: dict[str, object], title: str, seen: dict[str, str]) -> SquadParagraph:
    context = _text(place, values, "context")
    questions = tuple(_question(inner, item, seen) for inner, item in _items(place, values, "qas"))
    return SquadParagraph(title, context, questions)


def _question(place: _Place, values: dict[str, object], seen: dict[str, str]) -> SquadQuestion:
    id = _text(place, values, "id")
    place = _Place(place.path, f"{place.inside} (id {quote(id)})")
    if id in seen:
        raise DataError(f"{place}: the same id stands at {seen[id]}. Give every question an id of its own.")
    seen[id] = place.inside
    text = _text(place, values, "question")
    impossible = _truth(place, values, "is_impossible")
    answers = tuple(_answer(inner, item) for inner, item in _items(place, values, "answers"))
    if impossible and answers:
        raise DataError(
            f"{place}: is_impossible is true, but there is an answer, {quote(answers[0].text)}. "
            f"Remove the answers, or set is_impossible to false."
        )
    if not impossible and not answers:
        raise DataError(
            f"{place}: the question {quote(text)} has no answers. Give one, or say "
            f'"is_impossible": true if the paragraph does not answer it.'
        )
    return SquadQuestion(id, text, answers, impossible, str(place))


def _answer(place: _Place, values: dict[str, object]) -> SquadAnswer:
    text, start = _text(place, values, "text"), _value(place, values, "answer_start")
    if not text.strip():
        raise DataError(f"{place}: the answer is {quote(text)}, without a letter. Write the words of the paragraph.")
    if type(start) is not int or start < 0:
        raise DataError(
            f"{place}: answer_start is {described(start)}. Give the number of the character at which the answer "
            f"begins, counted from 0."
        )
    return SquadAnswer(text, start)


def _parse(path: Path, text: str) -> object:
    try:
        return parse_json(text)
    except ValueError as error:
        raise DataError(f"{path}: not JSON: {error}. {_FORM} It begins with {quote(text)}") from None


def _items(place: _Place, values: dict[str, object], key: str) -> Iterator[tuple[_Place, dict[str, object]]]:
    """Yield the objects of the list under the key, each with its place."""
    items = _value(place, values, key)
    if not isinstance(items, list):
        raise DataError(f"{place}: the value of {quote(key)} is {described(items)}, not a list. {_FORM}")
    for number, item in enumerate(items):
        yield place.item(key, number), _object(place.item(key, number), item)


def _object(place: _Place, value: object) -> dict[str, object]:
    if not isinstance(value, dict):
        raise DataError(f"{place}: {described(value)}, not an object. {_FORM}")
    return value


def _text(place: _Place, values: dict[str, object], key: str) -> str:
    text = _value(place, values, key)
    if not isinstance(text, str):
        raise DataError(
            f'{place}: the value of {quote(key)} is {described(text)}, not text. Write it in quotes, as "…".'
        )
    refuse_half_characters(str(place), text)
    if len(text) > LONGEST_TEXT:
        raise DataError(
            f"{place}: the value of {quote(key)} has {len(text):,} characters; at most {LONGEST_TEXT:,} are read. "
            f"Divide it."
        )
    return text


def _truth(place: _Place, values: dict[str, object], key: str) -> bool:
    value = values.get(key, False)
    if not isinstance(value, bool):
        raise DataError(
            f"{place}: the value of {quote(key)} is {described(value)}, not true or false. Write one of them."
        )
    return value


def _value(place: _Place, values: dict[str, object], key: str) -> object:
    if key not in values:
        keys = ", ".join(quote(name) for name in list(values)[:20]) or "none"
        raise DataError(f"{place}: there is no key {quote(key)}; the keys: {keys}. {_FORM}")
    return values[key]


def _places_of(text: str, context: str) -> list[int]:
    places: list[int] = []
    at = context.find(text)
    while at >= 0 and len(places) < SHOWN_PLACES:
        places.append(at)
        at = context.find(text, at + 1)
    return places
