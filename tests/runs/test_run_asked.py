"""What a person asks for is what the run has, or it is refused with a reason and the other value."""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import cast

import pytest
import torch
from trained_bases import ONE_STEP

from heed import api
from heed.comparing.trials import plan_changes, plan_models
from heed.errors import SettingsError, UsageError
from heed.runs.defaults import resolve
from heed.runs.session import new_run, stopped_run
from heed.runs.settings import ClassificationSettings, read_settings
from heed.runs.unused import used_values
from heed.settings import to_dict, with_overrides
from heed.tasks.pretraining import PretrainingTraining

TRAINED = {"classify": 8000, "write": 20000}


def resolved(task: str, bases: Path, base: str, *assigned: str) -> Mapping[str, object]:
    """Return the settings of a run that starts from a base."""
    data = [str(bases / "pictures")] if task == "image" else []
    if task == "answer":
        assigned += ("windows.longest_question=12",)  # the base has few positions
    return to_dict(resolve(task, data, None, with_overrides({"base": str(bases / base)}, assigned)))


@pytest.mark.parametrize(
    ("task", "base", "assigned", "asked", "has"),
    [
        ("classify", "classify", "model.layers=9", "model.layers is 9", "has 3"),
        ("pair", "classify", "model.width=16", "model.width is 16", "has 8"),
        ("tag", "classify", "tokens.size=77", "tokens.size is 77", "has 20000"),
        ("answer", "classify", "tokens.lowercase=false", "tokens.lowercase is false", "has true"),
        ("pretrain", "classify", "tokens.kind=bpe", "tokens.kind is bpe", "has words"),
        ("classify", "classify", "model.longest=65", "model.longest is 65", "has 64 positions"),
        ("pretrain", "classify", "length=65", "length is 65", "has 64 positions"),
        ("write", "write", "model.heads=3", "model.heads is 3", "has 2"),
        ("write", "write", "model.longest=41", "model.longest is 41", "has 40 positions"),
        ("write", "write", "tokens.kind=bpe", "tokens.kind is bpe", "has characters"),
        ("write", "write", "model.kind=rnn", "model.kind is rnn", "has transformer"),
        ("write", "gru", "model.cell=lstm", "model.cell is lstm", "has gru"),
        ("image", "image", "model.layers=2", "model.layers is 2", "has 3"),
        ("image", "image", "model.patch=12", "model.patch is 12", "has 6"),
        ("image", "image", "colours.mean=[0.1,0.1,0.1]", "colours.mean is [0.1, 0.1, 0.1]", "has [0.4, 0.5, 0.6]"),
        ("image", "image", "pictures.fit=squash", "pictures.fit is squash", "has crop"),
        ("caption", "image", "model.encoder.width=24", "model.encoder.width is 24", "has 12"),
        (
            "caption",
            "image",
            "colours.spread=[0.1,0.1,0.1]",
            "colours.spread is [0.1, 0.1, 0.1]",
            "has [0.5, 0.5, 0.5]",
        ),
    ],
)
def test_what_a_base_does_not_allow_is_refused_with_both_values(
    bases: Path, task: str, base: str, assigned: str, asked: str, has: str
) -> None:
    with pytest.raises(SettingsError) as refused:
        resolved(task, bases, base, assigned)
    sentence = str(refused.value)
    assert sentence.startswith(f"{asked}, but the base {bases / base} {has}")
    assert "or train without --from." in sentence


@pytest.mark.parametrize(
    ("task", "base", "assigned"),
    [
        ("classify", "classify", ("model.layers=3", "tokens.kind=words", "tokens.size=20000", "model.longest=64")),
        ("tag", "classify", ("model.dropout=0.3", "model.longest=9")),
        ("pretrain", "classify", ("length=20",)),
        ("write", "write", ("model.width=12", "model.longest=11", "model.attention_dropout=0.2")),
        ("write", "gru", ("model.cell=gru", "model.longest=30", "model.dropout=0.4")),
        ("image", "image", ("model.image=36", "pictures.fit=crop", "model.drop_path=0.3")),
        ("caption", "image", ("model.encoder.layers=3", "model.layers=2", "tokens.size=50")),
    ],
)
def test_what_a_base_allows_or_has_may_be_given_and_holds(
    bases: Path, task: str, base: str, assigned: tuple[str, ...]
) -> None:
    found = resolved(task, bases, base, *assigned)
    assert with_overrides(found, assigned) == found


