"""A small untrained predictor of every task, and an input that suits it; the weights are the same each time."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import nn

from heed.data.labels import Labels
from heed.decoding.beam import BeamSettings
from heed.inspection.explaining.explain import Given
from heed.models.bert import BertSettings
from heed.models.bert_pretraining import BertPretraining
from heed.models.captioner import CaptionerSettings, RnnCaptionerSettings, TransformerCaptionerSettings, build_captioner
from heed.models.encoder import EncoderSettings
from heed.models.language import LanguageSettings, build_language_model
from heed.models.language_rnn import LanguageRnnSettings
from heed.models.language_transformer import LanguageTransformerSettings
from heed.models.rnn_seq2seq import RnnSettings
from heed.models.seq2seq import Seq2SeqSettings, build_seq2seq
from heed.models.span_reader import SpanReader
from heed.models.tagger import Tagger, TaggerSettings
from heed.models.text_classifier import TextClassifier, TextClassifierSettings
from heed.models.text_cnn import TextCnnSettings
from heed.models.text_rnn import TextRnnSettings
from heed.models.transformer import TransformerSettings
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
from heed.tasks.classify import Reading
from heed.tasks.image import ColourSettings
from heed.tasks.known_tags import KnownTags
from heed.tasks.targets import Classes, Scale, Targets
from heed.tasks.translate import TokenizerPair
from heed.tasks.writing import Extent
from heed.tokens.settings import TokenizerSettings
from heed.tokens.training import train_tokenizer

TEXT = "the cat sat on a mat"
LONG = "the cat sat on a mat and the dog sat on the cat"
WORDS = TokenizerSettings(kind="words")
TOKENIZER = train_tokenizer([LONG, "where did it sit"], WORDS)
PIECES = train_tokenizer([LONG, "where did it sit ."], TokenizerSettings(kind="wordpiece", size=60), "bert")
LABELS = Classes(Labels(("bad", "fair", "good")))
COLOURS = ColourSettings()
BLOCKS = {"width": 12, "heads": 3, "layers": 2, "feedforward": 20, "dropout": 0.0}
VIT = VitSettings(image=12, patch=4, width=12, heads=3, layers=2, feedforward=20, drop_path=0.0, registers=2)


@dataclass(frozen=True)
class Example:
    """A predictor and something to explain."""

    predictor: Predictor
    given: Given


def encoder(**changed: object) -> EncoderSettings:
    """Return a Transformer encoder with rotary positions unless told otherwise."""
    return EncoderSettings(**{**BLOCKS, "longest": 9, **changed})  # type: ignore[arg-type]


def bert() -> BertSettings:
    return BertSettings(width=12, heads=3, layers=2, feedforward=20, dropout=0.0, longest=11)


def classifier(
    settings: TextClassifierSettings, texts: int = 1, reading: Reading = "joined", targets: Targets = LABELS
) -> Classifier:
    """Return a classifier of single texts, or of pairs."""
    tokenizer = PIECES if isinstance(settings, BertSettings) else TOKENIZER
    towers = texts == 2 and reading == "towers"
    model = shaken(TextClassifier(settings, tokenizer.size, targets.outputs, towers))
    return Classifier(NeuralReader(model, tokenizer, reading), targets, texts)


def shaken(model: nn.Module) -> nn.Module:
    """Give every parameter other numbers, the same each time, also those that start at zero."""
    torch.manual_seed(5)
    for parameter in model.parameters():
        nn.init.normal_(parameter, std=0.4)
    return model


def tagger(encoder_settings: object, crf: bool) -> WordTagger:
    settings = TaggerSettings(encoder=encoder_settings, crf=crf)  # type: ignore[arg-type]
    known = KnownTags(("O", "B-animal", "I-animal", "B-thing", "I-thing"), plain=False)
    return WordTagger(shaken(Tagger(settings, TOKENIZER.size, len(known.names))), TOKENIZER, known)


def answerer() -> Answerer:
    model = shaken(SpanReader(encoder(segments=2, longest=16), TOKENIZER.size))
    return Answerer(model, TOKENIZER, WindowSettings(stride=3, longest_question=6), SpanSearch(longest_answer=3))


def translator(settings: Seq2SeqSettings) -> Translator:
    model = shaken(build_seq2seq(settings, TOKENIZER.size, TOKENIZER.size))
    return Translator(model, TokenizerPair(TOKENIZER, TOKENIZER), BeamSettings(beams=2))


def writer(settings: LanguageSettings) -> Writer:
    model = shaken(build_language_model(settings, TOKENIZER.size))
    return Writer(model, TOKENIZER, BeamSettings(beams=2), Extent(length=4))


def filler() -> WordFiller:
    model = shaken(BertPretraining(bert(), PIECES.size, next_sentence=False))
    return WordFiller(model, PIECES, PretrainingSettings(model=bert(), length=11))


def picture_classifier(settings: VitSettings = VIT) -> PictureClassifier:
    return PictureClassifier(shaken(ImageClassifier(settings, 3)), LABELS, "squash", COLOURS)


def captioner(settings: CaptionerSettings) -> PictureCaptioner:
    model = shaken(build_captioner(settings, TOKENIZER.size))
    return PictureCaptioner(model, TOKENIZER, "squash", COLOURS, BeamSettings(beams=2))


SEQ2SEQ = TransformerSettings(
    width=12, heads=3, encoder_layers=2, decoder_layers=2, feedforward=20, dropout=0.0, longest=12
)
RNN = TextRnnSettings(embedding=7, width=10, longest=9, dropout=0.0)
CNN = TextCnnSettings(embedding=7, filters=5, longest=9, dropout=0.0)
CAPTIONER = TransformerCaptionerSettings(
    encoder=VIT, width=12, heads=3, layers=2, feedforward=20, dropout=0.0, longest=6
)
PAIR = ("the cat sat", "on a mat")
QUESTION = ("where did it sit", LONG)

# A way to make each, because making all takes a second that most tests need not wait for.
EXAMPLES: dict[str, Callable[[Path], Example]] = {
    "classify": lambda _: Example(classifier(encoder()), TEXT),
    "classify first": lambda _: Example(classifier(encoder(pooling="first", positions="learned")), TEXT),
    "classify attention pooling": lambda _: Example(classifier(encoder(pooling="attention")), TEXT),
    "classify bert": lambda _: Example(classifier(bert()), TEXT),
    "classify rnn": lambda _: Example(classifier(RNN), TEXT),
    "classify rnn attention": lambda _: Example(
        classifier(TextRnnSettings(embedding=7, width=10, longest=9, dropout=0.0, pooling="attention")), TEXT
    ),
    "classify textcnn": lambda _: Example(classifier(CNN), TEXT),
    "number": lambda _: Example(classifier(encoder(), targets=Scale(3.0, 2.0)), TEXT),
    "pair joined": lambda _: Example(classifier(encoder(segments=2), 2), PAIR),
    "pair towers": lambda _: Example(classifier(encoder(), 2, "towers"), PAIR),
    "tag": lambda _: Example(tagger(encoder(pooling="first"), crf=False), TEXT),
    "tag rnn crf": lambda _: Example(tagger(RNN, crf=True), TEXT),
    "answer": lambda _: Example(answerer(), QUESTION),
    "gaps": lambda _: Example(filler(), "the [MASK] sat on a [MASK]"),
    "translate": lambda _: Example(translator(SEQ2SEQ), TEXT),
    "translate luong": lambda _: Example(translator(RnnSettings(width=10, longest=12, dropout=0.0)), TEXT),
    "translate bahdanau": lambda _: Example(
        translator(RnnSettings(width=10, longest=12, dropout=0.0, order="bahdanau", attention="additive")), TEXT
    ),
    "translate thought": lambda _: Example(
        translator(RnnSettings(width=10, longest=12, dropout=0.0, attention="none")), TEXT
    ),
    "write": lambda _: Example(
        writer(LanguageTransformerSettings(width=12, heads=3, layers=2, feedforward=20, dropout=0.0, longest=8)), TEXT
    ),
    "write rnn": lambda _: Example(writer(LanguageRnnSettings(embedding=7, width=10, dropout=0.0)), TEXT),
    "image": lambda folder: Example(picture_classifier(), folder / "picture.png"),
    "caption": lambda folder: Example(captioner(CAPTIONER), folder / "picture.png"),
    "caption rnn": lambda folder: Example(
        captioner(RnnCaptionerSettings(encoder=VIT, width=12, dropout=0.0, longest=6)), folder / "picture.png"
    ),
}
