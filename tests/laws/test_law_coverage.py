"""The list of variants is complete: a switch that is added to a model's settings must be put to the laws too."""

import typing
from collections.abc import Iterator

import pytest

from heed.models.rnn_seq2seq import RnnSettings
from heed.models.seq2seq import Seq2SeqSettings
from heed.models.transformer import TransformerSettings


def choices(field_type: object) -> Iterator[object]:
    """Yield every value of a switch: the members of literals, also inside unions, and both truths."""
    if field_type is bool:
        yield from (True, False)
    elif typing.get_origin(field_type) is typing.Literal:
        yield from typing.get_args(field_type)
    else:
        for part in typing.get_args(field_type):
            yield from choices(part)


@pytest.mark.parametrize("family", [TransformerSettings, RnnSettings])
def test_every_choice_of_every_switch_has_a_variant(family: type, variants: list[Seq2SeqSettings]) -> None:
    members = [variant for variant in variants if isinstance(variant, family)]
    for name, field_type in typing.get_type_hints(family).items():
        covered = {getattr(member, name) for member in members}
        assert covered >= set(choices(field_type)), f"{family.__name__}.{name} is tried as {covered} only"


@pytest.mark.parametrize("order", ["luong", "bahdanau"])
def test_every_recurrent_attention_is_tried_in_both_orders(order: str, variants: list[Seq2SeqSettings]) -> None:
    tried = {each.attention for each in variants if isinstance(each, RnnSettings) and each.order == order}
    assert tried >= {"scaled", "dot", "general", "cosine", "additive", "location"}


@pytest.mark.parametrize("place", ["before", "after"])
def test_every_norm_is_tried_in_both_places(place: str, variants: list[Seq2SeqSettings]) -> None:
    tried = {each.norm for each in variants if isinstance(each, TransformerSettings) and each.norm_place == place}
    assert tried == {"layer", "batch", "rms", "none"}
