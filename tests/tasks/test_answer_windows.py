"""Windows over paragraphs: nothing is lost, answers are found back by characters, and one window owns each piece."""

import unicodedata
from itertools import pairwise

import numpy
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from heed.data.records import AnswerText, Question
from heed.errors import SettingsError
from heed.models.bert import BertSettings
from heed.models.encoder import EncoderSettings
from heed.tasks import paragraphs
from heed.tasks.answer import NO_ANSWER_AT, find_spans
from heed.tasks.answer_windows import (
    EncodedQuestions,
    WindowSettings,
    candidates,
    encode_questions,
    inputs_of,
    stretches,
)
from heed.tasks.paragraphs import encode_paragraphs, trimmed
from heed.tokens.settings import TokenizerSettings
from heed.tokens.tokenizer import Tokenizer
from heed.tokens.training import train_tokenizer

WORDS = (
    "cầu",
    "Huế",
    "người",
    "đường",
    "été",
    "naïve",
    "Zoë",
    "1950s",
    "don't",
    "(sic)",
    "x",
    "…",
    "한국",
    "é̂",
    "the",
    ",",
)
TEXTS = [*WORDS, " ".join(WORDS), *(unicodedata.normalize("NFD", word) for word in WORDS)]
TOKENIZERS = {
    kind: train_tokenizer(TEXTS, TokenizerSettings(kind=kind, size=120))
    for kind in ("bpe", "wordpiece", "words", "characters")
}
LOWER = train_tokenizer(TEXTS, TokenizerSettings(kind="wordpiece", size=120, lowercase=True, strip_accents=True))


def model_of(longest: int) -> EncoderSettings:
    return EncoderSettings(longest=longest, segments=2)


def encoded(
    pairs: list[tuple[str, str]], longest: int, tokenizer: Tokenizer = TOKENIZERS["words"], **changes: int
) -> EncodedQuestions:
    return encode_questions(pairs, tokenizer, model_of(longest), WindowSettings(**changes))


