"""GloVe: pairs counted as a person would, its loss by hand, and steps equal to torch's own AdaGrad."""

import math
from collections import defaultdict

import numpy as np
import pytest
import torch
from torch import nn

from heed.errors import DataError
from heed.models import cooccurrence
from heed.models.cooccurrence import Cooccurrences, count_pairs
from heed.models.glove import Table, adagrad, learn_glove, pair_errors, pair_weights
from heed.models.vectors_settings import GloveSettings

ROWS = {"a": 0, "b": 1, "c": 2}


def plain(pairs: Cooccurrences) -> dict[tuple[int, int], float]:
    return {
        (first, second): count
        for first, second, count in zip(pairs.first.tolist(), pairs.second.tolist(), pairs.counts.tolist(), strict=True)
    }


def test_pairs_count_by_their_distance_and_never_across_sentences() -> None:
    # a b a c: at distance 1 ab, ba, ac; at distance 2 aa, which is seen from both ends, and bc. Then b c.
    pairs = count_pairs([["a", "b", "a", "c"], ["b", "c"]], ROWS, window=2, most_pairs=9)
    assert plain(pairs) == {(0, 1): 2.0, (0, 2): 1.0, (0, 0): 1.0, (1, 2): 1.5}


def test_words_outside_the_vocabulary_are_left_out_before_distances_are_taken() -> None:
    assert plain(count_pairs([["a", "?", "b", "!"]], ROWS, window=1, most_pairs=9)) == {(0, 1): 1.0}


def test_blocks_of_any_size_give_what_a_slow_counter_gives(monkeypatch: pytest.MonkeyPatch) -> None:
    draw = np.random.default_rng(5)
    rows = {f"w{number}": number for number in range(9)}
    sentences = [[f"w{draw.integers(11)}" for _ in range(draw.integers(0, 8))] for _ in range(60)]
    expected: dict[tuple[int, int], float] = defaultdict(float)
    for sentence in sentences:
        known = [rows[word] for word in sentence if word in rows]
        for place, word in enumerate(known):
            for distance in range(1, 4):
                if place + distance < len(known):
                    other = known[place + distance]
                    expected[min(word, other), max(word, other)] += (2 if word == other else 1) / distance
    for block in (1, 17, 1000):
        monkeypatch.setattr(cooccurrence, "BLOCK_WORDS", block)
        assert plain(count_pairs(sentences, rows, window=3, most_pairs=100)) == pytest.approx(expected, rel=1e-6)


def test_too_many_pairs_are_refused_with_their_number() -> None:
    with pytest.raises(DataError, match=r"has 3 different pairs of words .* model.most_pairs is 2"):
        count_pairs([["a", "b", "c"]], ROWS, window=2, most_pairs=2)


def test_the_loss_of_a_pair_is_that_worked_by_hand() -> None:
    # w = (1, 2), c = (3, -1): product 1, biases 0.5, log of e squared is 2: off by -0.5.
    counts_1 = torch.tensor([math.e**2])
    errors_1 = pair_errors(torch.tensor([[1.0, 2.0]]), torch.tensor([[3.0, -1.0]]), torch.tensor([0.5]), counts_1)
    weights_1 = pair_weights(counts_1, cap=100.0, power=0.75)
    assert errors_1.item() == pytest.approx(-0.5)
    # (7.389056 / 100) ** 0.75: the logarithm is 0.75 * (2 - 4.605170) = -1.953878.
    assert weights_1.item() == pytest.approx(0.141723, rel=1e-4)
    assert (weights_1 * errors_1.square()).item() == pytest.approx(0.0354307, rel=1e-4)


def test_a_pair_above_the_cap_weighs_one() -> None:
    assert pair_weights(torch.tensor([99.0, 100.0, 5000.0]), 100.0, 0.75)[1:].tolist() == [1.0, 1.0]


def test_adagrad_divides_a_slope_by_the_root_of_all_its_squares() -> None:
    table = Table(torch.ones(2, 1), torch.ones(2, 1))
    adagrad(table, torch.tensor([1]), torch.tensor([[3.0]]), rate=0.1)
    assert table.values.tolist() == [[1.0], [pytest.approx(1 - 0.3 / math.sqrt(10))]]
    adagrad(table, torch.tensor([1]), torch.tensor([[4.0]]), rate=0.1)
    assert table.squares.tolist() == [[1.0], [26.0]]
    assert table.values[1].item() == pytest.approx(1 - 0.3 / math.sqrt(10) - 0.4 / math.sqrt(26))


PAIRS = Cooccurrences(
    np.array([0, 0, 1, 2], np.int32), np.array([0, 1, 3, 3], np.int32), np.array([2.0, 30.0, 0.5, 7.0], np.float32)
)
SETTINGS = GloveSettings(width=3, epochs=4, batch=100, cap=10.0, learning_rate=0.05)


def test_learning_goes_as_torch_s_own_adagrad_goes_on_the_whole_table() -> None:
    generator = torch.Generator().manual_seed(5)
    # In the order in which they are drawn: vectors and biases of the words, then of the contexts.
    parts = [nn.Parameter((torch.rand(4, width, generator=generator) - 0.5) / 3) for width in (3, 1, 3, 1)]
    words, word_biases, contexts, context_biases = parts
    optimizer = torch.optim.Adagrad(parts, lr=0.05, initial_accumulator_value=1.0, eps=0.0)
    table = torch.zeros(4, 4)
    for first, second, count in zip(PAIRS.first, PAIRS.second, PAIRS.counts, strict=True):
        table[first, second] = table[second, first] = float(count)
    cells = table > 0
    epochs = list(learn_glove(SETTINGS, PAIRS, 4, seed=5))
    assert [epoch.number for epoch in epochs] == [1, 2, 3, 4]
    for epoch in epochs:
        errors = (words @ contexts.T + word_biases + context_biases.T - table.log())[cells]
        loss = ((table[cells] / 10).clamp(max=1) ** 0.75 * errors**2).sum()
        assert epoch.loss == pytest.approx(loss.item() / int(cells.sum()), rel=1e-5)
        optimizer.zero_grad()
        (loss / 2).backward()
        optimizer.step()
        torch.testing.assert_close(torch.from_numpy(epoch.table_VD), (words + contexts).detach())


def test_the_same_seed_gives_the_same_vectors_and_another_does_not() -> None:
    first, again, other = (list(learn_glove(SETTINGS, PAIRS, 4, seed))[-1].table_VD for seed in (1, 1, 2))
    assert first.tobytes() == again.tobytes()
    assert first.tobytes() != other.tobytes()


def test_a_corpus_without_a_pair_is_refused() -> None:
    pairs = count_pairs([["a"], ["b"]], ROWS, window=2, most_pairs=9)
    with pytest.raises(DataError, match=r"No two of the 3 words stand in one sentence"):
        next(learn_glove(SETTINGS, pairs, 3, seed=1))
