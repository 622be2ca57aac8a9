"""Writing on from prompts: as far as asked, never with a piece that nobody can read, whatever the companions."""

import pytest
import torch

from heed.decoding.beam import BeamSettings
from heed.decoding.sampling import SamplingSettings
from heed.errors import UsageError
from heed.models.language import LanguageModel, LanguageSettings, build_language_model
from heed.models.language_rnn import LanguageRnnSettings
from heed.models.language_transformer import LanguageTransformerSettings
from heed.tasks.text_ids import encode_text
from heed.tasks.translating import GreedySettings, Search
from heed.tasks.writing import Extent, continuation, write_on
from heed.tokens.settings import TokenizerSettings
from heed.tokens.tokenizer import Tokenizer
from heed.tokens.training import train_tokenizer

MODELS: dict[str, LanguageSettings] = {
    "transformer": LanguageTransformerSettings(width=8, heads=2, layers=1, feedforward=12, longest=6),
    "rnn": LanguageRnnSettings(embedding=6, width=7),
}
SEARCHES: dict[str, Search] = {
    "greedy": GreedySettings(),
    "sampling": SamplingSettings(temperature=1.3, seed=2),
    "top": SamplingSettings(top_k=3, top_p=0.9, seed=2),
    "beam": BeamSettings(beams=3, results=2),
}
PROMPTS = ("he", "hello", "", "oh", "he", "hello hello")


@pytest.fixture(scope="module")
def tokenizer() -> Tokenizer:
    return train_tokenizer(["hello", "oh hole"], TokenizerSettings(kind="characters"))


@pytest.fixture(params=MODELS)
def model(request: pytest.FixtureRequest, tokenizer: Tokenizer) -> LanguageModel:
    torch.manual_seed(6)
    model = build_language_model(MODELS[request.param], tokenizer.size).eval()
    for parameter in model.parameters():
        parameter.data.add_(0.5 * torch.randn_like(parameter))
    return model


def ids_of(tokenizer: Tokenizer, *prompts: str) -> list[list[int]]:
    return [encode_text(prompt, tokenizer).ids.tolist() for prompt in prompts]


@pytest.mark.parametrize("search", SEARCHES)
def test_what_is_written_does_not_depend_on_the_other_prompts(model, tokenizer: Tokenizer, search: str) -> None:
    prompts = ids_of(tokenizer, *PROMPTS)
    together = write_on(model, tokenizer, prompts, Extent(length=15), SEARCHES[search])
    for place, prompt in enumerate(prompts):
        (alone,) = write_on(model, tokenizer, [prompt], Extent(length=15), SEARCHES[search], done=place)
        assert [found.ids for found in alone] == [found.ids for found in together[place]]


@pytest.mark.parametrize("search", SEARCHES)
def test_as_much_is_written_as_asked_and_every_piece_can_be_read(model, tokenizer: Tokenizer, search: str) -> None:
    for hypotheses in write_on(model, tokenizer, ids_of(tokenizer, *PROMPTS), Extent(length=25), SEARCHES[search]):
        for found in hypotheses:
            assert (len(found.ids), found.ended) == (25, "length")
            assert not {tokenizer.pad, tokenizer.unknown, tokenizer.start} & set(found.ids)


def test_greedy_writing_takes_the_most_probable_token_of_one_pass(model, tokenizer: Tokenizer) -> None:
    (prompt,) = ids_of(tokenizer, "he")
    ((found,),) = write_on(model, tokenizer, [prompt], Extent(length=3), GreedySettings())
    written = list(prompt)
    for id in found.ids:
        logits_V = model(torch.tensor([written]))[0, -1]
        logits_V[[tokenizer.pad, tokenizer.unknown, tokenizer.start]] = -torch.inf
        assert id == logits_V.argmax().item()
        written.append(id)


def test_another_seed_and_another_place_draw_differently(model, tokenizer: Tokenizer) -> None:
    prompts = ids_of(tokenizer, "he", "he")
    drawn = [
        found.ids
        for seed in (1, 2)
        for (found,) in write_on(model, tokenizer, prompts, Extent(length=30), SamplingSettings(seed=seed))
    ]
    assert len(set(drawn)) == 4


def test_a_line_is_written_to_its_end_if_asked(model, tokenizer: Tokenizer) -> None:
    model.vocabulary.bias.data[tokenizer.end] += 3.0
    many = ids_of(tokenizer, *["he"] * 20)
    for (found,) in write_on(model, tokenizer, many, Extent(length=40, line=True), SamplingSettings()):
        assert found.ids.count(tokenizer.end) == (found.ended == "end")
        assert found.ended == "length" or found.ids[-1] == tokenizer.end
    lines = write_on(model, tokenizer, many, Extent(length=40), SamplingSettings())
    assert any(found.ids.count(tokenizer.end) > 1 for (found,) in lines)


def test_a_length_below_one_is_refused() -> None:
    with pytest.raises(UsageError, match="length to write is 0 tokens"):
        Extent(length=0)


def test_what_was_written_reads_as_it_does_after_its_prompt() -> None:
    words = train_tokenizer(["the cat sat", "don't"], TokenizerSettings(kind="words"))
    bpe = train_tokenizer(["the cat sat", "don't"], TokenizerSettings(kind="bpe", size=60))
    for tokenizer in (words, bpe):
        the, both = ids_of(tokenizer, "the", "the cat\nsat")
        assert continuation(the[1:], both[len(the) :], tokenizer) == " cat\nsat"
    don, whole = ids_of(words, "don", "don't")
    assert continuation(don[1:], whole[len(don) :], words) == "'t"
