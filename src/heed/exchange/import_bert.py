"""BERT, RoBERTa and DistilBERT from a folder of Hugging Face's format: what becomes of each head.

none                             pretrain, without its head: something to start from (`--from`), not to predict with
ForMaskedLM, ForPreTraining      pretrain
ForSequenceClassification        classify, or pair where that is asked for; one output is a number, and is pair
ForTokenClassification           tag
ForQuestionAnswering             answer
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import assert_never

import torch
from torch import Tensor, nn

from heed.data.entity_tags import OUTSIDE, is_entity_tag
from heed.data.labels import Labels
from heed.errors import RunError, UsageError
from heed.exchange.imported import Imported, check_weights
from heed.models.bert import Bert
from heed.models.published.bert import Head, PublishedBert
from heed.runs import answer_run, classification_run, pretraining_run, tag_run
from heed.runs.answer_settings import AnswerSettings
from heed.runs.base import pretraining_heads, read_bert_folder
from heed.runs.folder import TokenizerTexts
from heed.runs.pretraining_settings import PretrainingSettings
from heed.runs.settings import ClassificationSettings, RunSettings
from heed.runs.strict_json import JSON
from heed.runs.tag_settings import TagSettings
from heed.tasks.answer_windows import LEAST_ROOM, WindowSettings
from heed.tasks.known_tags import KnownTags, tags_to_facts
from heed.tasks.targets import Classes, Scale, Targets, to_facts
from heed.tokens.tokenizer import Tokenizer

_TASKS: dict[Head, tuple[str, ...]] = {
    "none": ("pretrain",),
    "pretraining": ("pretrain",),
    "masked": ("pretrain",),
    "classes": ("classify", "pair"),
    "tags": ("tag",),
    "spans": ("answer",),
}


@dataclass(frozen=True)
class _Made:
    """The run's own view of a model."""

    settings: RunSettings
    model: nn.Module
    weights: Mapping[str, Tensor]
    labels: Mapping[str, JSON] | None = None
    facts: Mapping[str, JSON] | None = None
    notes: tuple[str, ...] = ()


def import_bert(path: Path, task: str | None) -> Imported:
    """Return the model in the folder as a run of its task."""
    bert, tokenizer = read_bert_folder(path)
    _check_task(task, bert.head, path)
    _check_specials(tokenizer, bert.head, path)
    with torch.device("meta"):
        made = _made(bert, tokenizer, str(path), task)
    check_weights(made.model, made.weights, str(path))
    texts = TokenizerTexts(tokenizer.to_json())
    return Imported(made.settings, texts, made.weights, made.labels, made.facts, made.notes)


def _check_task(task: str | None, head: Head, path: Path) -> None:
    if task is not None and task not in _TASKS[head]:
        raise UsageError(
            f"--task is {task}, but the model in {path} can only become a run of {' or '.join(_TASKS[head])}. "
            f"Leave --task out, or start a run of {task} from it: heed train {task} --from {path}."
        )


def _check_specials(tokenizer: Tokenizer, head: Head, path: Path) -> None:
    needed = {"the start of a text": tokenizer.start != tokenizer.pad}
    if head in ("pretraining", "masked"):
        needed["a hidden word"] = tokenizer.mask is not None
    for meaning, is_there in needed.items():
        if not is_there:
            raise RunError(
                f"The special pieces of the tokenizer in {path} are {' '.join(tokenizer.specials)}: none of them "
                f"stands for {meaning}, which this model needs. Get all files from one place."
            )


def _made(bert: PublishedBert, tokenizer: Tokenizer, origin: str, task: str | None) -> _Made:
    match bert.head:
        case "none":
            return _encoder(bert, tokenizer, origin)
        case "pretraining" | "masked":
            return _pretraining(bert, tokenizer, origin)
        case "classes":
            return _classifier(bert, tokenizer, origin, task)
        case "tags":
            return _tagger(bert, tokenizer, origin)
        case "spans":
            return _answerer(bert, tokenizer, origin)
        case _:
            assert_never(bert.head)


