"""The loss of pre-training, worked out by hand: hidden tokens, and pairs that weigh as much as a sequence's tokens."""

from dataclasses import replace
from pathlib import Path

import numpy
import pytest
import torch
from torch.nn import functional

from heed.data.documents import Document
from heed.data.token_store import open_store, write_store
from heed.models.bert import BertSettings
from heed.models.bert_pretraining import BertPretraining
from heed.tasks.masking import build_masking
from heed.tasks.pretrain import UNLABELLED, PretrainingObjective, Sequencer, batch_of, score_batches
from heed.tasks.pretraining import PretrainingTraining
from heed.tasks.sentence_pairs import build_pairs
from heed.tasks.sequences import cut_stretches
from heed.tokens.settings import TokenizerSettings
from heed.tokens.training import train_tokenizer

WORDS = [f"w{number:02}" for number in range(60)]
SETTINGS = BertSettings(width=8, heads=2, layers=1, feedforward=12, longest=40, dropout=0.0)


@pytest.fixture(scope="module")
def sequencer(tmp_path_factory: pytest.TempPathFactory) -> Sequencer:
    tokenizer = train_tokenizer([" ".join(WORDS)], TokenizerSettings(kind="words"), "bert")
    draw, folder = numpy.random.default_rng(2), tmp_path_factory.mktemp("store")
    documents = [
        Document(tuple(" ".join(draw.choice(WORDS, size=draw.integers(2, 9))) for _ in range(8)), f"a:{number}")
        for number in range(12)
    ]
    write_store(folder, documents, tokenizer)
    pairs = build_pairs(cut_stretches(open_store(Path(folder)), 30))
    return Sequencer(pairs.stretches, build_masking(tokenizer, 0.15, False), tokenizer, pairs, seed=5)


@pytest.fixture
def model(sequencer: Sequencer) -> BertPretraining:
    torch.manual_seed(4)
    model = BertPretraining(SETTINGS, sequencer.tokenizer.size, next_sentence=True)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(0.3 * torch.randn_like(parameter))  # so that the two answers differ
    return model.eval()


def test_a_text_that_goes_on_has_label_0_and_another_label_1(sequencer: Sequencer) -> None:
    whole = f" {' '.join(map(str, sequencer.stretches.store.tokens))} "
    examples = [sequencer.example(number, 0) for number in range(len(sequencer))]
    batch = batch_of(examples, pairs=True)
    assert batch.order is not None
    assert {0, 1} == set(batch.order.tolist())
    for example, label in zip(examples, batch.order.tolist(), strict=True):
        texts = [*example.original[1 : example.second - 1], *example.original[example.second : -1]]
        assert label == (0 if f" {' '.join(map(str, texts))} " in whole else 1)


def test_the_loss_is_the_sum_over_hidden_tokens_and_the_weighted_sum_over_pairs(
    sequencer: Sequencer, model: BertPretraining
) -> None:
    batch = batch_of([sequencer.example(number, 0) for number in (0, 3, 7)], pairs=True)
    said = model(batch.text, batch.hidden)
    assert said.next_B2 is not None
    assert batch.order is not None
    tokens = functional.cross_entropy(model.masked.vocabulary(said.features_ND), batch.answers, reduction="sum")
    log_probs_B2 = said.next_B2.log_softmax(dim=1)
    pairs = -sum(log_probs_B2[row, label] for row, label in enumerate(batch.order.tolist()))
    torch.testing.assert_close(PretrainingObjective(model, next_weight=2.5)(batch), tokens + 2.5 * pairs)


def test_a_pair_weighs_as_much_as_the_tokens_of_a_sequence_that_are_hidden(
    sequencer: Sequencer, model: BertPretraining
) -> None:
    task = PretrainingTraining(model, sequencer, sequencer, 1)
    hidden = [int(sequencer.example(number, 0).chosen.sum()) for number in range(len(sequencer))]
    assert task.objective.next_weight == pytest.approx(sum(hidden) / len(hidden))


def test_a_pair_without_a_label_adds_nothing_to_loss_or_accuracy(sequencer: Sequencer, model: BertPretraining) -> None:
    whole = batch_of([sequencer.example(number, 0) for number in (0, 3, 7)], pairs=True)
    assert whole.order is not None
    none = replace(whole, order=torch.full_like(whole.order, UNLABELLED))
    objective = PretrainingObjective(model, next_weight=2.5)
    torch.testing.assert_close(objective(none), PretrainingObjective(model, next_weight=0.0)(whole))
    assert score_batches(model, [none]).next_accuracy is None
    said = model(whole.text, whole.hidden)
    right = replace(whole, order=torch.cat([said.next_B2.argmax(dim=1)[:2], torch.tensor([UNLABELLED])]))
    assert score_batches(model, [right]).next_accuracy == 1.0


def test_scores_are_means_over_tokens_and_over_pairs_however_they_are_batched(
    sequencer: Sequencer, model: BertPretraining
) -> None:
    batches = [batch_of([sequencer.example(number, 0) for number in rows], pairs=True) for rows in ((0, 3, 7), (1,))]
    nats, found, tokens, right = 0.0, 0, 0, 0
    for batch in batches:
        said = model(batch.text, batch.hidden)
        assert said.next_B2 is not None
        assert batch.order is not None
        log_probs_NV = model.masked.vocabulary(said.features_ND).log_softmax(dim=1)
        nats -= sum(float(log_probs_NV[row, answer].detach()) for row, answer in enumerate(batch.answers.tolist()))
        found += int((log_probs_NV.argmax(dim=1) == batch.answers).sum())
        tokens += len(batch.answers)
        right += sum(int(said.next_B2[row].argmax()) == label for row, label in enumerate(batch.order.tolist()))
    scores = score_batches(model, batches)
    assert scores.loss == pytest.approx(nats / tokens, rel=1e-5)
    assert (scores.accuracy, scores.next_accuracy) == (found / tokens, right / 4)