@pytest.mark.parametrize(("task", "base"), [("classify", "classify"), ("tag", "classify"), ("write", "write")])
def test_a_run_notes_the_vocabulary_that_it_has_from_its_base(
    bases: Path, task: str, base: str, tmp_path: Path
) -> None:
    settings = {"base": str(bases / base), "training": ONE_STEP}
    with new_run(task, settings=settings, out=tmp_path / "run"):
        noted = json.loads((tmp_path / "run" / "settings.json").read_text())
    assert noted["tokens"] == json.loads((bases / base / "settings.json").read_text())["tokens"]


def old_run(bases: Path, path: Path) -> Path:
    """Return a run from a base as version 0.5 wrote it: its settings name a vocabulary that it does not have."""
    settings = {"base": str(bases / "classify"), "training": {**ONE_STEP, "steps": 2}}
    with new_run("classify", settings=settings, out=path) as run:
        noted = json.loads((path / "settings.json").read_text())
        noted["tokens"] |= {"kind": "bpe", "size": 77}
        noted["training"] |= {"validation_texts": 3}
        run.folder.write_settings(noted)
    return path


def test_a_run_that_notes_what_it_does_not_have_goes_on_and_predicts(bases: Path, tmp_path: Path) -> None:
    run = old_run(bases, tmp_path / "old")
    assert api.resume(run).finished
    assert api.load(run).predict(["the food was good"])  # type: ignore[union-attr, arg-type]


def test_what_starts_from_such_a_run_has_the_vocabulary_of_its_file(bases: Path, tmp_path: Path) -> None:
    run = old_run(bases, tmp_path / "old")
    api.resume(run)
    tokens = cast(ClassificationSettings, resolve("classify", [], None, {"base": str(run)})).tokens
    assert (tokens.kind, tokens.lowercase) == ("words", True)
    assert tokens.size == json.loads((run / "tokenizer.json").read_text())["model"]["vocab"].__len__()


def test_an_ablation_of_a_size_that_the_base_decides_is_refused(bases: Path, tmp_path: Path) -> None:
    settings = {"base": str(bases / "classify"), "training": ONE_STEP}
    with new_run("classify", settings=settings, out=tmp_path / "run") as run:
        known = run.settings
    with pytest.raises(SettingsError, match=r"model\.layers is 1, but the base .*classify has 3"):
        plan_changes(known, ["layers=1,4"], 1)
    with pytest.raises(SettingsError, match=r"tokens\.size is 77, but the base"):
        plan_changes(known, ["tokens.size=77"], 1)
    assert len(plan_changes(known, ["dropout=0.2,0.3"], 1).contenders) == 3


def test_an_ablation_of_a_setting_without_use_is_refused() -> None:
    with pytest.raises(SettingsError, match=r"training\.validation_texts is 7, but this task scores the whole"):
        plan_changes(resolve("classify", [], "gru", {}), ["training.validation_texts=7"], 1)


@pytest.mark.parametrize(
    ("task", "base", "model", "message"),
    [
        ("classify", "classify", "bert-tiny", "--model is bert-tiny, but --from brings its own sizes"),
        ("pretrain", "classify", "bert-mini", "--model is bert-mini, but --from brings its own sizes"),
        ("write", "write", "gpt2", "--model is gpt2, but the base .* is a transformer"),
        ("write", "gru", "lstm", "--model is lstm, but the base .* is a gru"),
    ],
)
def test_another_model_than_that_of_the_base_is_refused(
    bases: Path, task: str, base: str, model: str, message: str
) -> None:
    with pytest.raises(UsageError, match=message):
        resolve(task, [], model, {"base": str(bases / base)})
    assert resolve("write", [], "gru", {"base": str(bases / "gru")}).model.kind == "rnn"


