"""`Subject`: a run's model and what it is tried on, in the forms that checks compare."""

import copy
import os
import shutil
from collections.abc import Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TypeVar

from torch import nn

from heed.errors import MachineError
from heed.models.weights import load_weights
from heed.prediction.classifier import Classifier
from heed.prediction.loading import Predictor, load_predictor
from heed.prediction.picture_classifier import PictureClassifier
from heed.prediction.text_reader import NeuralReader
from heed.prediction.translator import Translator
from heed.prediction.word_vectors import WordVectors
from heed.runs.caption_settings import CaptionSettings
from heed.runs.folder import RunFolder, open_run
from heed.runs.image_settings import ImageSettings
from heed.runs.preparing import check_precision
from heed.runs.settings import RunSettings, read_settings
from heed.tokens.tokenizer import Tokenizer
from heed.training.trainer import TrainableTask
from heed.verifying.examples import Example, examples_of
from heed.verifying.findings import NotChecked
from heed.verifying.material.found import Material
from heed.verifying.material.gathering import gather

CASES = 8  # examples that most checks compare one by one

CHANCES = ("dropout", "attention_dropout", "word_dropout", "drop_path")  # settings of what is random in training

Part = TypeVar("Part")


@dataclass(frozen=True)
class Subject:
    """A run that is being verified."""

    folder: RunFolder
    settings: RunSettings
    predictor: Predictor
    material: Material

    def task(self, settings: RunSettings) -> TrainableTask:
        """Return the task with the run's best weights; only for models that learn step by step."""
        assert self.material.build is not None, "a model that learns step by step has a task"
        task = self.material.build(settings)
        load_weights(task.model, self.folder.read_best().tensors, str(self.folder.path))
        return task

    @property
    def learns_in_steps(self) -> bool:
        """Tell whether the model is one that batches are made for."""
        return self.material.build is not None

    @cached_property
    def calm(self) -> RunSettings:
        """Return the run's settings with nothing random in them."""
        settings = self.settings
        if isinstance(settings, ImageSettings | CaptionSettings):
            # Mixed pictures would depend on the others of their batch; what else is drawn depends on each alone.
            settings = replace(settings, augmentation=replace(settings.augmentation, mixup=0.0, cutmix=0.0))
        return without_chance(settings)

    @cached_property
    def calm_task(self) -> TrainableTask:
        """Return the task, its model ready to predict in 32 bits; checks look at it and change nothing."""
        task = self.task(self.calm)
        task.model.eval()
        return task

    @cached_property
    def exact(self) -> nn.Module:
        """Return the model in 64 bits, where a small leak cannot hide behind rounding."""
        return copy.deepcopy(self.calm_task.model).double()

    @cached_property
    def lacking(self) -> NotChecked | None:
        """Return why this computer cannot train as the run was trained, or None: what trains float32 proves no bf16."""
        try:
            check_precision(self.settings.training.precision)
        except MachineError as problem:
            return NotChecked(str(problem))
        compiler = os.environ.get("CXX", "g++")
        if self.settings.training.compile and shutil.which(compiler) is None:
            return NotChecked(
                f"training.compile is true, but there is no C++ compiler {compiler} here. Install one, or set CXX."
            )
        return None

    @cached_property
    def examples(self) -> list[Example]:
        """Return some examples, from the shortest to the longest."""
        return examples_of(self.calm_task, CASES)

    @property
    def model(self) -> nn.Module | None:
        """Return the model that predicts, as prediction lays it out; None where it is no network."""
        return model_of(self.predictor)

    @property
    def tokenizers(self) -> list[Tokenizer]:
        """Return the vocabularies of the model."""
        match self.predictor:
            case Translator(tokenizers=tokenizers):
                return [tokenizers.source] if tokenizers.shared else [tokenizers.source, tokenizers.target]
            case Classifier(reader=NeuralReader(tokenizer=tokenizer)):
                return [tokenizer]
            case Classifier() | PictureClassifier() | WordVectors():
                return []
            case own:
                return [own.tokenizer]


def open_subject(path: Path, given: Sequence[str] = ()) -> Subject:
    """Return the model of a run with records of its data, or of the files given."""
    folder = open_run(path)
    settings = read_settings(folder.read_settings(), f"{path}: settings")
    predictor = load_predictor(path)
    return Subject(folder, settings, predictor, gather(folder, settings, predictor, given))


def model_of(predictor: Predictor) -> nn.Module | None:
    """Return the network of a predictor; word vectors and counts of n-grams are none."""
    match predictor:
        case Classifier(reader=reader):
            return reader.model if isinstance(reader, NeuralReader) else None
        case WordVectors():
            return None
        case _:
            return predictor.model


def without_chance(settings: Part) -> Part:
    """Return settings, and those inside them, with no share of anything dropped."""
    changes: dict[str, object] = {}
    assert is_dataclass(settings) and not isinstance(settings, type)
    for field in fields(settings):
        value = getattr(settings, field.name)
        if field.name in CHANCES:
            changes[field.name] = 0.0
        elif is_dataclass(value) and not isinstance(value, type):
            changes[field.name] = without_chance(value)
    return replace(settings, **changes)