def _encoder(bert: PublishedBert, tokenizer: Tokenizer, origin: str) -> _Made:
    settings = _pretraining_settings(bert, tokenizer, origin)
    model = nn.ModuleDict({"bert": Bert(bert.settings, tokenizer.size)})
    # No head is made up: what it said would look like an answer and be none.
    weights = {f"bert.{name}": tensor for name, tensor in bert.trunk.items()}
    note = "it has no head: start a run from it with --from; it cannot predict"
    return _Made(settings, model, weights, facts={"head": "none"}, notes=(note,))


def _pretraining(bert: PublishedBert, tokenizer: Tokenizer, origin: str) -> _Made:
    settings = _pretraining_settings(bert, tokenizer, origin)
    weights = {f"bert.{name}": tensor for name, tensor in bert.trunk.items()} | pretraining_heads(bert)
    return _Made(settings, pretraining_run.build_model(settings, tokenizer), weights)


def _pretraining_settings(bert: PublishedBert, tokenizer: Tokenizer, origin: str) -> PretrainingSettings:
    return PretrainingSettings(
        objective="mlm,nsp" if bert.head == "pretraining" else "mlm",
        length=min(128, bert.settings.longest),
        base=origin,
        tokens=tokenizer.settings,
        model=bert.settings,
    )


def _classifier(bert: PublishedBert, tokenizer: Tokenizer, origin: str, task: str | None) -> _Made:
    targets = _targets(bert, origin, task)
    settings = ClassificationSettings(
        task="pair" if task == "pair" else "classify",
        outcome="number" if isinstance(targets, Scale) else "label",
        base=origin,
        tokens=tokenizer.settings,
        model=bert.settings,
    )
    model = classification_run.build_model(settings, tokenizer, targets)
    return _Made(settings, model, _with_head(bert, bert.last), to_facts(targets))


def _targets(bert: PublishedBert, origin: str, task: str | None) -> Targets:
    if len(bert.labels) > 1:
        return Classes(Labels(bert.labels))
    if task != "pair":
        raise RunError(
            f"The model in {origin} has one output, {bert.labels[0]!r}: it gives a number and no label. "
            f"If it reads pairs of texts, import it with --task pair."
        )
    return Scale(mean=0.0, spread=1.0)


def _tagger(bert: PublishedBert, tokenizer: Tokenizer, origin: str) -> _Made:
    entities = OUTSIDE in bert.labels and all(is_entity_tag(label) for label in bert.labels if label != OUTSIDE)
    order = list(range(len(bert.labels)))
    if entities:
        # Ours begin with what is outside of all entities; theirs may have it anywhere.
        order.insert(0, order.pop(bert.labels.index(OUTSIDE)))
    known = KnownTags(tuple(bert.labels[number] for number in order), plain=not entities)
    if len(order) < 2:
        raise RunError(f"The model in {origin} knows one tag, {known.names[0]!r}: there is nothing to tell apart.")
    settings = TagSettings(crf=False, base=origin, tokens=tokenizer.settings, model=bert.settings)
    last = {name: tensor[order] if len(tensor) == len(order) else tensor for name, tensor in bert.last.items()}
    model = tag_run.build_model(settings, tokenizer, known)
    return _Made(settings, model, _with_head(bert, last), tags_to_facts(known))


def _answerer(bert: PublishedBert, tokenizer: Tokenizer, origin: str) -> _Made:
    longest_question = max(1, min(WindowSettings().longest_question, bert.settings.longest - LEAST_ROOM - 3))
    windows = replace(WindowSettings(), longest_question=longest_question)
    settings = AnswerSettings(windows=windows, base=origin, tokens=tokenizer.settings, model=bert.settings)
    return _Made(settings, answer_run.build_model(settings, tokenizer), _with_head(bert, bert.last))


def _with_head(bert: PublishedBert, last: Mapping[str, Tensor]) -> dict[str, Tensor]:
    head = {f"head.{name.removeprefix('last.')}": tensor for name, tensor in last.items()}
    return {f"encoder.{name}": tensor for name, tensor in bert.trunk.items()} | head
