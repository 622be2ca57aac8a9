"""The information bottleneck: two small LSTMs learn to copy, one through its last state alone, one with attention."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import torch
from torch import Tensor
from torch.nn import functional

from heed.decoding.greedy import greedy
from heed.decoding.limits import Limits
from heed.errors import UsageError
from heed.inspection.given import Given
from heed.inspection.panels import Curve, Curves
from heed.inspection.shown import Note, Shown, Table
from heed.models.rnn_seq2seq import RnnSeq2Seq, RnnSettings
from heed.runs.telling import Tell

TEXTS = ("hello", "helloworld")
START, END, FIRST = 0, 1, 2  # ids; letters begin at FIRST
FEWEST_LETTERS, MOST_LETTERS = 2, 12  # of an alphabet; copying with more takes longer to learn
LONGEST_TEXT = 16  # characters of a text to copy
SEED = 0


@dataclass(frozen=True)
class Effort:
    """How much is learnt, and on what it is measured."""

    width: int = 32
    steps: int = 300
    batch: int = 48
    longest: int = 10  # letters of a training text, from 1
    learning_rate: float = 0.02
    lengths: tuple[int, ...] = (2, 4, 6, 8, 10, 12, 14)  # the last two are longer than any in training
    tried: int = 100  # texts of each length


@dataclass(frozen=True, eq=False)
class Copier:
    """A model that was taught to copy."""

    name: str
    model: RnnSeq2Seq
    seconds: float
    exact: tuple[float, ...]  # share of the texts of each length that were copied without a fault


def show_bottleneck(given: Given, tell: Tell, effort: Effort | None = None) -> Shown:
    """Return the share of exact copies by length, with a thought vector and with attention."""
    effort = effort or Effort()
    texts = given.texts or TEXTS
    alphabet = _alphabet(texts)
    plain = learn("thought vector", "none", len(alphabet), effort, lambda share: tell("thought vector", share / 2))
    seeing = learn("attention", "general", len(alphabet), effort, lambda share: tell("attention", (1 + share) / 2))
    return Shown(
        topic="bottleneck",
        title="One thought vector against attention over all states",
        shows="Two LSTMs learn to copy letters: one keeps all in its last state, one may look back at each.",
        parts=(
            Table(
                f"Exact copies of {effort.tried} texts, percent",
                tuple(f"{length} letters" for length in effort.lengths),
                (plain.name, seeing.name),
                tuple(tuple(round(100 * share) for share in each.exact) for each in (plain, seeing)),
            ),
            _copies(texts, alphabet, (plain, seeing)),
            Note("What was trained", _told(alphabet, effort, (plain, seeing))),
        ),
        corrections=(),
        panels=(
            Curves(
                f"exact copies by length; trained up to {effort.longest} letters",
                "letters of the text",
                "percent copied without a fault",
                tuple(
                    Curve(each.name, tuple(map(float, effort.lengths)), tuple(100 * share for share in each.exact))
                    for each in (plain, seeing)
                ),
            ),
        ),
    )


def learn(
    name: str, attention: Literal["none", "general"], letters: int, effort: Effort, tell: Callable[[float], None]
) -> Copier:
    """Return a model that was trained to copy random texts, and how well it does it."""
    began = time.monotonic()
    with torch.random.fork_rng():
        torch.manual_seed(SEED)
        settings = RnnSettings(width=effort.width, attention=attention, dropout=0.0, tie="none", longest=64)
        model = RnnSeq2Seq(settings, FIRST + letters, FIRST + letters)
    generator = torch.Generator().manual_seed(SEED)
    optimizer = torch.optim.Adam(model.parameters(), effort.learning_rate)
    falling = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.0, effort.steps)
    for step in range(effort.steps):
        length = int(torch.randint(1, effort.longest + 1, (1,), generator=generator))
        _step(model, optimizer, _random_texts(effort.batch, length, letters, generator))
        falling.step()
        tell((step + 1) / effort.steps)
    seconds = time.monotonic() - began
    exact = [_exact(model.eval(), _random_texts(effort.tried, length, letters, generator)) for length in effort.lengths]
    return Copier(name, model, seconds, tuple(exact))


def copy(model: RnnSeq2Seq, ids_BS: Tensor) -> list[tuple[int, ...]]:
    """Return what the model writes for each text; an end that it never wrote is not there."""
    with torch.inference_mode():
        state = model.start(ids_BS, torch.ones_like(ids_BS, dtype=torch.bool))
    # A little room beyond the text: a copy that does not stop is no copy.
    limits = Limits(start=START, end=END, forbidden=(START,), longest=[ids_BS.shape[1] + 3] * len(ids_BS))
    return [found.ids for found in greedy(model, state, limits)]


def _random_texts(count: int, length: int, letters: int, generator: torch.Generator) -> Tensor:
    return torch.randint(FIRST, FIRST + letters, (count, length), generator=generator)


def _step(model: RnnSeq2Seq, optimizer: torch.optim.Adam, ids_BS: Tensor) -> None:
    """Learn from one batch of texts of one length."""
    edge_B1 = torch.ones_like(ids_BS[:, :1])
    target_ids = torch.cat([START * edge_B1, ids_BS], dim=1)
    logits_BTV = model(ids_BS, torch.ones_like(ids_BS, dtype=torch.bool), target_ids)
    expected = torch.cat([ids_BS, END * edge_B1], dim=1)
    loss = functional.cross_entropy(logits_BTV.flatten(0, 1), expected.flatten())
    optimizer.zero_grad()
    loss.backward()  # type: ignore[no-untyped-call]  # torch gives this method no types
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()


def _exact(model: RnnSeq2Seq, ids_BS: Tensor) -> float:
    expected = [(*row, END) for row in ids_BS.tolist()]
    return sum(found == row for found, row in zip(copy(model, ids_BS), expected, strict=True)) / len(expected)


def _alphabet(texts: Sequence[str]) -> tuple[str, ...]:
    letters = tuple(sorted(set("".join(texts))))
    if not FEWEST_LETTERS <= len(letters) <= MOST_LETTERS:
        raise UsageError(
            f"The texts have {len(letters)} different characters. Give texts of {FEWEST_LETTERS} to {MOST_LETTERS} "
            f"different ones, such as 'hello'."
        )
    longest = max(texts, key=len)
    if len(longest) > LONGEST_TEXT:
        raise UsageError(
            f"The text {longest!r} has {len(longest)} characters; at most {LONGEST_TEXT} are copied. Give less."
        )
    return letters


def _copies(texts: Sequence[str], alphabet: tuple[str, ...], copiers: Sequence[Copier]) -> Table:
    rows = []
    for text in texts:
        ids_BS = torch.tensor([[FIRST + alphabet.index(letter) for letter in text]])
        rows.append(tuple(_written(copy(each.model, ids_BS)[0], alphabet) for each in copiers))
    return Table("Copied", tuple(each.name for each in copiers), tuple(texts), tuple(rows))


def _written(ids: Sequence[int], alphabet: tuple[str, ...]) -> str:
    return "".join("" if id == END else alphabet[id - FIRST] for id in ids)


def _told(alphabet: tuple[str, ...], effort: Effort, copiers: Sequence[Copier]) -> str:
    times = " and ".join(f"{each.seconds:.1f} s" for each in copiers)
    return (
        f"Both: an LSTM of width {effort.width} in encoder and decoder, {effort.steps} steps of {effort.batch} random "
        f"texts of 1 to {effort.longest} of the letters {''.join(alphabet)!r}, the same texts for both, {times}; the "
        "second has Luong's general attention besides. Texts longer than in training are hard for both; deck 2 says "
        "so of the thought vector."
    )
