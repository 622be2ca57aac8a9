"""Pairs to ids to batches to a loss: what is fed, what is asked for, and what is cut and counted."""

import math

import numpy
import pytest
import torch
from torch.nn import functional

from heed.data.records import TextPair
from heed.models.seq2seq import build_seq2seq
from heed.models.transformer import TransformerSettings
from heed.tasks.rows import pad_rows, rows_from
from heed.tasks.translate import (
    TokenizerPair,
    TranslationObjective,
    batch_of,
    encode_pairs,
    encode_sources,
    loss_per_token,
    train_tokenizers,
)
from heed.tokens.encoded import TokenCounts
from heed.tokens.settings import TokenizerSettings

PAIRS = [TextPair("a b", "c"), TextPair("b", "c d a"), TextPair("a a a a", "d d")]
WORDS = TokenizerSettings(kind="words")


@pytest.fixture
def tokenizers() -> TokenizerPair:
    return train_tokenizers(PAIRS, WORDS, shared=True)


def test_rows_give_back_what_they_were_made_of() -> None:
    sequences = [[5, 6, 7], [], [8]]
    rows = rows_from(sequences)
    assert [rows[index].tolist() for index in range(len(rows))] == sequences
    assert rows.lengths.tolist() == [3, 0, 1]
    assert rows.flat.dtype == numpy.int32


def test_chosen_rows_are_padded_at_the_end_to_the_longest_of_them() -> None:
    token_ids, keep = pad_rows(rows_from([[5, 6, 7], [9], [8, 8]]), [2, 1])
    assert token_ids.tolist() == [[8, 8], [9, 0]]
    assert keep.tolist() == [[True, True], [True, False]]


def test_one_vocabulary_is_one_object_and_two_are_two() -> None:
    assert train_tokenizers(PAIRS, WORDS, shared=True).shared
    apart = train_tokenizers(PAIRS, WORDS, shared=False)
    assert not apart.shared
    assert apart.source.encode("a b").unknown == 0
    assert apart.source.encode("d").unknown == 1


def test_the_decoder_is_fed_the_target_and_asked_for_what_comes_next(tokenizers: TokenizerPair) -> None:
    batch = batch_of(encode_pairs(PAIRS, tokenizers, longest=8), [1, 0])
    word = {text: tokenizers.source.id_of(text) for text in "abcd"}
    start, end, pad = 2, 3, 0
    assert batch.source_ids.tolist() == [[word["b"], end, pad], [word["a"], word["b"], end]]
    assert batch.target_ids.tolist() == [[start, word["c"], word["d"], word["a"]], [start, word["c"], end, pad]]
    assert batch.next_ids.tolist() == [[word["c"], word["d"], word["a"], end], [word["c"], end, pad, pad]]
    assert batch.target_keep.tolist() == [[True] * 4, [True, True, False, False]]
    assert batch.tokens == 6


def test_a_source_that_is_cut_still_ends_and_the_cut_is_counted(tokenizers: TokenizerPair) -> None:
    rows, counts = encode_sources(["a a a a", "b"], tokenizers.source, longest=3)
    assert rows.lengths.tolist() == [3, 2]
    assert rows[0].tolist()[-1] == tokenizers.source.end
    assert counts == [TokenCounts(tokens=4, cut=2), TokenCounts(tokens=1)]


def test_a_target_that_is_cut_has_no_end_for_the_model_must_not_learn_to_stop_there(tokenizers: TokenizerPair) -> None:
    encoded = encode_pairs([TextPair("a", "c d a"), TextPair("a", "c d")], tokenizers, longest=3)
    assert encoded.target[0].tolist()[-1] != tokenizers.target.end
    assert encoded.target[1].tolist()[-1] == tokenizers.target.end
    assert encoded.target_counts == TokenCounts(tokens=5, cut=1)
    assert encoded.lengths() == [(2, 2), (2, 3)]


def test_no_position_is_ever_past_the_longest(tokenizers: TokenizerPair) -> None:
    longest = 3
    encoded = encode_pairs([TextPair("a " * 50, "c " * 50), TextPair("a a", "c c")], tokenizers, longest)
    assert encoded.source.lengths.max() == longest
    assert batch_of(encoded, [0, 1]).target_ids.shape[1] == longest


def test_unknown_pieces_are_counted(tokenizers: TokenizerPair) -> None:
    encoded = encode_pairs([TextPair("a zzz yyy", "c")], tokenizers, longest=9)
    assert encoded.source_counts == TokenCounts(tokens=3, unknown=2)
    assert encoded.target_counts == TokenCounts(tokens=1)


@pytest.mark.parametrize("smoothing", [0.0, 0.2])
def test_the_objective_is_the_sum_of_torchs_cross_entropy_over_real_tokens(
    smoothing: float, tokenizers: TokenizerPair
) -> None:
    torch.manual_seed(2)
    settings = TransformerSettings(width=8, heads=2, encoder_layers=1, decoder_layers=1, feedforward=12, longest=8)
    model = build_seq2seq(settings, tokenizers.source.size, tokenizers.target.size).eval()
    batch = batch_of(encode_pairs(PAIRS, tokenizers, longest=8), [0, 1, 2])
    logits_BTV = model(batch.source_ids, batch.source_keep, batch.target_ids, batch.target_keep)
    expected = functional.cross_entropy(
        logits_BTV.flatten(0, 1), batch.next_ids.flatten(), ignore_index=0, reduction="sum", label_smoothing=smoothing
    )
    torch.testing.assert_close(TranslationObjective(model, smoothing)(batch), expected, rtol=1e-5, atol=1e-4)


def test_the_loss_of_an_evaluation_is_a_mean_over_all_tokens_not_over_batches(tokenizers: TokenizerPair) -> None:
    settings = TransformerSettings(width=8, heads=2, encoder_layers=1, decoder_layers=1, feedforward=12, longest=8)
    torch.manual_seed(2)
    model = build_seq2seq(settings, tokenizers.source.size, tokenizers.target.size).eval()
    encoded = encode_pairs(PAIRS, tokenizers, longest=8)
    objective = TranslationObjective(model, label_smoothing=0.0)
    together = loss_per_token(objective, [batch_of(encoded, [0, 1, 2])])
    apart = loss_per_token(objective, [batch_of(encoded, [1]), batch_of(encoded, [0, 2])])
    assert together == pytest.approx(apart, abs=1e-5)
    assert 0 < together < 3 * math.log(tokenizers.target.size)
