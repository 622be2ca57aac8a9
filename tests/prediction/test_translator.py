"""The translator's laws: order, batching, what is cut and unknown, every way to decode, and looking inside."""

import itertools
import math
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch

from heed.data.records import TextPair
from heed.decoding.beam import BeamSettings
from heed.decoding.sampling import SamplingSettings
from heed.errors import DataError, UsageError
from heed.models.rnn_seq2seq import RnnSettings
from heed.models.seq2seq import build_seq2seq
from heed.prediction import translator as module
from heed.prediction.evaluation_data import evaluation_pairs
from heed.prediction.translator import Translator
from heed.tasks.translating import GreedySettings, Search

TEXTS = ["one two", "seven", "three four five six seven one", "two", "six six one", "four three two one"]


@pytest.mark.parametrize(
    "search", [GreedySettings(), BeamSettings(), BeamSettings(beams=3, normalisation="none")], ids=str
)
def test_texts_together_and_one_by_one_have_the_same_translations(search: Search, translator: Translator) -> None:
    together = translator.predict(TEXTS, search)
    alone = [translator.predict([text], search)[0] for text in TEXTS]
    assert [each.source for each in together] == TEXTS
    assert [each.text for each in together] == [each.text for each in alone]
    assert [each.score for each in together] == pytest.approx([each.score for each in alone], abs=1e-4)
    assert len({each.text for each in together}) > 3, "the model says the same of everything: this proves nothing"


def test_the_order_of_texts_changes_nothing(translator: Translator) -> None:
    forwards = {each.source: each.text for each in translator.predict(TEXTS)}
    backwards = {each.source: each.text for each in translator.predict(TEXTS[::-1])}
    assert forwards == backwards


def test_an_empty_text_has_an_empty_translation_in_its_place(translator: Translator) -> None:
    found = translator.predict(["", "one two", "  \t "])
    assert [each.text == "" for each in found] == [True, False, True]
    assert found[0].ended == "end"
    assert len(found[0].alternatives) == 1
    assert translator.predict([]) == []


def test_a_megabyte_of_text_is_cut_and_the_cut_is_counted(translator: Translator) -> None:
    text = "one " * 250_000
    began = time.monotonic()
    found = translator.predict([text, "two"])
    assert found[0].cut == 250_000 - 23  # of 24 positions one is for the end
    assert found[1].cut == 0
    assert found[1].text == translator.predict(["two"])[0].text
    assert time.monotonic() - began < 30


def test_unknown_pieces_are_counted(translator: Translator) -> None:
    assert [each.unknown for each in translator.predict(["one zebra two quagga", "one"])] == [2, 0]


def test_alternatives_are_sorted_distinct_and_headed_by_the_translation(translator: Translator) -> None:
    for found in translator.predict(TEXTS, BeamSettings(beams=5, results=5)):
        scores = [each.score for each in found.alternatives]
        assert len(found.alternatives) == 5
        assert scores == sorted(scores, reverse=True)
        assert len({each.text for each in found.alternatives}) == 5
        assert (found.text, found.score, found.log_prob) == (
            found.alternatives[0].text,
            found.alternatives[0].score,
            found.alternatives[0].log_prob,
        )


def test_more_results_do_not_change_the_best(translator: Translator) -> None:
    one = translator.predict(TEXTS, BeamSettings(beams=4))
    four = translator.predict(TEXTS, BeamSettings(beams=4, results=4))
    assert [each.text for each in one] == [each.text for each in four]


def test_one_beam_is_greedy(translator: Translator) -> None:
    greedy = translator.predict(TEXTS, GreedySettings())
    beam = translator.predict(TEXTS, BeamSettings(beams=1))
    assert [each.text for each in greedy] == [each.text for each in beam]
    assert [each.log_prob for each in greedy] == pytest.approx([each.log_prob for each in beam], abs=1e-5)


def test_a_wider_beam_never_finds_a_less_probable_best_by_its_own_measure_on_average(translator: Translator) -> None:
    narrow = translator.predict(TEXTS, BeamSettings(beams=1, normalisation="none"))
    wide = translator.predict(TEXTS, BeamSettings(beams=6, normalisation="none"))
    assert sum(each.score for each in wide) >= sum(each.score for each in narrow) - 1e-4


def test_a_sample_is_repeated_by_its_seed_and_by_nothing_else(translator: Translator) -> None:
    texts = ["one two three"] * 8
    first = [each.text for each in translator.predict(texts, SamplingSettings(seed=1, temperature=2.0))]
    torch.rand(3)
    again = [each.text for each in translator.predict(texts, SamplingSettings(seed=1, temperature=2.0))]
    other = [each.text for each in translator.predict(texts, SamplingSettings(seed=2, temperature=2.0))]
    assert first == again
    assert first != other
    assert len(set(first)) > 1, "equal texts at different places are drawn differently"


