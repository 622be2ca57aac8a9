"""The beam tree: it tells what happened, and looking changes nothing."""

import math

import pytest
import torch
from hypothesis import given
from hypothesis import settings as trials
from hypothesis import strategies as st

from heed.decoding.beam import BeamSettings, beam_search
from heed.decoding.limits import Limits
from heed.decoding.tree import BeamTree, Node, TreeRecorder, render
from heed.errors import UsageError

keys = st.integers(0, 10**6).map(str)
ENDS = {"end": "ended: end token", "length": "ended: length limit"}


def limits_of(*longest: int) -> Limits:
    return Limits(start=0, end=1, forbidden=(0,), longest=longest)


def searched(model, names, longest, extra=3, **settings):
    recorder = TreeRecorder(extra)
    found = beam_search(model, model.start(names), limits_of(*longest), BeamSettings(**settings), recorder)
    return found, recorder


@trials(deadline=None)
@given(
    st.lists(st.tuples(keys, st.integers(1, 5)), min_size=1, max_size=3),
    st.integers(1, 4),
    st.booleans(),
    st.integers(0, 4),
)
def test_looking_changes_nothing(table_model, sources, beams, coarse, extra):
    model = table_model(5, coarse=coarse)
    names, longest = map(list, zip(*sources, strict=True))
    found, _ = searched(model, names, longest, extra, beams=beams, results=beams)
    unseen = beam_search(model, model.start(names), limits_of(*longest), BeamSettings(beams=beams, results=beams))
    assert found == unseen


@trials(deadline=None)
@given(st.lists(st.tuples(keys, st.integers(1, 5)), min_size=1, max_size=3), st.integers(1, 4), st.booleans())
def test_every_hypothesis_is_in_the_tree_with_its_numbers(table_model, sources, beams, coarse):
    names, longest = map(list, zip(*sources, strict=True))
    found, recorder = searched(table_model(5, coarse=coarse), names, longest, beams=beams, results=beams)
    for source, hypotheses in enumerate(found):
        tree = recorder.tree(source)
        at = {tree.ids(position): node for position, node in enumerate(tree.nodes)}
        for hypothesis in hypotheses:
            node = at[hypothesis.ids]
            assert node.fate == ENDS[hypothesis.ended]
            assert node.step == len(hypothesis.ids)
            assert node.score == hypothesis.score
            assert node.total_prob == math.exp(hypothesis.log_prob)
            assert node.prob == math.exp(hypothesis.log_probs[-1])


@trials(deadline=None)
@given(keys, st.integers(1, 5), st.integers(1, 4), st.booleans())
def test_nodes_are_distinct_and_agree_with_their_parents_and_the_model(table_model, key, longest, beams, coarse):
    model = table_model(5, coarse=coarse)
    _, recorder = searched(model, [key], [longest], beams=beams)
    tree = recorder.tree(0)
    assert len({tree.ids(position) for position in range(len(tree.nodes))}) == len(tree.nodes)
    for position, node in enumerate(tree.nodes):
        ids = tree.ids(position)
        assert node.prob == pytest.approx(math.exp(model.log_probs(key, ids[:-1])[ids[-1]]))
        above = 1.0 if node.parent is None else tree.nodes[node.parent].total_prob
        assert node.total_prob == pytest.approx(above * node.prob)
        assert node.step == len(ids)


@trials(deadline=None)
@given(keys, st.integers(1, 6), st.integers(1, 4), st.sampled_from([0.0, 3.0]))
def test_a_leaf_has_a_fate_and_an_inner_node_was_kept(table_model, key, longest, beams, end_bonus):
    _, recorder = searched(table_model(5, end_bonus=end_bonus), [key], [longest], beams=beams, normalisation="none")
    tree = recorder.tree(0)
    parents = {node.parent for node in tree.nodes}
    for position, node in enumerate(tree.nodes):
        assert (node.fate == "kept") == (position in parents)
    for step in range(1, tree.nodes[-1].step + 1):
        at_step = [node for node in tree.nodes if node.step == step]
        assert len(at_step) <= beams + 3
        assert sum(not node.fate.startswith("dropped: not") for node in at_step) <= beams


def test_what_was_kept_and_then_came_to_nothing_says_so(table_model):
    class Fork(table_model):
        def logits(self, key, prefix):
            shares = {(): (0, 0, 0.6, 0.4), (2,): (0, 0, 0.5, 0.5)}.get(prefix, (0, 0.3, 0.35, 0.35))
            return torch.tensor(shares, dtype=torch.float32).log()

    _, recorder = searched(Fork(4), ["a"], [2], extra=0, beams=2)
    fates = {recorder.tree(0).ids(at): node.fate for at, node in enumerate(recorder.tree(0).nodes)}
    assert fates == {
        (2,): "kept",
        (3,): "dropped: none of its continuations was among the best",
        (2, 2): "ended: length limit",
        (2, 3): "ended: length limit",
    }


def test_what_the_bound_stops_is_called_pruned(table_model):
    _, recorder = searched(table_model(5, end_bonus=6.0), ["a"], [50], beams=3, normalisation="none")
    assert "pruned: cannot beat the best finished" in {node.fate for node in recorder.tree(0).nodes}


def test_the_rendering_shows_the_branches_and_why_they_ended():
    tree = BeamTree(
        (
            Node(2, 1, None, 0.5, 0.5, -0.693, "kept"),
            Node(3, 1, None, 0.25, 0.25, -1.386, "dropped: not among the best"),
            Node(1, 2, 0, 0.5, 0.25, -0.693, "ended: end token"),
        )
    )
    assert render(tree, {1: "</s>", 2: "a\n", 3: "b"}.__getitem__) == [
        "├─ a\\n  p=0.5  total=0.5  score=-0.693  kept",
        "│  └─ </s>  p=0.5  total=0.25  score=-0.693  ended: end token",
        "└─ b  p=0.25  total=0.25  score=-1.386  dropped: not among the best",
    ]


def test_a_tree_deeper_than_the_recursion_limit_can_be_rendered(table_model):
    class Endless(table_model):
        def step(self, last_ids_BW, state):
            return torch.tensor([0.0, -50.0, 0.0]).expand(*last_ids_BW.shape, 3).clone(), state

        def reorder(self, state, sources, beams):
            return state

    recorder = TreeRecorder(0)
    beam_search(Endless(3), None, limits_of(1500), BeamSettings(beams=1), recorder)
    assert len(render(recorder.tree(0), str)) == 1500


def test_an_unknown_source_and_a_negative_extra_are_refused():
    with pytest.raises(UsageError, match="source 7"):
        TreeRecorder().tree(7)
    with pytest.raises(UsageError, match="extra is -1"):
        TreeRecorder(-1)
