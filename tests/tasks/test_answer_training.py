"""What training gets of questions: batches of windows, the loss over paragraphs alone, and scores to choose by."""

import pytest
import torch
from torch import Tensor, nn

from heed.data.question_splits import QuestionSplits
from heed.data.records import AnswerText, Question
from heed.models.encoder import EncoderSettings
from heed.models.span_reader import SpanReader
from heed.tasks.answer import AnswerObjective, span_loss
from heed.tasks.answer_search import SpanSearch
from heed.tasks.answer_training import AnswerTraining
from heed.tasks.answer_windows import WindowSettings
from heed.tokens.settings import TokenizerSettings
from heed.tokens.training import train_tokenizer

CONTEXT = "ann lives in rome and bob lives in oslo"
TOKENIZER = train_tokenizer([CONTEXT, "where does she live"], TokenizerSettings(kind="words", size=60))
SETTINGS = EncoderSettings(
    width=8, heads=2, layers=1, feedforward=12, dropout=0.0, segments=2, longest=14, word_dropout=0.0
)


def asked(name: str, town: str | None) -> Question:
    answers = () if town is None else (AnswerText(town, CONTEXT.index(town)),)
    return Question(name, "", CONTEXT, f"where does {name} live", answers, impossible=town is None)


def task(*train: Question, valid: list[Question] | None = None, **search: float) -> AnswerTraining:
    torch.manual_seed(1)
    return AnswerTraining(
        SpanReader(SETTINGS, TOKENIZER.size),
        TOKENIZER,
        QuestionSplits(train, valid or list(train), (), "", ""),
        WindowSettings(stride=2, longest_question=4),
        SpanSearch(**search),  # type: ignore[arg-type]
        0.0,
        100,
    )


def test_a_batch_points_at_the_answer_in_the_windows_that_hold_it() -> None:
    training = task(asked("ann", "rome"), asked("bob", "oslo"))
    assert training.train.windows.lengths.tolist() == [14, 11, 14, 11]
    batch = training.batch([0, 1, 2, 3], epoch=0)
    pieces = [
        [TOKENIZER.piece(int(id)) for id in ids[start : end + 1]]
        for ids, (start, end) in zip(batch.text.token_ids, batch.spans.tolist(), strict=True)
    ]
    assert pieces == [["rome"], ["[START]"], ["[START]"], ["oslo"]]
    assert (batch.targets, batch.tokens) == (4, 50)


def test_each_window_is_seen_once_an_epoch_and_those_of_lost_answers_never() -> None:
    lost = Question("x", "", CONTEXT, "where does she live", (AnswerText(CONTEXT, 0),))
    training = task(asked("ann", "rome"), lost, asked("bob", None))
    assert training.gold.lost == 1
    for epoch in (0, 1):
        order = training.order(seed=1, epoch=epoch, tokens_per_batch=40, window=10)
        assert sorted(row for rows in order for row in rows) == [0, 1, 4, 5]


def test_the_loss_is_the_mean_of_two_cross_entropies_over_the_candidates() -> None:
    torch.manual_seed(2)
    logits = torch.randn(2, 5, 2, dtype=torch.float64)
    candidates = torch.tensor([[True, False, True, True, False], [True, False, False, True, True]])
    spans = torch.tensor([[2, 3], [0, 0]])
    expected = []
    for row in range(2):
        kept = logits[row][candidates[row]].log_softmax(dim=0)
        places = candidates[row].nonzero().flatten().tolist()
        expected.append(-sum(kept[places.index(int(spans[row, side])), side] for side in (0, 1)) / 2)
    torch.testing.assert_close(span_loss(logits, candidates, spans), torch.stack(expected))


def test_smoothing_spreads_over_the_candidates_and_stays_finite() -> None:
    torch.manual_seed(2)
    logits = torch.randn(1, 4, 2)
    every = torch.ones(1, 4, dtype=torch.bool)
    spans = torch.tensor([[1, 2]])
    sides = [
        nn.functional.cross_entropy(logits[..., side], spans[:, side], label_smoothing=0.2, reduction="none")
        for side in (0, 1)
    ]
    torch.testing.assert_close(span_loss(logits, every, spans, 0.2), (sides[0] + sides[1]) / 2)
    some = torch.tensor([[True, True, True, False]])
    assert span_loss(logits, some, spans, 0.2).isfinite().all()


class Fixed(nn.Module):
    """A model whose numbers are given."""

    def __init__(self, logits_BT2: Tensor) -> None:
        super().__init__()
        self.logits_BT2 = nn.Parameter(logits_BT2)
        self.settings = SETTINGS

    def forward(self, text: object) -> Tensor:
        return self.logits_BT2


def test_question_ends_and_padding_get_no_gradient() -> None:
    training = task(asked("ann", "rome"), asked("bob", None))
    batch = training.batch([0, 1], epoch=0)
    fixed = Fixed(torch.randn(*batch.text.token_ids.shape, 2))
    AnswerObjective(fixed, 0.1, TOKENIZER.unknown)(batch).backward()  # type: ignore[arg-type]
    assert fixed.logits_BT2.grad is not None
    moved = fixed.logits_BT2.grad.abs().sum(dim=2) > 0
    assert torch.equal(moved, batch.candidates)


def test_words_of_the_paragraph_alone_are_hidden_and_in_training_alone() -> None:
    training = task(asked("ann", "rome"))
    batch = training.batch([0] * 60, epoch=0)
    objective = training.objective
    objective.word_dropout = 0.5
    hidden = objective._with_words_dropped(batch)
    changed = hidden.token_ids != batch.text.token_ids
    assert not bool((changed & ~batch.candidates).any())
    assert not bool(changed[:, 0].any())
    assert 0.35 < float(changed[:, 6:-1].float().mean()) < 0.65
    objective.eval()
    assert torch.equal(objective(batch), objective(batch))


def test_a_batch_is_the_sum_of_its_windows() -> None:
    training = task(asked("ann", "rome"), asked("bob", "oslo"))
    training.objective.eval()
    parts = [training.objective(training.batch([row], epoch=0)) for row in range(4)]
    torch.testing.assert_close(training.objective(training.batch([0, 1, 2, 3], epoch=0)), torch.stack(parts).sum())


def test_validation_scores_exact_match_and_f1_and_has_a_threshold_where_some_are_impossible() -> None:
    plain = task(asked("ann", "rome"), asked("bob", "oslo")).validate()
    assert set(plain.values) == {"exact", "f1"}
    assert plain.score == plain.values["f1"]
    training = task(asked("ann", None), asked("bob", None), valid=[asked("ann", None)] * 3)
    found = training.validate()
    assert found.score == 100.0  # nothing is right to say
    assert set(found.values) == {"exact", "f1", "no_answer_threshold"}
    assert found.sample.expected == found.sample.predicted == "(no answer)"


def test_a_threshold_that_was_given_is_kept() -> None:
    found = task(asked("ann", None), asked("bob", "oslo"), no_answer_threshold=-1e5).validate()
    assert found.values["no_answer_threshold"] == -1e5
    assert found.values["exact"] == 50.0  # never an answer


@pytest.mark.parametrize("count", [1, 2])
def test_only_so_many_validation_questions_are_read(count: int) -> None:
    questions = [asked("ann", "rome"), asked("bob", "oslo"), asked("ann", "oslo")]
    training = AnswerTraining(
        SpanReader(SETTINGS, TOKENIZER.size),
        TOKENIZER,
        QuestionSplits(questions, questions, (), "", ""),
        WindowSettings(longest_question=4),
        SpanSearch(),
        0.0,
        count,
    )
    assert len(training.valid_questions) == len(training.valid) == count
