"""From pictures and what people said of them to a model that says it too, as a person does it on the command line."""

import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "runs"))
from pictured import break_one, write_captions

# What `conftest.py` makes; its answers have `code`, `out` and `err`.
Heed = Callable[..., Any]
Refused = Callable[[Sequence[object], int, str], None]
ENCODER = {"image": 16, "patch": 8, "width": 16, "heads": 2, "layers": 1, "feedforward": 24, "drop_path": 0.0}
MODEL = {"width": 16, "heads": 2, "layers": 1, "feedforward": 24, "dropout": 0.0, "longest": 9}
TRAINING = {"tokens_per_batch": 150, "learning_rate": 0.01, "validations": 1, "threads": 1, "average": 0.9}
PLAIN = {"colour": 0.0}


def options(model: dict[str, object]) -> list[str]:
    """Return what makes a training small on the command line."""
    parts = {"model": model, "model.encoder": ENCODER, "training": TRAINING, "augmentation": PLAIN}
    given = [f"{part}.{name}={value}" for part, values in parts.items() for name, value in values.items()]
    return [option for setting in given for option in ("--set", setting)]


TINY = options(MODEL)
TABLE = "pictures/captions.csv"


@pytest.fixture(scope="session")
def teller(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a run that has learnt to name the colours; no test changes it."""
    from heed import api

    folder = tmp_path_factory.mktemp("teller")
    training = {**TRAINING, "steps": 80}
    settings = {"model": {**MODEL, "encoder": ENCODER}, "training": training, "augmentation": PLAIN}
    return api.train("caption", str(write_captions(folder / "pictures")), settings=settings, out=folder / "run").path


@pytest.fixture
def pictures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return a folder of pictures and the table of their captions, alone in the current folder."""
    monkeypatch.chdir(tmp_path)
    write_captions(tmp_path / "pictures")
    return "pictures"


def test_check_train_predict_evaluate_resume_a_captioner(heed: Heed, pictures: str) -> None:
    checked = heed("check", "caption", TABLE)
    assert checked.code == 0, checked.err
    assert "36" in checked.out
    trained = heed("train", "caption", TABLE, "--steps", "80", *TINY)
    assert trained.code == 0, trained.err
    run = "runs/caption-transformer-1"
    assert f"The run is in {run}" in trained.out
    assert "captions and" in trained.err
    said = heed("predict", run, "pictures/red/003.png")
    assert said.code == 0
    assert "red" in said.out.split()
    scored = heed("evaluate", run, TABLE)
    assert scored.code == 0, scored.err
    assert "27 of these 36 images were in the run's training set" in scored.out.splitlines()[0]
    lines = heed("evaluate", run).out.splitlines()
    assert [line.split()[0] for line in lines[1:6]] == ["BLEU-1", "BLEU-2", "BLEU-3", "BLEU-4", "chrF"]
    assert "95 % interval" in lines[4]
    assert "nothing is left to train" in heed("resume", run).err


def test_a_folder_is_a_caption_for_each_picture_with_its_name(heed: Heed, teller: Path, pictures: str) -> None:
    answer = heed("predict", teller, pictures, "--greedy")
    rows = [line.split("\t") for line in answer.out.splitlines()]
    assert answer.code == 0
    assert [name for name, _ in rows] == list(map(str, sorted(Path(pictures).rglob("*.png"))))
    assert all(Path(name).parent.name in caption.split() for name, caption in rows)


def test_the_best_captions_come_in_their_order_and_json_has_all(heed: Heed, teller: Path, pictures: str) -> None:
    rows = [
        line.split("\t") for line in heed("predict", teller, "pictures/blue/003.png", "--best", "3").out.splitlines()
    ]
    assert [rank for rank, _, _ in rows] == ["1", "2", "3"]
    scores = [float(score) for _, score, _ in rows]
    assert scores == sorted(scores, reverse=True)
    found = json.loads(heed("predict", teller, "pictures/blue/003.png", "--best", "3", "--json").out)
    assert (found["name"], found["problem"]) == ("pictures/blue/003.png", None)
    assert [each["text"] for each in found["alternatives"]] == [text for _, _, text in rows]
    assert found["text"] == rows[0][2]


def test_samples_are_drawn_and_the_same_seed_draws_the_same(heed: Heed, teller: Path, pictures: str) -> None:
    drawn = [
        heed("predict", teller, pictures, "--sample", "--temperature", "3", "--seed", seed).out for seed in (1, 1, 2)
    ]
    assert drawn[0] == drawn[1] != drawn[2]


def test_broken_pictures_are_named_and_the_others_captioned(heed: Heed, teller: Path, pictures: str) -> None:
    broken = break_one()
    answer = heed("predict", teller, "pictures/red", "gone.png")
    assert answer.code == 1
    assert f"heed: {broken}: " in answer.err
    assert "heed: gone.png: " in answer.err
    assert answer.err.splitlines()[-1] == "heed: 2 picture(s) could not be read; they are named above."
    assert len(answer.out.splitlines()) == 11


def test_an_evaluation_names_broken_pictures_and_saves_a_caption_a_line(
    heed: Heed, teller: Path, pictures: str
) -> None:
    broken = break_one()
    answer = heed("evaluate", teller, TABLE, "--greedy", "--save", "said.txt", "--json")
    assert answer.code == 0
    found = json.loads(answer.out)
    assert [each["name"] for each in found["broken"]] == [str(Path(broken))]
    assert found["seen"]["examples"] == len(Path("said.txt").read_text().splitlines()) == 35
    assert found["interval"]["low"] <= found["scores"]["bleu"][3] <= found["interval"]["high"]
    assert "1 image(s) could not be read" in heed("evaluate", teller, TABLE).out


def test_a_broken_captioned_picture_is_left_out_of_training_or_ends_it_with_strict(heed: Heed, pictures: str) -> None:
    broken = break_one()
    valid = str(write_captions(Path("valid"), each=2))
    train = ("train", "caption", TABLE, "--valid", valid, "--steps", "2", *TINY)
    lenient = heed(*train, "--out", "run")
    assert lenient.code == 0, lenient.err
    assert "1 of 36 pictures were left out" in lenient.err
    strict = heed(*train, "--strict", "--out", "strict")
    assert strict.code == 1
    assert "1 picture(s) cannot be read, and with --strict none is left out" in strict.err
    assert broken in strict.err


def test_a_recurrent_captioner_with_columns_of_other_names_is_trained(heed: Heed, pictures: str) -> None:
    Path("pictures/said.csv").write_text(Path(TABLE).read_text().replace("path,caption", "where,what", 1))
    answer = heed(
        "train",
        "caption",
        "pictures/said.csv",
        "--columns",
        "where,what",
        "--model",
        "gru",
        "--steps",
        "2",
        *options({"width": 16}),
    )
    assert answer.code == 0, answer.err


def test_training_on_captions_that_was_interrupted_ends_as_if_it_had_not_been(
    check_interrupted: Callable[..., None], pictures: str
) -> None:
    check_interrupted("train", "caption", TABLE, "--steps", "8", *TINY)


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("predict", "RUN"), 2, "No picture is named. Give files or folders"),
        (("predict", "RUN", "empty"), 1, "empty holds no picture (.jpg, "),
        (("predict", "RUN", "pictures", "--tree"), 2, "--tree means nothing here: this run is "),
        (("predict", "RUN", "pictures", "--best", "3", "--beam", "2"), 2, "--best is 3 with --beam 2."),
        (("predict", "RUN", "pictures", "--greedy", "--sample"), 2, "Choose one way to decode"),
        (("predict", "RUN", "pictures", "--columns", "path"), 2, "--columns is 'path', but pictures are files"),
        (("evaluate", "RUN", "pictures"), 1, "pictures is a folder"),
        (("train", "caption", "pictures"), 1, "pictures is a folder"),
        (("train", "caption", TABLE, "--columns", "path"), 2, "--columns is 'path'. Give 2 name(s)"),
        (("train", "caption", TABLE, "--model", "vit-tiny"), 2, "There is no model 'vit-tiny' for this task."),
        (("train", "caption", TABLE, "--from", "RUN"), 2, "is a run of caption; --from needs one of image"),
        (
            ("train", "caption", TABLE, "--set", "augmentation.mixup=0.5"),
            1,
            "augmentation.mixup is 0.5 and augmentation.cutmix 0.0: no sentence is true of two pictures in one.",
        ),
        (("train", "caption", "gone.csv"), 1, "gone.csv:2: "),
        (("train", "translate", "--strict"), 2, "--strict is about pictures that cannot be read, but task translate"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else None,
)
def test_a_wrong_command_about_captions_is_one_sentence(
    check_refused: Refused, teller: Path, pictures: str, arguments: tuple[str, ...], code: int, said: str
) -> None:
    Path("empty").mkdir()
    Path("gone.csv").write_text("path,caption\ngone.png,nothing\n")
    check_refused([teller if each == "RUN" else each for each in arguments], code, said)
