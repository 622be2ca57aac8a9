"""From tagged sentences to a model that finds entities, as a person does it on the command line."""

import json
import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

# What `conftest.py` makes; its answers have `code`, `out` and `err`.
Heed = Callable[..., Any]
Refused = Callable[[Sequence[object], int, str], None]
PEOPLE = ("Ann Lee", "Bob", "Eve Ray")
PLACES = ("Rome", "Lake Como", "Oslo")
TINY = tuple(
    option
    for setting in (
        "tokens.kind=words",
        "model.width=16",
        "model.embedding=12",
        "training.tokens_per_batch=300",
        "training.validations=2",
        "training.threads=1",
        "training.learning_rate=0.02",
    )
    for option in ("--set", setting)
)
SAID = "person\tAnn Lee\t0\t7\nplace\tLake Como\t13\t22\n\nperson\tBob\t0\t3\nplace\tOslo\t10\t14\n"


def rows(words: str, tag: str) -> list[str]:
    """Return the words of an entity, each with its part of speech and its tag."""
    return [f"{word} NNP {'I' if place else 'B'}-{tag}" for place, word in enumerate(words.split())]


def write_names(path: Path) -> None:
    """Write sentences on people and places in three columns."""
    draw, lines = random.Random(5), ["-DOCSTART- -X- O", ""]
    for _ in range(120):
        lines += [*rows(draw.choice(PEOPLE), "person"), f"{draw.choice(('visits', 'loves', 'left'))} VB O"]
        lines += [*rows(draw.choice(PLACES), "place"), f"{draw.choice('.!')} . O", ""]
    path.write_text("\n".join(lines))


