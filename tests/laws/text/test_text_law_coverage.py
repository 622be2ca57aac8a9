"""The list of variants is complete: a switch that is added to a model's settings must be put to the laws too."""

import typing
from collections.abc import Iterator

import pytest

from heed.layers.scores import ScoreName
from heed.models.encoder import EncoderSettings
from heed.models.text_classifier import TextClassifierSettings
from heed.models.text_rnn import TextRnnSettings


def choices(field_type: object) -> Iterator[object]:
    """Yield every value of a switch: the members of literals, and both truths."""
    if field_type is bool:
        yield from (True, False)
    elif typing.get_origin(field_type) is typing.Literal:
        yield from typing.get_args(field_type)


@pytest.mark.parametrize("family", typing.get_args(TextClassifierSettings))
def test_every_choice_of_every_switch_has_a_variant(family: type, variants) -> None:
    members = [variant.settings for variant in variants if isinstance(variant.settings, family)]
    for name, field_type in typing.get_type_hints(family).items():
        covered = {getattr(member, name) for member in members}
        assert covered >= set(choices(field_type)), f"{family.__name__}.{name} is tried as {covered} only"


@pytest.mark.parametrize("family", [EncoderSettings, TextRnnSettings])
def test_every_score_is_tried_in_the_pooling(family: type, variants) -> None:
    members = [variant.settings for variant in variants if isinstance(variant.settings, family)]
    tried = {member.score for member in members if member.pooling == "attention"}
    assert tried == set(typing.get_args(ScoreName))


@pytest.mark.parametrize("family", typing.get_args(TextClassifierSettings))
def test_every_family_is_tried_with_two_towers(family: type, variants) -> None:
    assert any(variant.towers for variant in variants if isinstance(variant.settings, family))
