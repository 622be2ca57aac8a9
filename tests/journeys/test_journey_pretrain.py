"""From plain text to a BERT that fills gaps, and from there to a classifier, as a person does it."""

import json
import random
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from heed.runs.folder import open_run

# What `conftest.py` makes; its answers have `code`, `out` and `err`.
Heed = Callable[..., Any]
Refused = Callable[[Sequence[object], int, str], None]
MODEL = {"width": 16, "heads": 2, "layers": 2, "feedforward": 24, "longest": 40}
TRAINING = {"tokens_per_batch": 300, "validations": 1, "threads": 1, "learning_rate": 0.01, "average": 0.9}
TINY = ("--settings", "tiny.json", "--steps", "6")
START = ("--steps", "2", "--set", "training.threads=1", "--set", "training.validations=1")


def write_documents(folder: Path) -> None:
    """Write documents of two sentences on meals: as text with a blank line between them, and as a table."""
    draw, documents = random.Random(7), []
    for number in range(240):
        noun, word = draw.choice(("soup", "bread", "tea")), draw.choice(("tasty", "fresh", "stale", "cold"))
        documents.append(f"the {noun} was {word} {number % 8} .\nso the {noun} was {word} again {number} .")
    (folder / "own.txt").write_text("\n\n".join(documents) + "\n")
    lines = (document.replace("\n", " ") for document in documents)
    (folder / "own.csv").write_text("id,body\n" + "".join(f"7,{line}\n" for line in lines))


def write_settings(path: Path) -> dict[str, object]:
    """Write the settings of a tiny BERT over words, and return them."""
    settings = {"tokens": {"kind": "words"}, "length": 32, "model": MODEL, "training": TRAINING}
    path.write_text(json.dumps(settings))
    return settings


