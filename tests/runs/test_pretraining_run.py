"""Runs of `heed pretrain`: begun, stopped in the middle of an epoch, resumed byte for byte, gone on from, refused."""

import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest
import torch
from resumable import differences

from heed import api
from heed.errors import DataError, RunError, SettingsError, UsageError
from heed.models.weights import weights_of
from heed.prediction.filler import WordFiller
from heed.runs.base import load_base
from heed.runs.folder import open_run
from heed.runs.session import new_run, stopped_run

TINY = {"width": 16, "heads": 2, "layers": 1, "feedforward": 24, "longest": 40}
SETTINGS: dict[str, object] = {
    "model": TINY,
    "length": 24,
    "tokens": {"kind": "words", "lowercase": True},
    "training": {
        "epochs": 2,
        "tokens_per_batch": 200,
        "validations": 3,
        "average": 0.9,
        "checkpoint_every": 1,
        "keep_checkpoints": 1000,
        "threads": 1,
    },
}


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("corpus") / "corpus.txt"
    animals = ("cat", "dog", "cow", "hen", "pig")
    lines = [
        f"The {animal} is here. I see a {animal} in house {number}. It is a {animal}."
        for number in range(40)
        for animal in animals
    ]
    path.write_text("\n\n".join(lines))
    return path


