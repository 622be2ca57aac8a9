"""Exported = ours: the model written for other libraries and read back says what it said.

That those libraries read it alike is what `tests/exchange` hold for every family; the package imports none of them.
"""

import tempfile
from pathlib import Path

import torch
from torch import Tensor, nn

from heed.errors import UsageError
from heed.exchange.exporting import export_run
from heed.exchange.importing import import_folder
from heed.files.vectors import read_all_vectors
from heed.prediction.classifier import Classifier
from heed.prediction.loading import load_predictor
from heed.prediction.word_vectors import WordVectors
from heed.tasks.targets import Scale
from heed.verifying.checking import Check
from heed.verifying.examples import read
from heed.verifying.findings import Difference, Measured, Tolerance, Unfit, apart
from heed.verifying.subject import Subject, model_of

TOLERANCE = Tolerance(1e-5, "32-bit numbers, some of them multiplied out on the way")
WRITTEN = Tolerance(1e-6, "a text file has some digits of each number")


def compare(subject: Subject) -> Measured | Unfit:
    """Compare the model with what comes back from a folder in the format of Hugging Face, or from a text file."""
    with tempfile.TemporaryDirectory() as folder:
        if isinstance(subject.predictor, WordVectors):
            return _vectors(subject, subject.predictor, Path(folder) / "vectors.txt")
        if not subject.learns_in_steps:
            return Unfit("counts of n-grams go into no other library")
        try:
            export_run(subject.folder.path, "hf", Path(folder) / "hf")
        except UsageError as refusal:
            return Unfit(str(refusal))
        import_folder(Path(folder) / "hf", Path(folder) / "again", subject.settings.task)
        again = model_of(load_predictor(Path(folder) / "again"))
    assert again is not None, "a network goes out and a network comes back"
    return Measured([_said(subject, again, place) for place in range(len(subject.examples))], TOLERANCE)


def _said(subject: Subject, again: nn.Module, place: int) -> Difference:
    example, model = subject.examples[place], subject.model
    assert model is not None
    (own,), (other,) = read(model, example.batch), read(again, example.batch)
    return Difference(example.place, apart(other, _in_units_of_data(subject, own)))


def _in_units_of_data(subject: Subject, outputs: Tensor) -> Tensor:
    """Return numbers as the export gives them; ours are distances from the mean in units of the spread."""
    if isinstance(subject.predictor, Classifier) and isinstance(subject.predictor.targets, Scale):
        return outputs * subject.predictor.targets.spread + subject.predictor.targets.mean
    return outputs


def _vectors(subject: Subject, vectors: WordVectors, path: Path) -> Measured:
    export_run(subject.folder.path, "word2vec", path)
    read_back = read_all_vectors(path)
    size = apart(torch.as_tensor(read_back.table), torch.as_tensor(vectors.space.table))
    words = Difference("the list of words", float(list(read_back.rows) != list(vectors.space.words)))
    return Measured([words, Difference(f"{len(vectors.space.words):,} vectors", size)], WRITTEN)


CHECK = Check("exporting", "exported and read back, the model says what it said", compare, needs=("determinism",))
