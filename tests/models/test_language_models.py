"""Language models by name and by settings: sizes, ties, and what is refused."""

import math

import pytest
import torch

from heed.errors import DataError, SettingsError, UsageError
from heed.models.language import PRESETS, build_language_model, preset
from heed.models.language_rnn import LanguageRnn, LanguageRnnSettings
from heed.models.language_transformer import LanguageTransformer, LanguageTransformerSettings
from heed.models.weights import parameter_count

TINY = LanguageTransformerSettings(width=8, heads=2, layers=1, feedforward=12, longest=6)


def test_the_presets_are_those_of_the_decks_and_gpt2() -> None:
    assert set(PRESETS) == {"transformer", "gpt2", "rnn", "lstm", "gru"}
    assert preset("gru") == LanguageRnnSettings(cell="gru")


def test_an_unknown_preset_is_refused_with_the_choices() -> None:
    with pytest.raises(UsageError, match=r"no model 'gpt3'.*transformer, gpt2, rnn, lstm, gru"):
        preset("gpt3")


def test_the_type_of_the_settings_decides_the_model() -> None:
    assert isinstance(build_language_model(TINY, 13), LanguageTransformer)
    assert isinstance(build_language_model(LanguageRnnSettings(embedding=6, width=8), 13), LanguageRnn)


def test_gpt2_has_as_many_parameters_as_published() -> None:
    with torch.device("meta"):  # sizes without numbers
        model = build_language_model(preset("gpt2"), 50_257)
    assert parameter_count(model) == 124_439_808


@pytest.mark.parametrize("name", ["transformer", "rnn", "lstm", "gru"])
def test_a_fresh_model_hesitates_among_all_pieces(name: str) -> None:
    """A model that starts sure of something wrong spends its first steps on unlearning it."""
    torch.manual_seed(3)
    model, token_ids = build_language_model(preset(name), 70).eval(), torch.randint(70, (4, 30))
    with torch.no_grad():
        log_probs_BTV = model(token_ids[:, :-1]).log_softmax(dim=-1)
    loss = -log_probs_BTV.gather(2, token_ids[:, 1:, None]).mean().item()
    assert loss == pytest.approx(math.log(70), rel=0.05)


@pytest.mark.parametrize("tie", [True, False])
def test_input_and_output_are_one_table_exactly_when_tied(tie: bool) -> None:
    for settings in (LanguageTransformerSettings(tie=tie), LanguageRnnSettings(embedding=8, width=8, tie=tie)):
        model = build_language_model(settings, 13)
        assert (model.vocabulary.weight is model.embedding.weight) is tie


def test_a_tie_of_different_sizes_is_refused() -> None:
    with pytest.raises(SettingsError, match=r"model\.embedding is 6 and model\.width is 8"):
        LanguageRnnSettings(embedding=6, width=8, tie=True)


@pytest.mark.parametrize("name", ["embedding", "width", "layers", "longest"])
def test_a_recurrent_size_below_one_is_refused_by_name(name: str) -> None:
    with pytest.raises(SettingsError, match=rf"model\.{name} is 0"):
        LanguageRnnSettings(**{name: 0})


def test_a_window_without_room_for_a_next_token_is_refused() -> None:
    with pytest.raises(SettingsError, match=r"model\.longest is 1"):
        LanguageTransformerSettings(longest=1)


def test_a_text_longer_than_the_window_is_refused_where_it_is_read_at_once() -> None:
    with pytest.raises(DataError, match="sequence of 7 tokens came to a model that has 6 positions"):
        build_language_model(TINY, 13)(torch.zeros(1, 7, dtype=torch.long))
