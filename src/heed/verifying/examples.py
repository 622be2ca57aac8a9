"""Examples of a task one by one and in batches, and what a model says of each: of its real positions alone."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace

import torch
from torch import Tensor, nn

from heed.layers.trace import Trace
from heed.models.bert_pretraining import BertPretraining
from heed.tasks.answer import AnswerBatch
from heed.tasks.caption import CaptionBatch
from heed.tasks.classify import ClassificationBatch
from heed.tasks.image import ImageBatch
from heed.tasks.pretrain import PretrainingBatch
from heed.tasks.tag import TagBatch
from heed.tasks.translate import TranslationBatch
from heed.tasks.validation import spread
from heed.tasks.windows import cut_windows
from heed.tasks.write import CarriedState, WriteBatch
from heed.tasks.write_training import LaneTraining, WindowTraining
from heed.training.trainer import Batch, TrainableTask

ReadBatch = (
    TranslationBatch
    | ClassificationBatch
    | TagBatch
    | AnswerBatch
    | WriteBatch
    | PretrainingBatch
    | ImageBatch
    | CaptionBatch
)

EPOCH = 0  # whose draws of masks and captions are looked at
LOOKED_AT = 64  # examples from which those are taken that differ most in length
POSITIONS = 4096  # of the order from which examples are taken; any would do


@dataclass(frozen=True)
class Example:
    """One example of a task, alone in a batch."""

    row: int
    batch: ReadBatch

    @property
    def place(self) -> str:
        """Return what a finding calls it."""
        return f"example {self.row}"


def examples_of(task: TrainableTask, most: int) -> list[Example]:
    """Return some examples of a task, from the shortest to the longest."""
    rows = _rows(task)
    some = [rows[place] for place in spread(len(rows), LOOKED_AT)]
    ordered = sorted((Example(row, together(task, [row])) for row in some), key=lambda each: each.batch.tokens)
    return [ordered[place] for place in spread(len(ordered), most)]


def together(task: TrainableTask, rows: Sequence[int]) -> ReadBatch:
    """Return the chosen examples as one batch; those of a recurrent writer begin with no state."""
    if isinstance(task, LaneTraining):
        return WriteBatch(cut_windows(task.train.ids, rows, task.model.settings.longest), CarriedState(), begins=True)
    return known(task.batch(rows, EPOCH))


def known(batch: Batch) -> ReadBatch:
    """Return the batch as one of those that can be read here."""
    assert isinstance(batch, ReadBatch), f"{type(batch).__name__} is no batch of a task"
    return batch


@torch.inference_mode()
def read(model: nn.Module, batch: ReadBatch, trace: Trace | None = None) -> list[Tensor]:
    """Return what the model says of each example, a tensor each."""
    batch = in_precision_of(model, batch)
    match batch:
        case TranslationBatch(source_ids, source_keep, target_ids, target_keep):
            return _real(model(source_ids, source_keep, target_ids, target_keep, trace), target_keep)
        case ClassificationBatch():
            return list(model(batch.inputs, trace))
        case TagBatch():
            return _real(model(batch.words, trace), batch.words.keep)
        case AnswerBatch():
            return _real(model(batch.text, trace), batch.candidates)
        case WriteBatch():
            return _real(model(batch.windows.token_ids, batch.windows.keep, trace), batch.windows.keep)
        case PretrainingBatch():
            return _found(model, batch, trace)
        case ImageBatch():
            return list(model(batch.images, trace))
        case CaptionBatch():
            return _real(model(batch.images, batch.target_ids, batch.target_keep, trace), batch.target_keep)


def in_precision_of(model: nn.Module, batch: ReadBatch) -> ReadBatch:
    """Return the batch with its pictures in the numbers of the model."""
    if not isinstance(batch, ImageBatch | CaptionBatch):
        return batch
    return replace(batch, images=batch.images.to(next(model.parameters()).dtype))


def tensors_of(value: object) -> Iterator[Tensor]:
    """Yield all tensors of a batch, in order."""
    if isinstance(value, Tensor):
        yield value
    elif isinstance(value, tuple):
        for each in value:
            yield from tensors_of(each)
    elif is_dataclass(value):
        for field in fields(value):
            yield from tensors_of(getattr(value, field.name))


def _rows(task: TrainableTask) -> list[int]:
    if isinstance(task, LaneTraining | WindowTraining):
        longest = task.model.settings.longest
        # The first window is short, so that windows of more than one length meet.
        return [-(longest // 2), *range(longest - longest // 2, len(task.train), longest)]
    return [row for batch in task.order(0, EPOCH, POSITIONS, 64) for row in batch]


def _real(outputs_BTX: Tensor, keep: Tensor) -> list[Tensor]:
    return [outputs_TX[own] for outputs_TX, own in zip(outputs_BTX, keep, strict=True)]


def _found(model: nn.Module, batch: PretrainingBatch, trace: Trace | None) -> list[Tensor]:
    """Return of each sequence the logits of its hidden words, and of its order where that is judged."""
    assert isinstance(model, BertPretraining)
    said = model(batch.text, batch.hidden, trace)
    parts = model.masked.vocabulary(said.features_ND).split(batch.hidden.sum(dim=1).tolist())
    if said.next_B2 is None:
        return list(parts)
    return [torch.cat([part.flatten(), order_2]) for part, order_2 in zip(parts, said.next_B2, strict=True)]
