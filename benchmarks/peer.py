"""Their side of the training benchmarks: a model of `transformers` under its own Trainer, timed after a few steps."""

import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from ours import WARM_UP
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
        learning_rate=1e-3,
        **quiet,
        **arguments,
    )
    trainer = Timed(model, settings, train_dataset=rows, data_collator=collate)
    trainer.train()
    return measured(trainer.tokens / (time.perf_counter() - trainer.began))


def unpadded(inputs: Inputs) -> int:
    """Return the number of tokens that attention sees."""
    return int(inputs["attention_mask"].sum())