@pytest.mark.parametrize(
    ("task", "model", "assigned", "why"),
    [
        ("classify", "tfidf", "training.steps=5", "model tfidf is not trained step by step"),
        ("classify", "tfidf", "training.minutes=5", "model tfidf is not trained step by step"),
        ("pair", "tfidf", "tokens.size=50", "model tfidf has no vocabulary of tokens"),
        ("classify", "tfidf", "vectors=glove.txt", "model tfidf has no embedding"),
        ("pair", "tfidf", "reading=joined", "model tfidf has no embedding"),
        ("classify", "tfidf", "model.ridge_strengths=[0.2]", "ridge regression is for numbers"),
        ("pair", "tfidf", "outcome=number model.svm_strengths=[0.2]", "an SVM and logistic regression are for labels"),
        ("classify", "gru", "training.validation_texts=9", "this task scores the whole validation set"),
        ("write", None, "training.window=9", "a language model reads windows that are all of one length"),
        ("write", "lstm", "training.layer_decay=0.5", "this model has no Transformer blocks"),
        ("translate", None, "training.frozen_layers=1", "model.tie is all"),
        ("tag", "lstm", "training.label_smoothing=0.2", "a CRF is trained on the probability of the whole sequence"),
        ("pair", "gru", "training.label_smoothing=0.2 outcome=number", "the labels are numbers"),
        ("vectors", "glove", "training.learning_rate=0.2", "word vectors have a training loop of their own"),
        ("classify", "gru", "model.score=dot", "this model has no attention"),
        ("tag", "transformer", "model.pooling=max", "this task labels single tokens"),
        ("image", None, "augmentation.strength=0.9", "augmentation.operations is 0"),
        ("translate", None, "shared_tokens=false model.tie=all", "shared_tokens is false"),
        ("vectors", None, "training.epochs=3 model.epochs=4", "training.epochs is 3"),
    ],
)
def test_a_setting_without_use_is_refused_with_its_value_and_a_reason(
    task: str, model: str | None, assigned: str, why: str
) -> None:
    asked = assigned.split(" ")
    with pytest.raises(SettingsError, match=re.escape(why)) as refused:
        resolve(task, [], model, with_overrides({}, asked))
    assert any(str(refused.value).startswith(one.replace("=", " is ")) for one in asked)


def test_a_value_that_the_run_has_anyway_may_be_given() -> None:
    shown = to_dict(resolve("classify", [], "tfidf", {}))
    assert resolve("classify", [], None, shown) == resolve("classify", [], "tfidf", {})
    assert resolve("classify", [], "gru", {"training": {"validation_texts": 500}}).training.validation_texts == 500


def test_what_is_of_no_use_is_not_among_the_settings_that_are_shown() -> None:
    shown = used_values(resolve("classify", [], "tfidf", {}))
    assert not {"training", "tokens", "vectors", "reading"} & shown.keys()
    training = used_values(resolve("write", [], None, {}))["training"]
    assert isinstance(training, dict)
    assert not {"window", "validation_texts"} & training.keys()
    assert "layer_decay" in training


