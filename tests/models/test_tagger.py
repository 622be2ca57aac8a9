"""The laws of a tagger, whichever its encoder: padding, batching, looking, gradients, saving; and what a word is."""

from dataclasses import replace

import pytest
import torch
from torch import Tensor
from torch.nn import functional

from heed.errors import SettingsError, UsageError
from heed.layers.masks import keep_from_lengths
from heed.layers.trace import Trace
from heed.models.bert import BertSettings
from heed.models.encoder import EncoderSettings
from heed.models.tagger import PRESETS, Tagger, TaggerSettings, WordInput, preset
from heed.models.text_input import TextInput
from heed.models.text_rnn import TextRnnSettings
from heed.models.weights import load_weights, weights_of

RNN = TextRnnSettings(embedding=6, width=8, dropout=0.3, longest=20)
ENCODER = EncoderSettings(width=8, heads=2, layers=2, feedforward=12, dropout=0.3, longest=20)
BERT = BertSettings(width=8, heads=2, layers=2, feedforward=12, dropout=0.3, longest=20, pooler="none")
VARIANTS = {
    "lstm": TaggerSettings(encoder=RNN),
    "lstm all": TaggerSettings(encoder=RNN, pieces="all"),
    "lstm without crf": TaggerSettings(encoder=RNN, crf=False),
    "gru": TaggerSettings(encoder=replace(RNN, cell="gru", layers=2)),
    "rnn one way": TaggerSettings(encoder=replace(RNN, cell="rnn", bidirectional=False, pooling="last")),
    "transformer": TaggerSettings(encoder=ENCODER),
    "transformer all": TaggerSettings(encoder=ENCODER, pieces="all"),
    "transformer with crf": TaggerSettings(encoder=ENCODER, crf=True),
    "transformer with a vector in front": TaggerSettings(encoder=replace(ENCODER, pooling="first")),
    "bert": TaggerSettings(encoder=BERT),
    "bert with crf all": TaggerSettings(encoder=BERT, crf=True, pieces="all"),
}
VOCABULARY, TAGS = 13, 5
# Two words of one and of three pieces, one word, and two of which the second shares a piece with the first.
TOKENS, STARTS, STOPS = [7, 2, 4], [[1, 2, 5], [0, 1, 0], [0, 1, 0]], [[2, 5, 6], [2, 2, 1], [2, 4, 3]]
WORDS = torch.tensor([3, 1, 2])


@pytest.fixture(params=VARIANTS, ids=str)
def settings(request: pytest.FixtureRequest) -> TaggerSettings:
    return VARIANTS[request.param]


def make(settings: TaggerSettings, seed: int = 5) -> Tagger:
    """Return a model with no weight at a special value."""
    torch.manual_seed(seed)
    model = Tagger(settings, VOCABULARY, TAGS).double().eval()
    for parameter in model.parameters():
        parameter.data.add_(0.3 * torch.randn_like(parameter))
    return model


def case() -> WordInput:
    """Return a batch; what stands in the padding is random too, because nothing may read it."""
    ids = torch.randint(VOCABULARY, (3, 7), generator=torch.Generator().manual_seed(3))
    text = TextInput(ids, keep_from_lengths(torch.tensor(TOKENS), 7))
    return WordInput(text, torch.tensor(STARTS), torch.tensor(STOPS), keep_from_lengths(WORDS, 3))


def real(scores_BWC: Tensor) -> Tensor:
    """Return the scores of real words (N, C)."""
    return scores_BWC[case().keep]


def loss_of(model: Tagger, words: WordInput) -> Tensor:
    scores_BWC, tags_BW = model(words), torch.tensor([[0, 1, 2], [3, 0, 0], [4, 2, 0]])
    if model.crf is not None:
        return -model.crf.log_likelihood(scores_BWC, tags_BW, words.keep).sum()
    return functional.cross_entropy(real(scores_BWC), tags_BW[words.keep])


def test_padding_of_tokens_and_of_words_changes_nothing(settings: TaggerSettings) -> None:
    model, words = make(settings), case()
    keep = functional.pad(words.text.keep, (0, 4), value=False)
    other = torch.randint(VOCABULARY, keep.shape, generator=torch.Generator().manual_seed(9))
    text = TextInput(functional.pad(words.text.token_ids, (0, 4)).where(keep, other), keep)
    wider = WordInput(
        text, *(functional.pad(each, (0, 2), value=1) for each in (words.starts, words.stops)),
        functional.pad(words.keep, (0, 2), value=False),
    )  # fmt: skip
    torch.testing.assert_close(real(model(wider)[:, :3]), real(model(words)))
    found, usual = model.best(model(wider), wider.keep)[:, :3], model.best(model(words), words.keep)
    assert torch.equal(found[words.keep], usual[words.keep])


