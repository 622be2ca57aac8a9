"""The best stretches of a paragraph: those of an exhaustive search over all windows, whatever the batch."""

import math
from itertools import product

import pytest
import torch
from torch import Tensor, nn

from heed.errors import SettingsError
from heed.models.encoder import EncoderSettings
from heed.models.span_reader import SpanReader
from heed.models.text_input import TextInput
from heed.tasks.answer_search import (
    NOTHING_TO_SAY,
    FoundSpan,
    SpanReading,
    SpanSearch,
    best_of_windows,
    read_spans,
    text_of,
)
from heed.tasks.answer_windows import EncodedQuestions, WindowSettings, encode_questions, inputs_of
from heed.tokens.settings import TokenizerSettings
from heed.tokens.training import train_tokenizer

WORDS = list("abcdefgh")
TOKENIZER = train_tokenizer([" ".join(WORDS)], TokenizerSettings(kind="words", size=50))
SETTINGS = EncoderSettings(width=8, heads=2, layers=1, feedforward=12, dropout=0.0, segments=2, longest=16)


def model(seed: int = 3) -> SpanReader:
    torch.manual_seed(seed)
    made = SpanReader(SETTINGS, TOKENIZER.size).eval()
    nn.init.normal_(made.head.weight)
    return made


def encoded(*pairs: tuple[str, str], stride: int = 4) -> EncodedQuestions:
    return encode_questions(pairs, TOKENIZER, SETTINGS, WindowSettings(stride=stride, longest_question=3))


