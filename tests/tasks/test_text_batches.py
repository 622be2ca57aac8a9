"""Labelled texts as batches: what is cut, counted, joined, hidden, and what the loss is."""

import math

import pytest
import torch

from heed.data.labels import Labels
from heed.data.records import LabelledText
from heed.errors import DataError, RunError
from heed.models.bert import BertSettings
from heed.models.encoder import EncoderSettings
from heed.models.text_classifier import TextClassifier, preset
from heed.tasks.classify import ClassificationBatch, ClassificationObjective, encode_texts, inputs_of
from heed.tasks.framing import Frame, frame_of
from heed.tasks.reading import read_outputs
from heed.tasks.targets import Classes, Scale, find_targets, from_facts, to_facts
from heed.tokens.settings import TokenizerSettings
from heed.tokens.tokenizer import Tokenizer
from heed.tokens.training import train_tokenizer

TEXTS = ["a b c d e", "b a", "c c c"]
CLASSES = Classes(Labels(("bad", "good")))
NO_FRAME = Frame((), (), ())


@pytest.fixture
def tokenizer() -> Tokenizer:
    return train_tokenizer(TEXTS, TokenizerSettings(kind="words", size=50))


def model_of(longest: int) -> EncoderSettings:
    return EncoderSettings(longest=longest, segments=2)


def small(outputs: int = 2, towers: bool = False, **changes: object) -> TextClassifier:
    from dataclasses import replace

    torch.manual_seed(3)
    settings = replace(preset("textcnn"), word_dropout=0.0, dropout=0.0, **changes)
    return TextClassifier(settings, 20, outputs, towers=towers).eval()


def test_a_text_is_cut_at_the_longest_length_and_what_was_cut_is_counted(tokenizer: Tokenizer) -> None:
    encoded = encode_texts([("a b c d e",), ("b x",)], tokenizer, model_of(3), "joined")
    assert encoded.inputs[0].lengths.tolist() == [3, 2]
    assert [(each.tokens, each.unknown, each.cut) for each in encoded.counts] == [(5, 0, 2), (2, 1, 0)]


def test_an_empty_text_is_read_as_one_unknown_word(tokenizer: Tokenizer) -> None:
    encoded = encode_texts([("",)], tokenizer, model_of(3), "joined")
    assert encoded.inputs[0][0].tolist() == [tokenizer.unknown]
    assert encoded.counts[0].tokens == 0


def test_a_joined_pair_is_one_sequence_with_an_end_between_and_segments(tokenizer: Tokenizer) -> None:
    encoded = encode_texts([("a b", "c"), ("a", "b c")], tokenizer, model_of(10), "joined")
    (joined,) = inputs_of(encoded, [0, 1])
    a, b, c = (tokenizer.ids_of([piece])[0][0] for piece in "abc")
    assert joined.token_ids.tolist() == [[a, b, tokenizer.end, c], [a, tokenizer.end, b, c]]
    assert joined.segments is not None
    assert joined.segments.tolist() == [[0, 0, 0, 1], [0, 0, 1, 1]]


@pytest.mark.parametrize(
    ("first", "second", "kept"), [(5, 1, (3, 1)), (1, 5, (1, 3)), (5, 5, (2, 2)), (2, 2, (2, 2)), (0, 9, (0, 4))]
)
def test_of_a_joined_pair_the_longer_text_gives_way_first(
    tokenizer: Tokenizer, first: int, second: int, kept: tuple[int, int]
) -> None:
    encoded = encode_texts([(" ".join("a" * first), " ".join("b" * second))], tokenizer, model_of(5), "joined")
    ids = encoded.inputs[0][0].tolist()
    end = ids.index(tokenizer.end)
    assert (end, len(ids) - end - 1) == kept
    assert encoded.counts[0].cut == first + second - sum(kept)


def test_two_towers_read_each_text_by_itself(tokenizer: Tokenizer) -> None:
    encoded = encode_texts([("a b", "c"), ("a", "b c d")], tokenizer, model_of(10), "towers")
    assert [rows.lengths.tolist() for rows in encoded.inputs] == [[2, 1], [1, 3]]
    assert encoded.lengths().tolist() == [[2, 1], [1, 3]]
    assert read_outputs(small(towers=True), encoded).shape == (2, 2)


def test_the_loss_is_cross_entropy_summed_over_texts(tokenizer: Tokenizer) -> None:
    encoded = encode_texts([(text,) for text in TEXTS], tokenizer, model_of(10), "joined")
    batch = ClassificationBatch(inputs_of(encoded, [0, 1, 2]), torch.tensor([0, 1, 1]))
    model = small()
    log_probs = model(batch.inputs).log_softmax(dim=1)
    expected = -(log_probs[0, 0] + log_probs[1, 1] + log_probs[2, 1])
    torch.testing.assert_close(ClassificationObjective(model, CLASSES, 0.0, unknown=1, frame=NO_FRAME)(batch), expected)
    assert (batch.targets, batch.tokens) == (3, 10)


