"""Runs that learn word vectors: reported by epochs, begun again when stopped, always the same, refused clearly."""

import itertools
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from heed.errors import DataError, MachineError, RunError, SettingsError, UsageError
from heed.files.vectors_writing import write_glove
from heed.machine import Ranks
from heed.models import word2vec
from heed.runs import classification_run, vectors_run
from heed.runs.folder import RunFolder, create, open_run
from heed.runs.settings import ClassificationSettings
from heed.runs.vectors_run import VectorsRun, read_space
from heed.runs.vectors_settings import VectorsSettings
from heed.settings import from_dict, to_dict
from heed.training.reports import StepReport

ALONE = Ranks()
GLOVE: dict[str, Any] = {"kind": "glove", "width": 6, "minimum_count": 2, "epochs": 12}
WORD2VEC: dict[str, Any] = {"kind": "word2vec", "width": 6, "minimum_count": 2, "epochs": 3}


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    draw = np.random.default_rng(3)
    path = tmp_path / "corpus.txt"
    path.write_text("".join(" ".join(f"w{draw.integers(20)}" for _ in range(7)) + ".\n" for _ in range(80)) + "once\n")
    return path


def settings_for(corpus: Path, model: dict[str, Any], **training: Any) -> VectorsSettings:
    values = {"data": {"train": [str(corpus)]}, "model": model, "training": {"threads": 1, **training}}
    return from_dict(VectorsSettings, values, "settings")


def begun(path: Path, settings: VectorsSettings) -> VectorsRun:
    prepared = vectors_run.prepare(settings, ALONE)
    return vectors_run.begin(create(path), prepared, ALONE)


def resumed(folder: RunFolder) -> VectorsRun:
    return vectors_run.resume(folder, from_dict(VectorsSettings, folder.read_settings(), "settings"), ALONE)


def numbers(reports: list[StepReport]) -> list[dict[str, float | int]]:
    return [report.numbers() for report in reports]


@pytest.mark.parametrize("model", [GLOVE, WORD2VEC], ids=["glove", "word2vec"])
def test_a_run_reports_its_epochs_and_keeps_words_and_vectors(model: dict[str, Any], corpus: Path) -> None:
    if model is WORD2VEC:
        pytest.importorskip("gensim")
    run = begun(corpus.parent / "run", settings_for(corpus, model))
    reports = list(run.reports())
    assert [report.step for report in reports] == list(range(1, model["epochs"] + 1))
    assert [report.finished for report in reports] == [False] * (model["epochs"] - 1) + [True]
    assert reports[-1].progress == 1
    assert reports[-1].loss < reports[0].loss
    assert reports[-1].validation is not None and reports[-1].validation.sample.source.startswith("nearest to w")
    assert run.reached.finished and run.reached.has_best
    folder = open_run(run.folder.path)
    space = read_space(folder)
    assert set(space.words) == {f"w{number}" for number in range(20)}
    assert space.table.shape == (20, 6)
    assert len(folder.read_metrics()) == model["epochs"]
    assert folder.read_data_facts()["vocabulary"] == 20


@pytest.mark.parametrize("model", [GLOVE, WORD2VEC], ids=["glove", "word2vec"])
def test_a_stopped_run_begins_again_and_ends_as_one_that_was_never_stopped(model: dict[str, Any], corpus: Path) -> None:
    if model is WORD2VEC:
        pytest.importorskip("gensim")
    whole = begun(corpus.parent / "whole", settings_for(corpus, model))
    expected = list(whole.reports())
    stopped = begun(corpus.parent / "stopped", settings_for(corpus, model))
    stream = stopped.reports()
    list(itertools.islice(stream, 2))
    stream.close()
    assert not stopped.reached.finished
    again = resumed(open_run(corpus.parent / "stopped"))
    assert again.notes == ("beginning again",)
    assert numbers(list(again.reports())) == numbers(expected)
    assert len(again.folder.read_metrics()) == len(expected)
    assert read_space(again.folder).table.tobytes() == read_space(whole.folder).table.tobytes()


def test_a_finished_run_has_nothing_left_to_learn(corpus: Path) -> None:
    list(begun(corpus.parent / "run", settings_for(corpus, GLOVE)).reports())
    again = resumed(open_run(corpus.parent / "run"))
    assert list(again.reports()) == []
    assert again.reached.step == 12
    assert "nothing is left to train" in again.notes[0]


def test_epochs_of_the_training_are_those_of_the_model(corpus: Path) -> None:
    run = begun(corpus.parent / "run", settings_for(corpus, GLOVE, epochs=2))
    assert len(list(run.reports())) == 2
    assert run.folder.read_settings()["model"]["epochs"] == 2  # type: ignore[index, call-overload]


def test_the_notes_say_what_was_counted_and_that_workers_cannot_be_repeated(corpus: Path) -> None:
    pytest.importorskip("gensim")
    run = begun(corpus.parent / "run", settings_for(corpus, {**WORD2VEC, "workers": 2}))
    assert run.notes[0] == f"81 sentences of 561 words from {corpus}"
    assert run.notes[1] == "20 of 21 different words come 2 or more times and get vectors of 6 numbers"
    assert "with 2 workers" in run.notes[2]