def test_draws_do_not_repeat_from_one_chunk_to_the_next(
    translator: Translator, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = ["one two three"] * 12
    search = SamplingSettings(seed=1, temperature=2.0)
    whole = [each.text for each in translator.predict(texts, search)]
    monkeypatch.setattr(module, "CHUNK", 4)
    assert [each.text for each in translator.predict(texts, search)] == whole
    assert whole[:4] != whole[4:8]


def test_a_stream_is_lazy_bounded_and_endless(translator: Translator, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "CHUNK", 5)
    taken = 0

    def endless() -> Iterator[str]:
        nonlocal taken
        for text in itertools.cycle(TEXTS):
            taken += 1
            yield text

    stream = translator.stream(endless())
    assert taken == 0
    first = [found.source for found in itertools.islice(stream, 7)]
    assert first == [*TEXTS, TEXTS[0]]
    assert taken == 10


def test_the_tree_ends_in_the_translation(translator: Translator) -> None:
    search = BeamSettings(beams=3)
    tree, lines = translator.tree("one two three", search)
    best = translator.predict(["one two three"], search)[0].text
    ended = [
        translator.tokenizers.target.decode(tree.ids(position))
        for position, node in enumerate(tree.nodes)
        if node.fate == "ended: end token"
    ]
    assert best in ended
    assert len(lines) == len(tree.nodes)


def test_attention_rows_sum_to_one_over_the_pieces_of_the_source(translator: Translator) -> None:
    translation = translator.predict(["one two three"])[0]
    alignment = translator.align(translation)
    assert alignment.source == ("one", "two", "three", "[END]")
    assert alignment.target[-1] == "[END]"
    assert alignment.weights.shape == (len(alignment.target), 4)
    assert alignment.site == "decoder.0.cross"
    torch.testing.assert_close(alignment.weights.sum(dim=1), torch.ones(len(alignment.target)))


def test_every_other_site_can_be_looked_at_and_a_wrong_one_lists_them(translator: Translator) -> None:
    translation = translator.predict(["one two"])[0]
    assert translator.align(translation, "encoder.0.self").weights.shape == (3, 3)
    with pytest.raises(UsageError, match=r"no attention 'decoder\.9\.cross'.*encoder\.0\.self, decoder\.0\.\w+"):
        translator.align(translation, "decoder.9.cross")


def test_looking_changes_nothing(translator: Translator) -> None:
    before = translator.predict(TEXTS)
    translator.align(before[0])
    assert translator.predict(TEXTS) == before


def thought_vector(translator: Translator) -> Translator:
    settings = RnnSettings(width=16, attention="none", longest=24)
    sizes = translator.tokenizers.source.size, translator.tokenizers.target.size
    return Translator(build_seq2seq(settings, *sizes), translator.tokenizers, BeamSettings())


def test_a_thought_vector_says_that_it_has_no_attention(translator: Translator) -> None:
    without = thought_vector(translator)
    translation = without.predict(["one two"])[0]
    with pytest.raises(UsageError, match=r"no attention over the source.*one thought vector"):
        without.align(translation)


def test_an_evaluation_scores_the_translations_against_the_targets(translator: Translator, pairs_file: Path) -> None:
    lines = [line.split("\t") for line in pairs_file.read_text().splitlines()[:30]]
    pairs = [TextPair(source, target) for source, target in lines]
    found = translator.evaluate(pairs)
    assert found.scores.count == len(found.translations) == 30
    assert found.interval.low <= found.scores.bleu <= found.interval.high
    assert found.perplexity == pytest.approx(math.exp(found.loss))
    assert (
        found.scores.exact
        == sum(each.text == pair.target for each, pair in zip(found.translations, pairs, strict=True)) / 30
    )
    mean = [translator.evaluate([pair]).loss * (len(pair.target.split()) + 1) for pair in pairs[:3]]
    tokens = sum(len(pair.target.split()) + 1 for pair in pairs[:3])
    assert translator.evaluate(pairs[:3]).loss == pytest.approx(sum(mean) / tokens, abs=1e-5)


def test_nothing_to_evaluate_on_is_an_error(translator: Translator) -> None:
    with pytest.raises(DataError, match="no pairs to evaluate on"):
        translator.evaluate([])


def test_a_demo_is_evaluated_on_its_test_part_and_a_file_on_all_of_it(pairs_file: Path) -> None:
    demo = evaluation_pairs(["demo:fr-en"])
    assert {pair.place.split(":")[2] for pair in demo.records} == {"test"}
    assert len(evaluation_pairs([str(pairs_file)]).records) == 300
    with pytest.raises(UsageError, match="a demo stands alone"):
        evaluation_pairs(["demo:fr-en"], ("a", "b"))