@pytest.fixture(scope="session")
def bert(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a BERT that has read the documents for a moment; no test changes it."""
    from heed import api

    folder = tmp_path_factory.mktemp("bert")
    write_documents(folder)
    settings = write_settings(folder / "tiny.json") | {"training": {**TRAINING, "steps": 60}}
    return api.train("pretrain", str(folder / "own.txt"), settings=settings, out=folder / "run").path


@pytest.fixture
def corpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return documents, alone in the current folder with the settings of a tiny BERT."""
    monkeypatch.chdir(tmp_path)
    write_documents(tmp_path)
    write_settings(tmp_path / "tiny.json")
    return "own.txt"


def test_pretrain_predict_evaluate_resume_a_bert(heed: Heed, corpus: str) -> None:
    trained = heed("pretrain", corpus, *TINY)
    assert trained.code == 0, trained.err
    run = "runs/pretrain-bert-1"
    assert f'The run is in {run}. Use it with: heed predict {run} "… [MASK] …"' in trained.out
    assert "of the tokens chosen; of these" in trained.err
    assert "the second text follows in" in trained.err
    assert heed("predict", run, "the [MASK] was cold").code == 0
    scored = heed("evaluate", run, corpus)
    assert scored.code == 0
    assert "perplexity" in scored.out
    assert "next-sentence accuracy" in scored.out
    assert "nothing is left to train" in heed("resume", run).err


def test_gaps_on_the_line_in_a_file_in_a_table_and_on_standard_input_are_filled_alike(
    heed: Heed, bert: Path, corpus: str
) -> None:
    text = "the soup [MASK] [MASK] again"
    Path("gaps.txt").write_text(f"{text}\n")
    Path("gaps.csv").write_text(f"id,gap\n1,{text}\n")
    said = heed("predict", bert, text, "--best", "2")
    first, *candidates = said.out.splitlines()
    assert first.startswith("the soup was ")
    assert [line.split("\t")[0] for line in candidates] == ["1", "1", "2", "2"]
    assert candidates[0].endswith("\twas")
    assert heed("predict", bert, "gaps.txt", "--best", "2").out == said.out
    assert heed("predict", bert, "gaps.csv", "--columns", "gap", "--best", "2").out == said.out
    assert heed("predict", bert, "--best", "2", stdin=f"{text}\n".encode()).out == said.out


def test_json_has_the_candidates_of_each_gap_best_first(heed: Heed, bert: Path, corpus: str) -> None:
    found = json.loads(heed("predict", bert, "the zebra [MASK] cold", "--json", "--best", "3").out)
    assert found["source"] == "the zebra [MASK] cold"
    assert found["unknown"] == 1
    (gap,) = found["gaps"]
    shares = [each["probability"] for each in gap]
    assert len(shares) == 3
    assert shares == sorted(shares, reverse=True)


def test_a_table_and_a_text_of_the_same_documents_score_alike(heed: Heed, bert: Path, corpus: str) -> None:
    text = json.loads(heed("evaluate", bert, corpus, "--json").out)
    table = json.loads(heed("evaluate", bert, "own.csv", "--columns", "body", "--json").out)
    assert text["scores"] == table["scores"]


def test_hidden_words_alone_are_an_objective_of_their_own(heed: Heed, corpus: str) -> None:
    options = ("--objective", "mlm", "--whole-words", "--columns", "body", "--length", "24", "--out", "run")
    trained = heed("pretrain", "own.csv", *TINY, *options)
    assert trained.code == 0, trained.err
    assert "the second text follows" not in trained.err
    assert "told apart" not in heed("evaluate", "run", corpus).out
    settings = json.loads(Path("run/settings.json").read_text())
    assert (settings["objective"], settings["whole_words"], settings["length"]) == ("mlm", True, 24)


def test_pre_training_goes_on_from_a_run(heed: Heed, bert: Path, corpus: str) -> None:
    still = ("--set", "training.learning_rate=1e-9", "--length", "32")
    assert heed("pretrain", corpus, "--from", bert, *START, *still, "--out", "more").code == 0
    text = "the soup [MASK] cold"
    assert heed("predict", "more", text, "--best", "1").out == heed("predict", bert, text, "--best", "1").out


def test_a_classifier_starts_from_a_bert_and_may_keep_its_lower_layers(heed: Heed, bert: Path, texts: Path) -> None:
    options = ("--set", "training.frozen_layers=1", "--set", "training.layer_decay=0.8", "--out", "run")
    options += ("--set", "training.learning_rate=0.01")
    trained = heed("train", "classify", "texts.csv", "--from", bert, *START, *options)
    assert trained.code == 0, trained.err
    assert f"starting from {bert}" in trained.err
    assert heed("predict", "run", "the soup was tasty").out.split("\t")[0] in ("good", "bad")
    before, after = open_run(bert).read_best().tensors, open_run(Path("run")).read_best().tensors
    moved = {
        name.split(".")[2]
        for name, tensor in after.items()
        if name.startswith("encoder.encoder.") and not tensor.equal(before[name.replace("encoder.", "bert.", 1)])
    }
    assert moved == {"1"}


def test_the_settings_that_are_shown_have_the_sizes_of_the_bert(heed: Heed, bert: Path, texts: Path) -> None:
    own = json.loads((bert / "settings.json").read_text())["model"]
    given = ("train", "classify", "texts.csv", "--from", bert, *START, "--show-settings")
    shown = json.loads(heed(*given, "--json").out)
    assert (shown["model"]["layers"], shown["model"]["feedforward"]) == (own["layers"], own["feedforward"])
    lines = heed(*given).out.splitlines()
    assert f"model.layers={own['layers']}" in lines
    assert f"model.longest={own['longest']}" in lines


@pytest.mark.parametrize(("task", "data"), [("tag", "demo:entities"), ("answer", "demo:questions")])
def test_taggers_and_answerers_start_from_a_bert(heed: Heed, bert: Path, corpus: str, task: str, data: str) -> None:
    changes = ["training.tokens_per_batch=200"]
    if task == "answer":
        changes += ["windows.longest_question=12", "windows.stride=4", "training.validation_texts=5"]
    assigned = [part for change in changes for part in ("--set", change)]
    trained = heed("train", task, data, "--from", bert, *START, *assigned, "--out", "run")
    assert trained.code == 0, trained.err
    assert f"starting from {bert}" in trained.err


def test_a_bert_is_compared_with_other_models(heed: Heed, bert: Path, texts: Path) -> None:
    models = f"tfidf,bert:{bert}"
    steps = ("--set", "training.steps=2", "--set", "training.threads=1")
    answer = heed("compare", "classify", "texts.csv", "--models", models, "--seeds", "1", *steps, "--out", "which")
    assert answer.code == 0, answer.err
    assert "bert" in answer.out


def test_ablating_a_size_that_the_base_decides_is_refused_instead_of_training_one_model_twice(
    heed: Heed, bert: Path, texts: Path
) -> None:
    steps = ("--set", "training.steps=2", "--set", "training.threads=1")
    assert heed("train", "classify", "texts.csv", "--from", bert, *steps, "--quiet", "--out", "tuned").code == 0
    answer = heed("ablate", "tuned", "--over", "layers=7", "--out", "ablation")
    assert answer.code in (1, 2), answer.out
    assert "layers" in answer.err
    assert not Path("ablation").exists()


def test_a_comparison_from_a_base_that_was_trained_again_is_refused(heed: Heed, bert: Path, texts: Path) -> None:
    steps = ("--set", "training.steps=2", "--set", "training.threads=1")
    base = shutil.copytree(bert, "base")
    command = ("compare", "classify", "texts.csv", "--models", f"tfidf,bert:{base}", "--seeds", "1", *steps)
    assert heed(*command, "--out", "which").code == 0
    best = open_run(Path(base)).read_best()
    open_run(Path(base)).write_best({name: tensor + 1 for name, tensor in best.tensors.items()}, best.facts)
    answer = heed(*command, "--out", "which")
    assert answer.code == 1
    assert "weights to start from (base) of which changed" in answer.err


def test_a_run_that_was_interrupted_ends_as_if_it_had_not_been(
    check_interrupted: Callable[..., None], corpus: str
) -> None:
    check_interrupted("pretrain", corpus, *TINY)


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("pretrain", "own.txt", "--columns", "body"), 2, "--columns body is for tables;"),
        (("pretrain", "own.csv", "--columns", "text"), 1, 'there is no column "text"; the first row has "id", "body"'),
        (("pretrain", "own.csv", "--columns", "id,body"), 2, "--columns is 'id,body'. Give 1 name(s)"),
        (("pretrain", "own.txt", "--length", "3"), 1, "length is 3; it must be from 5 to model.longest"),
        (("pretrain", "own.txt", "--objective", "nsp"), 1, "settings.objective is 'nsp', but must be one of: mlm,nsp"),
        (("pretrain", "own.txt", "--model", "bert-giant"), 2, "There is no model 'bert-giant' for this task."),
        (("pretrain", "own.txt", "--from", "nowhere"), 1, "nowhere"),
        (("train", "classify", "own.csv", "--model", "bert"), 2, "Model bert starts from a trained one: give --from"),
        (("train", "translate", "demo:fr-en", "--from", "run"), 2, "--from is run, but no model of task translate"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else None,
)
def test_a_wrong_command_is_one_sentence(
    check_refused: Refused, corpus: str, arguments: tuple[str, ...], code: int, said: str
) -> None:
    check_refused(arguments, code, said)


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (("the soup was cold",), "There is no gap in it: 'the soup was cold'. Write [MASK]"),
        (("a [MASK]", "--best", "0"), "--best is 0; it must be 1 or more."),
        (
            ("a [MASK]", "--beam", "2"),
            "--beam means nothing here: this run is a pre-trained BERT. Its options: --best.",
        ),
        (("a [MASK]", "--best", "100000"), "100000 candidates are asked for. Ask for 1 to"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else None,
)
def test_what_cannot_be_filled_is_one_sentence(
    heed: Heed, bert: Path, corpus: str, asked: tuple[str, ...], said: str
) -> None:
    answer = heed("predict", bert, *asked)
    assert answer.code in (1, 2)
    assert answer.out == ""
    assert said in answer.err
    assert len(answer.err.splitlines()) == 1


def test_an_evaluation_has_nothing_to_save(heed: Heed, bert: Path, corpus: str) -> None:
    answer = heed("evaluate", bert, corpus, "--save", "x.txt")
    assert answer.code == 2
    assert "--save means nothing here: a pre-trained BERT is scored on words that are hidden" in answer.err
