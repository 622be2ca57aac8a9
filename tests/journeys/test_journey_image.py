"""From a folder of pictures to a model that knows them, as a person does it on the command line."""

import json
import shutil
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "runs"))
from pictured import break_one, write_pictures

# What `conftest.py` makes; its answers have `code`, `out` and `err`.
Heed = Callable[..., Any]
Refused = Callable[[Sequence[object], int, str], None]
MODEL = {"image": 16, "patch": 8, "width": 16, "heads": 2, "layers": 1, "feedforward": 24, "drop_path": 0.0}
TRAINING = {"tokens_per_batch": 80, "learning_rate": 0.005, "validations": 1, "threads": 1, "average": 0.9}
PLAIN = {"colour": 0.0, "cutmix": 0.0, "erase": 0.0}
TINY = tuple(
    option
    for part, values in {"model": MODEL, "training": TRAINING, "augmentation": PLAIN}.items()
    for name, value in values.items()
    for option in ("--set", f"{part}.{name}={value}")
)


@pytest.fixture(scope="session")
def seer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a run that has learnt the colours; no test changes it."""
    from heed import api

    folder = tmp_path_factory.mktemp("seer")
    settings = {"model": MODEL, "training": {**TRAINING, "steps": 60}, "augmentation": PLAIN}
    return api.train("image", str(write_pictures(folder / "pictures")), settings=settings, out=folder / "run").path


@pytest.fixture
def pictures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return a folder of pictures by class, alone in the current folder."""
    monkeypatch.chdir(tmp_path)
    write_pictures(tmp_path / "pictures")
    return "pictures"


def test_check_train_predict_evaluate_resume_a_classifier_of_pictures(heed: Heed, pictures: str) -> None:
    checked = heed("check", "image", pictures)
    assert checked.code == 0, checked.err
    assert all(name in checked.out for name in ("blue", "green", "red"))
    trained = heed("train", "image", pictures, "--steps", "60", *TINY)
    assert trained.code == 0, trained.err
    run = "runs/image-vit-1"
    assert f"The run is in {run}" in trained.out
    assert "2 x 2 patches of a picture" in trained.err
    label, probability = heed("predict", run, "pictures/red/003.png").out.split("\t")
    assert label == "red"
    assert 0.5 < float(probability) <= 1
    scored = heed("evaluate", run, pictures)
    assert scored.code == 0, scored.err
    assert "accuracy" in scored.out
    assert "images a second" in scored.out
    assert "nothing is left to train" in heed("resume", run).err


def test_a_folder_is_a_line_for_each_picture_with_its_name(heed: Heed, seer: Path, pictures: str) -> None:
    Path("pictures/notes.txt").write_text("no picture")
    answer = heed("predict", seer, pictures, "pictures/red/003.png")
    rows = [line.split("\t") for line in answer.out.splitlines()]
    assert answer.code == 0
    assert [name for name, _, _ in rows] == [*map(str, sorted(Path(pictures).rglob("*.png"))), "pictures/red/003.png"]
    assert all(Path(name).parent.name == label for name, label, _ in rows)


def test_the_best_labels_come_in_their_order_and_json_has_all(heed: Heed, seer: Path, pictures: str) -> None:
    first, chance, second, less = heed("predict", seer, "pictures/blue/003.png", "--best", "2").out.split("\t")
    assert first == "blue" != second
    assert float(chance) > float(less)
    found = json.loads(heed("predict", seer, "pictures/blue/003.png", "--json").out)
    assert (found["name"], found["label"], found["problem"]) == ("pictures/blue/003.png", "blue", None)
    assert sum(found["probabilities"].values()) == pytest.approx(1, abs=1e-5)


@pytest.mark.parametrize("options", [(), ("--json",)], ids=["text", "json"])
def test_broken_pictures_are_named_and_the_others_answered(
    heed: Heed, seer: Path, pictures: str, options: tuple[str, ...]
) -> None:
    broken = break_one()
    answer = heed("predict", seer, "pictures/red", "gone.png", *options)
    assert answer.code == 1
    assert "2 picture(s) could not be read" in answer.err.splitlines()[-1]
    if options:
        problems = [each["name"] for each in map(json.loads, answer.out.splitlines()) if each["problem"]]
        assert problems == [broken, "gone.png"]
        assert len(answer.out.splitlines()) == 13
    else:
        assert f"heed: {broken}: " in answer.err
        assert "heed: gone.png: " in answer.err
        assert len(answer.out.splitlines()) == 11


