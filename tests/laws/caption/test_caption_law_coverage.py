"""The list of captioners is complete: a switch that is added to their settings must be put to the laws too."""

import typing
from collections.abc import Iterator

import pytest

from heed.layers.scores import ScoreName
from heed.models.captioner import CaptionerSettings, RnnCaptionerSettings


def choices(field_type: object) -> Iterator[object]:
    """Yield every value of a switch: the members of literals, also inside unions, and both truths."""
    if field_type is bool:
        yield from (True, False)
    elif typing.get_origin(field_type) is typing.Literal:
        yield from typing.get_args(field_type)
    else:
        for part in typing.get_args(field_type):
            yield from choices(part)


@pytest.mark.parametrize("family", typing.get_args(CaptionerSettings))
def test_every_choice_of_every_switch_of_a_captioner_has_a_variant(family: type, variants) -> None:
    members = [variant for variant in variants if isinstance(variant, family)]
    for name, field_type in typing.get_type_hints(family).items():
        covered = {getattr(member, name) for member in members}
        assert covered >= set(choices(field_type)), f"{family.__name__}.{name} is tried as {covered} only"


@pytest.mark.parametrize("order", ["luong", "bahdanau"])
def test_every_attention_over_patches_is_tried_in_both_orders(order: str, variants) -> None:
    tried = {each.attention for each in variants if isinstance(each, RnnCaptionerSettings) and each.order == order}
    assert tried >= set(typing.get_args(ScoreName))


@pytest.mark.parametrize("family", typing.get_args(CaptionerSettings))
def test_every_decoder_is_tried_over_encoders_of_other_widths_and_first_positions(family: type, variants) -> None:
    members = [variant for variant in variants if isinstance(variant, family)]
    assert {member.encoder.width == member.width for member in members} == {True, False}
    assert {member.encoder.has_first for member in members} == {True, False}
    assert {bool(member.encoder.registers) for member in members} == {True, False}