def test_the_loss_of_numbers_is_the_squared_error_in_units_of_their_spread(tokenizer: Tokenizer) -> None:
    records = [LabelledText((text,), label) for text, label in zip(TEXTS, ["1", "2.5", "5.5"], strict=True)]
    scale = find_targets(records, "number")
    assert isinstance(scale, Scale)
    assert math.isclose(scale.mean, 3.0)
    encoded = encode_texts([record.texts for record in records], tokenizer, model_of(10), "joined")
    batch = ClassificationBatch(inputs_of(encoded, [0, 1, 2]), scale.encode(records))
    model = small(outputs=1)
    errors = model(batch.inputs)[:, 0] - torch.tensor([(value - 3.0) / scale.spread for value in (1.0, 2.5, 5.5)])
    torch.testing.assert_close(
        ClassificationObjective(model, scale, 0.0, unknown=1, frame=NO_FRAME)(batch), (errors**2).sum()
    )


def test_words_are_hidden_in_training_alone_and_never_padding(tokenizer: Tokenizer) -> None:
    encoded = encode_texts([("a b c d e",), ("b",)] * 40, tokenizer, model_of(10), "joined")
    inputs = inputs_of(encoded, list(range(80)))
    objective = ClassificationObjective(small(), CLASSES, 0.0, unknown=1, frame=NO_FRAME)
    objective.word_dropout = 0.5
    hidden = objective._with_words_dropped(inputs[0])
    real, unknown = inputs[0].keep, hidden.token_ids == tokenizer.unknown
    assert 0.35 < float(unknown[real].float().mean()) < 0.65
    assert torch.equal(hidden.token_ids[~real], inputs[0].token_ids[~real])
    batch = ClassificationBatch(inputs, torch.zeros(80, dtype=torch.long))
    objective.eval()
    assert torch.equal(objective(batch), objective(batch))


@pytest.mark.parametrize("kind", ["bert", "transformer"])
@pytest.mark.parametrize("texts", [("a b c d e",), ("a b", "c d")], ids=["text", "pair"])
def test_what_stands_around_and_between_texts_is_never_hidden(kind: str, texts: tuple[str, ...]) -> None:
    tokenizer = train_tokenizer(TEXTS, TokenizerSettings(kind="words", size=50), "bert")
    model: BertSettings | EncoderSettings = BertSettings(longest=10) if kind == "bert" else model_of(10)
    (inputs,) = inputs_of(encode_texts([texts], tokenizer, model, "joined"), [0])
    objective = ClassificationObjective(small(), CLASSES, 0.0, tokenizer.unknown, frame_of(model, tokenizer))
    objective.word_dropout = 1.0
    hidden = objective._with_words_dropped(inputs).token_ids[0].tolist()
    marks = (tokenizer.start, tokenizer.end)
    assert hidden == [id if id in marks else tokenizer.unknown for id in inputs.token_ids[0].tolist()]
    assert sum(id == tokenizer.end for id in hidden) == (len(texts) if kind == "bert" else len(texts) - 1)


def test_outputs_of_many_texts_are_those_of_each_alone_in_order(tokenizer: Tokenizer) -> None:
    texts = [(" ".join("abcde"[: 1 + index % 5]),) for index in range(23)]
    model = small()
    together = read_outputs(model, encode_texts(texts, tokenizer, model_of(10), "joined"))
    for index, text in enumerate(texts):
        alone = read_outputs(model, encode_texts([text], tokenizer, model_of(10), "joined"))
        assert abs(alone[0] - together[index]).max() < 1e-6


@pytest.mark.parametrize("targets", [CLASSES, Scale(2.5, 0.75)])
def test_targets_come_back_from_what_was_written(targets: Classes | Scale) -> None:
    assert from_facts(to_facts(targets), "labels.json") == targets


@pytest.mark.parametrize(
    "facts",
    [{}, {"outcome": "label", "names": ["one"]}, {"outcome": "number", "mean": 1.0, "spread": 0.0}, {"outcome": "x"}],
)
def test_damaged_targets_are_refused(facts: dict[str, object]) -> None:
    with pytest.raises(RunError, match=r"labels\.json holds neither"):
        from_facts(facts, "labels.json")


def test_numbers_that_are_all_alike_are_refused() -> None:
    with pytest.raises(DataError, match="All 2 numbers are 3"):
        find_targets([LabelledText(("a", "b"), "3"), LabelledText(("c", "d"), "3.0")], "number")
