"""A task so small that a step takes milliseconds: words to their reverse, by a Transformer of one layer."""

import random
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
import torch

from heed.data.records import TextPair
from heed.machine import Ranks
from heed.models.seq2seq import build_seq2seq
from heed.models.transformer import TransformerSettings
from heed.tasks.translate import train_tokenizers
from heed.tasks.translation_training import TranslationTraining
from heed.tokens.settings import TokenizerSettings
from heed.training.settings import TrainingSettings
from heed.training.trainer import Trainer

# The tests here, and the programs that they start, import modules that lie beside them.
sys.path.insert(0, str(Path(__file__).parent))

WORDS = ("one", "two", "three", "four", "five", "six", "seven")


def reversing_pairs(count: int, seed: int = 0) -> list[TextPair]:
    """Return made-up pairs of one to five words, the target being the source backwards."""
    draw = random.Random(seed)
    texts = [draw.choices(WORDS, k=draw.randint(1, 5)) for _ in range(count)]
    return [TextPair(" ".join(words), " ".join(reversed(words))) for words in texts]


def build_task(pairs: Sequence[TextPair], dropout: float, label_smoothing: float) -> TranslationTraining:
    """Return the task around a fresh model, always the same one."""
    tokenizers = train_tokenizers(pairs, TokenizerSettings(kind="words"), shared=True)
    settings = TransformerSettings(
        width=16, heads=2, encoder_layers=1, decoder_layers=1, feedforward=24, dropout=dropout, longest=12
    )
    torch.manual_seed(5)
    model = build_seq2seq(settings, tokenizers.source.size, tokenizers.target.size)
    return TranslationTraining(
        model, tokenizers, pairs, reversing_pairs(6, seed=9), label_smoothing, validation_texts=3
    )


@pytest.fixture
def make_task() -> Callable[..., TranslationTraining]:
    """Return a maker of tasks."""

    def make(dropout: float = 0.0, label_smoothing: float = 0.1, count: int = 40) -> TranslationTraining:
        return build_task(reversing_pairs(count), dropout, label_smoothing)

    return make


@pytest.fixture
def make_trainer(make_task: Callable[..., TranslationTraining]) -> Callable[..., Trainer]:
    """Return a maker of trainers that takes any training settings."""

    def make(task: TranslationTraining | None = None, **given: object) -> Trainer:
        values = {"steps": 6, "tokens_per_batch": 60, "validations": 1, "average": 0.9, **given}
        return Trainer(task or make_task(), TrainingSettings(**values), Ranks())

    return make
