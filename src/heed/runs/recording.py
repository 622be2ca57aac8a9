"""Training written down while it happens: metrics, best weights and checkpoints in the run's folder."""

import os
from collections.abc import Generator, Mapping

import torch

from heed import __version__
from heed.machine import gains_by_onednn
from heed.runs.accumulation import accumulation_notes
from heed.runs.checkpoint import Checkpoint
from heed.runs.folder import RunFolder
from heed.runs.strict_json import JSON
from heed.training.reports import StepReport
from heed.training.trainer import Snapshot, Trainer


def recorded(folder: RunFolder, trainer: Trainer, best_facts: Mapping[str, JSON]) -> Generator[StepReport]:
    """Train and record; pass each report on. Closing the iterator early (Ctrl-C) saves a checkpoint first."""
    last: StepReport | None = None
    try:
        for report in trainer.run():
            last = report
            if trainer.ranks.is_first:
                _record(folder, trainer, report, best_facts)
            yield report
        # A kill may have come between the last checkpoint and the mark.
        if trainer.ranks.is_first and not folder.is_finished:
            _mark_finished(folder, trainer)
    except GeneratorExit:
        if trainer.ranks.is_first and last is not None and not _checkpoint_due(trainer, last):
            save(folder, trainer)
        raise


def save(folder: RunFolder, trainer: Trainer) -> None:
    """Save a checkpoint of the run as it stands."""
    snapshot = trainer.snapshot()
    facts = {**snapshot.facts, **circumstances()}
    checkpoint = Checkpoint(step=trainer.position.step, tensors=snapshot.tensors, facts=facts)
    folder.save_checkpoint(checkpoint, trainer.settings.keep_checkpoints)


def go_back(folder: RunFolder, trainer: Trainer) -> tuple[str, ...]:
    """Put the trainer where the newest good checkpoint stood; return what a person should know about it."""
    loaded = folder.newest_checkpoint()
    tensors, facts = loaded.checkpoint.tensors, loaded.checkpoint.facts
    numbers = {name: value for name, value in facts.items() if isinstance(value, int | float)}
    trainer.restore(Snapshot(tensors, numbers), str(loaded.path))
    if trainer.ranks.is_first:
        folder.rewind_metrics(loaded.checkpoint.step)
    notes = [f"{each.path.name} was passed over: {each.reason}" for each in loaded.passed_over]
    notes += [
        f"The run was trained with {name} {facts[name]}, now it is {value}: it goes on, but not bit for bit the same."
        for name, value in circumstances().items()
        if name in facts and facts[name] != value
    ]
    notes += accumulation_notes(trainer.task.model, trainer.settings)
    step = loaded.checkpoint.step
    if trainer.finished:
        return (f"the run came to its end at step {step}: nothing is left to train", *notes)
    return (f"going on from step {step}", *notes)


def circumstances() -> dict[str, JSON]:
    """Return what, besides settings and data, the last bit of a result depends on."""
    return {
        "heed": __version__,
        "torch": torch.__version__,
        "threads": torch.get_num_threads(),
        "processor": torch.backends.cpu.get_cpu_capability(),
        "products of": "oneDNN" if gains_by_onednn() else "torch",
        "ONEDNN_MAX_CPU_ISA": os.environ.get("ONEDNN_MAX_CPU_ISA", "unset"),  # decides how bfloat16 is multiplied
    }


def _record(folder: RunFolder, trainer: Trainer, report: StepReport, best_facts: Mapping[str, JSON]) -> None:
    folder.append_metrics({**report.numbers(), "seconds": round(report.seconds, 3)})
    if report.validation is not None and report.validation.better:
        facts = {**best_facts, "step": report.step, "score": report.validation.score, **report.validation.values}
        folder.write_best(trainer.best_weights(), facts)
    if _checkpoint_due(trainer, report):
        save(folder, trainer)
    if report.finished:
        _mark_finished(folder, trainer)


def _mark_finished(folder: RunFolder, trainer: Trainer) -> None:
    folder.mark_finished({"step": trainer.position.step, "best_score": trainer.best_score})


def _checkpoint_due(trainer: Trainer, report: StepReport) -> bool:
    return report.finished or report.step % trainer.settings.checkpoint_every == 0
