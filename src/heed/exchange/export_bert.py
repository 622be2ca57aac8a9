"""Runs with a BERT as `transformers` names them: Bert, Roberta or DistilBert, whichever has the same parts.

segments 2    Bert
segments 1    Roberta, where the padding of the vocabulary is piece 1, from which it counts positions; else Bert
segments 0    DistilBert
"""

from collections.abc import Mapping
from dataclasses import dataclass

from torch import Tensor

from heed.exchange.export_tokenizer import Dress, bert_specials, tokenizer_files
from heed.exchange.exported import Exported, cannot
from heed.models.bert import BertSettings
from heed.models.published.bert import (
    EPSILON,
    ROBERTA_PAD,
    BertFamily,
    Head,
    PublishedBert,
    masked_activations,
    pooler_name,
)
from heed.models.published.bert_writing import write_bert
from heed.models.published.parts import WrittenModel
from heed.runs import classification_run, tag_run
from heed.runs.answer_settings import AnswerSettings
from heed.runs.assembling import read_tokenizer
from heed.runs.best import BestModel
from heed.runs.folder import RunFolder
from heed.runs.pretraining_settings import PretrainingSettings
from heed.runs.settings import ClassificationSettings
from heed.runs.tag_settings import TagSettings
from heed.tasks.framing import frame_of
from heed.tasks.targets import Scale
from heed.tokens.tokenizer import Tokenizer

BertRunSettings = PretrainingSettings | ClassificationSettings | TagSettings | AnswerSettings


@dataclass(frozen=True)
class _Said:
    """What a model says: which head, its last layer, and the labels of its numbers."""

    head: Head
    last: Mapping[str, Tensor]
    labels: tuple[str, ...] = ()
    problem: str | None = None  # how their library calls what is learnt, where labels do not tell


def export_bert(folder: RunFolder, settings: BertRunSettings, model: BertSettings) -> Exported:
    """Return the run as a folder of theirs, or refuse with the switch that is in the way."""
    tokenizer, best, origin = read_tokenizer(folder), folder.read_best(), str(folder.path)
    _check_switches(settings, origin)
    said = _said(folder, settings, best)
    family = _family(model, said.head, tokenizer)
    _check_parts(family, said.head, model, origin)
    trunk = _under(best, "bert." if isinstance(settings, PretrainingSettings) else "encoder.")
    if pooler_name(family, said.head, "") is None:
        trunk = {name: tensor for name, tensor in trunk.items() if not name.startswith("pooler.")}
    masked = _under(best, "masked.") if said.head in ("pretraining", "masked") else {}
    written = write_bert(PublishedBert(family, said.head, model, trunk, masked, said.last, said.labels))
    inputs = ("input_ids", "token_type_ids", "attention_mask") if family == "bert" else ("input_ids", "attention_mask")
    dress = Dress(frame_of(model, tokenizer), bert_specials(tokenizer), inputs, model.longest)
    return Exported(_with_ids(written, said, tokenizer), tokenizer_files(tokenizer, dress))


def _said(folder: RunFolder, settings: BertRunSettings, best: BestModel) -> _Said:
    match settings:
        case PretrainingSettings():
            if best.facts.get("head") == "none":
                return _Said("none", {})
            return _Said("pretraining", _last(best, "next.")) if settings.pairs else _Said("masked", {})
        case ClassificationSettings():
            return _of_classes(folder, best)
        case TagSettings():
            return _Said("tags", _last(best, "head."), tag_run.read_tags(folder).names)
        case AnswerSettings():
            return _Said("spans", _last(best, "head."))


def _of_classes(folder: RunFolder, best: BestModel) -> _Said:
    targets, last = classification_run.read_targets(folder), _last(best, "head.")
    if not isinstance(targets, Scale):
        return _Said("classes", last, targets.labels.names, "single_label_classification")
    # Ours learns distances from the mean in units of the spread; theirs gives the number itself.
    weight, bias = last["last.weight"] * targets.spread, last["last.bias"] * targets.spread + targets.mean
    return _Said("classes", {"last.weight": weight, "last.bias": bias}, ("number",), "regression")


def _family(model: BertSettings, head: Head, tokenizer: Tokenizer) -> BertFamily:
    if model.segments == 0:
        return "distilbert"
    is_roberta = model.segments == 1 and tokenizer.pad == ROBERTA_PAD
    fits = head not in ("pretraining", "masked") or model.activation in masked_activations("roberta")
    return "roberta" if is_roberta and fits else "bert"


def _check_switches(settings: BertRunSettings, origin: str) -> None:
    if isinstance(settings, ClassificationSettings) and settings.towers:
        raise cannot(origin, "reading", settings.reading, "Train with reading=joined: one text, or two as one.")
    if isinstance(settings, TagSettings):
        if settings.tagger.has_crf:
            raise cannot(origin, "crf", "true", "Train with crf=false: each word judged by itself.")
        if settings.pieces != "first":
            raise cannot(origin, "pieces", settings.pieces, "Train with pieces=first: the first piece says the label.")


def _check_parts(family: BertFamily, head: Head, model: BertSettings, origin: str) -> None:
    pooler = "relu" if family == "distilbert" else "tanh"
    if head == "classes" and model.pooling != "first":
        raise cannot(origin, "model.pooling", model.pooling, "Train with model.pooling=first.")
    if head == "classes" and model.pooler != pooler:
        cure = f"With model.segments={model.segments} train with model.pooler={pooler}."
        raise cannot(origin, "model.pooler", model.pooler, cure)
    if head in ("pretraining", "masked") and model.activation not in masked_activations(family):
        cure = "The head that names hidden words has gelu: train with model.activation=gelu."
        raise cannot(origin, "model.activation", model.activation, cure)
    if family == "distilbert" and model.epsilon != EPSILON:
        raise cannot(origin, "model.epsilon", model.epsilon, f"With model.segments=0 train with {EPSILON}.")


def _with_ids(written: WrittenModel, said: _Said, tokenizer: Tokenizer) -> WrittenModel:
    """Add what the config says of special pieces and labels."""
    ids = {"pad_token_id": tokenizer.pad, "bos_token_id": tokenizer.start, "eos_token_id": tokenizer.end}
    problem = {} if said.problem is None else {"problem_type": said.problem}
    return WrittenModel({**written.config, **ids, **problem, "dtype": "float32"}, written.tensors)


def _under(best: BestModel, prefix: str) -> dict[str, Tensor]:
    return {name.removeprefix(prefix): each for name, each in best.tensors.items() if name.startswith(prefix)}


def _last(best: BestModel, prefix: str) -> dict[str, Tensor]:
    return {f"last.{name}": tensor for name, tensor in _under(best, prefix).items()}
