"""Their side of the training benchmarks: a model of `transformers` under its own Trainer, timed after a few steps."""

import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from ours import TRAINING, WARM_UP
from rounds import Measured, measured
from torch import Tensor, nn

Inputs = Mapping[str, Tensor]


def train_peer(
    model: nn.Module,
    rows: Sequence[object],
    collate: Callable[[list[dict[str, object]]], Inputs],
    count: Callable[[Inputs], int],
    *,
    folder: Path,
    batch: int,
    steps: int,
    label_smoothing: float = 0.0,
    **arguments: object,
) -> Measured:
    """Return the speed in real tokens a second, as `count` finds them in a batch."""
    from transformers import Trainer, TrainingArguments

    class Timed(Trainer):
        began, tokens = 0.0, 0

        def training_step(self, model: nn.Module, inputs: Inputs, *rest: object) -> Tensor:
            if self.state.global_step == WARM_UP:
                self.began, self.tokens = time.perf_counter(), 0
            self.tokens += count(inputs)
            return super().training_step(model, inputs, *rest)

    quiet = {"save_strategy": "no", "logging_strategy": "no", "report_to": [], "disable_tqdm": True, "use_cpu": True}
    settings = TrainingArguments(
        output_dir=str(folder / "peer"),
        per_device_train_batch_size=batch,
        max_steps=WARM_UP + steps,
        **arguments_like_ours(label_smoothing),
        **quiet,
        **arguments,
    )
    trainer = Timed(model, settings, train_dataset=rows, data_collator=collate)
    trainer.train()
    return measured(trainer.tokens / (time.perf_counter() - trainer.began))


def arguments_like_ours(label_smoothing: float) -> dict[str, object]:
    """Return what `TrainingArguments` must have so that a step does what one of ours does."""
    return {
        "optim": "adamw_torch_fused",
        "fp16": False,
        "bf16": False,
        "learning_rate": TRAINING["learning_rate"],
        "weight_decay": TRAINING["weight_decay"],
        "max_grad_norm": TRAINING["clip"],
        "gradient_accumulation_steps": TRAINING["accumulate"],
        "label_smoothing_factor": label_smoothing,
    }


def unpadded(inputs: Inputs) -> int:
    """Return the number of tokens that attention sees."""
    return int(inputs["attention_mask"].sum())
