"""From a request for an explanation to its work: what it costs, and how many attention weights it would keep."""

from collections.abc import Callable
from typing import assert_never

from torch import nn

from heed.inspection.explaining.asked import Asked
from heed.inspection.explaining.explain import explain
from heed.inspection.explanation import Explanation
from heed.layers.attention import Attend, CrossAttention, SelfAttention
from heed.layers.trace import Trace
from heed.models.captioner import positions_of
from heed.prediction.answerer import Answerer
from heed.prediction.classifier import Classifier
from heed.prediction.filler import WordFiller
from heed.prediction.loading import Predictor
from heed.prediction.picture_captioner import PictureCaptioner
from heed.prediction.picture_classifier import PictureClassifier
from heed.prediction.tagger import WordTagger
from heed.prediction.text_reader import NeuralReader
from heed.prediction.translator import Translator
from heed.prediction.word_vectors import WordVectors
from heed.prediction.writer import Writer
from heed.serving.asking import check_inputs, tokens_in
from heed.serving.batching import Work
from heed.serving.limits import Limits
from heed.serving.refusals import Refusal
from heed.serving.requests import ExplainRequest, Given, check_beams, read_inputs

PASSES = 8  # times the work of a prediction, about: a pass with all weights, one backwards, a beam again
STEP_PASSES = 3  # of a step of integrated gradients: one pass forwards, and one backwards, which costs two
WEIGHTS_A_TOKEN = 2_000  # that are rounded and deflated while a small model reads a token, about
AROUND = 3  # pieces that a model adds to what it reads: start, end, and what parts two texts


def explaining_of(
    predictor: Predictor, asked: ExplainRequest, limits: Limits, told: Callable[[Explanation], bytes]
) -> Work:
    """Return the work of looking inside a model; refuse what it cannot read, and what would keep too many weights."""
    (given,) = read_inputs([asked.input], limits)
    check_inputs(predictor, [given])
    check_beams(asked.beam, limits)
    wanted = Asked(tuple(asked.sites), asked.heads, asked.steps, asked.answer, asked.beam)
    network = _network(predictor)
    heads = 0 if network is None else heads_in(network, wanted.sites)
    weights = heads * places_in(predictor, given) ** 2
    if weights > limits.explained_weights:
        raise Refusal(
            413,
            "large",
            f"Up to {weights:,} attention weights would be kept; at most {limits.explained_weights:,} are. "
            f"Send less, or name some sites.",
        )
    passes = PASSES + STEP_PASSES * wanted.steps + (heads if wanted.heads else 0)
    tokens = passes * tokens_in(given) + weights // WEIGHTS_A_TOKEN
    return Work([given], lambda _: [told(explain(predictor, given, wanted))], tokens)


def heads_in(network: nn.Module, sites: tuple[str, ...] = ()) -> int:
    """Return how many heads look at something, at the sites that match, or at all."""
    trace = Trace(*sites)
    many = {
        module.attend.site: module.heads
        for module in network.modules()
        if isinstance(module, SelfAttention | CrossAttention)
    }
    found = [module.site for module in network.modules() if isinstance(module, Attend)]
    return sum(many.get(site, 1) for site in found if trace.wants(site))


def places_in(predictor: Predictor, given: Given) -> int:
    """Return at most how many pieces or patches look, or are looked at."""
    most = _places_of(predictor)
    match given:
        # What is written may be as long as it can be, whatever was given.
        case str() if not isinstance(predictor, Translator):
            return min(most, len(given) + AROUND)
        case (first, second):
            return min(most, len(first) + len(second) + AROUND)
        case _:
            return most


def _places_of(predictor: Predictor) -> int:
    """Return how many pieces or patches there is room for in a model."""
    match predictor:
        case PictureClassifier():
            return positions_of(predictor.model.settings)
        case PictureCaptioner():
            settings = predictor.model.settings
            return max(positions_of(settings.encoder), settings.longest + AROUND)
        case WordTagger():
            return predictor.model.settings.encoder.longest + AROUND
        case Classifier():
            reader = predictor.reader
            return reader.model.settings.longest + AROUND if isinstance(reader, NeuralReader) else 0
        case Translator() | Answerer() | WordFiller() | Writer():
            return predictor.model.settings.longest + AROUND
        case WordVectors():
            return 0
        case _:
            assert_never(predictor)


def _network(predictor: Predictor) -> nn.Module | None:
    """Return the network behind a predictor; counts of words and vectors have none."""
    match predictor:
        case Classifier():
            return predictor.reader.model if isinstance(predictor.reader, NeuralReader) else None
        case WordVectors():
            return None
        case _:
            return predictor.model
