"""A model that is a table of random logits by prefix, and searches over it that are too simple to be wrong."""

import math
import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

import pytest
import torch
from torch import Tensor

from heed.decoding.hypotheses import Hypothesis
from heed.decoding.lengths import Normalisation, penalty

START, END = 0, 1
Prefix = tuple[int, ...]
State = list[tuple[str, list[Prefix]]]  # per source: its key, and the prefix of each of its beams


@dataclass
class TableModel:
    """Logits by (source key, prefix). Coarse logits are whole numbers, so that ties are common."""

    vocabulary: int
    coarse: bool = False
    impossible: float = 0.0  # share of ids other than the end id that have probability 0
    end_bonus: float = 0.0
    steps: int = 0
    largest_batch: int = 0

    def start(self, keys: list[str]) -> State:
        return [(key, [()]) for key in keys]

    def logits(self, key: str, prefix: Prefix) -> Tensor:
        drawn = random.Random(f"{key} {prefix}")
        values = [drawn.gauss(0, 2) for _ in range(self.vocabulary)]
        values[END] += self.end_bonus
        values = [float(round(value)) for value in values] if self.coarse else values
        gone = [token != END and drawn.random() < self.impossible for token in range(self.vocabulary)]
        return torch.tensor([-math.inf if out else value for value, out in zip(values, gone, strict=True)])

    def log_probs(self, key: str, prefix: Prefix) -> list[float]:
        return self.logits(key, prefix).log_softmax(0).clamp(max=0.0).tolist()

    def step(self, last_ids_BW: Tensor, state: State) -> tuple[Tensor, State]:
        self.steps += 1
        self.largest_batch = max(self.largest_batch, len(state))
        assert last_ids_BW.shape == (len(state), len(state[0][1]))
        after = [
            (key, [(*prefix, last) for prefix, last in zip(prefixes, row, strict=True)])
            for (key, prefixes), row in zip(state, last_ids_BW.tolist(), strict=True)
        ]
        rows = [torch.stack([self.logits(key, prefix[1:]) for prefix in prefixes]) for key, prefixes in after]
        return torch.stack(rows), after

    def reorder(self, state: State, sources: Tensor, beams: Tensor) -> State:
        assert sources.tolist() == sorted(set(sources.tolist()))
        assert len(beams) == len(sources)
        return [
            (state[source][0], [state[source][1][beam] for beam in row])
            for source, row in zip(sources.tolist(), beams.tolist(), strict=True)
        ]

    def all_sequences(self, longest: int) -> Iterator[Prefix]:
        """Every sequence that ends with the end id, or is cut at the length limit."""
        words = [token for token in range(self.vocabulary) if token not in (START, END)]
        for length in range(longest):
            yield from ((*middle, END) for middle in product(words, repeat=length))
        yield from product(words, repeat=longest)

    def hypothesis(self, key: str, ids: Prefix, normalisation: Normalisation, alpha: float) -> Hypothesis:
        """Return the sequence with its numbers, computed token by token."""
        log_probs = tuple(self.log_probs(key, ids[:at])[token] for at, token in enumerate(ids))
        total = sum(log_probs)
        score = total / penalty(normalisation, alpha, len(ids))
        return Hypothesis(ids, total, score, log_probs, "end" if ids[-1] == END else "length")

    def exhaustive(self, key: str, longest: int, normalisation: Normalisation, alpha: float) -> list[Hypothesis]:
        """Return all sequences that have any probability, best first."""
        everything = [self.hypothesis(key, ids, normalisation, alpha) for ids in self.all_sequences(longest)]
        possible = [hypothesis for hypothesis in everything if hypothesis.log_prob > -math.inf]
        return sorted(possible, key=lambda hypothesis: -hypothesis.score)

    def plain_beam(
        self, key: str, longest: int, beams: int, normalisation: Normalisation, alpha: float
    ) -> list[Hypothesis]:
        """Return all that a beam search finishes when it never stops early: lists and loops, one source."""
        live: list[tuple[float, Prefix]] = [(0.0, ())]
        finished: list[tuple[Prefix, int]] = []
        for length in range(1, longest + 1):
            options = [
                (-(total + log_prob), token, beam, (*prefix, token))
                for beam, (total, prefix) in enumerate(live)
                for token, log_prob in enumerate(self.log_probs(key, prefix))
                if token != START and log_prob > -math.inf
            ]
            taken = sorted(options)[: beams - len(finished)]
            over = [row for row in taken if row[1] == END or length == longest]
            finished += [(row[3], taken.index(row)) for row in over]
            live = [(-negative, ids) for negative, token, _, ids in taken if token != END]
        found = [(self.hypothesis(key, ids, normalisation, alpha), place) for ids, place in finished]
        found.sort(key=lambda pair: (-pair[0].score, len(pair[0].ids), pair[1]))
        return [hypothesis for hypothesis, _ in found]


@pytest.fixture(scope="session")
def table_model() -> type[TableModel]:
    return TableModel