@pytest.mark.parametrize("objective", ["mlm,nsp", "mlm"])
def test_a_run_that_is_stopped_and_resumed_ends_byte_for_byte_as_the_whole_one(
    objective: str, corpus: Path, tmp_path: Path
) -> None:
    settings = {**SETTINGS, "objective": objective}
    with new_run("pretrain", str(corpus), settings=settings, out=tmp_path / "whole") as run:
        steps = sum(1 for _ in run.reports())
    with new_run("pretrain", str(corpus), settings=settings, out=tmp_path / "parts") as run:
        reports = run.reports()
        for _ in range(steps // 2 - 3):
            next(reports)
        reports.close()
    with stopped_run(tmp_path / "parts") as run:
        for _ in run.reports():
            pass
    assert differences(tmp_path / "whole", tmp_path / "parts") == []


@pytest.fixture(scope="module")
def trained(corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("pretrained") / "run"
    api.train("pretrain", str(corpus), settings=SETTINGS, out=out)
    return out


def test_the_corpus_is_in_the_folder_and_the_files_are_not_needed_again(corpus: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.txt"
    copy.write_text(corpus.read_text())
    with new_run("pretrain", str(copy), settings=SETTINGS, out=tmp_path / "run") as run:
        next(run.reports())
    copy.unlink()
    with stopped_run(tmp_path / "run") as run:
        next(run.reports())


def test_a_corpus_that_has_changed_on_disk_is_refused(corpus: Path, tmp_path: Path) -> None:
    with new_run("pretrain", str(corpus), settings=SETTINGS, out=tmp_path / "run"):
        pass
    tokens = tmp_path / "run" / "corpus" / "train" / "tokens.bin"
    tokens.write_bytes(tokens.read_bytes()[:-2] + b"\x07\x00")
    with pytest.raises(RunError, match=r"tokens\.bin is not as it was written"), stopped_run(tmp_path / "run"):
        pass


def test_data_json_holds_the_audit_of_the_pairs(trained: Path) -> None:
    pairs = open_run(trained).read_data_facts()["pairs"]
    assert isinstance(pairs, dict)
    assert pairs["pairs"] >= 4000
    assert pairs["labelled"] == open_run(trained).read_data_facts()["train"]["sequences"]  # type: ignore[index, call-overload]
    assert abs(pairs["follows"] - 0.5) < 0.04
    assert max(pairs["by_length"], pairs["by_first_token"], pairs["by_last_token"]) < 0.55


def test_the_report_holds_the_audit_of_the_masking(trained: Path) -> None:
    facts = open_run(trained).read_data_facts()
    masking = facts["masking"]
    assert isinstance(masking, dict)
    assert abs(masking["chosen"] - 0.15) < 0.05
    assert abs(masking["follows"] - 0.5) < 0.15
    assert facts["train"]["documents"] + facts["valid"]["documents"] == 200  # type: ignore[index, operator, call-overload]


def test_gaps_are_filled_alike_alone_and_together(trained: Path) -> None:
    filler = api.load(trained)
    assert isinstance(filler, WordFiller)
    texts = ["The [MASK] is here.", "I see a [MASK] in [MASK] 3. It is a cat."]
    together, alone = filler.predict(texts, count=3), [filler.predict([text], count=3)[0] for text in texts]
    assert [each.text for each in together] == [each.text for each in alone]
    assert [len(each.gaps) for each in together] == [1, 2]
    assert all(len(gap) == 3 for each in together for gap in each.gaps)
    assert all(not candidate.piece.startswith("[") for each in together for gap in each.gaps for candidate in gap)


def test_a_text_without_a_gap_is_refused(trained: Path) -> None:
    filler = api.load(trained)
    assert isinstance(filler, WordFiller)
    with pytest.raises(DataError, match=r"no gap in it: 'The cat\.'"):
        filler.predict(["The cat."])
    with pytest.raises(DataError, match="no gap within the first 38 pieces"):
        filler.predict(["cat " * 40 + "[MASK]"])
    with pytest.raises(UsageError, match="0 candidates"):
        filler.predict(["The [MASK]."], count=0)


def test_other_documents_are_scored_as_those_of_training(trained: Path, corpus: Path) -> None:
    filler = api.load(trained)
    assert isinstance(filler, WordFiller)
    scores = filler.evaluate([str(corpus)])
    assert scores == filler.evaluate([str(corpus)])
    assert 0 < scores.loss < 6
    assert scores.next_accuracy is not None


def test_going_on_takes_over_encoder_heads_and_vocabulary(trained: Path, corpus: Path, tmp_path: Path) -> None:
    base = load_base(trained)
    settings = {**SETTINGS, "base": str(trained)}
    with new_run("pretrain", str(corpus), settings=settings, out=tmp_path / "run") as run:
        own = weights_of(run.task.model)  # type: ignore[attr-defined]
        before = {**{f"bert.{name}": each for name, each in base.weights.items()}, **base.heads}
        assert own.keys() == before.keys()
        assert all(torch.equal(own[name], before[name]) for name in own)


def test_a_head_that_the_base_lacks_is_new_and_said_so(trained: Path, corpus: Path, tmp_path: Path) -> None:
    settings = {**SETTINGS, "objective": "mlm"}
    api.train("pretrain", str(corpus), settings={**settings, "training": {"steps": 1}}, out=tmp_path / "alone")
    with new_run(
        "pretrain", str(corpus), settings={**SETTINGS, "base": str(tmp_path / "alone")}, out=tmp_path / "run"
    ) as run:
        assert any("the head that says what follows is new" in note for note in run.notes)


def test_a_classifier_starts_from_it(trained: Path, tmp_path: Path) -> None:
    settings = {"base": str(trained), "training": {"steps": 1, "tokens_per_batch": 100}}
    run = api.train("classify", settings=settings, out=tmp_path / "run")
    assert run.load().predict(["good"])


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"length": 600}, "length is 600; it must be from 5 to model.longest, which is 512"),
        ({"length": 4}, "length is 4; it must be from 5"),
        ({"mask_share": 1.0}, "mask_share is 1.0"),
        ({"model": {"segments": 0}}, "segments=0"),
        ({"objective": "nsp"}, "objective is 'nsp'"),
        ({"data": {"columns": ["a", "b"]}}, "one column of text"),
    ],
)
def test_settings_that_do_not_fit_are_refused(given: dict[str, object], message: str, tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=message):
        api.train("pretrain", "x.txt", settings=given, out=tmp_path / "run")


def test_a_corpus_too_small_to_split_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Only one document.")
    with pytest.raises(DataError, match=r"No document of .* fell to validation"):
        api.train("pretrain", str(tmp_path / "a.txt"), settings=SETTINGS, out=tmp_path / "run")
    assert not (tmp_path / "run").exists()


def written(path: Path, documents: Sequence[str]) -> str:
    path.write_text("\n\n".join(documents))
    return str(path)


ONE = "\n".join(f"The cat is in house {number}. I see it." for number in range(40))
SMALL = "The dog is here. I see a dog."


