"""What a run learns from its data, and what it remembers of it: vocabularies, fingerprints, digests of examples."""

import json
from pathlib import Path

import numpy
import pytest
from every_task import EVERY, settings_of

from heed import api
from heed.errors import RunError
from heed.runs.examples import are_among, digests_of, read_examples, write_examples
from heed.runs.folder import create, open_run

CHECKED_AGAIN = sorted(set(EVERY) - {"pretrain"})  # pre-training keeps its corpus in the run's folder
WITH_VOCABULARY = sorted(set(EVERY) - {"classify by tfidf", "image"})


@pytest.mark.parametrize("name", CHECKED_AGAIN)
def test_a_run_is_not_resumed_when_its_validation_data_has_changed(name: str, tmp_path: Path) -> None:
    small = EVERY[name]
    train, valid = small.write(tmp_path / "train", range(24), ""), small.write(tmp_path / "valid", range(24, 33), "")
    run = api.train(small.task, train, settings=settings_of(small, valid), out=tmp_path / "run").path
    small.write(tmp_path / "valid", [*range(25, 33), 40], "")
    with pytest.raises(RunError, match=r"The valid data of .*run has changed since the run began"):
        api.resume(run)


@pytest.mark.parametrize("part", ["train", "valid"])
def test_a_pretraining_run_is_not_resumed_when_its_stored_corpus_has_changed(part: str, tmp_path: Path) -> None:
    small = EVERY["pretrain"]
    train, valid = small.write(tmp_path / "train", range(24), ""), small.write(tmp_path / "valid", range(24, 33), "")
    run = api.train(small.task, train, settings=settings_of(small, valid), out=tmp_path / "run").path
    tokens = run / "corpus" / part / "tokens.bin"
    data = bytearray(tokens.read_bytes())
    data[0] ^= 1
    tokens.write_bytes(data)
    with pytest.raises(RunError, match=rf"corpus/{part}/tokens\.bin is not as it was written"):
        api.resume(run)


@pytest.mark.parametrize("name", WITH_VOCABULARY)
def test_the_vocabulary_is_learnt_from_the_training_data_alone(name: str, tmp_path: Path) -> None:
    small = EVERY[name]
    train = small.write(tmp_path / "train", range(24), "onlytrain")
    valid = small.write(tmp_path / "valid", range(24, 33), "onlyvalid")
    given = () if name == "pretrain" else ("test",)
    test = small.write(tmp_path / "test", range(33, 42), "onlytest") if given else ""
    run = api.train(small.task, train, settings=settings_of(small, valid, test), out=tmp_path / "run").path
    vocabulary = "".join(path.read_text() for path in sorted(run.glob("tokenizer*.json")))
    assert "onlytrain" in vocabulary
    assert "onlyvalid" not in vocabulary
    assert "onlytest" not in vocabulary


@pytest.mark.parametrize("name", sorted(EVERY))
def test_a_run_keeps_eight_bytes_for_each_example_of_each_split(name: str, tmp_path: Path) -> None:
    small = EVERY[name]
    train, valid = small.write(tmp_path / "train", range(24), ""), small.write(tmp_path / "valid", range(24, 33), "")
    test = "" if name == "pretrain" else small.write(tmp_path / "test", range(33, 40), "")
    run = api.train(small.task, train, settings=settings_of(small, valid, test), out=tmp_path / "run").path
    seen = read_examples(open_run(run))
    assert seen is not None
    found = [len(seen.train), len(seen.valid), len(seen.test)]
    wanted = [24, 9, 7 if test else 0]
    if small.many == 1:
        assert found == wanted
    assert all(count >= small.many * number for count, number in zip(found, wanted, strict=True))
    header, rest = (run / "examples.digests").read_bytes().split(b"\n", 1)
    assert json.loads(header) == {"format": 1, "train": found[0], "valid": found[1], "test": found[2]}
    assert len(rest) == 8 * sum(found)


def test_digests_that_were_changed_on_disk_are_refused(tmp_path: Path) -> None:
    folder = create(tmp_path / "run")
    write_examples(folder, [("a",), ("b",)], [("c",)], [])
    data = bytearray((folder.path / "examples.digests").read_bytes())
    data[-1] ^= 1
    (folder.path / "examples.digests").write_bytes(data)
    with pytest.raises(RunError, match=r"examples\.digests is not as this run wrote it"):
        read_examples(folder)


def test_an_example_is_known_again_by_all_of_its_texts_and_by_where_each_ends(tmp_path: Path) -> None:
    folder = create(tmp_path / "run")
    write_examples(folder, [("ab", "c"), ("x",), ("x",)], [("y",)], [])
    seen = read_examples(folder)
    assert seen is not None
    assert len(seen.train) == 2  # each once
    asked = digests_of([("ab", "c"), ("a", "bc"), ("ab\nc",), ("x",), ("y",)])
    assert are_among(asked, seen.train).tolist() == [True, False, False, True, False]
    assert are_among(asked, seen.valid).tolist() == [False, False, False, False, True]
    assert are_among(asked, seen.test).tolist() == [False] * 5


def test_digests_are_kept_ascending_so_that_they_are_found_by_bisection(tmp_path: Path) -> None:
    folder = create(tmp_path / "run")
    write_examples(folder, ((str(number),) for number in range(1000)), [], [])
    seen = read_examples(folder)
    assert seen is not None
    assert (numpy.diff(seen.train) > 0).all()
    assert are_among(digests_of((str(number),) for number in range(900, 1100)), seen.train).sum() == 100
