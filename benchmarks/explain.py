"""What an explanation costs: how many times a plain prediction, of a text of 128 tokens by a model of 6 layers.

python benchmarks/explain.py

Both are measured in turn in one process and compared round by round; the default explanation is all attentions, the
rollout and one pass backwards. Weights are random, for what is computed does not depend on them.
"""

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass

import torch

from heed.data.labels import Labels
from heed.inspection.explaining.asked import Asked
from heed.inspection.explaining.explain import Given, explain
from heed.layers.packed import pack_products
from heed.models.bert import BertSettings
from heed.models.bert_pretraining import BertPretraining
from heed.models.encoder import EncoderSettings
from heed.models.language_transformer import LanguageTransformer, LanguageTransformerSettings
from heed.models.span_reader import SpanReader
from heed.models.tagger import Tagger, TaggerSettings
from heed.models.text_classifier import TextClassifier
from heed.prediction.answerer import Answerer
from heed.prediction.classifier import Classifier
from heed.prediction.filler import WordFiller
from heed.prediction.loading import Predictor
from heed.prediction.tagger import WordTagger
from heed.prediction.text_reader import NeuralReader
from heed.prediction.writer import Writer
from heed.runs.pretraining_settings import PretrainingSettings
from heed.tasks.answer_search import SpanSearch
from heed.tasks.answer_windows import WindowSettings
from heed.tasks.known_tags import KnownTags
from heed.tasks.targets import Classes
from heed.tasks.translating import GreedySettings
from heed.tasks.writing import Extent
from heed.tokens.settings import TokenizerSettings
from heed.tokens.training import train_tokenizer

ROUNDS = 15
SIZES = {"width": 256, "heads": 8, "layers": 6, "feedforward": 1024}
WORDS = [f"word{number}" for number in range(128)]
TEXT = " ".join(WORDS)
QUESTION = " ".join(WORDS[:12])
TOKENIZER = train_tokenizer([TEXT], TokenizerSettings(kind="words"), "bert")
ENCODER = EncoderSettings(**SIZES, segments=2)  # type: ignore[arg-type]
BERT = BertSettings(**SIZES)  # type: ignore[arg-type]


@dataclass(frozen=True)
class Contest:
    """A model, what it is asked, and its plain prediction."""

    predictor: Predictor
    given: Given
    predict: Callable[[], object]


def main() -> None:
    """Print for each task the milliseconds of a prediction, and what an explanation takes of it."""
    for threads in sorted({1, torch.get_num_threads()}):
        torch.set_num_threads(threads)
        for name, contest in contests().items():
            plain, ratio = compare(contest, Asked())
            _, heads = compare(contest, Asked(heads=True), rounds=1)
            print(
                f"{threads} threads, {name:8}: {1000 * plain:6.1f} ms, explained {ratio:.2f}x, with heads {heads:.0f}x"
            )


def contests() -> dict[str, Contest]:
    """Return the models, their weights laid out as for every prediction."""
    classifier, tagger, answerer, filler, writer = _classifier(), _tagger(), _answerer(), _filler(), _writer()
    gap = " ".join(["[MASK]", *WORDS[1:]])
    extent = Extent(length=1)
    return {
        "classify": Contest(classifier, TEXT, lambda: classifier.predict([TEXT])),
        "tag": Contest(tagger, TEXT, lambda: tagger.predict([TEXT])),
        "answer": Contest(answerer, (QUESTION, TEXT), lambda: answerer.predict(QUESTION, TEXT)),
        "fill": Contest(filler, gap, lambda: filler.predict([gap])),
        "write": Contest(writer, TEXT, lambda: writer.predict([TEXT], extent)),
    }


def compare(contest: Contest, asked: Asked, rounds: int = ROUNDS) -> tuple[float, float]:
    """Return the median seconds of a prediction, and the median of what an explanation takes of the one beside it."""
    plain, ratios = [], []
    for number in range(rounds + 1):
        predicting = _seconds(contest.predict)
        explaining = _seconds(lambda: explain(contest.predictor, contest.given, asked))
        if number:  # the first of each warms up
            plain.append(predicting)
            ratios.append(explaining / predicting)
    return statistics.median(plain), statistics.median(ratios)


def _seconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def _classifier() -> Classifier:
    targets, model = Classes(Labels(("bad", "good"))), TextClassifier(ENCODER, TOKENIZER.size, 2)
    pack_products(model)
    return Classifier(NeuralReader(model, TOKENIZER, "joined"), targets, 1)


def _tagger() -> WordTagger:
    known = KnownTags(("O", "B-name", "I-name"), plain=False)
    model = Tagger(TaggerSettings(encoder=ENCODER), TOKENIZER.size, len(known.names))
    pack_products(model)
    return WordTagger(model, TOKENIZER, known)


def _answerer() -> Answerer:
    model = SpanReader(ENCODER, TOKENIZER.size)
    pack_products(model)
    return Answerer(model, TOKENIZER, WindowSettings(), SpanSearch())


def _filler() -> WordFiller:
    model = BertPretraining(BERT, TOKENIZER.size, next_sentence=False)
    pack_products(model)
    return WordFiller(model, TOKENIZER, PretrainingSettings(model=BERT))


def _writer() -> Writer:
    model = LanguageTransformer(LanguageTransformerSettings(**SIZES, longest=256), TOKENIZER.size)  # type: ignore[arg-type]
    pack_products(model)
    return Writer(model, TOKENIZER, GreedySettings(), Extent())


if __name__ == "__main__":
    main()
