"""What holds for the explanation of every task: looking changes nothing, and each number stands where it should."""

from collections.abc import Callable

import numpy
import pytest
import torch
from tiny_models import EXAMPLES, TEXT, Example, classifier, encoder

from heed.errors import UsageError
from heed.inspection.explaining.asked import Asked
from heed.inspection.explaining.explain import explain
from heed.inspection.explanation import Explanation, Looked, Share
from heed.layers.trace import Trace
from heed.prediction.text_reader import NeuralReader
from heed.tasks.classify import encode_texts, inputs_of

ALL = Asked(heads=True, steps=3)


def said(example: Example) -> str:
    """Return all that the model says of its input, to the last digit."""
    given = example.given
    if type(example.predictor).__name__ == "Answerer":
        return repr(example.predictor.predict(*given))  # type: ignore[union-attr,misc]
    return repr(example.predictor.predict([given]))  # type: ignore[union-attr,list-item]


def test_what_a_model_says_is_bit_for_bit_the_same_after_it_was_looked_into(example: Example) -> None:
    before = said(example)
    explain(example.predictor, example.given, ALL)
    assert said(example) == before


def test_a_model_is_left_without_hooks_or_gradients(example: Example) -> None:
    explain(example.predictor, example.given, ALL)
    model = getattr(example.predictor, "model", None) or example.predictor.reader.model  # type: ignore[union-attr]
    assert not any(module._forward_hooks for module in model.modules())
    assert all(parameter.grad is None and parameter.requires_grad for parameter in model.parameters())


def test_each_row_of_weights_sums_to_one_and_none_is_negative(found: Explanation) -> None:
    for each in found.looked:
        numpy.testing.assert_allclose(each.weights_HTS.sum(axis=-1), 1, atol=1e-5, err_msg=each.site)
        assert (each.weights_HTS >= 0).all()


def test_every_number_has_a_label_on_its_axis(found: Explanation) -> None:
    sizes = {axis.name: len(axis.labels) for axis in found.axes}
    assert len(sizes) == len(found.axes)
    for each in found.looked:
        assert each.weights_HTS.shape[1:] == (sizes[each.queries], sizes[each.keys]), each.site
    for share in found.shares:
        assert share.values_S.shape == (sizes[share.axis],), share
        assert numpy.isfinite(share.values_S).all()
    for curve in found.curves:
        assert curve.values_S.shape == (sizes[curve.axis],)
    for axis in found.axes:
        assert all(axis.labels), axis
        assert axis.spans == () or len(axis.spans) == len(axis.labels)
        assert axis.grid is None or axis.grid[0] * axis.grid[1] <= len(axis.labels)


def test_both_ways_of_gradients_and_the_rollout_are_there_where_they_can_be(found: Explanation) -> None:
    methods = {share.method for share in found.shares}
    assert {"gradient x input", "integrated gradients"} <= methods
    has_layers = any(each.site.endswith(".self") for each in found.looked)
    assert ("rollout" in methods) == (has_layers and not is_recurrent_decoder(found))
    assert any("No rollout" in note for note in found.notes) == (bool(found.looked) and "rollout" not in methods)
    assert any("no attention" in note for note in found.notes) == (not found.looked)


def is_recurrent_decoder(found: Explanation) -> bool:
    """Tell whether only the picture is looked at by layers that a rollout could follow."""
    return any(each.site == "decoder.cross" for each in found.looked)


def test_a_rollout_sums_to_one_over_all_that_it_tells_of(found: Explanation) -> None:
    rollouts = [share for share in found.shares if share.method == "rollout"]
    # A piece that was said has two parts: of the source, and of what was written before it.
    both = {"source", "picture"} & {share.axis for share in rollouts} and "written" in {s.axis for s in rollouts}
    sums = [share.values_S.sum() for share in rollouts]
    if both:
        sums = [first + second for first, second in zip(sums[::2], sums[1::2], strict=True)]
    numpy.testing.assert_allclose(sums, 1, atol=1e-5)


