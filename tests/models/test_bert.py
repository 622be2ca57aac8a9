"""BERT: the sizes of the paper, what it refuses, and the two heads that it is pre-trained with."""

import pytest
import torch

from heed.errors import DataError, SettingsError
from heed.layers.trace import Trace
from heed.models.bert import PRESETS, Bert, BertSettings
from heed.models.bert_pretraining import BertPretraining
from heed.models.text_input import TextInput
from heed.models.weights import parameter_count

SMALL = BertSettings(width=8, heads=2, layers=2, feedforward=12, longest=6)


@pytest.mark.parametrize(
    ("name", "layers", "width", "heads", "encoder", "with_heads"),
    [
        ("bert-tiny", 2, 128, 2, 4_385_920, 4_433_468),
        ("bert-mini", 4, 256, 4, 11_170_560, 11_267_900),
        ("bert-small", 4, 512, 8, 28_763_648, 29_058_876),
        ("bert-medium", 8, 512, 8, 41_373_184, 41_668_412),
        ("bert-base", 12, 768, 12, 109_482_240, 110_106_428),
        ("bert-large", 24, 1024, 16, 335_141_888, 336_226_108),
    ],
)
def test_the_published_sizes_have_their_published_number_of_parameters(
    name: str, layers: int, width: int, heads: int, encoder: int, with_heads: int
) -> None:
    settings = PRESETS[name]
    assert (settings.layers, settings.width, settings.heads) == (layers, width, heads)
    with torch.device("meta"):
        assert parameter_count(Bert(settings, 30_522)) == encoder
        assert parameter_count(BertPretraining(settings, 30_522, next_sentence=True)) == with_heads


def test_the_word_table_is_also_the_output_layer() -> None:
    model = BertPretraining(SMALL, 11, next_sentence=True)
    assert model.masked.vocabulary.weight is model.bert.embedding.weight


def test_only_hidden_positions_are_read_row_by_row() -> None:
    torch.manual_seed(2)
    model = BertPretraining(SMALL, 11, next_sentence=True).eval()
    text = TextInput(torch.randint(11, (3, 5)), torch.ones(3, 5, dtype=torch.bool))
    hidden = torch.zeros(3, 5, dtype=torch.bool)
    hidden[0, 4] = hidden[2, 1] = hidden[2, 3] = True
    said = model(text, hidden)
    everywhere_BTV = model.masked(model.bert.hidden(text))
    expected_NV = torch.stack([everywhere_BTV[0, 4], everywhere_BTV[2, 1], everywhere_BTV[2, 3]])
    torch.testing.assert_close(model.masked.vocabulary(said.features_ND), expected_NV)
    assert said.next_B2 is not None
    assert said.next_B2.shape == (3, 2)


def test_without_pairs_there_is_no_second_head_and_nothing_that_would_not_learn() -> None:
    model = BertPretraining(SMALL, 11, next_sentence=False)
    assert not any("pooler" in name or "next" in name for name, _ in model.named_parameters())
    text = TextInput(torch.randint(11, (2, 4)), torch.ones(2, 4, dtype=torch.bool))
    assert model(text, torch.ones(2, 4, dtype=torch.bool)).next_B2 is None


def test_a_text_beyond_its_positions_is_refused() -> None:
    text = TextInput(torch.zeros(1, 7, dtype=torch.long), torch.ones(1, 7, dtype=torch.bool))
    with pytest.raises(DataError, match="7 tokens came to a model that reads 6"):
        Bert(SMALL, 11)(text)


def test_a_second_segment_is_refused_where_there_is_one_kind() -> None:
    model = Bert(BertSettings(width=8, heads=2, layers=1, feedforward=12, longest=6, segments=1), 11)
    ids, keep = torch.zeros(1, 3, dtype=torch.long), torch.ones(1, 3, dtype=torch.bool)
    model(TextInput(ids, keep, torch.zeros(1, 3, dtype=torch.long)))
    with pytest.raises(SettingsError, match="this bert model has no segments"):
        model(TextInput(ids, keep, torch.tensor([[0, 1, 1]])))


@pytest.mark.parametrize(("name", "value"), [("width", 0), ("layers", 0), ("epsilon", 0.0), ("dropout", 1.0)])
def test_settings_out_of_range_are_refused_by_name(name: str, value: float) -> None:
    with pytest.raises(SettingsError, match=f"model.{name} is {value}"):
        BertSettings(**{name: value})  # type: ignore[arg-type]


def test_where_only_the_first_token_is_read_only_that_goes_through_the_end_of_the_last_block() -> None:
    model = Bert(SMALL, 11).eval()
    text = TextInput(torch.randint(11, (2, 5)), torch.tensor([[True] * 5, [True] * 3 + [False] * 2]))
    rows = []
    model.encoder[-1].feedforward.register_forward_hook(lambda _, inputs, output: rows.append(output.shape[1]))
    alone, whole = Trace(), Trace()
    torch.testing.assert_close(model(text, alone), model.pooled(model.hidden(text, whole), text.keep))
    assert rows == [1, 5]
    assert all(torch.equal(alone.weights[site], weights) for site, weights in whole.weights.items())
