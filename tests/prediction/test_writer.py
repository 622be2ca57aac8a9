"""`Writer`: writing on from prompts, and the scores of a text, with what was lost told beside."""

import math

import pytest
import torch

from heed.decoding.beam import BeamSettings
from heed.decoding.sampling import SamplingSettings
from heed.errors import DataError
from heed.models.language import LanguageSettings, build_language_model
from heed.models.language_rnn import LanguageRnnSettings
from heed.models.language_transformer import LanguageTransformerSettings
from heed.prediction import writer as writer_module
from heed.prediction.writer import Writer
from heed.tasks.text_ids import encode_text
from heed.tasks.translating import GreedySettings
from heed.tasks.writing import Extent
from heed.tokens.settings import TokenizerSettings
from heed.tokens.training import train_tokenizer

MODELS: dict[str, LanguageSettings] = {
    "transformer": LanguageTransformerSettings(width=8, heads=2, layers=1, feedforward=12, longest=6),
    "rnn": LanguageRnnSettings(embedding=6, width=7),
}
DRAWN = SamplingSettings(seed=3)


@pytest.fixture(params=MODELS)
def writer(request: pytest.FixtureRequest) -> Writer:
    tokenizer = train_tokenizer(["hello", "oh hole"], TokenizerSettings(kind="characters"))
    torch.manual_seed(6)
    return Writer(build_language_model(MODELS[request.param], tokenizer.size), tokenizer, DRAWN, Extent(length=20))


def log_prob(writer: Writer, prompt: str, text: str) -> float:
    """Return the log probability of the text after the prompt, both short enough to be read at once."""
    ids = torch.from_numpy(encode_text(prompt + text, writer.tokenizer).ids).long()[None]
    log_probs_TV = writer.model(ids)[0].log_softmax(dim=-1)
    return sum(log_probs_TV[place - 1, ids[0, place]].item() for place in range(1 + len(prompt), ids.shape[1]))


def test_what_is_written_goes_on_from_the_prompt_and_has_its_log_probability(writer: Writer) -> None:
    for search in (GreedySettings(), DRAWN, BeamSettings()):
        found = writer.write("he", Extent(length=3), search)
        assert (found.prompt, found.tokens, found.ended, len(found.text)) == ("he", 3, "length", 3)
        assert found.log_prob == pytest.approx(log_prob(writer, "he", found.text), abs=1e-4)


def test_the_same_seed_writes_the_same_and_another_something_else(writer: Writer) -> None:
    assert writer.write("he") == writer.write("he")
    texts = {writer.write("he", search=SamplingSettings(seed=seed)).text for seed in range(5)}
    assert len(texts) == 5


def test_a_stream_of_prompts_gives_what_one_call_gives(writer: Writer, monkeypatch: pytest.MonkeyPatch) -> None:
    prompts = ["he", "", "oh", "hello", "he"]
    together = writer.predict(prompts)
    assert together[0].text != together[4].text, "each prompt draws on its own"
    monkeypatch.setattr(writer_module, "CHUNK", 2)
    streamed = list(writer.stream(iter(prompts)))
    assert [found.text for found in streamed] == [found.text for found in together]


def test_a_line_ends_where_the_model_ends_it_and_its_end_is_not_part_of_the_text(writer: Writer) -> None:
    writer.model.vocabulary.bias.data[writer.tokenizer.end] += 2.0
    written = writer.predict(["he"] * 10, Extent(length=50, line=True))
    assert any(found.ended == "end" for found in written)
    for found in written:
        assert "\n" not in found.text
        assert found.tokens == len(found.text) + (found.ended == "end")


def test_several_versions_come_best_first(writer: Writer) -> None:
    found = writer.write("he", Extent(length=4), BeamSettings(beams=4, results=3))
    assert len({version.text for version in found.versions}) == 3
    scores = [version.score for version in found.versions]
    assert scores == sorted(scores, reverse=True)
    assert (found.text, found.score) == (found.versions[0].text, scores[0])


def test_unknown_and_unseen_pieces_of_a_prompt_are_counted(writer: Writer) -> None:
    found = writer.write("zhez")
    assert (found.unknown, found.cut) == (2, 0)
    longer = writer.write("hello hello")
    assert longer.cut == (11 - 6 if isinstance(writer.model.settings, LanguageTransformerSettings) else 0)


def test_the_scores_of_a_text_are_its_log_probability_in_every_measure(writer: Writer) -> None:
    scores = writer.evaluate("he\no")
    nats = -log_prob(writer, "", "he\no")
    assert scores.nats == pytest.approx(nats, rel=1e-5)
    assert (scores.tokens, scores.characters, scores.words, scores.unknown) == (4, 4, 3, 0)
    assert scores.bits_per_character == pytest.approx(nats / 4 / math.log(2), rel=1e-5)
    assert scores.word_perplexity == pytest.approx(math.exp(nats / 3), rel=1e-5)


def test_the_share_of_unknown_tokens_is_told(writer: Writer) -> None:
    assert writer.evaluate("hezz").unknown_share == 0.5


def test_an_empty_text_is_not_scored(writer: Writer) -> None:
    with pytest.raises(DataError, match="has 0 characters and no token"):
        writer.evaluate("")
