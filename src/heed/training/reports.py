"""What training says: a report for every optimizer step, and now and then a validation inside it."""

from dataclasses import dataclass

from heed.tasks.validation import Validation


@dataclass(frozen=True)
class StepReport:
    """One optimizer step."""

    step: int
    epoch: int
    loss: float  # per target (token or text), as it is optimised (with label smoothing)
    learning_rate: float
    gradient_norm: float  # before clipping
    tokens: int  # real tokens in this step, over all ranks: those of the targets where text is written
    progress: float  # of the whole run, from 0 to 1
    seconds: float  # spent on this run so far
    validation: Validation | None = None
    finished: bool = False

    def numbers(self) -> dict[str, float | int]:
        """Return what is logged and must be equal in a resumed run; `seconds` is not, a clock never repeats itself."""
        logged: dict[str, float | int] = {
            "step": self.step,
            "epoch": self.epoch,
            "loss": self.loss,
            "learning_rate": self.learning_rate,
            "gradient_norm": self.gradient_norm,
            "tokens": self.tokens,
        }
        if self.validation is not None:
            logged |= {f"valid.{name}": value for name, value in self.validation.values.items()}
        return logged
