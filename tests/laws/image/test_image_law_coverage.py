"""The list of variants is complete: a switch that is added to the settings must be put to the laws too."""

import typing
from collections.abc import Iterator

from heed.models.vit import VitSettings


def choices(field_type: object) -> Iterator[object]:
    """Yield every value of a switch: the members of literals, and both truths."""
    if field_type is bool:
        yield from (True, False)
    elif typing.get_origin(field_type) is typing.Literal:
        yield from typing.get_args(field_type)


def test_every_choice_of_every_switch_of_the_vit_has_a_variant(variants) -> None:
    for name, field_type in typing.get_type_hints(VitSettings).items():
        covered = {getattr(member, name) for member in variants}
        assert covered >= set(choices(field_type)), f"{name} is tried as {covered} only"


def test_every_number_that_may_be_nothing_is_tried_with_and_without(variants) -> None:
    for name in ("registers", "layer_scale", "drop_path", "dropout", "attention_dropout"):
        assert {bool(getattr(member, name)) for member in variants} == {True, False}, name
