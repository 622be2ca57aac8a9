"""Every text model learns a rule about two words to the last example, and those that cannot know it do not.

Every text holds both words once, so that only their places tell: whether A comes before B, or right before it. Two
towers learn whether both texts hold the same word.
"""

from collections.abc import Callable
from dataclasses import dataclass

import pytest
import torch
from torch import Tensor
from torch.nn import functional

from heed.layers.masks import keep_from_lengths
from heed.models.encoder import EncoderSettings
from heed.models.text_classifier import TextClassifier, TextClassifierSettings
from heed.models.text_cnn import TextCnnSettings
from heed.models.text_input import TextInput
from heed.models.text_rnn import TextRnnSettings

PAD, A, B, FIRST_OTHER, VOCABULARY = 0, 1, 2, 3, 9
SHORTEST, LONGEST, BATCH = 4, 9, 64

TRANSFORMER = {"width": 32, "heads": 2, "layers": 1, "feedforward": 48, "dropout": 0.0}
RNN = {"embedding": 16, "width": 32, "dropout": 0.0}
CNN = {"embedding": 16, "filters": 16, "dropout": 0.0}


@dataclass(frozen=True)
class Labelled:
    """Texts, or pairs of them, and whether the rule holds for them."""

    texts: tuple[TextInput, ...]
    labels: Tensor  # (B,)


def ordered(generator: torch.Generator, count: int) -> Labelled:
    """Return texts with A and B at two different places; the rule: A comes before B."""
    lengths = torch.randint(SHORTEST, LONGEST + 1, (count,), generator=generator)
    first = (torch.rand(count, generator=generator) * lengths).long()
    step = 1 + (torch.rand(count, generator=generator) * (lengths - 1)).long()
    return placed(lengths, first, (first + step) % lengths, generator)


def adjacent(generator: torch.Generator, count: int) -> Labelled:
    """Return texts with A and B beside each other; the rule: A comes right before B."""
    lengths = torch.randint(SHORTEST, LONGEST + 1, (count,), generator=generator)
    left = (torch.rand(count, generator=generator) * (lengths - 1)).long()
    swapped = torch.rand(count, generator=generator) < 0.5
    return placed(lengths, left + swapped.long(), left + (~swapped).long(), generator)


def placed(lengths: Tensor, a: Tensor, b: Tensor, generator: torch.Generator) -> Labelled:
    ids = torch.randint(FIRST_OTHER, VOCABULARY, (len(lengths), LONGEST), generator=generator)
    ids = ids.scatter(1, a[:, None], A).scatter(1, b[:, None], B)
    return Labelled((padded(ids, lengths),), (a < b).long())


def alike(generator: torch.Generator, count: int) -> Labelled:
    """Return pairs of texts with A or B in each; the rule: it is the same word in both."""
    texts, words = [], torch.randint(A, B + 1, (2, count), generator=generator)
    for words_B in words:
        lengths = torch.randint(SHORTEST, LONGEST + 1, (count,), generator=generator)
        places = (torch.rand(count, generator=generator) * lengths).long()
        ids = torch.randint(FIRST_OTHER, VOCABULARY, (count, LONGEST), generator=generator)
        texts.append(padded(ids.scatter(1, places[:, None], words_B[:, None]), lengths))
    return Labelled(tuple(texts), (words[0] == words[1]).long())


def padded(ids: Tensor, lengths: Tensor) -> TextInput:
    keep = keep_from_lengths(lengths, LONGEST)
    return TextInput(ids.masked_fill(~keep, PAD), keep)


def right(settings: TextClassifierSettings, draw: Callable[..., Labelled], steps: int) -> float:
    """Return the share of 500 fresh texts that a model gets right after some steps of Adam."""
    torch.manual_seed(11)
    model = TextClassifier(settings, VOCABULARY, outputs=2, towers=draw is alike)
    generator = torch.Generator().manual_seed(1)
    optimizer = torch.optim.Adam(model.parameters())
    for step in range(steps):
        optimizer.param_groups[0]["lr"] = 5e-3 * min(10 * (step + 1) / steps, 1.1 * (1 - step / steps))
        batch = draw(generator, BATCH)
        optimizer.zero_grad()
        functional.cross_entropy(model(batch.texts), batch.labels).backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
    fresh = draw(torch.Generator().manual_seed(2), 500)
    with torch.no_grad():
        return (model.eval()(fresh.texts).argmax(dim=1) == fresh.labels).float().mean().item()


@pytest.mark.parametrize("pooling", ["last", "mean", "max", "attention"])
@pytest.mark.parametrize("cell", ["rnn", "lstm", "gru"])
def test_every_cell_learns_which_word_comes_first(cell: str, pooling: str) -> None:
    assert right(TextRnnSettings(cell=cell, pooling=pooling, **RNN), ordered, steps=200) == 1.0


@pytest.mark.parametrize("pooling", ["mean", "max", "first", "attention"])
def test_the_transformer_learns_which_word_comes_first(pooling: str) -> None:
    assert right(EncoderSettings(pooling=pooling, **TRANSFORMER), ordered, steps=250) == 1.0


@pytest.mark.parametrize("positions", ["sinusoid-concat", "learned", "rotary"])
def test_every_way_to_tell_positions_tells_which_word_comes_first(positions: str) -> None:
    assert right(EncoderSettings(positions=positions, **TRANSFORMER), ordered, steps=250) == 1.0


def test_without_positions_a_transformer_sees_a_bag_of_words() -> None:
    assert right(EncoderSettings(positions="none", **TRANSFORMER), ordered, steps=100) < 0.6


def test_filters_over_two_words_learn_whether_a_pair_of_words_is_there() -> None:
    assert right(TextCnnSettings(widths=(1, 2), **CNN), adjacent, steps=150) == 1.0


def test_filters_over_single_words_see_a_bag_of_words() -> None:
    assert right(TextCnnSettings(widths=(1,), **CNN), adjacent, steps=150) < 0.6


@pytest.mark.parametrize(
    "settings", [EncoderSettings(**TRANSFORMER), TextRnnSettings(cell="gru", **RNN), TextCnnSettings(**CNN)]
)
def test_two_towers_learn_whether_their_texts_are_alike(settings: TextClassifierSettings) -> None:
    assert right(settings, alike, steps=200) == 1.0