def test_batched_equals_one_by_one(settings: TaggerSettings) -> None:
    model, words = make(settings), case()
    batched = model(words)
    for row in range(3):
        tokens, count = TOKENS[row], int(WORDS[row])
        text = TextInput(words.text.token_ids[row : row + 1, :tokens], words.text.keep[row : row + 1, :tokens])
        parts = (each[row : row + 1, :count] for each in (words.starts, words.stops, words.keep))
        torch.testing.assert_close(model(WordInput(text, *parts)), batched[row : row + 1, :count])


def test_looking_changes_nothing_and_finds_every_site(settings: TaggerSettings) -> None:
    model, trace = make(settings), Trace()
    assert torch.equal(model(case(), trace), model(case()))
    layers = 0 if isinstance(settings.encoder, TextRnnSettings) else 2
    assert set(trace.weights) == set(model.sites) == {f"encoder.{layer}.self" for layer in range(layers)}


def test_every_parameter_gets_a_gradient(settings: TaggerSettings) -> None:
    model = make(settings)
    loss_of(model, case()).backward()
    for name, parameter in model.named_parameters():
        assert parameter.grad is not None, f"{name} has no gradient"
        assert parameter.grad.isfinite().all(), name
        assert parameter.grad.abs().max() > 1e-12, f"the gradient of {name} is zero"


def test_a_saved_and_loaded_model_says_the_same(settings: TaggerSettings) -> None:
    first, second = make(settings), make(settings, seed=6)
    assert not torch.equal(first(case()), second(case()))
    load_weights(second, weights_of(first), "the first")
    assert torch.equal(first(case()), second(case()))


def test_training_draws_dropout_and_evaluation_does_not(settings: TaggerSettings) -> None:
    model = make(settings)
    assert torch.equal(model(case()), model(case()))
    model.train()
    assert not torch.equal(model(case()), model(case()))


def test_a_word_is_judged_by_its_first_piece_or_by_the_mean_of_all() -> None:
    first, all_pieces = make(VARIANTS["lstm"]), make(VARIANTS["lstm all"])
    states = first.encoder.hidden(case().text)
    torch.testing.assert_close(first(case())[0, 1], first.head(states[0, 2]))
    torch.testing.assert_close(all_pieces(case())[0, 1], all_pieces.head(states[0, 2:5].mean(dim=0)))
    torch.testing.assert_close(all_pieces(case())[2, 1], all_pieces.head(states[2, 1:4].mean(dim=0)))


def test_covered_pieces_are_those_of_real_words_alone() -> None:
    covered = case().covered()
    assert covered.shape == (3, 3, 7)
    assert covered[0].int().tolist() == [[0, 1, 0, 0, 0, 0, 0], [0, 0, 1, 1, 1, 0, 0], [0, 0, 0, 0, 0, 1, 0]]
    assert not covered[1, 1:].any()


def test_neighbouring_labels_are_judged_together_where_the_encoder_is_recurrent_unless_told_otherwise() -> None:
    assert {name: TaggerSettings(encoder=each).has_crf for name, each in PRESETS.items()} == {
        name: name in ("lstm", "gru", "rnn") for name in PRESETS
    }
    assert make(VARIANTS["transformer with crf"]).crf is not None
    assert make(VARIANTS["lstm without crf"]).crf is None


def test_best_labels_are_those_of_the_field_where_there_is_one() -> None:
    model, keep = make(VARIANTS["lstm"]), case().keep
    scores = torch.randn(3, 3, TAGS, dtype=torch.float64)
    assert model.crf is not None
    assert torch.equal(model.best(scores, keep), model.crf.best(scores, keep))
    assert torch.equal(make(VARIANTS["bert"]).best(scores, keep), scores.argmax(dim=2))


def test_what_no_tagger_can_be_is_refused() -> None:
    with pytest.raises(UsageError, match=r"no model 'textcnn' for this task.*lstm"):
        preset("textcnn")
    with pytest.raises(SettingsError, match=r"model\.pooling is attention"):
        TaggerSettings(encoder=replace(RNN, pooling="attention"))
