"""Deck 3's character model: a recurrent network with three hidden numbers learns one word."""

from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional

from heed.decoding.greedy import greedy
from heed.decoding.limits import Limits
from heed.errors import UsageError
from heed.inspection.given import Given
from heed.inspection.panels import HeatMap
from heed.inspection.shown import Cell, Note, Shown, Table, numbered, numbers_of, table_of
from heed.models.language_rnn import LanguageRnn, LanguageRnnSettings
from heed.runs.telling import Tell

WORD = "hello"
HIDDEN = 3  # deck 3
STEPS = 300
LEARNING_RATE = 0.05
SEED = 1
LONGEST = 12  # characters of a word: a column each


@dataclass(frozen=True, eq=False)
class Learnt:
    """A word, its characters, and a model of it."""

    word: str
    vocabulary: tuple[str, ...]
    model: LanguageRnn
    losses: tuple[float, float]  # before and after training

    @property
    def token_ids(self) -> Tensor:
        """Return the word as one row of ids."""
        return torch.tensor([[self.vocabulary.index(letter) for letter in self.word]])


def show_hello(given: Given, tell: Tell) -> Shown:
    """Return hidden states and scores of a trained model, letter by letter."""
    learnt = learn(_word(given), tell)
    with torch.inference_mode():
        read = learnt.token_ids[:, :-1]
        hidden_TD, scores_TV = learnt.model.hidden(read)[0], learnt.model(read)[0]
    steps = tuple(f"{letter} → {follows}" for letter, follows in zip(learnt.word, learnt.word[1:], strict=False))
    units = numbered("h", HIDDEN)
    return Shown(
        topic="hello",
        title=f"A character model of {learnt.word!r}",
        shows=f"Each letter and {HIDDEN} numbers of memory foretell the next letter: h = tanh(W h + U x), y = V h.",
        parts=(
            _one_hot(learnt),
            table_of("Hidden states, after each letter", hidden_TD, steps, units),
            table_of("Scores of the next letter", scores_TV, steps, learnt.vocabulary, 2),
            table_of("Their softmax", scores_TV.softmax(dim=1), steps, learnt.vocabulary),
            Note("Training", _trained(learnt, scores_TV)),
            Note("Writing", _written(learnt)),
        ),
        corrections=(),
        panels=(
            HeatMap("hidden states", numbers_of(hidden_TD), steps, units),
            HeatMap("probability of the next letter", numbers_of(scores_TV.softmax(dim=1)), steps, learnt.vocabulary),
        ),
    )


def learn(word: str, tell: Tell) -> Learnt:
    """Return a model that was trained on the word, the same every time."""
    vocabulary = tuple(dict.fromkeys(word))
    settings = LanguageRnnSettings(cell="rnn", embedding=len(vocabulary), width=HIDDEN, dropout=0.0, longest=LONGEST)
    with torch.random.fork_rng():
        torch.manual_seed(SEED)
        model = LanguageRnn(settings, len(vocabulary))
    # One-hot inputs, as the deck has them: the table of vectors is the identity and does not learn.
    model.embedding.weight = torch.nn.Parameter(torch.eye(len(vocabulary)), requires_grad=False)
    before = _train(model, Learnt(word, vocabulary, model, (0.0, 0.0)).token_ids, tell)
    return Learnt(word, vocabulary, model.eval(), before)


def _train(model: LanguageRnn, token_ids: Tensor, tell: Tell) -> tuple[float, float]:
    """Train the model on the word; return its loss before and after."""
    optimizer = torch.optim.Adam([each for each in model.parameters() if each.requires_grad], LEARNING_RATE)
    losses = []
    for step in range(STEPS):
        loss = functional.cross_entropy(model(token_ids[:, :-1])[0], token_ids[0, 1:])
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]  # torch gives this method no types
        optimizer.step()
        losses.append(loss.item())
        tell("learning the word", (step + 1) / STEPS)
    return losses[0], losses[-1]


def _word(given: Given) -> str:
    if len(given.texts) > 1:
        raise UsageError(f"{len(given.texts)} texts were given. The model learns one word: give one.")
    word = given.texts[0].strip() if given.texts else WORD
    if not 2 <= len(word) <= LONGEST:
        raise UsageError(f"The word {word!r} has {len(word)} characters. Give 2 to {LONGEST}.")
    return word


def _one_hot(learnt: Learnt) -> Table:
    inputs_TV = learnt.model.embedding(learnt.token_ids[0, :-1])
    cells: tuple[tuple[Cell, ...], ...] = tuple(tuple(int(each) for each in row) for row in inputs_TV.tolist())
    names = tuple(
        f"{letter}, to foretell {follows}" for letter, follows in zip(learnt.word, learnt.word[1:], strict=False)
    )
    return Table("Inputs: one 1 for each letter", learnt.vocabulary, names, cells)


def _trained(learnt: Learnt, scores_TV: Tensor) -> str:
    expected = learnt.token_ids[0, 1:]
    right, letters = int((scores_TV.argmax(dim=1) == expected).sum()), len(expected)
    before, after = learnt.losses
    return (
        f"{STEPS} steps of Adam on the one word took the mean loss from {before:.3f} to {after:.3f}; {right} of "
        f"{letters} next letters are right. A letter that stands twice needs memory: the same input, another answer. "
        "The layers have biases besides, which the deck leaves out."
    )


def _written(learnt: Learnt) -> str:
    with torch.inference_mode():
        start = learnt.model.start(learnt.token_ids[:, :1])
    # The vocabulary has no end: the model writes as many letters as the word has.
    [found] = greedy(learnt.model, start, Limits(start=0, end=-1, longest=[len(learnt.word) - 1]))
    written = learnt.word[0] + "".join(learnt.vocabulary[id] for id in found.ids)
    return f"Given {learnt.word[0]!r} alone, the model goes on by itself: {written}"
