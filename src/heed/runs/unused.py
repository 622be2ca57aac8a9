"""`UNUSED`: which settings a run would not use, for which tasks and models, and why. Nowhere else is it said.

A person who asks for one of them is refused (`runs/asked.py`); `--show-settings` and reports leave them out, and the
reference page lists them. Reading a run refuses nothing: old runs hold such values.
"""

import dataclasses
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from heed.data.labels import Outcome
from heed.models.captioner import RnnCaptionerSettings
from heed.models.rnn_seq2seq import RnnSettings
from heed.models.text_cnn import TextCnnSettings
from heed.models.text_rnn import TextRnnSettings
from heed.models.transformer import TransformerSettings
from heed.runs.answer_settings import AnswerSettings
from heed.runs.caption_settings import CaptionSettings
from heed.runs.image_settings import ImageSettings
from heed.runs.pretraining_settings import PretrainingSettings
from heed.runs.settings import ClassificationSettings, RunSettings, TranslationSettings
from heed.runs.tag_settings import TagSettings
from heed.runs.vectors_settings import VectorsSettings
from heed.settings import to_dict
from heed.training.settings import TrainingSettings

Values = dict[str, object]


@dataclass(frozen=True)
class Unused:
    """Settings without use in some runs."""

    names: tuple[str, ...]  # training.window; or a part, all of it: tokens
    where: str  # in which runs, for the reference page
    applies: Callable[[RunSettings], bool]  # to a run with these settings
    why: str  # what follows "training.window is 5, but "
    instead: str

    def covers(self, name: str) -> bool:
        """Tell whether a setting is one of these, or lies in a part that is."""
        return any(name == each or name.startswith(f"{each}.") for each in self.names)


def unused_in(settings: RunSettings) -> tuple[Unused, ...]:
    """Return what a run with these settings would not use."""
    return tuple(each for each in UNUSED if each.applies(settings))


def used_values(settings: RunSettings) -> Values:
    """Return settings as plain values, without those that the run does not use."""
    unused = unused_in(settings)

    def used(values: Values, above: str) -> Iterator[tuple[str, object]]:
        for key, value in values.items():
            name = f"{above}{key}"
            if not any(each.covers(name) for each in unused):
                yield key, dict(used(value, f"{name}.")) if isinstance(value, dict) else value

    return dict(used(to_dict(settings), ""))


def _training_but(*used: str) -> tuple[str, ...]:
    return tuple(f"training.{field.name}" for field in dataclasses.fields(TrainingSettings) if field.name not in used)


def _is_linear(settings: RunSettings) -> bool:
    return settings.model.kind == "tfidf"


def _outcome(settings: RunSettings) -> Outcome | None:
    """Return what is learnt of texts; None: where it is no such task, and where only the data will tell."""
    if not isinstance(settings, ClassificationSettings):
        return None
    return "label" if settings.task == "classify" else settings.outcome


def _judges_labels_together(settings: RunSettings) -> bool:
    return isinstance(settings, TagSettings) and settings.tagger.has_crf


def _has_no_blocks(settings: RunSettings) -> bool:
    # A captioner's decoder may be recurrent; what learns more slowly is its encoder, which is of blocks.
    return settings.model.kind in ("rnn", "textcnn") and not isinstance(settings, CaptionSettings)


def _shares_its_table(settings: RunSettings) -> bool:
    return isinstance(settings.model, TransformerSettings) and settings.model.tie == "all"


def _pools_without_attention(settings: RunSettings) -> bool:
    return isinstance(settings.model, TextRnnSettings) and settings.model.pooling != "attention"


def _pools_nothing(settings: RunSettings) -> bool:
    return isinstance(settings, TagSettings | AnswerSettings)


def _has_no_pairs(settings: RunSettings) -> bool:
    return isinstance(settings, PretrainingSettings) and not settings.pairs


def _has_no_bag(settings: RunSettings) -> bool:
    return isinstance(settings.model, TextCnnSettings) and settings.model.bag == 0


def _attends_to_nothing(settings: RunSettings) -> bool:
    return isinstance(settings.model, RnnSettings | RnnCaptionerSettings) and settings.model.attention == "none"


def _draws_no_operations(settings: RunSettings) -> bool:
    return isinstance(settings, ImageSettings | CaptionSettings) and settings.augmentation.operations == 0


def _captions_by_a_pooled_vector(settings: RunSettings) -> bool:
    return isinstance(settings, CaptionSettings) and settings.model.encoder.pooling == "both"


