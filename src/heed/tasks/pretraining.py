"""`PretrainingTraining`: what a trainer needs of task `pretrain`: order, batches, loss, validation."""

import math
from collections.abc import Sequence

import torch

from heed.data.order import batches, valid_batches
from heed.models.bert_pretraining import BertPretraining
from heed.tasks.pretrain import PretrainingBatch, PretrainingObjective, Sequencer, batch_of, score_batches
from heed.tasks.validation import Sample, Validation

POSITIONS_PER_BATCH = 8192  # of a validation batch; no gradients, so larger than in training
VALIDATION_EPOCH = 2**31 - 1  # validation is masked alike every time, by the draws of an epoch that never comes
SHOWN = 24  # tokens of a sample


class PretrainingTraining:
    """Sequences to learn from and to choose by, around one model."""

    def __init__(
        self,
        model: BertPretraining,
        train: Sequencer,
        valid: Sequencer,
        validated: Sequence[int],  # the validation sequences that are scored
        label_smoothing: float = 0.0,
    ) -> None:
        self.model = model
        self.train = train
        self.valid = valid
        self.validated = validated
        self.lengths = train.lengths()
        next_weight = train.hidden_on_average() if train.pairs else 0.0
        self.objective = PretrainingObjective(model, next_weight, label_smoothing)

    def order(self, seed: int, epoch: int, tokens_per_batch: int, window: int) -> list[list[int]]:
        """Return the sequences of an epoch in batches of like length."""
        return batches(self.lengths, seed, epoch, tokens_per_batch, window)

    def batch(self, rows: Sequence[int], epoch: int) -> PretrainingBatch:
        """Return the chosen sequences as this epoch draws them."""
        return batch_of([self.train.example(row, epoch) for row in rows], self.train.pairs)

    def validate(self) -> Validation:
        """Return how well hidden words of the validation documents are found; the loss chooses the best weights."""
        chosen = valid_batches(self.valid.lengths()[list(self.validated)], POSITIONS_PER_BATCH)
        examples = [self.valid.example(row, VALIDATION_EPOCH) for row in self.validated]
        scores = score_batches(
            self.model, (batch_of([examples[row] for row in rows], self.valid.pairs) for rows in chosen)
        )
        pairs = {} if scores.next_accuracy is None else {"next_accuracy": scores.next_accuracy}
        values = {
            "loss": scores.loss,
            "perplexity": math.exp(min(scores.loss, 100.0)),
            "accuracy": scores.accuracy,
            **pairs,
        }
        return Validation(score=-scores.loss, values=values, sample=self._sample())

    @torch.inference_mode()
    def _sample(self) -> Sample:
        """Return the beginning of a sequence with its words hidden, as it was, and as the model fills it."""
        example = self.valid.example(self.validated[len(self.validated) // 2], VALIDATION_EPOCH)
        batch = batch_of([example], self.valid.pairs)
        found = self.model.masked.vocabulary(self.model(batch.text, batch.hidden).features_ND).argmax(dim=1).numpy()
        filled = example.original.copy()
        filled[example.chosen] = found
        shown, expected, said = (
            " ".join(self.valid.tokenizer.piece(int(id)) for id in ids[1:SHOWN])
            for ids in (example.shown, example.original, filled)
        )
        return Sample(shown, expected, said)
