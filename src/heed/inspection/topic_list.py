"""The topics of `heed show`: a line on each, and what input each takes. Loads nothing else, for quick help."""

import difflib
from dataclasses import dataclass
from typing import Literal, get_args

from heed.errors import UsageError

TopicName = Literal[
    "scores",
    "self-attention",
    "mask",
    "positions",
    "norm",
    "heads",
    "greedy",
    "beam",
    "bert-input",
    "patches",
    "hello",
    "bottleneck",
    "residual",
    "activations",
]
InputName = Literal["text", "image", "matrix"]


@dataclass(frozen=True)
class Topic:
    """What a topic is about, and what may be given to it."""

    line: str
    takes: dict[InputName, str]  # the option, and what it means here


TOPICS: dict[TopicName, Topic] = {
    "scores": Topic(
        "the six attention scores of deck 3 on the same vectors",
        {"matrix": "the query in the first row, a key in each other row"},
    ),
    "self-attention": Topic(
        "deck 3's worked self-attention, step by step to the outputs",
        {"text": "words, whose vectors are made up", "matrix": "a row for each token"},
    ),
    "mask": Topic(
        "deck 1's causal mask, before and after softmax",
        {"matrix": "scores, as many rows as columns"},
    ),
    "positions": Topic(
        "sinusoids in both layouts, and deck 2's two rejected ideas",
        {"text": "sentences to number"},
    ),
    "norm": Topic(
        "batch norm against layer norm on padded sequences",
        {"matrix": "a row for each token of the first text"},
    ),
    "heads": Topic(
        "how a vector is split into heads and put together again",
        {"text": "words, one for each position", "matrix": "a row for each position"},
    ),
    "greedy": Topic(
        "greedy search on deck 3's table",
        {"matrix": "a row for each token, the last is the end; a column for each step"},
    ),
    "beam": Topic(
        "beam search with k = 2 on the same table, and the n-th root",
        {"matrix": "a row for each token, the last is the end; a column for each step"},
    ),
    "bert-input": Topic(
        "what BERT reads: token, segment and position vectors, and masking",
        {"text": "one text, or two for a pair"},
    ),
    "patches": Topic(
        "a picture cut into patches, and projected as ViT does",
        {"image": "a picture"},
    ),
    "hello": Topic(
        "deck 3's character model, trained on one word",
        {"text": "the word to learn"},
    ),
    "bottleneck": Topic(
        "one thought vector against attention, by length (trains for some seconds)",
        {"text": "texts to copy; their characters are the alphabet"},
    ),
    "residual": Topic(
        "words, order and gradients in deep stacks, with and without residuals",
        {"text": "words, one for each position"},
    ),
    "activations": Topic(
        "relu, elu, gelu and swish with their slopes, and why scores are scaled",
        {"matrix": "numbers to put in"},
    ),
}


def topic_named(name: str) -> TopicName:
    """Return the topic of that name, or refuse it with the nearest ones."""
    for topic in get_args(TopicName):
        if topic == name:
            return topic
    near = difflib.get_close_matches(name[:100], TOPICS, n=3, cutoff=0.6)
    meant = f"Did you mean {' or '.join(near)}?" if near else f"Choose one of: {', '.join(TOPICS)}."
    raise UsageError(f"There is no topic {name[:100]!r}. {meant}")


def refuse_inputs(name: TopicName, given: set[InputName]) -> None:
    """Refuse input that a topic would not look at."""
    takes = TOPICS[name].takes
    for each in sorted(given - set(takes)):
        wanted = " or ".join(f"--{option} ({meaning})" for option, meaning in takes.items())
        raise UsageError(f"Topic {name} takes no --{each}. It takes {wanted}.")
