"""`show`: a topic's worked example, of the slide or of what the reader gives."""

from collections.abc import Sequence
from pathlib import Path
from typing import assert_never

from heed.inspection.given import Given, read_given
from heed.inspection.shown import Shown
from heed.inspection.topic_list import InputName, TopicName, refuse_inputs, topic_named
from heed.inspection.topics.activations import show_activations
from heed.inspection.topics.beam import show_beam
from heed.inspection.topics.bert_input import show_bert_input
from heed.inspection.topics.bottleneck import show_bottleneck
from heed.inspection.topics.greedy import show_greedy
from heed.inspection.topics.heads import show_heads
from heed.inspection.topics.hello import show_hello
from heed.inspection.topics.mask import show_mask
from heed.inspection.topics.norm import show_norm
from heed.inspection.topics.patches import show_patches
from heed.inspection.topics.positions import show_positions
from heed.inspection.topics.residual import show_residual
from heed.inspection.topics.scores import show_scores
from heed.inspection.topics.self_attention import show_self_attention
from heed.runs.telling import Tell, silent


def show(
    topic: str,
    texts: Sequence[str] = (),
    image: Path | None = None,
    matrix: str | None = None,
    tell: Tell = silent,
) -> Shown:
    """Return what there is to see of a topic; `matrix` is a file of numbers or rows such as "1 2; 3 4"."""
    name = topic_named(topic)
    offered: dict[InputName, bool] = {"text": bool(texts), "image": image is not None, "matrix": matrix is not None}
    refuse_inputs(name, {each for each, there in offered.items() if there})
    return show_given(name, read_given(texts, image, matrix), tell)


def show_given(name: TopicName, given: Given, tell: Tell = silent) -> Shown:
    """Return the named topic for what was given."""
    match name:
        case "scores":
            return show_scores(given)
        case "self-attention":
            return show_self_attention(given)
        case "mask":
            return show_mask(given)
        case "positions":
            return show_positions(given)
        case "norm":
            return show_norm(given)
        case "heads":
            return show_heads(given)
        case "greedy":
            return show_greedy(given)
        case "beam":
            return show_beam(given)
        case "bert-input":
            return show_bert_input(given)
        case "patches":
            return show_patches(given)
        case "hello":
            return show_hello(given, tell)
        case "bottleneck":
            return show_bottleneck(given, tell)
        case "residual":
            return show_residual(given)
        case "activations":
            return show_activations(given)
        case _:
            assert_never(name)
