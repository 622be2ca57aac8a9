"""Every setting of every task and model changes the run that it is asked for, or is refused: none is ignored.

The names come from the settings classes themselves, so that a new setting is walked as soon as it is there.
"""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
import torch
from every_setting import CASES, Workshop, names_of, other_value

from heed.errors import HeedError

# What a case is made of, or what another case walks.
NOT_WALKED = {
    "data.split": "the rule of version 0.5, for runs begun with it: where no two records share an input, as here, both "
    "rules give one split; what tells them apart is proved by the tests of the splits",
    "task": "it is what the case is",
    "model.kind": "it is what the case is: another kind is another class of settings, with a case of its own",
    "model.encoder.kind": "there is but one kind of encoder for images",
}
# Other values where the type alone does not give one that shows: each with the reason.
OTHER: dict[str, str] = {
    "data.group": "other",  # a column that is in every table here
    "training.average": "0.0",  # in the first steps every larger decay is the same: early steps move faster
    "training.minutes": "0.0001",  # over after one step
    "training.epochs": "3",
    "training.validations": "1",  # more than there are steps would be as many as there are steps
    "training.patience": "1",
    "training.validation_texts": "1",  # fewer than there are in the smallest validation set
    "training.clip": "1e-4",  # below the norm of these gradients
    "training.weight_decay": "0.5",
    "training.window": "7",  # fewer than the examples
    "training.threads": "2",
    "training.frozen_layers": "1",
    "training.precision": "bf16",
    "tokens.minimum_count": "40",
    "model.heads": "4",
    "model.longest": "4",  # shorter than the texts
    "model.epsilon": "0.01",
    "model.encoder.epsilon": "0.01",
    "model.encoder.heads": "4",
    "model.image": "24",
    "model.encoder.image": "24",
    "model.patch": "4",
    "model.encoder.patch": "4",
    "model.widths": "[1, 2]",
    "model.words": "[1, 1]",
    "model.characters": "none",
    "model.svm_strengths": "[0.2]",
    "model.logistic_strengths": "[0.2]",
    "model.ridge_strengths": "[0.2]",
    "model.largest_vocabulary": "9",
    "model.most_pairs": "20",
    "model.batch": "16",
    "colours.mean": "[0.1, 0.2, 0.3]",
    "colours.spread": "[0.1, 0.2, 0.3]",
    "length": "10",
    "windows.longest_question": "3",
    "windows.stride": "1",
    "mask_share": "0.5",  # of so short sequences a smaller share is one token too
    "augmentation.stretch": "2.0",
    "augmentation.crop": "0.9",
    "augmentation.erase": "1.0",  # a smaller share may fall on none of so few images
}
# What a setting needs beside it to show; both runs have it.
BESIDE: dict[str, tuple[str, ...]] = {
    # Weights that do not move have the same score at each validation, and a run without patience goes on.
    "training.patience": ("training.steps=4", "training.validations=4", "training.learning_rate=1e-30"),
    "training.keep_checkpoints": ("training.steps=6",),
}
QUICK = ("classify-tfidf", "pair-tfidf", "vectors-glove")
# Settings of prediction alone: training is the same, and what the trained run predicts is compared.
PREDICTING = ("search.", "length")


@pytest.fixture
def one_thread() -> Iterator[None]:
    before = torch.get_num_threads()
    yield
    torch.set_num_threads(before)


@pytest.mark.parametrize(
    "name", [name if name in QUICK else pytest.param(name, marks=pytest.mark.slow) for name in CASES]
)
def test_every_setting_changes_the_run_or_is_refused(name: str, memory_path: Path, one_thread: None) -> None:
    workshop = Workshop(name, memory_path)
    walked = [each for each in names_of(workshop.settings([])) if each not in NOT_WALKED]
    if workshop.case.base is None and "base" in walked:
        walked.remove("base")  # what a base does is walked by the cases that start from one
    ignored = [each for each in walked if not has_effect(workshop, each)]
    assert ignored == []


def has_effect(workshop: Workshop, name: str) -> bool:
    """Tell whether a run with another value of a setting is refused for it, or is another run."""
    beside = list(BESIDE.get(name, ()))
    try:
        workshop.settings(beside)
    except HeedError:
        beside = []  # the task has no steps: what is asked for is refused by itself
    change = change_of(workshop, name)
    try:
        workshop.settings([*beside, *change])
    except HeedError as refusal:
        return says(str(refusal), name)
    # Compiling takes a minute when the first step is taken; that the loss is compiled is seen before.
    steps = name != "training.compile"
    usual, before = workshop.usual(beside, steps)
    after = workshop.train("after", [*beside, *change], steps)
    assert "error" not in before, before
    changed = before != after
    if not changed and name.startswith(PREDICTING):
        changed = workshop.predicted(usual) != workshop.predicted("after")
    workshop.clear("after")
    return changed


def says(refusal: str, name: str) -> bool:
    """Tell whether a refusal is about the setting; if not, the walk should have tried another value."""
    assert name.rpartition(".")[2] in refusal, f"{name}: {refusal}"
    return True


def change_of(workshop: Workshop, name: str) -> Sequence[str]:
    """Return what gives a setting another value."""
    columns = {"classify": ["other", "label"], "pair": ["other", "sentence2", "label"], "caption": ["path", "other"]}
    columns |= {"translate": ["source", "other"], "tag": ["1", "2"], "pretrain": ["other"]}
    match name:
        case "training.epochs" | "training.minutes":  # one limit is given at a time
            return ["training.steps=none", f"{name}={OTHER[name]}"]
        case "tokens.size":  # fewer than the corpus would give; merged pieces need more than the alphabet
            kind = getattr(getattr(workshop.settings([]), "tokens"), "kind")  # noqa: B009  not every task has tokens
            return [f"{name}={({'bpe': 48, 'wordpiece': 70}).get(kind, 12)}"]
        case "crf":
            return [f"crf={'false' if workshop.case.model == 'lstm' else 'true'}"]
        case "model.longest" if workshop.case.task == "pretrain":  # sequences while it learns are as long as that
            return ["model.longest=20"]
        case "outcome":
            return ["outcome=label" if "outcome" in workshop.given else "outcome=number"]
        case "data.train" | "data.valid" | "data.test":
            return [f"{name}={json.dumps([workshop.other])}"]
        case "data.columns":
            return [f"{name}={json.dumps(columns.get(workshop.case.task, ['other', 'label']))}"]
        case "base":
            return [f"base={workshop.folder / 'first' / 'other-base'}"]
        case "vectors":
            vectors = workshop.folder / "vectors.txt"
            vectors.write_text("two 1 2 3 4 5 6 7 8\none 8 7 6 5 4 3 2 1\nt 1 1 1 1 2 2 2 2\n")
            return [f"vectors={vectors}"]
    value = OTHER.get(name)
    return [f"{name}={value if value is not None else json.dumps(other_value(workshop.settings([]), name))}"]


def test_a_setting_that_is_ignored_would_be_found(
    memory_path: Path, one_thread: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("heed.runs.asked.unused_in", lambda settings: ())
    workshop = Workshop("classify-gru", memory_path)
    assert not has_effect(workshop, "training.validation_texts")
    assert has_effect(workshop, "training.learning_rate")
