"""Models of the hub: only what is read is fetched, only when it is asked for, and only with the library for it."""

import shutil
from collections.abc import Sequence
from fnmatch import fnmatch
from pathlib import Path

import pytest
from foreign import publish

import heed
from heed.errors import MachineError, RunError, UsageError
from heed.exchange import hub
from heed.prediction.filler import WordFiller

STRANGE = ("README.md", "tf_model.h5", "flax_model.msgpack", "onnx/model.onnx", "modeling_custom.py")


class FakeHub:
    """Stands for the library: it has one function, and gives files of a folder on this disk."""

    def __init__(self, origin: Path, goal: Path) -> None:
        self.origin, self.goal = origin, goal
        self.asked: list[tuple[str, Sequence[str]]] = []

    def snapshot_download(self, name: str, allow_patterns: Sequence[str]) -> str:
        self.asked.append((name, allow_patterns))
        self.goal.mkdir(exist_ok=True)
        for path in self.origin.rglob("*"):
            inside = path.relative_to(self.origin)
            if path.is_file() and any(fnmatch(str(inside), pattern) for pattern in allow_patterns):
                shutil.copy(path, self.goal / inside)
        return str(self.goal)


@pytest.fixture
def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakeHub:
    publish("BertForMaskedLM", tmp_path / "far")
    for name in STRANGE:
        (tmp_path / "far" / name).parent.mkdir(exist_ok=True)
        (tmp_path / "far" / name).write_text("raise SystemExit")
    made = FakeHub(tmp_path / "far", tmp_path / "near")
    monkeypatch.setattr(hub, "huggingface_hub", made)
    return made


def test_a_model_is_fetched_and_becomes_a_run(fake: FakeHub, tmp_path: Path) -> None:
    made = heed.import_model("hub:someone/bert", tmp_path / "run")
    assert isinstance(heed.load(made.path), WordFiller)
    assert [name for name, _ in fake.asked] == ["someone/bert"]
    fetched = {path.name for path in fake.goal.iterdir()}
    assert fetched == {"config.json", "model.safetensors", "tokenizer.json", "tokenizer_config.json"}


def test_pickled_weights_are_fetched_only_where_there_are_no_others(fake: FakeHub, tmp_path: Path) -> None:
    (fake.origin / "model.safetensors").rename(fake.origin / "pytorch_model.bin")
    assert hub.fetched("hub:someone/bert") == fake.goal
    assert [patterns for _, patterns in fake.asked][1:] == [["pytorch_model.bin"]]
    assert (fake.goal / "pytorch_model.bin").is_file()


def test_nothing_is_fetched_where_the_run_could_not_be_written(fake: FakeHub, tmp_path: Path) -> None:
    heed.import_model("hub:someone/bert", tmp_path / "run")
    with pytest.raises(RunError, match="already holds a run"):
        heed.import_model("hub:someone/bert", tmp_path / "run")
    assert len(fake.asked) == 1


def test_without_the_library_a_sentence_says_how_to_get_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub, "huggingface_hub", None)
    with pytest.raises(UsageError, match=r"hub:x/y has to be fetched.*pip install 'heed\[hub\]'"):
        heed.import_model("hub:x/y", tmp_path / "run")


def test_a_name_that_cannot_be_fetched_is_one_sentence(fake: FakeHub, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> str:
        raise OSError("no route to host\nand a long story")

    monkeypatch.setattr(fake, "snapshot_download", fail)
    with pytest.raises(MachineError, match=r"hub:x/y cannot be fetched: no route to host\. Check the name"):
        hub.fetched("hub:x/y")


def test_the_errors_of_the_library_are_of_the_kinds_that_are_told() -> None:
    library = pytest.importorskip("huggingface_hub")
    kinds = (library.errors.RepositoryNotFoundError, library.errors.HFValidationError)
    kinds += (library.errors.LocalEntryNotFoundError, library.errors.OfflineModeIsEnabled)
    assert all(issubclass(kind, OSError | ValueError) for kind in kinds)