@pytest.fixture(scope="session")
def tagger(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a run that has learnt the names; no test changes it."""
    from heed import api

    folder = tmp_path_factory.mktemp("tagger")
    write_names(folder / "names.conll")
    training = {"steps": 50, "validations": 1, "threads": 1, "learning_rate": 0.02, "tokens_per_batch": 300}
    settings = {"tokens": {"kind": "words"}, "model": {"width": 16, "embedding": 12}, "training": training}
    return api.train("tag", str(folder / "names.conll"), model="gru", settings=settings, out=folder / "run").path


@pytest.fixture
def names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return tagged sentences, alone in the current folder."""
    monkeypatch.chdir(tmp_path)
    write_names(tmp_path / "names.conll")
    return "names.conll"


def test_check_train_predict_evaluate_resume_a_tagger(heed: Heed, names: str) -> None:
    checked = heed("check", "tag", names)
    assert checked.code == 0
    assert "entities in IOB2" in checked.out
    assert "stand there more than once" in checked.out
    trained = heed("train", "tag", names, "--model", "gru", "--steps", "50", *TINY)
    assert trained.code == 0, trained.err
    run = "runs/tag-gru-1"
    assert f"The run is in {run}" in trained.out
    assert "entities of 2 kinds" in trained.err
    assert heed("predict", run, "Ann Lee left Lake Como .", "Bob loves Oslo").out == SAID
    scored = heed("evaluate", run, names)
    assert scored.code == 0
    assert "F1 100.00%" in scored.out
    assert "97 of these 120 sentences were in the run's training set" in scored.out
    assert "[seen in training] F1 100.00%, precision" in scored.out
    assert "nothing is left to train" in heed("resume", run).err


def test_texts_on_the_line_in_a_file_in_a_table_and_on_standard_input_are_the_same(
    heed: Heed, tagger: Path, names: str
) -> None:
    texts = ("Ann Lee left Lake Como .", "Bob loves Oslo")
    Path("texts.txt").write_text("".join(f"{text}\n" for text in texts))
    Path("texts.csv").write_text("id,said\n" + "".join(f"7,{text}\n" for text in texts))
    assert heed("predict", tagger, *texts).out == SAID
    assert heed("predict", tagger, "texts.txt").out == SAID
    assert heed("predict", tagger, "texts.csv", "--columns", "said").out == SAID
    assert heed("predict", tagger, stdin=Path("texts.txt").read_bytes()).out == SAID


def test_json_has_each_entity_where_it_stands_and_each_word(heed: Heed, tagger: Path, names: str) -> None:
    text = "Yesterday Bob left Lake Como"
    found = json.loads(heed("predict", tagger, text, "--json").out)
    assert found["text"] == text
    assert found["unknown"] == 1
    assert [text[each["start"] : each["end"]] for each in found["entities"]] == [
        each["text"] for each in found["entities"]
    ]
    assert "Lake Como" in [each["text"] for each in found["entities"]]
    assert [each["text"] for each in found["words"]] == text.split()


def test_what_is_unknown_or_without_an_entity_is_told(heed: Heed, tagger: Path, names: str) -> None:
    answer = heed("predict", tagger, "left .")
    assert (answer.code, answer.out) == (0, "")
    assert answer.err == "heed: no entity in 'left .'\n"
    assert "heed: 1 piece unknown in 'Zoe left .'" in heed("predict", tagger, "Zoe left .").err


def test_an_evaluation_saves_the_tags_of_each_sentence_and_counts_in_json(heed: Heed, tagger: Path, names: str) -> None:
    answer = heed("evaluate", tagger, names, "--save", "tags.txt", "--json")
    assert answer.code == 0, answer.err
    found = json.loads(answer.out)
    parts = [found["scores"], found["validation"]["scores"], found["training"]["scores"]]
    assert sum(part["entities"] for part in parts) == 240
    sentences = Path(names).read_text().split("\n\n")[1:]
    expected = [" ".join(row.split()[-1] for row in sentence.splitlines()) for sentence in sentences]
    assert Path("tags.txt").read_text().splitlines() == [line for line in expected if line]


def test_plain_labels_are_learnt_from_the_column_that_is_named(heed: Heed, names: str) -> None:
    trained = heed("train", "tag", names, "--columns", "1,2", "--model", "gru", "--steps", "50", *TINY, "--out", "run")
    assert trained.code == 0, trained.err
    assert heed("predict", "run", "Bob left .").out == "Bob\tNNP\nleft\tVB\n.\t.\n"
    assert "accuracy" in heed("evaluate", "run", names, "--columns", "1,2").out


def test_a_run_that_was_interrupted_ends_as_if_it_had_not_been(
    check_interrupted: Callable[..., None], names: str
) -> None:
    check_interrupted("train", "tag", names, "--model", "gru", "--steps", "8", *TINY)


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("train", "tag", "names.conll", "--columns", "1"), 2, "--columns is '1'. Give 2 name(s)"),
        (("train", "tag", "names.conll", "--columns", "1,9"), 1, "names.conll:3: there is no column 9"),
        (("train", "tag", "names.conll", "--model", "tfidf"), 2, "There is no model 'tfidf' for this task."),
        (
            ("train", "tag", "demo:reviews"),
            1,
            "demo:reviews is for the task classify. The demos that fit here: demo:entities.",
        ),
        (("train", "tag", "torn.conll"), 1, "torn.conll:2: "),
        (("check", "tag", "torn.conll"), 1, "torn.conll:2: "),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else None,
)
def test_a_wrong_command_is_one_sentence(
    check_refused: Refused, names: str, arguments: tuple[str, ...], code: int, said: str
) -> None:
    Path("torn.conll").write_text("Bob B-person\nleft\n")
    check_refused(arguments, code, said)


@pytest.mark.parametrize(
    "option",
    [("--beam", "3"), ("--best", "2"), ("--length", "5"), ("--threshold", "1"), ("--map", "map.png"), ("--tree",)],
    ids=" ".join,
)
def test_options_of_other_models_are_refused(heed: Heed, tagger: Path, names: str, option: tuple[str, ...]) -> None:
    answer = heed("predict", tagger, "Bob left .", *option)
    assert answer.code == 2
    assert answer.err == f"heed: {option[0]} means nothing here: this run is a tagger. Its options: none.\n"


def test_a_file_of_tagged_words_is_no_file_of_texts(heed: Heed, tagger: Path, names: str) -> None:
    answer = heed("predict", tagger, names)
    assert answer.code == 2
    assert f"{names} holds a word a line; heed predict reads a text a line." in answer.err
    assert f"heed evaluate RUN {names} --save tags.txt" in answer.err


def test_columns_are_refused_where_there_is_no_table(heed: Heed, tagger: Path, names: str) -> None:
    answer = heed("predict", tagger, "Bob left .", "--columns", "said")
    assert answer.code == 2
    assert (
        answer.err == "heed: --columns is 'said', but no table is given. Name a file that is there, or leave it out.\n"
    )