def paragraph(length: int, shift: int = 0) -> str:
    return " ".join(WORDS[(3 * place + place // 5 + shift) % 8] for place in range(length))


def logits_of(reader: SpanReader, questions: EncodedQuestions, row: int) -> Tensor:
    with torch.inference_mode():
        return reader(inputs_of(questions, [row]))[0]


def exhaustive(
    reader: SpanReader, questions: EncodedQuestions, number: int, longest: int
) -> dict[tuple[int, int], float]:
    """Return the score of every stretch of pieces by the rules, one after the other."""
    scores = {}
    for row in range(*questions.first_windows[number : number + 2].tolist()):
        logits = logits_of(reader, questions, row)
        begin, pieces, place = (int(each[row]) for each in (questions.begins, questions.pieces, questions.places))
        for first, last in product(range(begin, begin + pieces), repeat=2):
            own = questions.owned[row][0] <= first < questions.owned[row][1]
            if own and first <= last < first + longest:
                score = logits[place + first - begin, 0] + logits[place + last - begin, 1]
                scores[first, last] = float(score)
    return scores


@pytest.mark.parametrize(("length", "longest"), [(3, 2), (9, 4), (30, 3), (41, 1)])
def test_the_best_stretches_are_those_of_an_exhaustive_search(length: int, longest: int) -> None:
    reader, questions = model(), encoded(("b c", paragraph(length)), ("a", paragraph(length + 2, 3)))
    search = SpanSearch(longest_answer=longest, answers=4)
    for number, reading in enumerate(read_spans(reader, questions, search)):
        scores = exhaustive(reader, questions, number, longest)
        expected = sorted(scores.items(), key=lambda each: -each[1])[:4]
        offsets = questions.paragraphs[number].offsets
        assert [(span.start, span.end) for span in reading.spans] == [
            (offsets[first, 0], offsets[last, 1]) for (first, last), _ in expected
        ]
        assert [span.score for span in reading.spans] == pytest.approx([score for _, score in expected], abs=1e-5)
        assert reading.total == pytest.approx(math.log(sum(map(math.exp, scores.values()))), abs=1e-5)


def test_no_answer_scores_what_the_window_says_that_is_surest_of_an_answer() -> None:
    reader, questions = model(), encoded(("b", paragraph(30)))
    (reading,) = read_spans(reader, questions, SpanSearch())
    assert len(questions.begins) > 2
    said = [float(logits_of(reader, questions, row)[0].sum()) for row in range(len(questions.begins))]
    assert reading.no_answer_score == pytest.approx(min(said), abs=1e-5)
    assert reading.margin == pytest.approx(min(said) - reading.spans[0].score, abs=1e-5)


def test_a_reading_does_not_depend_on_its_companions() -> None:
    pairs = [(" ".join(WORDS[: 1 + n % 3]), paragraph(1 + 5 * (n % 7), n)) for n in range(15)]
    reader, search = model(), SpanSearch(longest_answer=5, answers=3)
    for pair, reading in zip(pairs, read_spans(reader, encoded(*pairs), search), strict=True):
        (alone,) = read_spans(reader, encoded(pair), search)
        assert [(span.start, span.end) for span in alone.spans] == [(span.start, span.end) for span in reading.spans]
        assert alone.spans[0].score == pytest.approx(reading.spans[0].score, abs=1e-5)
        assert alone.total == pytest.approx(reading.total, abs=1e-5)
        assert alone.no_answer_score == pytest.approx(reading.no_answer_score, abs=1e-5)


def test_probabilities_of_all_stretches_sum_to_one_with_and_without_no_answer() -> None:
    reader, questions = model(), encoded(("b", paragraph(12)))
    (reading,) = read_spans(reader, questions, SpanSearch(longest_answer=30, answers=100))
    assert len(reading.spans) == 12 * 13 // 2
    assert sum(reading.probability(span.score, None) for span in reading.spans) == pytest.approx(1, abs=1e-5)
    shares = [reading.probability(span.score, 0.0) for span in reading.spans]
    assert sum(shares) + reading.probability(reading.no_answer_score, 0.0) == pytest.approx(1, abs=1e-5)


def test_padding_and_what_may_not_begin_or_end_are_never_taken() -> None:
    logits = torch.zeros(1, 6, 2)
    logits[0, :, 0] = torch.tensor([9.0, 0, 1, 9, 2, 9])
    logits[0, :, 1] = torch.tensor([9.0, 9, 3, 9, 1, 9])
    may_start = torch.tensor([[False, True, True, False, True, False]])
    may_end = torch.tensor([[False, False, True, False, True, False]])
    found = best_of_windows(logits, may_start, may_end, SpanSearch(longest_answer=3, answers=9))
    real = [
        each for each in zip(found.scores[0], found.starts[0], found.ends[0], strict=True) if math.isfinite(each[0])
    ]
    assert sorted(real) == [(2.0, 2, 4), (3.0, 1, 2), (3.0, 4, 4), (4.0, 2, 2)]


def test_a_paragraph_without_pieces_has_no_answer() -> None:
    (reading,) = read_spans(model(), encoded(("b", " ")), SpanSearch())
    assert reading.spans == ()
    assert reading.margin == NOTHING_TO_SAY
    assert not reading.is_answered(None)
    assert text_of(reading, " ", None) == ""
    assert reading.probability(reading.no_answer_score, None) == 1
    assert reading.probability(reading.no_answer_score, 0.0) == pytest.approx(1)


def test_no_answer_is_given_above_the_threshold_alone() -> None:
    reading = SpanReading((FoundSpan(2, 3, 1.0),), 2.5, 1.2)
    assert reading.margin == 1.5
    assert text_of(reading, "a b c", None) == "b"
    assert text_of(reading, "a b c", 1.5) == "b"
    assert text_of(reading, "a b c", 1.4) == ""


@pytest.mark.parametrize("name", ["longest_answer", "answers"])
def test_a_search_for_nothing_is_refused(name: str) -> None:
    with pytest.raises(SettingsError, match=rf"search\.{name} is 0"):
        SpanSearch(**{name: 0})


class Echo(nn.Module):
    """A model that scores a token by its id, for stretches that a person can foretell."""

    def forward(self, text: TextInput) -> Tensor:
        return text.token_ids[..., None].expand(-1, -1, 2).float()


def test_the_answer_is_cut_from_the_paragraph_as_it_was_given() -> None:
    context = "a  b\th \n c"
    (reading,) = read_spans(Echo(), encoded(("d", context)), SpanSearch(longest_answer=1))  # type: ignore[arg-type]
    assert text_of(reading, context, None) == max([*WORDS[:3], "h"], key=lambda word: TOKENIZER.ids_of([word])[0])