def test_an_evaluation_names_broken_pictures_and_saves_a_label_a_line(heed: Heed, seer: Path, pictures: str) -> None:
    broken = break_one()
    answer = heed("evaluate", seer, pictures, "--save", "said.txt", "--json")
    assert answer.code == 0
    found = json.loads(answer.out)
    assert [each["name"] for each in found["broken"]] == [broken]
    assert found["scores"]["accuracy"] > 0.9
    assert len(Path("said.txt").read_text().splitlines()) == 35
    assert "1 image(s) could not be read" in heed("evaluate", seer, pictures).out


def test_a_broken_picture_is_left_out_of_training_or_ends_it_with_strict(heed: Heed, pictures: str) -> None:
    broken = break_one()
    shutil.copytree("pictures/blue", "valid/blue")
    shutil.copytree("pictures/red", "valid/red", ignore=shutil.ignore_patterns("000.png"))
    train = ("train", "image", pictures, "--valid", "valid", "--steps", "2", *TINY)
    lenient = heed(*train, "--out", "run")
    assert lenient.code == 0, lenient.err
    assert "1 of 36 pictures were left out" in lenient.err
    strict = heed(*train, "--strict", "--out", "strict")
    assert strict.code == 1
    assert "1 picture(s) cannot be read, and with --strict none is left out" in strict.err
    assert broken in strict.err


def test_a_run_of_pictures_starts_from_another(heed: Heed, seer: Path, pictures: str) -> None:
    quick = ("--steps", "2", "--set", "training.threads=1", "--set", "training.validations=1")
    answer = heed("train", "image", pictures, "--model", "vit", "--from", seer, *quick, "--out", "run")
    assert answer.code == 0, answer.err
    assert f"starting from {seer}" in answer.err.replace("\n", " ")
    assert heed("predict", "run", "pictures/red/003.png").code == 0


def test_training_on_pictures_that_was_interrupted_ends_as_if_it_had_not_been(
    check_interrupted: Callable[..., None], pictures: str
) -> None:
    check_interrupted("train", "image", pictures, "--steps", "8", *TINY)


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("predict", "RUN"), 2, "No picture is named. Give files or folders"),
        (("predict", "RUN", "empty"), 1, "empty holds no picture (.jpg, "),
        (("predict", "RUN", "pictures", "--beam", "3"), 2, "--beam means nothing here: this run is "),
        (("predict", "RUN", "pictures", "--best", "0"), 2, "--best is 0; it must be 1 or more."),
        (("predict", "RUN", "pictures", "--columns", "path"), 2, "--columns is 'path', but pictures are files"),
        (("evaluate", "RUN", "pictures", "--greedy"), 2, "--beam, --greedy, --normalise and --alpha are for"),
        (("evaluate", "RUN", "nowhere"), 1, "nowhere does not exist"),
        (("train", "image", "empty"), 1, "empty holds no folders"),
        (("train", "image", "pictures", "--model", "lstm"), 2, "There is no model 'lstm' for this task."),
        (("train", "image", "pictures", "--model", "vit-tiny", "--from", "RUN"), 2, "--model is vit-tiny, but --from"),
        (("train", "image", "pictures", "--from", "empty"), 2, "empty is no model of pictures. Give a run of"),
        (("train", "image", "pictures", "--vectors", "x"), 2, "--vectors is x, but no model of task image"),
        (("train", "image", "demo:reviews"), 1, "demo:reviews is for the task classify."),
        (
            ("train", "image", "pictures", "--set", "model.image=20"),
            1,
            "model.image is 20, model.patch is 16: 4 pixels",
        ),
        (("train", "classify", "--strict"), 2, "--strict is about pictures that cannot be read, but task classify"),
        (("check", "image", "empty"), 1, "empty holds no folders"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else None,
)
def test_a_wrong_command_about_pictures_is_one_sentence(
    check_refused: Refused, seer: Path, pictures: str, arguments: tuple[str, ...], code: int, said: str
) -> None:
    Path("empty").mkdir()
    check_refused([seer if each == "RUN" else each for each in arguments], code, said)


@pytest.mark.parametrize("name", ["what is this?", "notes.txt"])
def test_a_text_instead_of_a_picture_is_named_as_none(heed: Heed, seer: Path, pictures: str, name: str) -> None:
    Path("notes.txt").write_text("what is this?\n")
    answer = heed("predict", seer, name)
    assert (answer.code, answer.out) == (1, "")
    first, last = answer.err.splitlines()
    assert first.startswith(f"heed: {name}: ")
    assert last == "heed: 1 picture(s) could not be read; they are named above."
