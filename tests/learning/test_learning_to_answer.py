"""A small model learns to answer who has what, and that some have nothing, through windows, spans and scores."""

import random

import pytest
import torch

from heed.data.question_splits import QuestionSplits
from heed.data.records import AnswerText, Question
from heed.models.encoder import EncoderSettings
from heed.models.span_reader import SpanReader
from heed.tasks.answer_search import SpanSearch
from heed.tasks.answer_training import AnswerTraining
from heed.tasks.answer_windows import WindowSettings
from heed.tokens.settings import TokenizerSettings
from heed.tokens.training import train_tokenizer

PEOPLE = ("ann", "bob", "eve", "joe", "kim", "lea")
THINGS = ("red cup", "old key", "hat", "big drum", "coin", "lamp")
SETTINGS = EncoderSettings(
    width=64,
    heads=2,
    layers=2,
    feedforward=48,
    dropout=0.0,
    positions="rotary",
    segments=2,
    longest=24,
    word_dropout=0.0,
)


def asked(number: int, draw: random.Random, impossible: float) -> Question:
    """Return a question on a paragraph of three facts; some ask for one of whom nothing is told."""
    people, things = draw.sample(PEOPLE, 4), draw.sample(THINGS, 3)
    context = " . ".join(f"{who} has {what}" for who, what in zip(people, things, strict=False))
    if draw.random() < impossible:
        return Question(f"{number}", "", context, f"what has {people[3]}", (), impossible=True)
    chosen = draw.randrange(3)
    answer = AnswerText(things[chosen], context.index(things[chosen]))
    return Question(f"{number}", "", context, f"what has {people[chosen]}", (answer,))


def learnt(impossible: float, steps: int) -> dict[str, float]:
    """Return the scores on 200 unseen questions after some steps of Adam."""
    draw = random.Random(3)
    questions = [asked(number, draw, impossible) for number in range(1600)]
    seen = {(question.context, question.question) for question in questions[:1400]}
    unseen = [question for question in questions[1400:] if (question.context, question.question) not in seen]
    tokenizer = train_tokenizer([question.context for question in questions], TokenizerSettings(kind="words", size=60))
    torch.manual_seed(5)
    model = SpanReader(SETTINGS, tokenizer.size)
    splits = QuestionSplits(questions[:1400], unseen, (), "", "")
    task = AnswerTraining(
        model, tokenizer, splits, WindowSettings(stride=6, longest_question=6), SpanSearch(), 0.0, 200
    )
    optimizer = torch.optim.Adam(model.parameters(), betas=(0.9, 0.98))
    order = [rows for epoch in range(20) for rows in task.order(1, epoch, 1600, 10_000)][:steps]
    for step, rows in enumerate(order):
        optimizer.param_groups[0]["lr"] = 4e-3 * min(10 * (step + 1) / steps, 1.1 * (1 - step / steps))
        batch = task.batch(rows, epoch=0)
        optimizer.zero_grad()
        (task.objective(batch) / batch.targets).backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
    model.eval()
    return dict(task.validate().values)


@pytest.mark.slow
@pytest.mark.parametrize("impossible", [0.0, 0.3])
def test_a_transformer_learns_who_has_what_and_of_whom_nothing_is_told(impossible: float) -> None:
    assert learnt(impossible, steps=400)["exact"] > 95
