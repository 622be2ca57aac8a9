"""The report on questions: each fault that is put in is found, told with its place, and nothing else is."""

import dataclasses
import json
from pathlib import Path

import pytest

from heed.data.question_checks import QuestionReport, check_questions
from heed.data.question_corpora import load_questions
from heed.data.question_splits import QuestionSplits
from heed.data.questions import Misplaced
from heed.data.records import AnswerText, Question
from heed.errors import DataError

SQUAD = Path(__file__).parents[3] / "shared" / "data" / "squad_v1.1"


def asked(number: int, answer: str | None = "rome", context: str = "", question: str = "") -> Question:
    context = context or f"Paragraph {number} says: ann is in rome today."
    answers = () if answer is None else (AnswerText(answer, context.index(answer)),)
    return Question(
        f"{number}",
        "",
        context,
        question or f"Where is ann {number}?",
        answers,
        answer is None,
        f"q.json: qas[{number}]",
    )


def splits(
    train: list[Question], valid: list[Question] | None = None, test: list[Question] | None = None
) -> QuestionSplits:
    return QuestionSplits(train, valid or [], test or [], origin="q.json", note="")


def said(report: QuestionReport) -> list[str]:
    return [f"{finding.level}: {finding.text}" for finding in report.findings]


def test_clean_questions_have_no_findings() -> None:
    report = check_questions(splits([asked(n) for n in range(20)], [asked(30)], [asked(40), asked(41, None)]))
    assert said(report) == []
    assert report.lines()[-1] == "Nothing odd was found."
    assert dataclasses.astuple(report.counts["test"]) == (2, 2, 1)
    json.dumps(dataclasses.asdict(report))


def test_a_paragraph_on_two_sides_is_a_leak_and_much_of_it_an_error() -> None:
    train = [asked(n) for n in range(20)]
    again = dataclasses.replace(train[3], question="Who?", place="q.json: qas[99]")
    few = check_questions(splits(train, [again, *(asked(n) for n in range(50, 70))]))
    assert said(few) == [
        "warning: 1 of the 21 validation questions (4.8%) are on paragraphs of train (q.json: qas[99]), so validation "
        "scores are inflated. Split the data by paragraph."
    ]
    much = check_questions(splits(train, [again, train[5]]))
    assert said(much)[0].startswith(
        "error: 2 of the 2 validation questions (100.0%) are on paragraphs of train, 1 of them word"
    )


def test_what_valid_and_test_have_in_common_is_a_note() -> None:
    report = check_questions(splits([asked(1)], [asked(2)], [asked(2)]))
    assert [line[:5] for line in said(report)] == ["note:"]


def test_questions_that_stand_twice_are_counted_and_other_answers_too() -> None:
    context = "Ann is in rome and in oslo."
    train = [asked(1, "rome", context, "Where?"), asked(2, "oslo", context, "where ?".replace(" ", ""))]
    train += [asked(3, "rome", context, "WHERE?"), *(asked(n) for n in range(10, 30))]
    report = check_questions(splits(train))
    assert (report.repeats.duplicates, report.repeats.conflicts) == (2, 1)
    assert any(
        "1 of the repeated questions have another answer than before (q.json: qas[2])" in line for line in said(report)
    )


def test_misplaced_answers_are_an_error_with_the_first_told() -> None:
    found = dataclasses.replace(
        splits([asked(1)]), misplaced=(Misplaced("q.json: qas[7]", "the answer is elsewhere."),)
    )
    (finding,) = check_questions(found).findings
    assert finding.level == "error"
    assert finding.text.startswith("1 question(s) have an answer that does not stand")
    assert "q.json: qas[7]: the answer is elsewhere." in finding.text


def test_long_paragraphs_and_long_answers_are_told_in_the_unit_at_hand() -> None:
    context = "ann " * 70 + "is in rome"
    train = [asked(1, "ann ann ann ann", context), asked(2)]
    words = said(check_questions(splits(train), longest=64, longest_answer=3))
    assert words[0].startswith("warning: 1 question(s) have only answers of more than 3 words (q.json: qas[1])")
    assert words[1] == (
        "note: 1 paragraph(s) (50.0%) are longer than 64 words (tokens are more than words): read in several windows."
    )
    tokens = said(check_questions(splits(train), lengths=len, longest=64, longest_answer=30))
    assert tokens == ["note: 1 paragraph(s) (50.0%) are longer than 64 tokens: read in several windows."]


@pytest.mark.parametrize(("answer", "torn"), [("1950", 1), ("1950s", 0), ("n the", 1), ("(the)", 0)])
def test_an_answer_that_begins_or_ends_inside_a_word_is_noted(answer: str, torn: int) -> None:
    report = check_questions(splits([asked(1, answer, "Back in the 1950s (the) end.")]))
    assert report.torn_words.count == torn
    assert len(report.findings) == torn


def test_questions_without_any_answer_have_a_report_all_the_same() -> None:
    report = check_questions(splits([asked(1, None), asked(2, None)]))
    assert report.counts["train"].impossible == 2
    assert {row.side for row in report.lengths} == {"question", "paragraph"}


def test_questions_left_out_are_told() -> None:
    found = dataclasses.replace(splits([asked(1)]), empty=2, empty_places=("a", "b"))
    assert said(check_questions(found)) == [
        "warning: 2 question(s) without words, or on such a paragraph, are left out (a, b)."
    ]


def test_no_training_questions_are_refused() -> None:
    with pytest.raises(DataError, match=r"q\.json holds 0 training questions"):
        check_questions(splits([], [asked(1)]))


@pytest.mark.skipif(not SQUAD.is_dir(), reason="the data of SQuAD is not here")
def test_squad_has_the_counts_that_are_known_of_it() -> None:
    report = check_questions(load_questions([str(SQUAD / "train-subset.json")], [str(SQUAD / "dev-v1.1.json")]))
    assert report.counts["train"].questions == 8_149
    assert dataclasses.astuple(report.counts["valid"]) == (10_570, 2_067, 0)
    assert not any(finding.level == "error" for finding in report.findings)
