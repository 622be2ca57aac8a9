"""From questions on paragraphs to a model that answers them, as a person does it on the command line."""

import json
import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

# What `conftest.py` makes; its answers have `code`, `out` and `err`.
Heed = Callable[..., Any]
Refused = Callable[[Sequence[object], int, str], None]
PEOPLE, THINGS = ("Ann", "Bob", "Eve", "Joe"), ("a red cup", "an old key", "a hat", "a coin")
QUESTION, PARAGRAPH = "What has Ann ?", "Bob has a hat . Ann has a coin ."
MODEL = {"width": 32, "heads": 2, "layers": 1, "feedforward": 32, "dropout": 0.0, "longest": 80}
TRAINING = {"tokens_per_batch": 600, "validations": 1, "threads": 1, "learning_rate": 0.01, "average": 0.9}
TINY = ("--settings", "tiny.json", "--steps", "8")


def write_questions(path: Path, impossible: bool = False) -> None:
    """Write questions on who has what in the format of SQuAD; some of one who has nothing, if that is asked for."""
    draw, articles = random.Random(3), []
    for number in range(60):
        people, things = draw.sample(PEOPLE, 3), draw.sample(THINGS, 2)
        context = " ".join(f"{who} has {what} ." for who, what in zip(people, things, strict=False))
        questions = [
            {
                "id": f"{number}-{who}",
                "question": f"What has {who} ?",
                "answers": [{"text": what, "answer_start": context.index(what)}],
            }
            for who, what in zip(people, things, strict=False)
        ]
        if impossible:
            nothing = {"id": f"{number}-none", "question": f"What has {people[2]} ?", "answers": []}
            questions.append({**nothing, "is_impossible": True})
        articles.append({"title": "things", "paragraphs": [{"context": context, "qas": questions}]})
    path.write_text(json.dumps({"version": "1", "data": articles}))


def bare(text: str) -> str:
    """Return a text without what exact match does not count: its articles and signs."""
    return " ".join(word for word in text.split() if word not in ("a", "an", "."))


def write_settings(path: Path) -> dict[str, object]:
    """Write the settings of a tiny model, and return them."""
    settings = {"tokens": {"kind": "words"}, "model": MODEL, "training": TRAINING}
    settings["windows"] = {"longest_question": 10, "stride": 4}
    path.write_text(json.dumps(settings))
    return settings


@pytest.fixture(scope="session")
def answerer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a run that has read the questions for a moment; no test changes it."""
    from heed import api

    folder = tmp_path_factory.mktemp("answerer")
    write_questions(folder / "own.json")
    settings = write_settings(folder / "tiny.json") | {"training": {**TRAINING, "steps": 40}}
    return api.train("answer", str(folder / "own.json"), settings=settings, out=folder / "run").path


@pytest.fixture
def questions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return questions, alone in the current folder with the settings of a tiny model."""
    monkeypatch.chdir(tmp_path)
    write_questions(tmp_path / "own.json")
    write_settings(tmp_path / "tiny.json")
    return "own.json"


def test_check_train_predict_evaluate_resume_an_answerer(heed: Heed, questions: str) -> None:
    checked = heed("check", "answer", questions)
    assert checked.code == 0
    assert "impossible" in checked.out
    counts = json.loads(heed("check", "answer", questions, "--json").out)["counts"]
    assert sum(part["questions"] for part in counts.values()) == 120
    trained = heed("train", "answer", questions, *TINY)
    assert trained.code == 0, trained.err
    run = "runs/answer-transformer-1"
    assert f'The run is in {run}. Use it with: heed predict {run} "question" "paragraph"' in trained.out
    answer = heed("predict", run, QUESTION, PARAGRAPH)
    assert answer.code == 0
    assert answer.out.strip() in PARAGRAPH
    scored = heed("evaluate", run, questions)
    assert scored.code == 0
    assert "exact match" in scored.out
    assert "of these 120 questions were in the run's training set" in scored.out
    assert "nothing is left to train" in heed("resume", run).err


def test_a_pair_on_the_line_in_a_table_and_on_standard_input_is_answered_alike(
    heed: Heed, answerer: Path, questions: str
) -> None:
    said = heed("predict", answerer, QUESTION, PARAGRAPH).out
    line = f"{QUESTION}\t{PARAGRAPH}\n"
    Path("asked.tsv").write_text(f"asked\ttext\n{line}")
    Path("asked.txt").write_text(line)
    assert len(said.splitlines()) == 1
    assert heed("predict", answerer, "asked.tsv", "--columns", "asked,text").out == said
    assert heed("predict", answerer, "asked.txt").out == said
    assert heed("predict", answerer, stdin=line.encode()).out == said


def test_a_file_after_a_question_is_its_paragraph_and_questions_may_be_a_file_too(
    heed: Heed, answerer: Path, questions: str
) -> None:
    Path("paragraph.txt").write_text(PARAGRAPH)
    Path("questions.txt").write_text(f"{QUESTION}\nWhat has Bob ?\n")
    each = [heed("predict", answerer, question, PARAGRAPH).out for question in (QUESTION, "What has Bob ?")]
    assert heed("predict", answerer, QUESTION, "paragraph.txt").out == each[0]
    assert heed("predict", answerer, "questions.txt", "paragraph.txt").out == "".join(each)


