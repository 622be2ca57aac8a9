"""The list of variants is complete: a switch that is added to a model's settings must be put to the laws too."""

import typing

import pytest

from heed.models.language import LanguageSettings
from heed.models.language_rnn import LanguageRnnSettings
from heed.models.language_transformer import LanguageTransformerSettings


def choices(field_type: object) -> set[object]:
    """Return every value of a switch: the members of a literal, or both truths."""
    return {True, False} if field_type is bool else set(typing.get_args(field_type))


@pytest.mark.parametrize("family", [LanguageTransformerSettings, LanguageRnnSettings])
def test_every_choice_of_every_switch_has_a_variant(family: type, variants: list[LanguageSettings]) -> None:
    members = [variant for variant in variants if isinstance(variant, family)]
    for name, field_type in typing.get_type_hints(family).items():
        covered = {getattr(member, name) for member in members}
        assert covered >= choices(field_type), f"{family.__name__}.{name} is tried as {covered} only"
