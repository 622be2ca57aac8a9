"""`PictureClassifier`: a run's best weights, ready to say what pictures show, and to be scored."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

import numpy

from heed.data.image_reading import name_of
from heed.data.image_store import Broken
from heed.data.records import ImageSource, LabelledImage
from heed.data.squares import Fit
from heed.errors import DataError
from heed.models.vit import ImageClassifier
from heed.prediction.reading_pictures import read_in_threads, stacked
from heed.tasks.classification_scores import ClassificationScores, score
from heed.tasks.image import ColourSettings, read_images
from heed.tasks.labelled_scores import probabilities_of
from heed.tasks.targets import Classes

CHUNK = 256  # pictures read together; bounds memory on endless input, and is several batches


@dataclass(frozen=True)
class Recognition:
    """What a model says of a picture, or why it could not read it."""

    name: str
    label: str | None  # the most probable one
    probability: float | None  # of that label
    probabilities: Mapping[str, float]  # of every label, in the order of labels.json
    problem: str | None = None  # why there is no label: the picture cannot be read


@dataclass(frozen=True)
class PictureEvaluation:
    """A classifier's scores on pictures that it was not trained on."""

    scores: ClassificationScores
    predictions: tuple[Recognition, ...]  # of the pictures that could be read
    broken: tuple[Broken, ...]  # the others, which are not scored


class PictureClassifier:
    """A model with its labels. It never trains; results do not depend on what they are batched with."""

    def __init__(self, model: ImageClassifier, targets: Classes, fit: Fit, colours: ColourSettings) -> None:
        self.model = model.eval()
        self.targets = targets
        self.fit: Fit = fit
        self.colours = colours

    def predict(self, pictures: Sequence[ImageSource]) -> list[Recognition]:
        """Return what the model says of each picture, in order."""
        return list(self.stream(pictures))

    def stream(self, pictures: Iterable[ImageSource]) -> Iterator[Recognition]:
        """Yield what the model says of each picture; any number of them, in bounded memory."""
        waiting = iter(pictures)
        while chunk := list(islice(waiting, CHUNK)):
            yield from self._recognise(chunk)

    def evaluate(self, records: Sequence[LabelledImage]) -> PictureEvaluation:
        """Return the scores over all records that can be read, against their labels."""
        found = self.predict([record.source for record in records])
        readable = [row for row, each in enumerate(found) if each.problem is None]
        if not readable:
            raise DataError(f"None of {len(records):,} pictures can be read. Give at least one that can.")
        broken = tuple(Broken(each.name, each.problem) for each in found if each.problem is not None)
        return replace(self.score([records[row] for row in readable], [found[row] for row in readable]), broken=broken)

    def score(self, records: Sequence[LabelledImage], found: Sequence[Recognition]) -> PictureEvaluation:
        """Return the scores of what the model has said of the records, all of which could be read."""
        probabilities_NC = numpy.array([list(each.probabilities.values()) for each in found])
        expected_N = self.targets.encode(records).numpy()
        return PictureEvaluation(score(probabilities_NC, expected_N, self.targets.labels.names), tuple(found), ())

    def _recognise(self, chunk: Sequence[ImageSource]) -> Iterator[Recognition]:
        squares = read_in_threads(chunk, self.model.settings.image, self.fit)
        readable = [square for square in squares if isinstance(square, bytes)]
        rows = iter(self._probabilities(readable) if readable else ())
        names = self.targets.labels.names
        for source, square in zip(chunk, squares, strict=True):
            if isinstance(square, str):
                yield Recognition(name_of(source), None, None, {}, square)
                continue
            row = next(rows)
            best = int(row.argmax())
            every = dict(zip(names, row.tolist(), strict=True))
            yield Recognition(name_of(source), names[best], float(row[best]), every)

    def _probabilities(self, readable: Sequence[bytes]) -> numpy.ndarray:
        side = self.model.settings.image
        return probabilities_of(read_images(self.model, stacked(readable, side), self.colours))
