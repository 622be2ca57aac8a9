"""What an explanation costs: how many times a plain prediction, of a text of 128 tokens by a model of 6 layers.

python benchmarks/explain.py                            every task
python benchmarks/explain.py translate image caption    these

What is translated has 12 tokens, for a search takes as many steps as it may say tokens; pictures are 64 patches.
Both are measured in turn in one process and compared round by round; the default explanation is all attentions, the
rollout and one pass backwards. Weights are random, for what is computed does not depend on them.
"""

import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import torch
from PIL import Image

from heed.data.labels import Labels
from heed.decoding.beam import BeamSettings
from heed.inspection.explaining.asked import Asked
from heed.inspection.explaining.explain import Given, explain
from heed.layers.packed import pack_products
from heed.models.bert import BertSettings
from heed.models.bert_pretraining import BertPretraining
from heed.models.captioner import TransformerCaptioner, TransformerCaptionerSettings
from heed.models.encoder import EncoderSettings
from heed.models.language_transformer import LanguageTransformer, LanguageTransformerSettings
from heed.models.span_reader import SpanReader
from heed.models.tagger import Tagger, TaggerSettings
from heed.models.text_classifier import TextClassifier
from heed.models.transformer import Transformer, TransformerSettings
from heed.models.vit import ImageClassifier, VitSettings
from heed.prediction.answerer import Answerer
from heed.prediction.classifier import Classifier
from heed.prediction.filler import WordFiller
from heed.prediction.loading import Predictor
from heed.prediction.picture_captioner import PictureCaptioner
from heed.prediction.picture_classifier import PictureClassifier
from heed.prediction.tagger import WordTagger
from heed.prediction.text_reader import NeuralReader
from heed.prediction.translator import Translator
from heed.prediction.writer import Writer
from heed.runs.pretraining_settings import PretrainingSettings
from heed.tasks.answer_search import SpanSearch
from heed.tasks.answer_windows import WindowSettings
from heed.tasks.image import ColourSettings
from heed.tasks.known_tags import KnownTags
from heed.tasks.targets import Classes
from heed.tasks.translate import TokenizerPair
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
VIT = VitSettings(**SIZES, image=64, patch=8)  # type: ignore[arg-type]


@dataclass(frozen=True)
class Contest:
    """A model, what it is asked, and its plain prediction."""

    predictor: Predictor
    given: Given
    predict: Callable[[], object]


def main() -> None:
    """Print for each task the milliseconds of a prediction, and what an explanation takes of it."""
    with tempfile.TemporaryDirectory() as folder:
        all_contests = text_contests() | picture_contests(Path(folder) / "picture.png")
        chosen = sys.argv[1:] or list(all_contests)
        for threads in sorted({1, torch.get_num_threads()}):
            torch.set_num_threads(threads)
            for name in chosen:
                show(f"{threads} threads, {name:9}", all_contests[name])


def show(name: str, contest: Contest) -> None:
    """Print what a prediction and its explanations take."""
    plain, ratio = compare(contest, Asked())
    _, heads = compare(contest, Asked(heads=True), rounds=1)
    print(f"{name}: {1000 * plain:6.1f} ms, explained {ratio:.2f}x, with heads {heads:.0f}x")


def text_contests() -> dict[str, Contest]:
    """Return the models that read texts, their weights laid out as for every prediction."""
    classifier, tagger, answerer, filler, writer = _classifier(), _tagger(), _answerer(), _filler(), _writer()
    translator = _translator()
    gap = " ".join(["[MASK]", *WORDS[1:]])
    extent = Extent(length=1)
    return {
        "classify": Contest(classifier, TEXT, lambda: classifier.predict([TEXT])),
        "tag": Contest(tagger, TEXT, lambda: tagger.predict([TEXT])),
        "answer": Contest(answerer, (QUESTION, TEXT), lambda: answerer.predict(QUESTION, TEXT)),
        "fill": Contest(filler, gap, lambda: filler.predict([gap])),
        "write": Contest(writer, TEXT, lambda: writer.predict([TEXT], extent)),
        "translate": Contest(translator, QUESTION, lambda: translator.predict([QUESTION])),
    }


def picture_contests(path: Path) -> dict[str, Contest]:
    """Return the models that look at a picture, which is written at the path."""
    Image.effect_noise((VIT.image, VIT.image), 80).convert("RGB").save(path)
    classifier, captioner = _picture_classifier(), _captioner()
    return {
        "image": Contest(classifier, path, lambda: classifier.predict([path])),
        "caption": Contest(captioner, path, lambda: captioner.predict([path])),
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


def _translator() -> Translator:
    blocks = {name: size for name, size in SIZES.items() if name != "layers"}
    depth = {"encoder_layers": SIZES["layers"], "decoder_layers": SIZES["layers"]}
    model = Transformer(TransformerSettings(**blocks, **depth), TOKENIZER.size, TOKENIZER.size)  # type: ignore[arg-type]
    pack_products(model)
    return Translator(model, TokenizerPair(TOKENIZER, TOKENIZER), BeamSettings())


def _picture_classifier() -> PictureClassifier:
    targets, model = Classes(Labels(("cat", "dog", "owl"))), ImageClassifier(VIT, 3)
    pack_products(model)
    return PictureClassifier(model, targets, "squash", ColourSettings())


def _captioner() -> PictureCaptioner:
    settings = TransformerCaptionerSettings(**SIZES, encoder=VIT)  # type: ignore[arg-type]
    model = TransformerCaptioner(settings, TOKENIZER.size)
    pack_products(model)
    return PictureCaptioner(model, TOKENIZER, "squash", ColourSettings(), BeamSettings())


if __name__ == "__main__":
    main()