def test_each_head_that_was_looked_at_is_tried_once_and_the_largest_change_comes_first(found: Explanation) -> None:
    if found.probability is None:
        assert found.heads == ()
        return
    tried = [(off.site, off.head) for off in found.heads]
    assert sorted(tried) == sorted((each.site, head) for each in found.looked for head in range(len(each.weights_HTS)))
    changes = [abs(off.probability - found.probability) for off in found.heads]
    assert changes == pytest.approx(sorted(changes, reverse=True), abs=1e-6)
    assert not changes or max(changes) > 0


def test_no_two_shares_tell_of_the_same_answer_in_the_same_way(found: Explanation) -> None:
    keys = [_key(share) for share in found.shares]
    assert len(set(keys)) == len(keys)


def test_only_what_was_asked_for_is_looked_at(example: Example, found: Explanation) -> None:
    for each in found.looked[-1:]:
        (only,) = explain(example.predictor, example.given, Asked(sites=(each.site,))).looked
        assert only.site == each.site
        assert numpy.array_equal(only.weights_HTS, each.weights_HTS)


def test_an_attention_that_does_not_exist_is_refused_with_those_that_do(example: Example) -> None:
    sites = [each.site for each in explain(example.predictor, example.given).looked]
    with pytest.raises(UsageError, match=r"no attention 'decoder\.7\.cros'") as refused:
        explain(
            example.predictor, example.given, Asked(sites=("*", "decoder.7.cros") if sites else ("decoder.7.cros",))
        )
    assert all(site in str(refused.value) for site in sites)
    assert sites or "none at all" in str(refused.value)


def test_an_answer_that_cannot_be_explained_is_refused_with_its_name(example: Example) -> None:
    with pytest.raises(UsageError, match="nowhere"):
        explain(example.predictor, example.given, Asked(answer="nowhere"))


def test_explaining_works_where_the_caller_has_switched_gradients_off(example: Example, found: Explanation) -> None:
    with torch.inference_mode():
        inside = explain(example.predictor, example.given)
    assert inside.shares
    for share in inside.shares:
        other = next(each for each in found.shares if (each.answer, each.method, each.axis) == _key(share))
        numpy.testing.assert_allclose(share.values_S, other.values_S, rtol=1e-3, atol=1e-5)


def _key(share: Share) -> tuple[str, str, str]:
    return share.answer, share.method, share.axis


CAUSAL: list[tuple[str, Callable[[Looked], bool]]] = [
    ("write", lambda each: True),
    ("translate", lambda each: each.site.startswith("decoder") and each.site.endswith("self")),
    ("caption", lambda each: each.site.startswith("decoder") and each.site.endswith("self")),
]


@pytest.mark.parametrize(("name", "looks_back"), CAUSAL, ids=[name for name, _ in CAUSAL])
def test_what_looks_back_has_zeros_above_the_diagonal_and_only_that(
    name: str, looks_back: Callable[[Looked], bool], pictures
) -> None:
    example = EXAMPLES[name](pictures)
    for each in explain(example.predictor, example.given).looked:
        _, queries, keys = each.weights_HTS.shape
        above = numpy.triu(numpy.ones((queries, keys), dtype=bool), k=1)
        assert (each.weights_HTS[:, above] == 0).all() == looks_back(each), each.site


def test_the_answer_is_what_the_model_predicts(example: Example, found: Explanation) -> None:
    predicted = said(example)
    if found.task in ("pretrain", "tag", "write"):
        return  # these are told in words of their own; their tests hold them
    if found.probability is None:
        assert f"{example.predictor.predict([example.given])[0].number:.4g}" == found.answer  # type: ignore[union-attr]
    else:
        assert found.answer == "no answer" or repr(found.answer) in predicted


def test_what_is_shown_is_the_trace_of_the_model_bit_for_bit() -> None:
    predictor = classifier(encoder())
    reader, trace = predictor.reader, Trace()
    assert isinstance(reader, NeuralReader)
    inputs = inputs_of(encode_texts([(TEXT,)], reader.tokenizer, reader.model.settings, "joined"), [0])
    reader.model(inputs, trace)
    found = explain(predictor, TEXT)
    assert [each.site for each in found.looked] == list(trace.weights)
    for each in found.looked:
        assert numpy.array_equal(each.weights_HTS, trace.weights[each.site][0].detach().numpy())
