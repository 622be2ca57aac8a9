"""A run that learns word vectors. Its steps are epochs, and one that was stopped begins again.

It has no checkpoints: word2vec's engine keeps its place in a corpus to itself, and GloVe takes minutes.
"""

import hashlib
import time
from collections.abc import Collection, Generator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import torch

from heed.data.sentences import Sentences, WordCounts, count_words, load_sentences
from heed.errors import MachineError, RunError, UsageError
from heed.files.vectors import read_vectors
from heed.machine import Ranks, memory_available
from heed.models.vectors_epoch import VectorsEpoch
from heed.models.vectors_settings import Word2VecSettings
from heed.models.vectors_training import learn_vectors
from heed.models.word2vec import check_engine
from heed.models.word_space import WordSpace
from heed.models.word_vectors import WordVectors
from heed.runs.folder import RunFolder, is_run, open_run
from heed.runs.preparing import Fingerprint, check_same_data, fingerprint, made_whole
from heed.runs.run import Reached, reached_in_one_go
from heed.runs.strict_json import JSON
from heed.runs.vectors_settings import VectorsSettings
from heed.settings import to_dict
from heed.tasks.validation import Sample, Validation
from heed.training.reports import StepReport

VECTORS = "vectors"  # the name of the one tensor
TABLES = 4  # of the size of the vectors that learning takes: two of each word, and their squared gradients
SHOWN = 100  # the rank of the word whose neighbours are shown while training: frequent, and no article
LOOKS = 10  # times that they are


@dataclass(frozen=True)
class PreparedVectors:
    """Settings made whole, and the text counted."""

    settings: VectorsSettings
    sentences: Sentences
    counted: WordCounts
    vocabulary: Mapping[str, int]
    fingerprint: Fingerprint