def test_json_and_best_tell_where_each_answer_stands(heed: Heed, answerer: Path, questions: str) -> None:
    found = json.loads(heed("predict", answerer, QUESTION, PARAGRAPH, "--json").out)
    assert found["text"] == PARAGRAPH[found["start"] : found["end"]]
    best = heed("predict", answerer, QUESTION, PARAGRAPH, "--best", "3")
    rows = [line.split("\t") for line in best.out.splitlines()]
    assert [row[0] for row in rows] == ["1", "2", "3"]
    assert all(PARAGRAPH[int(start) : int(end)] == text for _, _, start, end, text in rows)
    assert rows[0][4] == found["text"]


def test_an_evaluation_saves_the_answer_to_each_question(heed: Heed, answerer: Path, questions: str) -> None:
    answer = heed("evaluate", answerer, questions, "--save", "answers.txt", "--json")
    assert answer.code == 0, answer.err
    found = json.loads(answer.out)
    parts = [found["scores"], found["validation"]["scores"], found["training"]["scores"]]
    assert sum(part["count"] for part in parts) == 120
    asked = [
        (question["question"], paragraph["context"], question["answers"][0]["text"])
        for article in json.loads(Path(questions).read_text())["data"]
        for paragraph in article["paragraphs"]
        for question in paragraph["qas"]
    ]
    saved = Path("answers.txt").read_text().splitlines()
    assert all(text in context for text, (_, context, _) in zip(saved, asked, strict=True))
    right = [bare(text) == bare(what) for text, (_, _, what) in zip(saved, asked, strict=True)]
    assert sum(part["exact"] * part["count"] for part in parts) == pytest.approx(100 * sum(right))


def test_a_model_that_knows_no_answer_says_so_as_its_threshold_asks(heed: Heed, questions: str) -> None:
    write_questions(Path("some.json"), impossible=True)
    trained = heed("train", "answer", "some.json", *TINY, "--out", "run")
    assert trained.code == 0, trained.err
    assert "are not answered by their paragraphs" in trained.err
    silent = heed("predict", "run", QUESTION, PARAGRAPH, "--threshold", "-1000")
    assert silent.out == "\n"
    assert f"heed: the paragraph has no answer to {QUESTION!r}" in silent.err
    assert heed("predict", "run", QUESTION, PARAGRAPH, "--threshold", "1000").out.strip() in PARAGRAPH
    found = json.loads(heed("evaluate", "run", "some.json", "--json").out)
    parts = [found["scores"], found["validation"]["scores"], found["training"]["scores"]]
    assert sum(part["impossible"]["count"] for part in parts) == 60
    assert "impossible: " in heed("evaluate", "run").out


def test_a_run_that_was_interrupted_ends_as_if_it_had_not_been(
    check_interrupted: Callable[..., None], questions: str
) -> None:
    check_interrupted("train", "answer", questions, *TINY)


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("train", "answer", "own.json", "--columns", "a,b"), 2, "--columns is 'a,b', but task answer reads"),
        (("check", "answer", "own.json", "--columns", "a,b"), 2, "--columns is 'a,b', but task answer reads"),
        (("train", "answer", "own.json", "--vectors", "v.txt"), 2, "--vectors is v.txt, but no model of task answer"),
        (("train", "answer", "own.json", "--model", "lstm"), 2, "There is no model 'lstm' for this task."),
        (("train", "answer", "own.json", "--model", "bert"), 2, "Model bert starts from a trained one: give --from"),
        (("train", "answer", "demo:reviews"), 1, "The demos that fit here: demo:questions."),
        (("train", "answer", "torn.json"), 1, "torn.json"),
        (("check", "answer", "texts.csv"), 2, "texts.csv has the suffix '.csv'"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else None,
)
def test_a_wrong_command_is_one_sentence(
    check_refused: Refused, questions: str, arguments: tuple[str, ...], code: int, said: str
) -> None:
    Path("torn.json").write_text('{"data": [')
    Path("texts.csv").write_text("question,context\na,b\n")
    check_refused(arguments, code, said)


@pytest.mark.parametrize(
    ("inputs", "code", "said"),
    [
        ((QUESTION,), 2, "A pair is two texts; 1 came."),
        ((QUESTION, ""), 2, f"The paragraph of the question {QUESTION!r} is empty."),
        ((" ", PARAGRAPH), 2, "The question is ' ', without a word."),
        (("own.json",), 2, "heed evaluate RUN own.json --save answers.txt"),
        ((QUESTION, PARAGRAPH, "--best", "0"), 2, "--best is 0; it must be 1 or more."),
        ((QUESTION, PARAGRAPH, "--beam", "3"), 2, "this run is an answerer of questions. Its options: --best, --thres"),
        ((QUESTION, PARAGRAPH, "--seed", "3"), 2, "--seed means nothing here"),
        ((QUESTION, PARAGRAPH, "--columns", "a,b"), 2, "--columns is 'a,b', but no table is given."),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else None,
)
def test_what_cannot_be_answered_is_one_sentence(
    heed: Heed, answerer: Path, questions: str, inputs: tuple[str, ...], code: int, said: str
) -> None:
    answer = heed("predict", answerer, *inputs)
    assert (answer.code, answer.out) == (code, "")
    assert said in answer.err
    assert len(answer.err.splitlines()) == 1


def test_columns_and_beams_are_refused_in_an_evaluation(heed: Heed, answerer: Path, questions: str) -> None:
    assert "--columns a,b is for tables" in heed("evaluate", answerer, questions, "--columns", "a,b").err
    assert "this run is an answerer of questions" in heed("evaluate", answerer, questions, "--beam", "2").err
