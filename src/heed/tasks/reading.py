"""`read_outputs`: what a text classifier says of many texts, in batches of like length, several at a time."""

from collections.abc import Sequence

import numpy
import torch

from heed.data.order import valid_batches
from heed.models.text_classifier import TextClassifier
from heed.tasks.classify import EncodedTexts, inputs_of
from heed.tasks.side_by_side import one_for_each_thread, side_by_side

POSITIONS_PER_BATCH = 4096  # without gradients; larger ones leave the processor's cache and are slower

Outputs = numpy.ndarray[tuple[int, ...], numpy.dtype[numpy.float32]]


def read_outputs(model: TextClassifier, texts: EncodedTexts) -> Outputs:
    """Return the model's outputs (N, C), in the order of the texts."""
    chosen = one_for_each_thread(valid_batches(texts.lengths(), POSITIONS_PER_BATCH))

    def read(rows: Sequence[int]) -> Outputs:
        with torch.inference_mode():  # of the thread, so each worker says it itself
            return model(inputs_of(texts, rows)).numpy()

    outputs = numpy.empty((len(texts), model.head.out_features), dtype=numpy.float32)
    for rows, part in zip(chosen, side_by_side(read, chosen), strict=True):
        outputs[rows] = part
    return outputs
