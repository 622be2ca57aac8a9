"""Accumulation and batch norm exclude each other: refused for new runs, told for runs that have both already."""

from torch import nn

from heed.errors import SettingsError
from heed.layers.norms import BatchNorm
from heed.runs.settings import RunSettings
from heed.training.settings import TrainingSettings


def check_accumulation(settings: RunSettings) -> None:
    """Refuse a new run whose steps would not be those of one large batch, which is what accumulation promises."""
    training = settings.training
    if training.accumulate > 1 and getattr(settings.model, "norm", None) == "batch":
        raise SettingsError(
            f"training.accumulate is {training.accumulate}, but the model's norm is batch: it would take its mean and "
            f"variance over each of the {training.accumulate} batches alone, so that a step is not that of one large "
            f"batch. Use norm=layer, or training.accumulate=1 with training.tokens_per_batch="
            f"{training.accumulate * training.tokens_per_batch}."
        )


def accumulation_notes(model: nn.Module, training: TrainingSettings) -> list[str]:
    """Return what a person should know of a run from before heed 0.6 that has both; it goes on as it began."""
    if training.accumulate == 1 or not any(isinstance(module, BatchNorm) for module in model.modules()):
        return []
    return [
        f"training.accumulate is {training.accumulate} and the norm is batch: mean and variance are those of each "
        f"batch alone, so a step is not that of one large batch. The run goes on as it began; new runs refuse this."
    ]
