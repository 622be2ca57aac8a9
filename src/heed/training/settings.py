"""How a model is trained."""

from typing import Literal

from heed.errors import SettingsError
from heed.settings import settings
from heed.training.precision import PrecisionName

OptimizerName = Literal["adamw", "muon"]
ScheduleName = Literal["cosine", "linear", "inverse-sqrt", "constant"]


@settings
class TrainingSettings:
    """The defaults suit a few ten thousand sentence pairs and a small model on two cores."""

    seed: int = 1
    steps: int | None = None  # optimizer steps; exactly one of steps, epochs and minutes says when the run ends
    epochs: int | None = None
    minutes: float | None = None  # wall-clock budget; the schedule is steered so that it ends with the budget
    tokens_per_batch: int = 2048  # source and target positions, padding included; small: a CPU gains by more steps
    # Batches per optimizer step; equal to one batch of all their examples, but for what dropout draws. Not so for a
    # recurrent language model, whose batches follow each other; refused with norm=batch, which looks at whole batches.
    accumulate: int = 1
    window: int = 16384  # examples among which lengths are sorted: 3 to 5 % padding; smaller mixes more and pads more
    optimizer: OptimizerName = "adamw"  # muon: for the matrices of a Transformer, fewer steps from scratch
    learning_rate: float = 2e-3  # at the end of the warm-up; right for widths around 256, less for wider models
    schedule: ScheduleName = "cosine"
    warmup: float = 0.06  # share of the run in which the learning rate rises
    weight_decay: float = 0.01  # on matrices alone
    layer_decay: float = 1.0  # each block learns at this share of the rate of the one above it
    frozen_layers: int | None = None  # the embedding and so many blocks, from below, do not learn; none: all do
    clip: float = 1.0  # largest norm of the gradient
    label_smoothing: float = 0.1  # share of the probability that the loss spreads over all labels or tokens
    average: float = 0.999  # decay of the weights' moving average, which is what is evaluated and kept; 0 turns it off
    validations: int = 20  # spread evenly over the run; of a run by minutes fewer, where they would take over a quarter
    patience: int | None = None  # validations without a better score before the run ends early; none: never
    # How many validation examples are scored, spread evenly over the validation set, always the same ones; the best
    # weights are chosen by them. translate, caption: those decoded for BLEU, while the loss is of all. answer:
    # questions; pretrain: sequences. The other tasks score the whole validation set.
    validation_texts: int = 500
    checkpoint_every: int = 250  # optimizer steps between checkpoints
    keep_checkpoints: int = 2
    precision: PrecisionName = "float32"  # bf16: 1.5 times as fast where `heed doctor` says so, for 2 GB more
    threads: int | None = None  # none: as many as the machine has; recorded, for the last bit of results depends on it
    compile: bool = False  # torch.compile: minutes to start, pays only for long runs

    def __post_init__(self) -> None:
        limits = [name for name in ("steps", "epochs", "minutes") if getattr(self, name) is not None]
        if len(limits) > 1:
            raise SettingsError(f"training has {' and '.join(limits)}; give one of steps, epochs and minutes.")
        for name in ("steps", "epochs", "minutes", "learning_rate", "clip", "threads"):
            value = getattr(self, name)
            if value is not None and value <= 0:
                raise SettingsError(f"training.{name} is {value}; it must be more than 0.")
        for name in ("tokens_per_batch", "accumulate", "window", "validations", "checkpoint_every", "keep_checkpoints"):
            if getattr(self, name) < 1:
                raise SettingsError(f"training.{name} is {getattr(self, name)}; it must be at least 1.")
        if not 0 < self.layer_decay <= 1:
            raise SettingsError(f"training.layer_decay is {self.layer_decay}; it must be above 0 and at most 1.")
        if self.frozen_layers is not None and self.frozen_layers < 0:
            raise SettingsError(f"training.frozen_layers is {self.frozen_layers}; it must be 0 or more, or none.")
        for name in ("patience", "validation_texts"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise SettingsError(f"training.{name} is {value}; it must be at least 1.")
        if not 0 <= self.seed < 2**32:
            raise SettingsError(f"training.seed is {self.seed}; it must be from 0 to {2**32 - 1}.")
        if self.weight_decay < 0:
            raise SettingsError(f"training.weight_decay is {self.weight_decay}; it must be 0 or more.")
        for name in ("warmup", "average", "label_smoothing"):
            if not 0 <= getattr(self, name) < 1:
                raise SettingsError(f"training.{name} is {getattr(self, name)}; it must be from 0 to less than 1.")