UNUSED: tuple[Unused, ...] = (
    Unused(
        ("training",),
        "model `tfidf`",
        _is_linear,
        "model tfidf is not trained step by step: it fits the same few linear models every time and ends by itself",
        "Leave it out, or use another --model; what is tried is set by model.*_strengths.",
    ),
    Unused(
        ("tokens",),
        "model `tfidf`",
        _is_linear,
        "model tfidf has no vocabulary of tokens: it counts n-grams of words and characters",
        "Use model.words, model.characters, model.lowercase, model.minimum_count or model.largest_vocabulary.",
    ),
    Unused(
        ("vectors", "reading"),
        "model `tfidf`",
        _is_linear,
        "model tfidf has no embedding and reads no sequences: it counts the n-grams of each text",
        "Leave it out, or use another --model.",
    ),
    Unused(
        ("model.ridge_strengths",),
        "model `tfidf` with labels",
        lambda settings: _is_linear(settings) and _outcome(settings) == "label",
        "ridge regression is for numbers, and these are labels",
        "Use model.svm_strengths or model.logistic_strengths.",
    ),
    Unused(
        ("model.svm_strengths", "model.logistic_strengths"),
        "model `tfidf` with numbers",
        lambda settings: _is_linear(settings) and _outcome(settings) == "number",
        "an SVM and logistic regression are for labels, and these are numbers",
        "Use model.ridge_strengths.",
    ),
    Unused(
        _training_but("seed", "epochs", "steps", "minutes", "threads"),
        "`vectors`",
        lambda settings: isinstance(settings, VectorsSettings),
        "word vectors have a training loop of their own",
        "Leave it out; its settings are model.* (model.learning_rate, model.epochs …).",
    ),
    Unused(
        ("training.threads",),
        "`vectors` with `--model word2vec` or `cbow`",
        lambda settings: settings.model.kind == "word2vec",
        "word2vec has threads of its own",
        "Use model.workers.",
    ),
    Unused(
        ("training.window",),
        "`write`",
        lambda settings: settings.task == "write",
        "a language model reads windows that are all of one length, so none are sorted by length",
        "Leave it out; how long a window is, model.longest says.",
    ),
    Unused(
        ("training.validation_texts",),
        "`classify`, `pair`, `tag`, `image`, `write`",
        lambda settings: settings.task in ("classify", "pair", "tag", "image", "write"),
        "this task scores the whole validation set at each validation",
        "Leave it out. For less time in validation, use fewer training.validations or a smaller validation file.",
    ),
    Unused(
        ("training.label_smoothing",),
        "`tag` with a CRF (`crf=true`, or a recurrent model)",
        _judges_labels_together,
        "a CRF is trained on the probability of the whole sequence of labels, which has no smoothed form here",
        "Leave it out, or use crf=false.",
    ),
    Unused(
        ("training.label_smoothing",),
        "`pair` with numbers (`outcome=number`)",
        lambda settings: _outcome(settings) == "number",
        "the labels are numbers, learnt by squared error: there are no classes to smooth over",
        "Leave it out, or use outcome=label.",
    ),
    Unused(
        ("training.layer_decay", "training.frozen_layers"),
        "models without Transformer blocks (`lstm`, `gru`, `rnn`, `textcnn`)",
        _has_no_blocks,
        "this model has no Transformer blocks, of which lower ones could learn more slowly or not at all",
        "Leave it out, or use --model transformer.",
    ),
    Unused(
        ("training.layer_decay", "training.frozen_layers"),
        "`translate` with `model.tie=all`",
        _shares_its_table,
        "model.tie is all: the embedding below the encoder is also that of the decoder and of the output, which must "
        "learn at the full rate",
        "Use model.tie=output or none, or leave it out.",
    ),
    Unused(
        ("model.score",),
        "recurrent models of `classify`, `pair` and `tag`, unless `model.pooling=attention`",
        _pools_without_attention,
        "this model has no attention that a score could be for",
        "Use model.pooling=attention (classify, pair), or leave it out.",
    ),
    Unused(
        ("model.pooling", "model.pooler"),
        "`tag` and `answer`",
        _pools_nothing,
        "this task labels single tokens and makes no vector of the whole text",
        "Leave it out.",
    ),
    Unused(
        ("model.pooling", "model.pooler"),
        "`pretrain` with `objective=mlm`",
        _has_no_pairs,
        "objective is mlm: no vector of the whole text is made",
        "Leave it out, or use objective=mlm,nsp; a run that starts from this one may choose its own.",
    ),
    Unused(
        ("model.word_dropout",),
        "`pretrain`",
        lambda settings: isinstance(settings, PretrainingSettings),
        "pre-training hides words by itself",
        "Use mask_share.",
    ),
    Unused(
        ("model.bag_rows",),
        "`textcnn` with `model.bag=0`",
        _has_no_bag,
        "model.bag is 0: there are no vectors of n-grams",
        "Give model.bag a size, or use --model textcnn-wide.",
    ),
    Unused(
        ("model.order",),
        "recurrent decoders with `model.attention=none`",
        _attends_to_nothing,
        "model.attention is none: the decoder asks nothing",
        "Choose a model.attention, or leave it out.",
    ),
    Unused(
        ("augmentation.strength",),
        "`image` and `caption` with `augmentation.operations=0`",
        _draws_no_operations,
        "augmentation.operations is 0: none is drawn that could be weak or strong",
        "Give augmentation.operations a number, or leave it out.",
    ),
    Unused(
        ("model.encoder.pooling",),
        "`caption`, the value `both`",
        _captions_by_a_pooled_vector,
        "a captioner attends to all vectors of the encoder and pools none: it would be the same as first",
        "Use first (with a [CLS] before the patches) or mean (without).",
    ),
    Unused(
        ("search.alpha",),
        "`translate` and `caption`, unless `search.normalisation=gnmt`",
        lambda settings: (
            isinstance(settings, TranslationSettings | CaptionSettings) and settings.search.normalisation != "gnmt"
        ),
        "it belongs to search.normalisation=gnmt",
        "Use that, or leave it out.",
    ),
    Unused(
        ("reading",),
        "`classify`",
        lambda settings: settings.task == "classify",
        "task classify reads one text at a time",
        "Leave it out, or use task pair for two texts.",
    ),
    Unused(
        ("vectors",),
        "runs that start from a base (`--from`)",
        lambda settings: isinstance(settings, ClassificationSettings | TagSettings) and settings.base is not None,
        "the base brings its own embedding",
        "Leave --vectors or --from out.",
    ),
)