class VectorsRun:
    """A run whose every report is one pass over the text."""

    def __init__(
        self, folder: RunFolder, prepared: PreparedVectors, ranks: Ranks, notes: tuple[str, ...], reached: Reached
    ) -> None:
        self.folder = folder
        self.settings = prepared.settings
        self.prepared = prepared
        self.words = tuple(prepared.vocabulary)
        self.ranks = ranks
        self.notes = notes
        self.reached = reached

    def reports(self) -> Generator[StepReport]:
        """Learn, each epoch a report; the vectors are written before the last is passed on."""
        if self.reached.finished:
            return
        self.folder.rewind_metrics(0)
        began, lowest = time.monotonic(), float("inf")
        for epoch in self._epochs():
            lowest = min(lowest, epoch.loss)
            report = self._report(epoch, epoch.loss <= lowest, time.monotonic() - began)
            self.folder.append_metrics({**report.numbers(), "seconds": round(report.seconds, 3)})
            self.reached = Reached(epoch.number, report.seconds, finished=False, has_best=False)
            if report.finished:
                self._keep(epoch)
            yield report

    def _epochs(self) -> Generator[VectorsEpoch]:
        prepared = self.prepared
        yield from learn_vectors(
            self.settings.model, prepared.vocabulary, prepared.sentences, self.settings.training.seed
        )

    def _report(self, epoch: VectorsEpoch, better: bool, seconds: float) -> StepReport:
        finished = epoch.number == epoch.total
        look = finished or epoch.number % -(-epoch.total // LOOKS) == 0
        return StepReport(
            step=epoch.number,
            epoch=epoch.number - 1,
            loss=epoch.loss,
            learning_rate=epoch.learning_rate,
            gradient_norm=0.0,
            tokens=sum(self.prepared.vocabulary.values()),
            progress=epoch.number / epoch.total,
            seconds=seconds,
            validation=self._look(epoch, better) if look else None,
            finished=finished,
        )

    def _look(self, epoch: VectorsEpoch, better: bool) -> Validation:
        """Return the loss, which is that of the training text, and the neighbours of one word."""
        space = WordSpace(self.words, epoch.table_VD)
        word = self.words[min(SHOWN, len(self.words) - 1)]
        near = ", ".join(neighbour.word for neighbour in space.nearest(word, 5))
        return Validation(-epoch.loss, {"loss": epoch.loss}, Sample(f"nearest to {word}", "", near), better)

    def _keep(self, epoch: VectorsEpoch) -> None:
        facts: dict[str, JSON] = {
            "task": self.settings.task,
            "step": epoch.number,
            "score": -epoch.loss,
            "loss": epoch.loss,
            "vocabulary": words_digest(self.words),
        }
        self.folder.write_best({VECTORS: torch.from_numpy(epoch.table_VD)}, facts)
        self.folder.mark_finished({"step": epoch.number, "best_score": -epoch.loss})
        self.reached = Reached(epoch.number, self.reached.seconds, finished=True, has_best=True)


def prepare(settings: VectorsSettings, ranks: Ranks) -> PreparedVectors:
    """Return what a new run is made of: settings made whole, words counted."""
    if ranks.world_size > 1:
        raise UsageError(
            f"Word vectors are learnt in one process; torchrun started {ranks.world_size}. Use heed alone."
        )
    if isinstance(settings.model, Word2VecSettings):
        check_engine()
    settings = made_whole(settings)
    if settings.training.epochs is not None:
        settings = replace(settings, model=replace(settings.model, epochs=settings.training.epochs))
    sentences = load_sentences(settings.data.train)
    counted = count_words(sentences)
    vocabulary = counted.frequent(settings.model.minimum_count, settings.model.largest_vocabulary)
    _check_memory(len(vocabulary), settings.model.width)
    return PreparedVectors(settings, sentences, counted, vocabulary, fingerprint(sentences))


def begin(folder: RunFolder, prepared: PreparedVectors, ranks: Ranks) -> VectorsRun:
    """Return a new run in an empty folder."""
    folder.write_words(list(prepared.vocabulary))
    folder.write_data_facts(_data_facts(prepared))
    folder.write_settings(to_dict(prepared.settings))
    return VectorsRun(folder, prepared, ranks, _notes(prepared), Reached(0, 0.0, False, False))


def resume(folder: RunFolder, settings: VectorsSettings, ranks: Ranks) -> VectorsRun:
    """Return a run as it was left: finished, or to be learnt from the beginning."""
    prepared = replace(prepare(settings, ranks), settings=settings)
    check_same_data(folder, {"train": prepared.fingerprint})
    reached, note = reached_in_one_go(folder)
    return VectorsRun(folder, prepared, ranks, (note,), reached)


def read_space(folder: RunFolder) -> WordSpace:
    """Return the words of a run and their vectors; refuse those that do not belong together."""
    task = folder.read_settings().get("task")
    if task != "vectors":
        raise UsageError(f"{folder.path} is a run of {task}, not of vectors. Give a run of `heed train vectors`.")
    best, words = folder.read_best(), folder.read_words()
    table = best.tensors.get(VECTORS)
    if table is None or table.dim() != 2 or len(table) != len(words):
        shape = None if table is None else tuple(table.shape)
        raise RunError(f"The vectors of {folder.path} have shape {shape}, for {len(words):,} words. Train again.")
    if best.facts.get("vocabulary") != words_digest(words):
        raise RunError(
            f"The vectors of {folder.path} were learnt for other words than its words.json holds. Put the words.json "
            f"back that was there, or train again."
        )
    return WordSpace(words, table.float().numpy())


def vectors_at(path: Path, wanted: Collection[str]) -> WordVectors:
    """Return the vectors of the wanted words from a text file, or all those of a run."""
    return read_space(open_run(path)) if is_run(path) else read_vectors(path, wanted)


def words_digest(words: Sequence[str]) -> str:
    """Return what a vocabulary is known again by, its order included."""
    return hashlib.sha256("\n".join(words).encode()).hexdigest()


def _check_memory(words: int, width: int) -> None:
    needed, free = TABLES * 4 * words * width, memory_available()
    if needed > free:
        raise MachineError(
            f"Learning {words:,} vectors of {width:,} numbers takes {needed / 1e9:.1f} GB of memory; "
            f"{free / 1e9:.1f} GB are free. Use a smaller model.width, or a larger model.minimum_count."
        )


def _data_facts(prepared: PreparedVectors) -> dict[str, JSON]:
    counted = prepared.counted
    return {
        "origin": prepared.sentences.origin,
        "train": prepared.fingerprint.facts(),
        "words": counted.words,
        "different": len(counted.counts),
        "vocabulary": len(prepared.vocabulary),
    }


def _notes(prepared: PreparedVectors) -> tuple[str, ...]:
    counted, model = prepared.counted, prepared.settings.model
    notes = [
        f"{counted.sentences:,} sentences of {counted.words:,} words from {prepared.sentences.origin}",
        f"{len(prepared.vocabulary):,} of {len(counted.counts):,} different words come {model.minimum_count} or more "
        f"times and get vectors of {model.width} numbers",
    ]
    if isinstance(model, Word2VecSettings) and model.workers > 1:
        notes.append(f"with {model.workers} workers another run with the same seed gives slightly other vectors")
    return tuple(notes)