def test_a_run_is_not_resumed_on_another_text(corpus: Path) -> None:
    begun(corpus.parent / "run", settings_for(corpus, GLOVE))
    corpus.write_text(corpus.read_text() + "one more\n")
    with pytest.raises(RunError, match=r"The train data of .* has changed since the run began: it now has 82"):
        resumed(open_run(corpus.parent / "run"))


def test_changed_words_are_detected_before_they_mean_something_else(corpus: Path) -> None:
    run = begun(corpus.parent / "run", settings_for(corpus, GLOVE))
    list(run.reports())
    words = read_space(run.folder).words
    run.folder.write_words(words[::-1])
    with pytest.raises(RunError, match=r"learnt for other words than its words\.json holds"):
        read_space(run.folder)
    run.folder.write_words(words[:7])
    with pytest.raises(RunError, match=r"have shape \(20, 6\), for 7 words"):
        read_space(run.folder)


def test_a_run_without_its_vectors_is_refused(corpus: Path) -> None:
    run = begun(corpus.parent / "run", settings_for(corpus, GLOVE))
    with pytest.raises(RunError, match="has kept no best weights yet"):
        read_space(run.folder)
    run.folder.write_best({"other": torch.zeros(2)}, {})
    with pytest.raises(RunError, match="have shape None, for 20 words"):
        read_space(run.folder)


def test_a_words_file_without_words_is_refused(corpus: Path) -> None:
    folder = begun(corpus.parent / "run", settings_for(corpus, GLOVE)).folder
    folder.write_words([1, 2])  # type: ignore[list-item]
    with pytest.raises(RunError, match=r"words\.json holds no list of words"):
        folder.read_words()


def test_a_classifier_starts_from_the_vectors_of_a_run_as_from_a_file_of_them(corpus: Path) -> None:
    run = begun(corpus.parent / "run", settings_for(corpus, GLOVE))
    list(run.reports())
    space = read_space(run.folder)
    write_glove(corpus.parent / "vectors.txt", space.words, space.table)
    texts = corpus.parent / "texts.csv"
    texts.write_text("text,label\n" + "".join(f"w{n} w{n + 1} w1,{'ab'[n % 2]}\n" for n in range(40)))
    weights = []
    for vectors in ("run", "vectors.txt"):
        prepared = classification_run.prepare(classifier_settings(texts, corpus.parent / vectors))
        assert prepared.notes[0].startswith("19 of 44 pieces start from the vectors of ")  # one is in no training text
        weights.append(prepared.task.model.encoder.embedding.weight)
    torch.testing.assert_close(weights[0], weights[1])


def classifier_settings(texts: Path, vectors: Path) -> ClassificationSettings:
    values = {
        "data": {"train": [str(texts)]},
        "vectors": str(vectors),
        "tokens": {"kind": "words"},
        "model": {"kind": "textcnn", "embedding": 6, "filters": 4},
        "training": {"epochs": 1, "threads": 1},
    }
    return from_dict(ClassificationSettings, values, "settings")


def test_a_run_of_another_task_holds_no_vectors(corpus: Path) -> None:
    folder = begun(corpus.parent / "run", settings_for(corpus, GLOVE)).folder
    folder.write_settings({"task": "translate"})
    with pytest.raises(UsageError, match="is a run of translate, not of vectors"):
        read_space(folder)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"training": {"steps": 5}}, r"training.steps is 5, but word vectors are learnt in passes"),
        ({"training": {"minutes": 1.5}}, r"training.minutes is 1.5"),
        ({"data": {"valid": ["v.txt"]}}, r"data.valid is \['v.txt'\]"),
        ({"data": {"columns": ["a", "b"]}}, r"data.columns is \['a', 'b'\]"),
    ],
)
def test_settings_that_mean_nothing_here_are_refused(values: dict[str, Any], message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        from_dict(VectorsSettings, values, "settings")


def test_settings_are_read_back_as_they_were_written(corpus: Path) -> None:
    settings = settings_for(corpus, GLOVE)
    assert from_dict(VectorsSettings, to_dict(settings), "settings") == settings


def test_more_than_one_process_is_refused(corpus: Path) -> None:
    with pytest.raises(UsageError, match="in one process; torchrun started 2"):
        vectors_run.prepare(settings_for(corpus, GLOVE), Ranks(0, 2, 0))


def test_vectors_that_do_not_fit_into_memory_are_refused_with_what_they_take(corpus: Path) -> None:
    with pytest.raises(MachineError, match=r"Learning 20 vectors of 9,000,000,000 numbers takes 2880.0 GB of memory"):
        vectors_run.prepare(settings_for(corpus, {**GLOVE, "width": 9_000_000_000}), ALONE)


def test_a_text_of_rare_words_is_refused(corpus: Path) -> None:
    with pytest.raises(DataError, match=r"0 of 21 different words stand 99 or more times"):
        vectors_run.prepare(settings_for(corpus, {**GLOVE, "minimum_count": 99}), ALONE)


def test_word2vec_without_its_engine_is_refused_before_the_text_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(word2vec, "ENGINE", "an_engine_that_nobody_has")
    with pytest.raises(MachineError, match=r"pip install 'heed\[vectors\]'"):
        vectors_run.prepare(settings_for(Path("away.txt"), WORD2VEC), ALONE)