@pytest.mark.parametrize(
    ("documents", "said"),
    [
        ([ONE], r"it has 1 document, the largest with 100% of the text"),
        ([ONE, SMALL], r"it has 2 documents, the largest with 9\d% of the text"),
        ([ONE, *[f"A dog in house {number}" for number in range(20)]], r"it has 21 documents, the largest with 7\d%"),
    ],
    ids=["one", "one and a little", "one and single sentences"],
)
def test_a_corpus_that_is_mostly_one_document_is_refused_before_a_folder_is_made(
    tmp_path: Path, documents: list[str], said: str
) -> None:
    train, valid = written(tmp_path / "a.txt", documents), written(tmp_path / "b.txt", [SMALL, SMALL])
    settings = {**SETTINGS, "data": {"valid": [valid]}}
    match = f"Next-sentence prediction cannot be learnt from .*a.txt: .*{said}.*blank line.*--objective mlm"
    with pytest.raises(DataError, match=match):
        api.train("pretrain", train, settings=settings, out=tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_hidden_words_are_learnt_from_a_single_document(tmp_path: Path) -> None:
    train, valid = written(tmp_path / "a.txt", [ONE]), written(tmp_path / "b.txt", [SMALL])
    settings = {**SETTINGS, "objective": "mlm", "data": {"valid": [valid]}, "training": {"steps": 1}}
    run = api.train("pretrain", train, settings=settings, out=tmp_path / "run")
    assert "pairs" not in open_run(run.path).read_data_facts()


def test_a_single_validation_document_has_no_next_sentence_accuracy_and_it_is_said(
    corpus: Path, tmp_path: Path
) -> None:
    settings = {**SETTINGS, "data": {"valid": [written(tmp_path / "b.txt", [ONE])]}, "training": {"steps": 1}}
    with new_run("pretrain", str(corpus), settings=settings, out=tmp_path / "run") as run:
        assert any("validation pairs are used for hidden words only" in note for note in run.notes)
        (report,) = run.reports()
    assert report.validation is not None
    assert "next_accuracy" not in report.validation.values
    assert report.validation.values["loss"] > 0


def test_a_single_document_is_evaluated_by_its_hidden_words(trained: Path, tmp_path: Path) -> None:
    filler = api.load(trained)
    assert isinstance(filler, WordFiller)
    scores = filler.evaluate([written(tmp_path / "b.txt", [ONE])])
    assert scores.next_accuracy is None
    assert scores.loss > 0


def stopped(corpus: Path, folder: Path, objective: str = "mlm,nsp") -> Path:
    """Return a run that was stopped after its first validation."""
    with new_run("pretrain", str(corpus), settings={**SETTINGS, "objective": objective}, out=folder) as run:
        reports = run.reports()
        while next(reports).validation is None:
            pass
        reports.close()
    return folder


def as_of_old(folder: Path) -> None:
    """Take out of a run what heed 0.5 did not write."""
    facts = open_run(folder).read_data_facts()
    facts.pop("pairs", None)
    open_run(folder).write_data_facts(facts)


def test_a_run_whose_pairs_were_cut_by_the_old_rule_says_so_once_and_chooses_its_best_anew(
    corpus: Path, tmp_path: Path
) -> None:
    folder = stopped(corpus, tmp_path / "run")
    as_of_old(folder)
    with stopped_run(folder) as run:
        assert sum("the pairs of this run were cut so that their last token told" in note for note in run.notes) == 1
        assert run.trainer.best_score == float("-inf")  # type: ignore[attr-defined]
    with stopped_run(folder) as run:
        assert not any("the pairs of this run were cut" in note for note in run.notes)
        assert run.trainer.best_score == float("-inf")  # type: ignore[attr-defined]
        for _ in run.reports():
            pass
    assert open_run(folder).is_finished
    assert "pairs" in open_run(folder).read_data_facts()


def test_a_run_without_pairs_goes_on_as_it_was(corpus: Path, tmp_path: Path) -> None:
    folder = stopped(corpus, tmp_path / "run", "mlm")
    as_of_old(folder)
    with stopped_run(folder) as run:
        assert not any("pairs" in note for note in run.notes)
        assert run.trainer.best_score > float("-inf")  # type: ignore[attr-defined]


def test_a_finished_run_of_the_old_rule_stays_as_it_is(trained: Path, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    shutil.copytree(trained, folder)
    as_of_old(folder)
    with stopped_run(folder) as run:
        assert not any("the pairs of this run" in note for note in run.notes)
    assert "pairs" not in open_run(folder).read_data_facts()
