"""`TranslationTraining`: what a trainer needs of task `translate`: batches, the loss, and scores on validation data."""

import math
from collections.abc import Sequence

from heed.data.order import batches, valid_batches
from heed.data.records import TextPair
from heed.models.seq2seq import Seq2Seq
from heed.tasks.rows import rows_from
from heed.tasks.translate import (
    TokenizerPair,
    TranslationBatch,
    TranslationObjective,
    batch_of,
    encode_pairs,
    loss_per_token,
)
from heed.tasks.translating import GreedySettings, decode_rows
from heed.tasks.translation_scores import score_translations
from heed.tasks.validation import Sample, Validation, spread

POSITIONS_PER_BATCH = 8192  # of a validation batch; no gradients, so larger than in training


class TranslationTraining:
    """Training and validation pairs around one model."""

    def __init__(
        self,
        model: Seq2Seq,
        tokenizers: TokenizerPair,
        train: Sequence[TextPair],
        valid: Sequence[TextPair],
        label_smoothing: float,
        validation_texts: int,
    ) -> None:
        self.model = model
        self.objective = TranslationObjective(model, label_smoothing)
        self.tokenizers = tokenizers
        self.train = encode_pairs(train, tokenizers, model.settings.longest)
        self.lengths = self.train.lengths()
        self.valid_pairs = valid
        self.valid = encode_pairs(valid, tokenizers, model.settings.longest)
        self.decoded = spread(len(valid), validation_texts)

    def order(self, seed: int, epoch: int, tokens_per_batch: int, window: int) -> list[list[int]]:
        """Return the training pairs of an epoch in batches of like length."""
        return batches(self.lengths, seed, epoch, tokens_per_batch, window)

    def batch(self, rows: Sequence[int], epoch: int) -> TranslationBatch:
        """Return the chosen training pairs as one batch."""
        return batch_of(self.train, rows)

    def validate(self) -> Validation:
        """Return loss over all validation pairs, BLEU and chrF of greedy translations of some, and one to look at.

        The best weights are chosen by BLEU: with label smoothing the loss turns up long before translations get worse.
        """
        chosen = valid_batches(self.valid.lengths(), POSITIONS_PER_BATCH)
        loss = loss_per_token(TranslationObjective(self.model, 0.0), (batch_of(self.valid, rows) for rows in chosen))
        predicted = self._translate(self.decoded)
        expected = [self.valid_pairs[index].target for index in self.decoded]
        scores = score_translations(predicted, expected)
        values = {"loss": loss, "perplexity": math.exp(min(loss, 100.0)), "bleu": scores.bleu, "chrf": scores.chrf}
        shown = len(self.decoded) // 2
        sample = Sample(self.valid_pairs[self.decoded[shown]].source, expected[shown], predicted[shown])
        return Validation(score=scores.bleu, values=values, sample=sample)

    def _translate(self, chosen: Sequence[int]) -> list[str]:
        sources = rows_from([self.valid.source[index].tolist() for index in chosen])
        best = [found[0].ids for found in decode_rows(self.model, sources, self.tokenizers.target, GreedySettings())]
        return [self.tokenizers.target.decode(ids) for ids in best]
