"""Decoding of many sources at once: results stand where their sources stood, and companions change nothing."""

import pytest
import torch

from heed.data.records import TextPair
from heed.decoding.beam import BeamSettings
from heed.decoding.sampling import SamplingSettings
from heed.models.rnn_seq2seq import RnnSettings
from heed.models.seq2seq import Seq2Seq, build_seq2seq
from heed.models.transformer import TransformerSettings
from heed.tasks import translating
from heed.tasks.rows import Rows, rows_from
from heed.tasks.translate import train_tokenizers
from heed.tasks.translating import GreedySettings, Search, decode_rows, decode_with_tree
from heed.tasks.translation_training import TranslationTraining
from heed.tasks.validation import spread
from heed.tokens.settings import TokenizerSettings
from heed.tokens.training import train_tokenizer

SETTINGS = (
    TransformerSettings(width=16, heads=2, encoder_layers=1, decoder_layers=1, feedforward=24, longest=20),
    RnnSettings(width=16, longest=20),
)
SIZE = 11
TOKENIZER = train_tokenizer(["a b c d e f g"], TokenizerSettings(kind="words"))
assert TOKENIZER.size == SIZE


@pytest.fixture(params=SETTINGS, ids=lambda settings: settings.kind)
def model(request: pytest.FixtureRequest) -> Seq2Seq:
    torch.manual_seed(8)
    return build_seq2seq(request.param, SIZE, SIZE).eval()


@pytest.fixture
def sources() -> Rows:
    generator = torch.Generator().manual_seed(1)
    lengths = [3, 1, 5, 2, 4, 1]
    return rows_from([[*torch.randint(4, SIZE, (length,), generator=generator).tolist(), 3] for length in lengths])


@pytest.mark.parametrize("search", [GreedySettings(), BeamSettings(beams=3, results=2)], ids=["greedy", "beam"])
def test_a_source_alone_and_in_a_batch_has_the_same_hypotheses_in_its_own_place(
    search: Search, model: Seq2Seq, sources: Rows, monkeypatch: pytest.MonkeyPatch
) -> None:
    together = decode_rows(model, sources, TOKENIZER, search)
    monkeypatch.setattr(translating, "POSITIONS_PER_BATCH", 1)
    apart = decode_rows(model, sources, TOKENIZER, search)
    for mine, alone in zip(together, apart, strict=True):
        assert [found.ids for found in mine] == [found.ids for found in alone]
        assert [found.score for found in mine] == pytest.approx([found.score for found in alone], abs=1e-4)


def test_one_beam_is_greedy(model: Seq2Seq, sources: Rows) -> None:
    beams = decode_rows(model, sources, TOKENIZER, BeamSettings(beams=1))
    assert [found[0].ids for found in beams] == [
        found[0].ids for found in decode_rows(model, sources, TOKENIZER, GreedySettings())
    ]


def test_a_translation_holds_no_special_piece_but_the_end_and_keeps_within_its_limit(
    model: Seq2Seq, sources: Rows
) -> None:
    for length, found in zip(
        sources.lengths.tolist(), decode_rows(model, sources, TOKENIZER, BeamSettings(beams=4, results=4)), strict=True
    ):
        for hypothesis in found:
            assert not {0, 1, 2} & set(hypothesis.ids)
            assert len(hypothesis.ids) <= min(20, 2 * length + 10)


def test_draws_depend_on_the_place_in_the_whole_input(model: Seq2Seq, sources: Rows) -> None:
    search = SamplingSettings(seed=3)
    whole = decode_rows(model, sources, TOKENIZER, search)
    part = rows_from([sources[index].tolist() for index in (4, 5)])
    expected = [found[0].ids for found in whole[4:]]
    assert [found[0].ids for found in decode_rows(model, part, TOKENIZER, search, done=4)] == expected
    assert [found[0].ids for found in decode_rows(model, part, TOKENIZER, search)] != expected


def test_the_tree_belongs_to_the_same_search(model: Seq2Seq, sources: Rows) -> None:
    search = BeamSettings(beams=3)
    one = rows_from([sources[2].tolist()])
    found, tree = decode_with_tree(model, one, TOKENIZER, search)
    assert [each.ids for each in found] == [each.ids for each in decode_rows(model, one, TOKENIZER, search)[0]]
    assert found[0].ids in {tree.ids(position) for position in range(len(tree.nodes))}


def test_some_of_many_are_spread_over_all() -> None:
    assert spread(10, 3) == [0, 3, 6]
    assert spread(2, 500) == [0, 1]
    assert spread(7, 7) == list(range(7))


def test_a_validation_scores_all_pairs_shows_one_and_is_perfect_for_a_model_that_is() -> None:
    pairs = [TextPair("a b", "b a"), TextPair("b", "b"), TextPair("a a b", "b a a")]
    tokenizers = train_tokenizers(pairs, TokenizerSettings(kind="words"), shared=True)
    torch.manual_seed(3)
    model = build_seq2seq(SETTINGS[0], tokenizers.source.size, tokenizers.target.size)
    task = TranslationTraining(model, tokenizers, pairs, pairs, label_smoothing=0.0, validation_texts=2)
    model.eval()
    before = task.validate()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    for _ in range(60):
        optimizer.zero_grad()
        (task.objective(task.batch([0, 1, 2], epoch=0)) / 9).backward()
        optimizer.step()
    after = task.validate()
    assert after.values["loss"] < 0.1 < before.values["loss"]
    assert after.values["chrf"] == pytest.approx(100)
    assert after.sample.expected == after.sample.predicted
    assert after.score == after.values["bleu"]