@given(st.integers(0, 300), st.integers(1, 60), st.integers(0, 80))
@settings(max_examples=1000, deadline=None)
def test_every_piece_is_in_some_window_and_owned_by_just_one(pieces: int, room: int, stride: int) -> None:
    cut = stretches(pieces, room, stride)
    assert [cut[0].begin, cut[-1].end] == [0, pieces]
    owners = [piece for each in cut for piece in range(*each.owned)]
    assert owners == list(range(pieces))
    for each in cut:
        assert each.end - each.begin <= room
        assert each.begin <= each.owned[0] <= each.owned[1] <= each.end
    for before, after in pairwise(cut):
        assert before.end - after.begin == min(stride, room // 2)


@given(st.integers(30, 120), st.integers(6, 40), st.integers(0, 20))
@settings(max_examples=300, deadline=None)
def test_a_piece_is_owned_by_the_window_that_shows_most_around_it(pieces: int, room: int, stride: int) -> None:
    cut = stretches(pieces, room, stride)
    for piece in range(pieces):
        shown = [
            (min(piece - each.begin, each.end - 1 - piece) + 0.01 * (each.end - each.begin), -number)
            for number, each in enumerate(cut)
            if each.begin <= piece < each.end
        ]
        (owner,) = (number for number, each in enumerate(cut) if each.owned[0] <= piece < each.owned[1])
        assert owner == -max(shown)[1]


def test_a_window_is_start_question_end_stretch_end_with_segments() -> None:
    tokenizer = TOKENIZERS["words"]
    questions = encoded([("the x", "cầu Huế the x cầu")], longest=10, stride=1, longest_question=2)
    q, (cầu, huế, the, x) = tokenizer.ids_of(["the x"])[0], tokenizer.ids_of(["cầu Huế the x"])[0]
    start, end = tokenizer.start, tokenizer.end
    text = inputs_of(questions, [0])
    assert text.token_ids.tolist() == [[start, *q, end, cầu, huế, the, x, cầu, end]]
    assert text.segments is not None
    assert text.segments.tolist() == [[0, 0, 0, 0, 1, 1, 1, 1, 1, 1]]
    assert candidates(questions, [0]).tolist() == [[True, False, False, False, True, True, True, True, True, False]]


def test_a_long_paragraph_is_cut_into_windows_that_overlap() -> None:
    questions = encoded([("x", "cầu Huế the x cầu , the")], longest=8, stride=1, longest_question=1)
    assert questions.windows.lengths.tolist() == [8, 8]
    assert questions.begins.tolist() == [0, 3]
    assert questions.first_windows.tolist() == [0, 2]
    assert questions.question_of().tolist() == [0, 0]


def test_a_long_question_is_cut_and_counted_and_unknown_pieces_are_counted() -> None:
    questions = encoded([("the x zebra x", "cầu zebra")], longest=20, stride=1, longest_question=2)
    assert (questions.counts[0].cut, questions.counts[0].unknown, questions.counts[0].tokens) == (2, 2, 6)
    assert questions.windows.lengths.tolist() == [1 + 2 + 1 + 2 + 1]


def test_a_paragraph_without_a_piece_has_one_window_without_a_stretch() -> None:
    questions = encoded([("x", "  ")], longest=20)
    assert questions.pieces.tolist() == [0]
    assert candidates(questions, [0]).tolist() == [[True, False, False, False]]


def test_roberta_has_two_tokens_between_and_no_segments() -> None:
    tokenizer = TOKENIZERS["words"]
    model = BertSettings(segments=1, longest=20)
    questions = encode_questions([("x", "the x")], tokenizer, model, WindowSettings(longest_question=4))
    text = inputs_of(questions, [0])
    assert text.segments is None
    assert text.token_ids[0].tolist().count(tokenizer.end) == 3
    assert int(questions.places[0]) == 4


@st.composite
def paragraphs_with_answer(draw: st.DrawFn) -> tuple[str, int, int]:
    """Return a paragraph, composed or in pieces, and start and end of an answer of whole words in it."""
    words = draw(st.lists(st.sampled_from(WORDS), min_size=1, max_size=40))
    spaces = draw(st.lists(st.sampled_from((" ", "  ", "\n", "\u00a0")), min_size=len(words), max_size=len(words)))
    form = draw(st.sampled_from(("NFC", "NFD")))
    made = [unicodedata.normalize(form, word) for word in words]
    first = draw(st.integers(0, len(words) - 1))
    last = draw(st.integers(first, min(len(words) - 1, first + 8)))
    starts, text = [], ""
    for word, space in zip(made, spaces, strict=True):
        starts.append(len(text))
        text += word + space
    return text, starts[first], starts[last] + len(made[last])


@pytest.mark.parametrize("name", [*TOKENIZERS, "lower"])
@given(paragraphs_with_answer(), st.integers(12, 60), st.integers(0, 20))
@settings(max_examples=400, deadline=None)
def test_the_answer_is_found_back_from_its_own_span(
    name: str, case: tuple[str, int, int], longest: int, stride: int
) -> None:
    context, start, end = case
    tokenizer = TOKENIZERS.get(name, LOWER)
    question = Question("1", "", context, "the x", (AnswerText(context[start:end], start),))
    questions = encoded([("the x", context)], longest, tokenizer, stride=stride, longest_question=2)
    gold = find_spans(questions, [question])
    for row in range(len(questions.begins)):
        first, last = gold.spans[row] + questions.begins[row] - questions.places[row]
        if gold.spans[row, 0] == NO_ANSWER_AT:
            continue
        found = questions.paragraphs[0].characters_of(int(first), int(last))
        # "the,": where no space parts two words, a piece may reach over both.
        assert found[0] <= start and end <= found[1]
        assert context[slice(*found)].split() == context[start:end].split() or not context[end : end + 1].isspace()
    longest_stretch = int(questions.pieces.max())
    pieces = questions.paragraphs[0].pieces_of(start, end)
    assert pieces is not None
    if len(questions.begins) == 1 or pieces[1] - pieces[0] < min(stride, longest_stretch // 2):
        assert (gold.spans != NO_ANSWER_AT).any()
        assert gold.lost == 0


def test_only_windows_with_the_whole_answer_point_at_it() -> None:
    context = "cầu Huế the x cầu , the"
    question = Question("1", "", context, "x", (AnswerText("x cầu", 12),))
    questions = encoded([("x", context)], longest=8, stride=1, longest_question=1)
    gold = find_spans(questions, [question])
    assert gold.spans.tolist() == [[0, 0], [3, 4]]
    assert gold.learnable.tolist() == [0, 1]


def test_an_impossible_question_points_at_the_first_position_and_a_lost_answer_is_not_learnt_from() -> None:
    context = "cầu Huế the x cầu , the"
    lost = Question("1", "", context, "x", (AnswerText("the x cầu", 8),))
    none = Question("2", "", context, "x", (), impossible=True)
    questions = encoded([("x", context)] * 2, longest=8, stride=1, longest_question=1)
    gold = find_spans(questions, [lost, none])
    assert (gold.spans == NO_ANSWER_AT).all()
    assert gold.lost == 1
    assert gold.learnable.tolist() == [2, 3]


def test_equal_paragraphs_are_encoded_once() -> None:
    first, other, second = encode_paragraphs(["the x", "x", "the x"], TOKENIZERS["words"])
    assert first is second and other is not first


def test_white_space_around_a_stretch_is_left_out() -> None:
    assert trimmed(" a b ", 0, 5) == (1, 4)
    assert trimmed("   ", 0, 3) == (3, 3)
    (paragraph,) = encode_paragraphs(["x  the "], TOKENIZERS["characters"])
    assert paragraph.solid.tolist() == [True, False, False, True, True, True, False]
    assert paragraph.pieces_of(1, 3) is None


def test_a_letter_is_never_parted_from_its_accents() -> None:
    text = "x e\u0302\u0301\u0323y"  # no one character is composed of all of these
    (paragraph,) = encode_paragraphs([text], LOWER)
    assert paragraph.characters_of(1, 1) == (2, len(text))
    (paragraph,) = encode_paragraphs(["xe\u0302\u0323\u0301 y"], TOKENIZERS["characters"])
    spans = {paragraph.characters_of(piece, piece) for piece in numpy.flatnonzero(paragraph.solid).tolist()}
    assert spans == {(0, 1), (1, 5), (6, 7)}


@pytest.mark.parametrize(
    ("changes", "said"),
    [({"stride": -1}, "windows.stride is -1"), ({"longest_question": 0}, "windows.longest_question is 0")],
)
def test_windows_that_cannot_be_are_refused(changes: dict[str, int], said: str) -> None:
    with pytest.raises(SettingsError, match=said):
        WindowSettings(**changes)


def test_a_question_may_not_fill_the_model() -> None:
    WindowSettings(longest_question=56).check_room(64)
    with pytest.raises(SettingsError, match=r"model\.longest is 64 and windows\.longest_question 57"):
        WindowSettings(longest_question=57).check_room(64)


def test_padding_is_no_candidate() -> None:
    questions = encoded([("x", "the x"), ("the x", "cầu")], longest=20)
    text, allowed = inputs_of(questions, [1, 0]), candidates(questions, [1, 0])
    assert not bool((allowed & ~text.keep).any())
    assert allowed.sum(dim=1).tolist() == [2, 3]
    assert torch.equal(allowed[:, 0], torch.tensor([True, True]))
    assert numpy.array_equal(questions.lengths()[:, 1], [0, 0])


def test_paragraphs_encoded_a_few_at_a_time_are_those_encoded_together(monkeypatch: pytest.MonkeyPatch) -> None:
    together = encode_paragraphs(TEXTS, LOWER)
    monkeypatch.setattr(paragraphs, "AT_ONCE", 3)
    for one, other in zip(encode_paragraphs(TEXTS, LOWER), together, strict=True):
        assert (one.text, one.unknown) == (other.text, other.unknown)
        assert numpy.array_equal(one.ids, other.ids) and numpy.array_equal(one.offsets, other.offsets)
