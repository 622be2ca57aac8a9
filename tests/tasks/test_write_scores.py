"""Perplexity by hand, and that every token is predicted once with what stood before it."""

import math

import numpy
import pytest
import torch
from torch import Tensor

from heed.errors import DataError
from heed.models.language import LanguageModel, LanguageSettings, build_language_model
from heed.models.language_rnn import LanguageRnnSettings
from heed.models.language_transformer import LanguageTransformerSettings
from heed.tasks import write_scores
from heed.tasks.text_ids import EncodedText
from heed.tasks.write_scores import TextScores, score_text

TRANSFORMER = LanguageTransformerSettings(width=8, heads=2, layers=1, feedforward=12, dropout=0.0, longest=6)
RNN = LanguageRnnSettings(cell="gru", embedding=6, width=7, dropout=0.0)
VOCABULARY = 11


def text_of(tokens: int) -> EncodedText:
    ids = numpy.random.default_rng(tokens).integers(0, VOCABULARY, tokens + 1).astype(numpy.int32)
    return EncodedText(ids, characters=2 * tokens, words=tokens // 2 + 1, unknown=1)


def made(settings: LanguageSettings) -> LanguageModel:
    torch.manual_seed(4)
    return build_language_model(settings, VOCABULARY).eval()


@torch.no_grad()
def nats(logits_TV: Tensor, text: EncodedText, first: int) -> Tensor:
    """Return the nats of the tokens that follow the ids from `first` on."""
    next_T = torch.from_numpy(text.ids[first + 1 : first + 1 + len(logits_TV)]).long()
    return -logits_TV.double().log_softmax(dim=-1).gather(1, next_T[:, None]).squeeze(1)


def test_perplexity_bits_and_words_by_hand() -> None:
    # Eight tokens, each with probability 1/4, of a text of 16 characters and 4 words, line ends among them.
    scores = TextScores(nats=8 * math.log(4), tokens=8, characters=16, words=4, unknown=2)
    assert scores.loss == pytest.approx(math.log(4))
    assert scores.perplexity == pytest.approx(4)
    assert scores.bits_per_character == pytest.approx(1)
    assert scores.nats_per_character == pytest.approx(math.log(2))
    assert scores.word_perplexity == pytest.approx(16)
    assert scores.unknown_share == 0.25


def test_a_model_that_knows_nothing_hesitates_among_all_pieces() -> None:
    for settings in (TRANSFORMER, RNN):
        model = made(settings)
        torch.nn.init.zeros_(model.vocabulary.weight)
        torch.nn.init.zeros_(model.vocabulary.bias)
        scores = score_text(model, text_of(17))
        assert scores.perplexity == pytest.approx(VOCABULARY, rel=1e-6)
        assert (scores.tokens, scores.characters, scores.words, scores.unknown) == (17, 34, 9, 1)


def test_a_text_of_no_probability_at_all_has_a_perplexity_that_is_a_number() -> None:
    scores = TextScores(nats=1e6, tokens=10, characters=10, words=2, unknown=0)
    assert math.isfinite(scores.perplexity)
    assert math.isfinite(scores.word_perplexity)


@pytest.mark.parametrize("tokens", [1, 5, 6, 7, 8, 9, 12, 14, 31])
@pytest.mark.parametrize("longest", [5, 6])
def test_a_transformer_sees_at_least_half_a_window_before_each_token(
    tokens: int, longest: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(write_scores, "POSITIONS_PER_BATCH", 2 * longest)
    model = made(LanguageTransformerSettings(width=8, heads=2, layers=1, feedforward=12, longest=longest))
    text, half = text_of(tokens), longest // 2
    total = 0.0
    for place in range(tokens):
        # The window that scores this token: the first one, or the earliest later one that reaches it.
        step = 0 if place < longest else -(-(place + 1 - longest) // half)
        first = step * half
        seen = torch.from_numpy(text.ids[first : place + 1]).long()[None]
        assert seen.shape[1] <= longest
        assert seen.shape[1] > min(place, longest - half), "too little was seen"
        total += nats(model(seen)[0, -1:], text, place).item()
    assert score_text(model, text).nats == pytest.approx(total, rel=1e-5)


@pytest.mark.parametrize("tokens", [1, 7, 8, 9, 40])
def test_a_recurrent_network_reads_a_text_in_one_long_pass(tokens: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(write_scores, "READ_AT_ONCE", 8)
    model, text = made(RNN), text_of(tokens)
    whole_T = nats(model(torch.from_numpy(text.ids[:-1]).long()[None])[0], text, 0)
    assert score_text(model, text).nats == pytest.approx(whole_T.sum().item(), rel=1e-5)


def test_a_long_text_in_lanes_is_read_from_a_little_before_each(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (("READ_AT_ONCE", 8), ("LANES", 3), ("WARM_UP", 4)):
        monkeypatch.setattr(write_scores, name, value)
    model, text = made(RNN), text_of(100)
    assert 100 // (8 * 4) == 3
    total = 0.0
    for begin, end in ((0, 34), (34, 68), (68, 100)):
        first = max(0, begin - 4)
        logits_TV = model(torch.from_numpy(text.ids[first:end]).long()[None])[0]
        total += nats(logits_TV[begin - first :], text, begin).sum().item()
    assert score_text(model, text).nats == pytest.approx(total, rel=1e-5)


@pytest.mark.parametrize("settings", [TRANSFORMER, RNN], ids=["transformer", "rnn"])
def test_the_number_of_threads_does_not_matter(settings, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (("READ_AT_ONCE", 8), ("LANES", 3), ("WARM_UP", 4), ("POSITIONS_PER_BATCH", 12)):
        monkeypatch.setattr(write_scores, name, value)
    model, text = made(settings), text_of(100)
    one = score_text(model, text).nats
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    try:
        assert score_text(model, text).nats == pytest.approx(one, rel=1e-6)
    finally:
        torch.set_num_threads(before)


def test_nothing_to_score_is_refused() -> None:
    with pytest.raises(DataError, match="has 0 characters and no token"):
        score_text(made(RNN), EncodedText(numpy.zeros(1, dtype=numpy.int32), 0, 0, 0))
    with pytest.raises(DataError, match="has 2 tokens for white space only"):
        score_text(made(RNN), EncodedText(numpy.zeros(3, dtype=numpy.int32), 0, 0, 0))
