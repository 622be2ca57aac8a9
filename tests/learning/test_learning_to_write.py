"""Every language model learns the deck's "hello": the next letter, though the last one alone does not tell it."""

import math
from functools import cache
from itertools import pairwise

import pytest

from heed.data.demos import load_text_demo
from heed.data.demos.hello import WORDS
from heed.machine import Ranks
from heed.models.weights import load_weights
from heed.prediction.writer import Writer
from heed.runs import write_run
from heed.runs.write_settings import WriteSettings
from heed.settings import from_dict
from heed.tasks.translating import GreedySettings
from heed.tasks.writing import Extent
from heed.training.trainer import Trainer

RNN = {"kind": "rnn", "embedding": 16, "width": 32, "longest": 16, "dropout": 0.0}
MODELS: dict[str, dict[str, object]] = {
    "rnn": {**RNN, "cell": "rnn"},
    "lstm": {**RNN, "cell": "lstm"},
    "gru": {**RNN, "cell": "gru"},
    "transformer": {"width": 32, "heads": 2, "layers": 2, "feedforward": 64, "longest": 16, "dropout": 0.0},
}
TRAINING = {
    "steps": 300,
    "tokens_per_batch": 512,
    "learning_rate": 1e-2,
    "validations": 1,
    "average": 0.9,
    "threads": 1,
}


@cache
def trained(model: str) -> Writer:
    """Return a model that has learnt the demo for a second or two."""
    values = {"data": {"train": ["demo:hello"]}, "model": MODELS[model], "training": TRAINING}
    prepared = write_run.prepare(from_dict(WriteSettings, values, "settings"), Ranks())
    trainer = Trainer(prepared.task, prepared.settings.training, Ranks())
    for _ in trainer.run():
        pass
    load_weights(prepared.task.model, trainer.best_weights(), "the moving average")
    return Writer(prepared.task.model, prepared.tokenizer, GreedySettings(), Extent(length=10, line=True))


def nats_of_the_next_word() -> float:
    """Return the entropy of the next word, which is drawn: what no model of this text can know."""
    before = (0, *WORDS.cumulative)
    shares = [(here - there) / before[-1] for there, here in zip(before, WORDS.cumulative, strict=False)]
    return -sum(share * math.log(share) for share in shares)


@pytest.mark.parametrize("model", MODELS)
def test_after_hel_comes_l_and_after_hell_comes_o(model: str) -> None:
    writer = trained(model)
    following = {prompt: writer.write(prompt).text for prompt in ("hel", "hell", "oh\nol", "hello\nhol", "")}
    assert following == {"hel": "lo", "hell": "o", "oh\nol": "eo", "hello\nhol": "e", "": "hello"}


@pytest.mark.parametrize("model", MODELS)
def test_nearly_nothing_is_left_to_learn_but_the_next_word(model: str) -> None:
    test = load_text_demo("hello").test
    nats = trained(model).evaluate(test).nats / test.count("\n")
    assert nats < 1.1 * nats_of_the_next_word(), f"{nats:.3f} nats a line, {nats_of_the_next_word():.3f} are chance"


def test_the_last_letter_alone_does_not_tell_the_next() -> None:
    """Without this, the corpus might be one that needs no memory."""
    following: dict[str, set[str]] = {}
    for letter, after in pairwise(load_text_demo("hello").train):
        following.setdefault(letter, set()).add(after)
    assert following["l"] == {"l", "o", "e"}
    assert following["o"] == {"l", "\n", "h"}
