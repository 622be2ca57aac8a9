"""A run of the linear baseline. It has no steps: each candidate that is tried is one, and the last ends it.

It takes a minute or two, so a run that was stopped simply tries its candidates again.
"""

import time
from collections.abc import Generator, Iterator
from dataclasses import dataclass, replace
from typing import cast

from heed.data.record_keys import labelled_key
from heed.errors import UsageError
from heed.machine import Ranks
from heed.models.tfidf import TfidfCandidate, TfidfModel, TfidfSettings
from heed.models.tfidf_training import TfidfProgress, search_tfidf
from heed.runs.asked import settled_by_labels
from heed.runs.examples import write_split_examples
from heed.runs.folder import RunFolder
from heed.runs.labelled_data import LabelledData, check_same_records, data_facts, data_notes, load_data
from heed.runs.preparing import made_whole, split_notes
from heed.runs.run import Reached, reached_in_one_go
from heed.runs.settings import ClassificationSettings
from heed.runs.strict_json import JSON
from heed.settings import to_dict
from heed.tasks.targets import Classes, Scale, to_facts
from heed.tasks.validation import Sample, Validation
from heed.tokens.encoded import TokenCounts
from heed.training.reports import StepReport


@dataclass(frozen=True)
class PreparedTfidf:
    """Settings made whole, and data read."""

    settings: ClassificationSettings
    model: TfidfSettings
    data: LabelledData


class TfidfRun:
    """A run that tries linear models and keeps the one that validation prefers."""

    def __init__(
        self, folder: RunFolder, prepared: PreparedTfidf, ranks: Ranks, notes: tuple[str, ...], reached: Reached
    ) -> None:
        self.folder = folder
        self.settings = prepared.settings
        self.data = prepared.data
        self.model = prepared.model
        self.ranks = ranks
        self.notes = notes
        self.reached = reached

    def reports(self) -> Generator[StepReport]:
        """Try all candidates, each a report; the best is written before the last is passed on."""
        if self.reached.finished:
            return
        self.folder.rewind_metrics(0)
        began, best = time.monotonic(), -float("inf")
        for progress in self._search():
            better = progress.candidate.score >= best
            best = max(best, progress.candidate.score)
            report = self._report(progress, better, time.monotonic() - began)
            self.folder.append_metrics({**report.numbers(), "seconds": round(report.seconds, 3)})
            self.reached = Reached(report.step, report.seconds, finished=False, has_best=False)
            if progress.model is not None:
                self._keep(progress.model)
            yield report

    def _search(self) -> Iterator[TfidfProgress]:
        splits, targets = self.data.splits, self.data.targets
        classes = targets.outputs if isinstance(targets, Classes) else None
        return search_tfidf(
            self.model,
            [record.texts for record in splits.train],
            targets.encode(splits.train).numpy(),
            classes,
            [record.texts for record in splits.valid],
            targets.encode(splits.valid).numpy(),
        )

    def _report(self, progress: TfidfProgress, better: bool, seconds: float) -> StepReport:
        candidate = progress.candidate
        grams = "words and characters" if candidate.characters else "words"
        said = f"{candidate.method} on {grams}, strength {candidate.strength:g}"
        validation = Validation(candidate.score, self._values(candidate), Sample("a candidate", "", said), better)
        return StepReport(
            step=progress.number,
            epoch=0,
            loss=1 - candidate.score if isinstance(self.data.targets, Classes) else -candidate.score,
            learning_rate=0.0,
            gradient_norm=0.0,
            tokens=0,
            progress=progress.number / progress.total,
            seconds=seconds,
            validation=validation,
            finished=progress.number == progress.total,
        )

    def _keep(self, model: TfidfModel) -> None:
        chosen = model.facts.candidates[model.facts.chosen]
        facts: dict[str, JSON] = {"task": self.settings.task, "step": model.facts.chosen + 1, "score": chosen.score}
        facts |= self._values(chosen)
        # Settings are plain values, which their type does not say.
        self.folder.write_best(model.to_tensors(), {**facts, "model": cast(JSON, model.to_facts())})
        step = len(model.facts.candidates)
        self.folder.mark_finished({"step": step, "best_score": chosen.score})
        self.reached = Reached(step, self.reached.seconds, finished=True, has_best=True)

    def _values(self, candidate: TfidfCandidate) -> dict[str, float]:
        """Return what was measured on the validation texts, by its name."""
        return {"accuracy": candidate.score} if isinstance(self.data.targets, Classes) else {"loss": -candidate.score}


def prepare(settings: ClassificationSettings, model: TfidfSettings, ranks: Ranks) -> PreparedTfidf:
    """Return what a new run is made of."""
    prepared = _prepared(settings, model, ranks)
    settled = settled_by_labels(prepared.settings, isinstance(prepared.data.targets, Scale))
    return replace(prepared, settings=settled)


def _prepared(settings: ClassificationSettings, model: TfidfSettings, ranks: Ranks) -> PreparedTfidf:
    if ranks.world_size > 1:
        raise UsageError(f"A linear model trains in one process; torchrun started {ranks.world_size}. Use heed alone.")
    settings = made_whole(settings)
    return PreparedTfidf(settings, model, load_data(settings))


def begin(folder: RunFolder, prepared: PreparedTfidf, ranks: Ranks) -> TfidfRun:
    """Return a new run in an empty folder."""
    counts = [TokenCounts(sum(len(text.split()) for text in record.texts)) for record in prepared.data.splits.train]
    folder.write_labels(to_facts(prepared.data.targets))
    folder.write_data_facts(data_facts(prepared.data, sum(counts, TokenCounts())))
    write_split_examples(folder, prepared.data.splits, labelled_key)
    folder.write_settings(to_dict(prepared.settings))
    return TfidfRun(folder, prepared, ranks, tuple(data_notes(prepared.data)), Reached(0, 0.0, False, False))


def resume(folder: RunFolder, settings: ClassificationSettings, model: TfidfSettings, ranks: Ranks) -> TfidfRun:
    """Return a run as it was left: finished, or to be tried again."""
    prepared = replace(_prepared(settings, model, ranks), settings=settings)
    check_same_records(folder, prepared.data)
    reached, note = reached_in_one_go(folder)
    leaks = split_notes(settings.data, prepared.data.splits.train, prepared.data.splits.valid)
    return TfidfRun(folder, prepared, ranks, (note, *leaks), reached)


def read_model(folder: RunFolder) -> TfidfModel:
    """Return the trained model."""
    best = folder.read_best()
    facts = best.facts.get("model")
    return TfidfModel.from_parts(best.tensors, facts if isinstance(facts, dict) else {})
