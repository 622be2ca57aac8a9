"""Laws of the order of examples: pure, complete, within the budget, and with little padding."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

from heed.data import order
from heed.data.order import batches, padding_share, valid_batches
from heed.errors import SettingsError

Pairs = list[tuple[int, int]]
LENGTHS = st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40)), max_size=60)


def realistic(count: int) -> Pairs:
    """Lengths of mean 13, the two sides of a pair about a tenth apart."""
    dice = numpy.random.default_rng(7)
    target = dice.lognormal(numpy.log(13) - 0.125, 0.5, count)
    source = target * dice.lognormal(0, 0.1, count)
    return list(
        zip(*(numpy.maximum(1, numpy.round(side)).astype(int).tolist() for side in (source, target)), strict=True)
    )


def is_within(lengths: Pairs, batch: list[int], budget: int) -> bool:
    source, target = max(lengths[index][0] for index in batch), max(lengths[index][1] for index in batch)
    return len(batch) == 1 or len(batch) * (source + target) <= budget


@given(LENGTHS, st.integers(0, 2**63), st.integers(0, 5), st.integers(1, 200), st.integers(1, 70))
def test_every_index_comes_once_and_every_batch_is_within_the_budget(
    lengths: Pairs, seed: int, epoch: int, budget: int, window: int
) -> None:
    dealt = batches(lengths, seed, epoch, budget, window)
    assert sorted(index for batch in dealt for index in batch) == list(range(len(lengths)))
    assert all(batch and is_within(lengths, batch, budget) for batch in dealt)


@given(LENGTHS, st.integers(1, 200))
def test_validation_has_every_index_once_within_the_budget_and_shorter_before_longer(
    lengths: Pairs, budget: int
) -> None:
    dealt = valid_batches(lengths, budget)
    assert sorted(index for batch in dealt for index in batch) == list(range(len(lengths)))
    assert all(batch and is_within(lengths, batch, budget) for batch in dealt)
    assert dealt == valid_batches(lengths, budget)


def test_validation_goes_from_short_to_long() -> None:
    assert valid_batches([(9, 9), (1, 1), (5, 5), (1, 1)], 4) == [[1, 3], [2], [0]]


def test_an_example_beyond_the_budget_stands_alone() -> None:
    assert sorted(map(sorted, batches([(1, 1), (50, 50), (1, 1)], 0, 0, 10, 8))) == [[0, 2], [1]]


def test_a_batch_without_tokens_is_bounded_too() -> None:
    assert [len(batch) for batch in valid_batches([(0, 0)] * 7, 3)] == [3, 3, 1]


def test_seed_and_epoch_each_change_the_order() -> None:
    lengths = realistic(200)
    orders = {json.dumps(batches(lengths, seed, epoch, 256, 64)) for seed in range(4) for epoch in range(4)}
    assert len(orders) == 16
    assert batches(lengths, 1, 2, 256, 64) == batches(lengths, 1, 2, 256, 64)


def test_batches_of_short_and_of_long_examples_are_mixed() -> None:
    lengths = realistic(5000)
    first = [numpy.mean([lengths[index][1] for index in batch]) for batch in batches(lengths, 0, 0, 512, 5000)]
    assert abs(numpy.corrcoef(first, numpy.arange(len(first)))[0, 1]) < 0.2


def test_examples_meet_others_in_the_next_epoch() -> None:
    lengths = [(5, 5)] * 1000
    with_first = [next(batch for batch in batches(lengths, 0, epoch, 100, 100) if 0 in batch) for epoch in (0, 1)]
    assert len(set(with_first[0]) & set(with_first[1])) < 4


def test_an_array_and_a_list_of_pairs_give_the_same() -> None:
    lengths = realistic(100)
    assert batches(numpy.array(lengths), 3, 1, 200, 32) == batches(lengths, 3, 1, 200, 32)


def test_another_process_makes_the_same_order() -> None:
    lengths = realistic(300)
    code = "import json, sys; from heed.data.order import batches; "
    code += "print(json.dumps(batches(json.load(sys.stdin), 5, 2, 200, 64)))"
    environment = os.environ | {"PYTHONPATH": str(Path(order.__file__).parents[2]), "PYTHONHASHSEED": "123"}
    done = subprocess.run(
        [sys.executable, "-c", code],
        input=json.dumps(lengths),
        capture_output=True,
        text=True,
        check=True,
        env=environment,
    )
    assert json.loads(done.stdout) == batches(lengths, 5, 2, 200, 64)


def test_the_order_is_the_same_in_every_version() -> None:
    # Recorded: a run that is resumed with a newer numpy must go on with the same batches.
    assert batches([(n % 5 + 1, n % 3 + 1) for n in range(12)], 1, 2, 20, 6) == [
        [0, 10, 7],
        [5],
        [9, 2],
        [4, 8],
        [6, 1, 3],
        [11],
    ]


@pytest.mark.parametrize(("window", "most"), [(4096, 0.085), (16384, 0.04)])
def test_padding_of_realistic_lengths_is_a_few_percent(window: int, most: float) -> None:
    lengths = realistic(50_000)
    assert 0 < padding_share(lengths, batches(lengths, 0, 0, 4096, window)) < most


def test_padding_is_the_part_of_the_positions_without_a_token() -> None:
    assert padding_share([(2, 3), (4, 1), (9, 9)], [[0, 1], [2]]) == pytest.approx(1 - 28 / (2 * 4 + 2 * 3 + 18))
    assert padding_share([], []) == 0.0
    assert padding_share([(0, 0)], [[0]]) == 0.0


def test_a_million_examples_are_dealt_in_seconds() -> None:
    lengths = realistic(1_000_000)
    begin = time.process_time()
    batches(lengths, 0, 0, 4096, 4096)
    assert time.process_time() - begin < 4  # about 1.3 measured; the bound leaves room for a busy machine


@pytest.mark.parametrize("name", ["seed", "epoch", "tokens_per_batch", "window"])
def test_a_number_that_is_too_small_is_named_with_its_value(name: str) -> None:
    numbers = {"seed": 0, "epoch": 0, "tokens_per_batch": 8, "window": 4} | {name: -3}
    with pytest.raises(SettingsError, match=f"{name} is -3, it must be [01] or more"):
        batches([(1, 1)], **numbers)
    with pytest.raises(SettingsError, match="tokens_per_batch is 0"):
        valid_batches([(1, 1)], 0)
