"""Beam search on deck 3's table: the tree, the n-th root, and that nothing better exists."""

import math
from itertools import product

import pytest

from heed.inspection.given import Given
from heed.inspection.shown import Note
from heed.inspection.topics.beam import search, show_beam
from heed.inspection.topics.next_token_table import root, token_table

TABLE = token_table(Given())


def every_sequence() -> dict[tuple[int, ...], float]:
    """Return each sequence that the table allows, with its probability: up to the end, or to the last step."""
    found = {}
    for length in range(1, 5):
        for ids in product(range(4), repeat=length):
            inner, last = ids[:-1], ids[-1]
            if 3 not in inner and (last == 3 or length == 4):
                found[ids] = math.prod(float(TABLE.probabilities_VT[id, step]) for step, id in enumerate(ids))
    return found


def test_a_wide_beam_finds_what_trying_everything_finds() -> None:
    sequences = every_sequence()
    best_root = max(root(probability, len(ids)) for ids, probability in sequences.items())
    wide = search(TABLE, 64, "mean").found[0]
    assert wide.ids == (0, 1, 2, 3)
    assert math.exp(wide.score) == pytest.approx(best_root)
    assert math.exp(search(TABLE, 64, "none").found[0].log_prob) == pytest.approx(max(sequences.values()))


def test_by_the_product_a_short_sequence_wins_and_by_the_root_deck_3s(table) -> None:
    by_product, product_, by_root, root_ = table(show_beam(Given()), "The winner by width").cells[2]
    assert (by_product, by_root) == ("A <eos>", "A B C <eos>")
    assert (product_, root_) == pytest.approx((0.1, 0.048**0.25))


def test_the_tree_with_two_beams_keeps_two_at_each_step() -> None:
    kept = [node for node in search(TABLE, 2, "mean").tree.nodes if not node.fate.startswith("dropped: not")]
    assert {step: sum(node.step == step for node in kept) for step in (1, 2, 3, 4)} == {1: 2, 2: 2, 3: 2, 4: 2}


def test_the_drawn_tree_marks_the_winner_from_the_first_to_the_last_step() -> None:
    branches = show_beam(Given()).panels[1].branches
    assert [branch.label.split()[0] for branch in branches if branch.state == "best"] == ["A", "B", "C", "<eos>"]
    assert all(branch.parent is None or branches[branch.parent].step == branch.step - 1 for branch in branches)


def test_a_beam_beats_greedy_where_the_next_token_depends_on_the_last() -> None:
    [said] = [part.text for part in show_beam(Given()).parts if isinstance(part, Note) and "beats" in part.heading]
    assert "Greedy takes A <eos> (0.20), k = 2 finds B <eos> (0.36)" in said


def test_a_readers_table_has_as_many_tokens_as_rows(table) -> None:
    shown = show_beam(Given(matrix=((0.6, 0.1), (0.4, 0.9))))
    assert table(shown, "Probability").names == ("A", "<eos>")
    assert table(shown, "What k = 2 found").names[0] == "A <eos>"
