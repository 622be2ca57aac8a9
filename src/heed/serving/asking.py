"""From a request to the work of a predictor: which options it takes, what it costs, what it may be batched with."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from typing import assert_never, cast

from heed.decoding.sampling import SamplingSettings
from heed.errors import UsageError
from heed.prediction.answerer import Answerer, Pair
from heed.prediction.classifier import Classifier
from heed.prediction.filler import CANDIDATES, WordFiller
from heed.prediction.loading import Predictor, kind_of
from heed.prediction.picture_captioner import PictureCaptioner
from heed.prediction.picture_classifier import PictureClassifier
from heed.prediction.tagger import WordTagger
from heed.prediction.translator import Translator
from heed.prediction.word_vectors import COUNT, WordVectors
from heed.prediction.writer import Writer
from heed.serving.batching import Work
from heed.serving.limits import Limits
from heed.serving.refusals import Refusal
from heed.serving.requests import Given, Options, SentPicture, check_beams
from heed.serving.searching import SEARCH, beams_of, search_of
from heed.tasks.translating import Search

PICTURE_TOKENS = 300  # patches of a usual picture and the time to decode it; about what a page of text costs

Texts = Sequence[str]
# What a worker calls: as many results as inputs. The inputs were checked to be of the kind that the predictor reads.
Predict = Callable[[Sequence[object]], Sequence[object]]


def options_of(predictor: Predictor) -> tuple[str, ...]:
    """Return the names of the options that mean something to a predictor."""
    match predictor:
        case Translator() | PictureCaptioner():
            return SEARCH
        case Writer():
            return (*SEARCH, "length", "line")
        case Answerer():
            return ("best", "threshold")
        case WordVectors() | WordFiller():
            return ("best",)
        case Classifier() | WordTagger() | PictureClassifier():
            return ()
        case _:
            assert_never(predictor)


def reads(predictor: Predictor) -> str:
    """Return what a predictor reads: "text", "pair" or "picture"."""
    match predictor:
        case PictureClassifier() | PictureCaptioner():
            return "picture"
        case Answerer():
            return "pair"
        case Classifier():
            return "text" if predictor.texts_each == 1 else "pair"
        case Translator() | WordTagger() | Writer() | WordVectors() | WordFiller():
            return "text"
        case _:
            assert_never(predictor)


def work_of(name: str, predictor: Predictor, inputs: Sequence[Given], options: Options, limits: Limits) -> Work:
    """Return what the predictor called `name` is to do; refuse what it cannot read and options it does not know."""
    check_inputs(predictor, inputs)
    _check_options(predictor, options, limits)
    tokens = sum(map(tokens_in, inputs))
    match predictor:
        case Translator() | PictureCaptioner():
            return _searched(name, predictor, inputs, _search(options, predictor.search, limits), tokens)
        case Writer():
            return _written(name, predictor, inputs, options, limits)
        case Answerer():
            return _answered(name, predictor, inputs, options, tokens)
        case WordVectors() | WordFiller():
            count = options.best or (COUNT if isinstance(predictor, WordVectors) else CANDIDATES)
            ask = predictor.predict
            return Work(inputs, lambda some: ask(cast(Texts, some), count), tokens, (name, count))
        case Classifier() | WordTagger() | PictureClassifier():
            # Each was checked to be what this predictor reads, which a union cannot tell the type checker.
            return Work(inputs, cast(Predict, predictor.predict), tokens, (name,))
        case _:
            assert_never(predictor)


def tokens_in(given: Given) -> int:
    """Return about how many tokens an input has; to count them would cost as much again as to encode them."""
    match given:
        case str():
            return 2 + len(given) // 4
        case SentPicture():
            return PICTURE_TOKENS
        case (first, second):
            return 3 + (len(first) + len(second)) // 4


def check_inputs(predictor: Predictor, inputs: Sequence[Given]) -> None:
    """Refuse inputs of another kind than the predictor reads."""
    needed = reads(predictor)
    names = {"text": "a text", "pair": "a pair of texts", "picture": "a picture"}
    for number, given in enumerate(inputs, start=1):
        came = {str: "text", tuple: "pair", SentPicture: "picture"}[type(given)]
        if came != needed:
            raise UsageError(f"Input {number} is {names[came]}; {kind_of(predictor)} reads {names[needed]}.")


def _check_options(predictor: Predictor, options: Options, limits: Limits) -> None:
    known = options_of(predictor)
    for option in options.given():
        if option not in known:
            usable = ", ".join(known) or "none"
            raise UsageError(f"The option {option} means nothing to {kind_of(predictor)}. Its options: {usable}.")
    for name, value, most in (
        ("best", options.best, limits.results),
        ("length", options.length, limits.written_tokens),
    ):
        if value is not None and value > most:
            raise Refusal(400, "limit", f"{name} is {value:,}; at most {most:,} are told. Ask for less.")


def _search(options: Options, own: Search, limits: Limits) -> Search:
    search = search_of(options, own)
    if search != own:  # how a run searches by itself was the choice of whoever serves it
        check_beams(beams_of(search), limits)
    return search


def _searched(
    name: str, predictor: Translator | PictureCaptioner, inputs: Sequence[Given], search: Search, tokens: int
) -> Work:
    ask = cast(Callable[[Sequence[object], Search], Sequence[object]], predictor.predict)
    written = tokens * (1 + beams_of(search))
    return Work(inputs, lambda some: ask(some, search), written, _key(name, search))


def _written(name: str, predictor: Writer, inputs: Sequence[Given], options: Options, limits: Limits) -> Work:
    search = _search(options, predictor.search, limits)
    extent = replace(
        predictor.extent,
        length=min(options.length or predictor.extent.length, limits.written_tokens),
        line=options.line or predictor.extent.line,
    )
    tokens = sum(map(tokens_in, inputs)) + len(inputs) * extent.length * beams_of(search)
    ask = predictor.predict
    return Work(inputs, lambda some: ask(cast(Texts, some), extent, search), tokens, _key(name, search, extent))


def _answered(name: str, predictor: Answerer, inputs: Sequence[Given], options: Options, tokens: int) -> Work:
    search = predictor.search
    if options.best is not None:
        search = replace(search, answers=options.best)
    if options.threshold is not None:
        search = replace(search, no_answer_threshold=options.threshold)
    ask = predictor.stream
    return Work(inputs, lambda some: list(ask(cast(Sequence[Pair], some), search)), tokens, (name, search))


def _key(name: str, search: Search, *more: Hashable) -> Hashable | None:
    # What is drawn for a text depends on its place among all texts: with companions it would have another.
    return None if isinstance(search, SamplingSettings) else (name, search, *more)
