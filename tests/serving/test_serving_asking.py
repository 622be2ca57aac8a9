"""From requests to work: each predictor is asked for what the request says, and only like requests share a kind."""

import base64
import io

import numpy
import pytest
import torch
from PIL import Image

from heed.data.labels import Labels
from heed.errors import SettingsError, UsageError
from heed.models.encoder import EncoderSettings
from heed.models.language import build_language_model
from heed.models.language_rnn import LanguageRnnSettings
from heed.models.span_reader import SpanReader
from heed.models.vit import ImageClassifier, VitSettings
from heed.models.word_space import WordSpace
from heed.prediction.answerer import Answerer
from heed.prediction.loading import Predictor
from heed.prediction.picture_classifier import PictureClassifier
from heed.prediction.word_vectors import WordVectors
from heed.prediction.writer import Writer
from heed.serving.asking import tokens_in, work_of
from heed.serving.batching import Work
from heed.serving.limits import Limits
from heed.serving.refusals import Refusal
from heed.serving.requests import Input, Options, Picture, read_inputs
from heed.tasks.answer_search import SpanSearch
from heed.tasks.answer_windows import WindowSettings
from heed.tasks.image import ColourSettings
from heed.tasks.targets import Classes
from heed.tasks.translating import GreedySettings
from heed.tasks.writing import Extent
from heed.tokens.settings import TokenizerSettings
from heed.tokens.training import train_tokenizer

CONTEXT = "Ann lives in Hue, and Bob lives in Rome."
ENCODER = EncoderSettings(width=8, heads=2, layers=1, feedforward=12, dropout=0.0, segments=2, longest=24)


def writer() -> Writer:
    torch.manual_seed(6)
    tokenizer = train_tokenizer(["hello", "oh hole"], TokenizerSettings(kind="characters"))
    model = build_language_model(LanguageRnnSettings(embedding=6, width=7), tokenizer.size)
    return Writer(model, tokenizer, GreedySettings(), Extent(length=20))


def answerer() -> Answerer:
    torch.manual_seed(8)
    tokenizer = train_tokenizer([CONTEXT], TokenizerSettings(kind="wordpiece", size=90))
    windows, search = WindowSettings(stride=4, longest_question=6), SpanSearch(longest_answer=4)
    return Answerer(SpanReader(ENCODER, tokenizer.size), tokenizer, windows, search)


def words() -> WordVectors:
    return WordVectors(WordSpace(["king", "queen", "man"], numpy.eye(3, 4, dtype=numpy.float32) + 0.1))


def work(predictor: Predictor, *inputs: Input, **options: object) -> Work:
    limits = Limits(written_tokens=50, beams=4)
    return work_of("model", predictor, read_inputs(list(inputs), limits), Options(**options), limits)


def results(asked: Work) -> list[object]:
    return list(asked.predict(asked.inputs))


def test_a_writer_writes_as_long_and_as_many_as_asked() -> None:
    model = writer()
    assert results(work(model, "he", "oh", length=3)) == model.predict(["he", "oh"], Extent(length=3))
    (found,) = results(work(model, "he", length=4, beam=3, best=2))
    assert len(found.versions) == 2 and found.tokens <= 4
    assert work(model, "he", length=50).tokens > work(model, "he", length=5).tokens


def test_an_answerer_takes_pairs_and_tells_as_many_answers_as_asked() -> None:
    model = answerer()
    (found,) = results(work(model, ["Where?", CONTEXT], best=2))
    assert found.text in CONTEXT and len(found.alternatives) == 1
    (none,) = results(work(model, ["Where?", CONTEXT], threshold=-1e9))
    assert none.text == ""
    with pytest.raises(UsageError, match="Input 2 is a text; an answerer of questions reads a pair of texts"):
        work(model, ["Where?", CONTEXT], "Where?")


def test_word_vectors_tell_as_many_neighbours_as_asked() -> None:
    (found,) = results(work(words(), "king", best=1))
    assert len(found.neighbours) == 1


def test_what_differs_in_any_option_is_of_another_kind_and_what_is_drawn_of_none() -> None:
    model = writer()
    kinds = [work(model, "he", **options).key for options in ({}, {"length": 3}, {"beam": 2}, {"line": True})]
    assert len(set(kinds)) == 4 and None not in kinds
    assert work(model, "oh no").key == kinds[0]
    assert work(model, "he", seed=1).key is None and work(model, "he", sample=True).key is None


def test_options_beyond_limits_or_without_sense_are_refused() -> None:
    with pytest.raises(Refusal, match="length"):
        work(writer(), "he", length=51)
    with pytest.raises(SettingsError, match="results is 3 with 2 beams"):
        work(writer(), "he", beam=2, best=3)
    with pytest.raises(UsageError, match="The option line means nothing to word vectors"):
        work(words(), "king", line=True)


def test_longer_texts_cost_more_and_an_empty_one_something() -> None:
    assert 0 < tokens_in("") < tokens_in("a" * 40) < tokens_in(("a" * 40, "b" * 40))


def classifier_of_pictures() -> PictureClassifier:
    torch.manual_seed(4)
    settings = VitSettings(image=16, patch=8, width=8, heads=2, layers=1, feedforward=12)
    targets = Classes(Labels(("cat", "dog", "fox")))
    return PictureClassifier(ImageClassifier(settings, 3), targets, "crop", ColourSettings())


def picture(width: int, height: int) -> Picture:
    stream = io.BytesIO()
    Image.effect_noise((width, height), 90).convert("RGB").save(stream, "PNG")
    return Picture(picture=base64.b64encode(stream.getvalue()).decode())


def test_pictures_are_classified_and_those_that_cannot_be_read_are_told() -> None:
    limits, model = Limits(picture_pixels=400), classifier_of_pictures()
    sent = [picture(17, 19), Picture(picture="AAAA"), picture(21, 20)]
    asked = work_of("model", model, read_inputs(sent, limits), Options(), limits)
    good, broken, large = results(asked)
    assert good.name == "picture 1" and sum(good.probabilities.values()) == pytest.approx(1, abs=1e-6)
    assert broken.label is None and "no whole JPEG" in broken.problem
    assert large.label is None and "420 pixels; at most 400" in large.problem


def test_the_two_texts_of_a_pair_are_measured_together() -> None:
    limits = Limits(text_characters=10)
    assert read_inputs([["a" * 6, "b" * 4]], limits) == [("a" * 6, "b" * 4)]
    with pytest.raises(Refusal) as refused:
        read_inputs([["a" * 6, "b" * 5]], limits)
    assert refused.value.status == 413 and "Text 1 has 11 characters" in refused.value.detail
