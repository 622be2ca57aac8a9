"""`ClassificationTraining`: what a trainer needs of `classify` and `pair`: batches, loss, validation."""

from collections.abc import Sequence

import torch
from torch import Tensor

from heed.data.order import batches
from heed.data.records import LabelledText
from heed.models.text_classifier import TextClassifier
from heed.tasks.classify import ClassificationBatch, ClassificationObjective, Reading, encode_texts, inputs_of
from heed.tasks.framing import frame_of
from heed.tasks.labelled_scores import brief_scores, shown
from heed.tasks.reading import read_outputs
from heed.tasks.targets import Targets
from heed.tasks.validation import Sample, Validation
from heed.tokens.tokenizer import Tokenizer


class ClassificationTraining:
    """Training and validation texts around one model."""

    def __init__(
        self,
        model: TextClassifier,
        tokenizer: Tokenizer,
        targets: Targets,
        train: Sequence[LabelledText],
        valid: Sequence[LabelledText],
        reading: Reading,
        label_smoothing: float,
    ) -> None:
        self.model = model
        self.targets = targets
        frame = frame_of(model.settings, tokenizer)
        self.objective = ClassificationObjective(model, targets, label_smoothing, tokenizer.unknown, frame)
        self.train = encode_texts([record.texts for record in train], tokenizer, model.settings, reading)
        self.lengths = self.train.lengths()
        self.expected: Tensor = targets.encode(train)
        self.valid_records = valid
        self.valid = encode_texts([record.texts for record in valid], tokenizer, model.settings, reading)
        self.valid_expected: Tensor = targets.encode(valid)

    def order(self, seed: int, epoch: int, tokens_per_batch: int, window: int) -> list[list[int]]:
        """Return the training texts of an epoch in batches of like length."""
        return batches(self.lengths, seed, epoch, tokens_per_batch, window)

    def batch(self, rows: Sequence[int], epoch: int) -> ClassificationBatch:
        """Return the chosen training texts as one batch."""
        return ClassificationBatch(inputs_of(self.train, rows), self.expected[torch.as_tensor(rows)])

    def validate(self) -> Validation:
        """Return the scores over all validation texts, and one of them to look at."""
        outputs = read_outputs(self.model, self.valid)
        values, score = brief_scores(self.targets, outputs, self.valid_expected.numpy())
        middle = len(self.valid_records) // 2
        record = self.valid_records[middle]
        sample = Sample(" | ".join(record.texts), record.label, shown(self.targets, outputs[middle]))
        return Validation(score=score, values=values, sample=sample)
