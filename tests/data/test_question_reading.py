"""Questions on paragraphs: read from files, dealt so that no paragraph stands on two sides, counted where left out."""

import json
from pathlib import Path

import pytest

from heed.data.question_corpora import load_questions
from heed.data.question_splits import split_questions
from heed.data.questions import read_questions
from heed.data.records import AnswerText, Question
from heed.errors import DataError, UsageError

SQUAD = Path(__file__).parents[3] / "shared" / "data" / "squad_v1.1"


def asked(id: str, question: str = "Where?", start: int = 3) -> dict[str, object]:
    return {"id": id, "question": question, "answers": [{"text": "here", "answer_start": start}]}


def written(path: Path, paragraphs: list[tuple[str, list[dict[str, object]]]]) -> Path:
    made = [{"context": context, "qas": questions} for context, questions in paragraphs]
    path.write_text(json.dumps({"data": [{"title": "t", "paragraphs": made}]}))
    return path


def many(path: Path, paragraphs: int, prefix: str = "") -> Path:
    return written(
        path,
        [
            (f"It here {number}.", [asked(f"{prefix}{number}.{each}") for each in range(3)])
            for number in range(paragraphs)
        ],
    )


def test_questions_are_read_with_the_paragraph_untouched(tmp_path: Path) -> None:
    path = written(tmp_path / "q.json", [("  \there it is ", [asked("1", " Where? ")])])
    (question,) = read_questions([path]).questions
    assert (question.context, question.question) == ("  \there it is ", "Where?")
    assert question.answers == (AnswerText("here", 3),)
    assert question.context[question.answers[0].start : question.answers[0].end] == "here"


def test_a_question_without_words_is_left_out_and_counted(tmp_path: Path) -> None:
    path = written(tmp_path / "q.json", [("It here.", [asked("1"), asked("2", " \n")])])
    file = read_questions([path])
    assert (len(file.questions), file.empty) == (1, 1)
    assert file.empty_places[0].endswith('qas[1] (id "2")')
    assert file.columns == f"1 questions on 1 paragraphs of {path}"


def test_a_misplaced_answer_is_refused_or_for_a_report_listed(tmp_path: Path) -> None:
    path = written(tmp_path / "q.json", [("It here.", [asked("1"), asked("2", start=4)])])
    with pytest.raises(DataError, match=r'qas\[1\] \(id "2"\): the answer "here" does not stand at answer_start 4'):
        read_questions([path])
    file = read_questions([path], keep_going=True)
    assert (len(file.questions), len(file.misplaced)) == (1, 1)
    assert "It does stand at 3" in file.misplaced[0].reason


@pytest.mark.parametrize(
    ("paragraphs", "said"),
    [
        ([], "it has none"),
        ([("It here.", [asked("1", " ")])], "all 1 are empty or on an empty paragraph"),
        ([("It here.", [asked("1", start=0)])], "all 1 have a misplaced answer"),
    ],
)
def test_a_file_without_one_usable_question_is_refused(
    tmp_path: Path, paragraphs: list[tuple[str, list[dict[str, object]]]], said: str
) -> None:
    with pytest.raises(DataError, match=said):
        read_questions([written(tmp_path / "q.json", paragraphs)], keep_going=True)


def test_other_files_than_one_of_json_are_refused(tmp_path: Path) -> None:
    (tmp_path / "q.tsv").write_text("a\tb\n")
    with pytest.raises(UsageError, match=r"q\.tsv has the suffix '\.tsv'"):
        read_questions([tmp_path / "q.tsv"])
    with pytest.raises(UsageError, match="2 files"):
        read_questions([tmp_path / "q.tsv", tmp_path / "q.tsv"])
    with pytest.raises(UsageError, match="0 files"):
        read_questions([])
    with pytest.raises(DataError, match=r"nowhere\.json does not exist"):
        read_questions([tmp_path / "nowhere.json"])


def test_no_paragraph_stands_on_two_sides_of_a_split() -> None:
    questions = [Question(f"{n}", "", f"paragraph {n % 40}", "Where?", (), True) for n in range(200)]
    splits = split_questions(questions)
    sides = [{question.context for question in side} for side in (splits.train, splits.valid, splits.test)]
    assert all(sides)
    assert sum(map(len, sides)) == 40
    assert len(splits.train) + len(splits.valid) + len(splits.test) == 200
    assert "Split by the hash of the paragraph" in splits.note


def test_files_of_their_own_are_taken_for_valid_and_test(tmp_path: Path) -> None:
    words = [str(many(tmp_path / f"{name}.json", 2, name)) for name in ("a", "b", "c")]
    splits = load_questions(words[:1], words[1:2], words[2:])
    assert [side[0].id[0] for side in (splits.train, splits.valid, splits.test)] == ["a", "b", "c"]
    assert splits.origin == "; ".join(words)


def test_a_file_of_its_own_for_test_leaves_the_rest_to_train_and_valid(tmp_path: Path) -> None:
    words = [str(many(tmp_path / "a.json", 60, "a")), str(many(tmp_path / "t.json", 2, "t"))]
    splits = load_questions(words[:1], (), words[1:])
    assert len(splits.train) + len(splits.valid) == 180
    assert len(splits.test) == 6
    alone = load_questions(words[:1])
    assert len(alone.test) > 0


def test_a_demo_of_another_task_is_refused_by_name() -> None:
    with pytest.raises(DataError, match="demo:reviews is for the task classify"):
        load_questions(["demo:reviews"])


@pytest.mark.skipif(not SQUAD.is_dir(), reason="the data of SQuAD is not here")
def test_squad_is_read_whole() -> None:
    file = read_questions([SQUAD / "dev-v1.1.json"])
    assert (len(file.questions), file.empty) == (10_570, 0)
    assert len({question.context for question in file.questions}) == 2_067
