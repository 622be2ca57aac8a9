"""`CaptionTraining`: what a trainer needs of task `caption`: batches, the loss, and scores on validation pictures."""

import math
from collections.abc import Sequence

import numpy

from heed.data.order import batches
from heed.data.records import CaptionedImage
from heed.models.captioner import Captioner, positions_of
from heed.tasks.caption import CaptionBatch, CaptionObjective, batch_of, encode_captions
from heed.tasks.caption_scores import score_captions
from heed.tasks.captioning import decode_images
from heed.tasks.image import Pictured, to_floats
from heed.tasks.showing import Showing
from heed.tasks.translate import loss_per_token
from heed.tasks.translating import GreedySettings
from heed.tasks.validation import Sample, Validation, spread
from heed.tokens.tokenizer import Tokenizer

AT_ONCE = 64  # pictures of a validation batch


class CaptionTraining:
    """Captioned pictures to learn from and to choose by, around one model."""

    def __init__(
        self,
        model: Captioner,
        tokenizer: Tokenizer,
        train: Pictured[CaptionedImage],
        valid: Pictured[CaptionedImage],
        showing: Showing,
        label_smoothing: float,
        validation_texts: int,
    ) -> None:
        self.model = model
        self.tokenizer = tokenizer
        self.train, self.valid = train, valid
        self.showing = showing
        self.objective = CaptionObjective(model, label_smoothing)
        self.captions = encode_captions(train.records, tokenizer, model.settings.longest)
        self.valid_captions = encode_captions(valid.records, tokenizer, model.settings.longest)
        self.decoded = spread(len(valid.records), validation_texts)
        positions = positions_of(model.settings.encoder)
        self.lengths = numpy.array([[positions, length] for length in self.captions.longest()])

    def order(self, seed: int, epoch: int, tokens_per_batch: int, window: int) -> list[list[int]]:
        """Return the pictures of an epoch in batches, those with captions of like length together."""
        return batches(self.lengths, seed, epoch, tokens_per_batch, window)

    def batch(self, rows: Sequence[int], epoch: int) -> CaptionBatch:
        """Return the chosen pictures as this epoch shows them, each with the caption that it draws."""
        draws = self.showing.draws(epoch, rows)
        chosen = self.captions.chosen(rows, draws.uniform())
        return batch_of(self.showing.alone(self.train.squares, rows, draws), self.captions, chosen)

    def validate(self) -> Validation:
        """Return loss over all validation captions, scores of greedy captions of some pictures, and one to look at."""
        unsmoothed = CaptionObjective(self.model, label_smoothing=0.0)
        loss = loss_per_token(unsmoothed, (self._valid_batch(rows) for rows in self._valid_rows()))
        squares = self.valid.squares[self.decoded]
        found = decode_images(self.model, squares, self.showing.colours, self.tokenizer, GreedySettings())
        said = [self.tokenizer.decode(hypotheses[0].ids) for hypotheses in found]
        references = [self.valid.records[index].captions for index in self.decoded]
        scores = score_captions(said, references)
        values = {
            "loss": loss,
            "perplexity": math.exp(min(loss, 100.0)),
            "bleu": scores.bleu[3],
            "chrf": scores.chrf,
            "exact": scores.exact,
        }
        middle = len(said) // 2
        sample = Sample(self.valid.records[self.decoded[middle]].place, references[middle][0], said[middle])
        return Validation(score=scores.bleu[3], values=values, sample=sample)

    def _valid_rows(self) -> list[list[int]]:
        """Return all captions in batches."""
        captions = len(self.valid_captions.rows)
        return [list(range(start, min(start + AT_ONCE, captions))) for start in range(0, captions, AT_ONCE)]

    def _valid_batch(self, rows: Sequence[int]) -> CaptionBatch:
        pictures = numpy.searchsorted(self.valid_captions.begins, rows, side="right") - 1
        images = self.showing.colours.scaled(to_floats(self.valid.squares, pictures.tolist()))
        return batch_of(images, self.valid_captions, rows)