def test_python_refuses_vectors_for_a_model_without_an_embedding(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"vectors is glove\.txt, but model tfidf has no embedding"):
        api.train("classify", model="tfidf", settings={"vectors": "glove.txt"}, out=tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_settings_given_to_several_models_apply_to_those_that_have_them() -> None:
    given = {"training": {"minutes": 2.0}, "tokens": {"size": 900}}
    linear, network = plan_models("classify", ["a.csv"], ["tfidf", "gru"], 1, given).contenders
    assert network.settings.training.minutes == 2.0
    assert linear.settings.training.minutes is None
    assert [note.partition(",")[0] for note in linear.notes] == ["training.minutes is 2.0", "tokens.size is 900"]
    with pytest.raises(SettingsError, match=r"training\.validation_texts is 3, but this task scores"):
        plan_models("classify", ["a.csv"], ["textcnn", "gru"], 1, {"training": {"validation_texts": 3}})


def numbers(path: Path) -> str:
    """Write pairs of texts that are judged by a number."""
    rows = (f"one {n} two\ttwo {n} one\t{n % 7 / 2}\n" for n in range(90))
    path.write_text("sentence1\tsentence2\tlabel\n" + "".join(rows))
    return str(path)


def test_smoothing_is_refused_once_the_labels_are_seen_to_be_numbers(tmp_path: Path) -> None:
    data, settings = numbers(tmp_path / "pairs.tsv"), {"training": {**ONE_STEP, "label_smoothing": 0.2}}
    with pytest.raises(SettingsError, match=r"training\.label_smoothing is 0\.2, but the labels are numbers"):
        api.train("pair", data, settings=settings, out=tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_a_run_that_learns_numbers_notes_that_nothing_is_smoothed(tmp_path: Path) -> None:
    data = numbers(tmp_path / "pairs.tsv")
    api.train("pair", data, model="gru", settings={"training": ONE_STEP}, out=tmp_path / "run")
    assert json.loads((tmp_path / "run" / "settings.json").read_text())["training"]["label_smoothing"] == 0.0


def documents(path: Path) -> str:
    """Write documents with an empty line between them."""
    path.write_text("\n\n".join(f"one two {n} three .\nfour {n % 9} five six ." for n in range(400)))
    return str(path)


def validated(run: object) -> list[int]:
    task = run.task  # type: ignore[attr-defined]
    assert isinstance(task, PretrainingTraining)
    return list(task.validated)


def test_pretraining_scores_sequences_from_the_whole_of_the_validation_documents(tmp_path: Path) -> None:
    data = documents(tmp_path / "documents.txt")
    settings = {
        "data": {"valid": [data]},
        "model": {"width": 8, "heads": 2, "layers": 1, "feedforward": 12},
        "length": 16,
        "training": {**ONE_STEP, "validation_texts": 4},
    }
    with new_run("pretrain", data, settings=settings, out=tmp_path / "run") as run:
        chosen, count = validated(run), len(run.task.valid)  # type: ignore[attr-defined]
        assert chosen == [index * count // 4 for index in range(4)]
        assert max(chosen) > count // 2
        assert any(f"by 4 of the {count:,} validation sequences" in note for note in run.notes)
    with stopped_run(tmp_path / "run") as run:
        assert validated(run) == chosen


def test_a_pretraining_that_scored_the_first_sequences_goes_on_with_the_same(tmp_path: Path) -> None:
    data = documents(tmp_path / "documents.txt")
    training = {**ONE_STEP, "validation_texts": 4}
    model = {"width": 8, "heads": 2, "layers": 1, "feedforward": 12}
    settings = {"model": model, "length": 16, "objective": "mlm", "training": training, "data": {"valid": [data]}}
    with new_run("pretrain", data, settings=settings, out=tmp_path / "run") as run:
        facts = run.folder.read_data_facts()
        del facts["validated"]  # as version 0.5 wrote it
        run.folder.write_data_facts(facts)
    with stopped_run(tmp_path / "run") as run:
        assert validated(run) == [0, 1, 2, 3]


def test_smoothing_changes_the_loss_of_hidden_words(tmp_path: Path) -> None:
    losses = []
    for smoothing in (0.0, 0.3):
        settings = {
            "model": {"width": 8, "heads": 2, "layers": 1, "feedforward": 12},
            "length": 16,
            "training": {**ONE_STEP, "label_smoothing": smoothing},
        }
        with new_run(
            "pretrain", documents(tmp_path / "d.txt"), settings=settings, out=tmp_path / str(smoothing)
        ) as run:
            task = run.task  # type: ignore[attr-defined]
            torch.manual_seed(0)
            losses.append(task.objective(task.batch([0, 1, 2], 0)).item())
    assert losses[0] != losses[1]


def test_settings_that_version_05_wrote_are_read_as_they_are(tmp_path: Path) -> None:
    old = to_dict(resolve("classify", [], "tfidf", {}))
    assert isinstance(old["training"], dict)
    old["training"] |= {"minutes": 15.0, "steps": None, "label_smoothing": 0.3, "validation_texts": 9}
    assert read_settings(old, "settings").training.validation_texts == 9
