"""`PictureCaptioner`: a run's best weights, ready to say what pictures show, to be scored and to be looked into."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

import torch
from torch import Tensor

from heed.data.image_reading import name_of
from heed.data.image_store import Broken
from heed.data.records import CaptionedImage, ImageSource
from heed.data.squares import Fit
from heed.decoding.beam import BeamSettings
from heed.decoding.hypotheses import Ended, Hypothesis
from heed.errors import DataError, UsageError
from heed.layers.trace import Trace, sites_of
from heed.models.captioner import Captioner
from heed.prediction.reading_pictures import image_of, read_in_threads, read_square, stacked
from heed.tasks.bootstrap import BootstrapInterval
from heed.tasks.caption import batch_of, encode_captions
from heed.tasks.caption_scores import CaptionScores, caption_interval, score_captions
from heed.tasks.captioning import decode_images
from heed.tasks.image import ColourSettings
from heed.tasks.translating import Search
from heed.tokens.tokenizer import Tokenizer

CHUNK = 256  # pictures read together; bounds memory on endless input, and is several batches


@dataclass(frozen=True)
class CaptionChoice:
    """One of several captions of a picture."""

    text: str
    score: float  # normalised by length: what captions are ranked by
    log_prob: float
    ended: Ended


@dataclass(frozen=True)
class Caption:
    """What a model says of a picture, or why it could not read it."""

    name: str
    text: str | None
    alternatives: tuple[CaptionChoice, ...]  # best first, the first is this caption
    problem: str | None = None  # why there is no caption: the picture cannot be read


@dataclass(frozen=True)
class CaptionEvaluation:
    """A captioner's scores on pictures that it was not trained on."""

    scores: CaptionScores
    interval: BootstrapInterval  # of BLEU-4
    captions: tuple[Caption, ...]  # of the pictures that could be read
    broken: tuple[Broken, ...]  # the others, which are not scored


@dataclass(frozen=True)
class Gaze:
    """Where the model looked while it said each piece of a caption."""

    pieces: tuple[str, ...]
    weights_TRC: Tensor  # for each piece a weight on each patch, rows and columns; they sum to `seen`
    seen_T: Tensor  # share of the attention that lay on patches; the rest was on [CLS] and registers
    site: str


class PictureCaptioner:
    """A model with its vocabulary. It never trains; results do not depend on what they are batched with."""

    def __init__(
        self, model: Captioner, tokenizer: Tokenizer, fit: Fit, colours: ColourSettings, search: BeamSettings
    ) -> None:
        self.model = model.eval()
        self.tokenizer = tokenizer
        self.fit: Fit = fit
        self.colours = colours
        self.search = search

    def predict(self, pictures: Sequence[ImageSource], search: Search | None = None) -> list[Caption]:
        """Return what the model says of each picture, in order."""
        return list(self.stream(pictures, search))

    def stream(self, pictures: Iterable[ImageSource], search: Search | None = None) -> Iterator[Caption]:
        """Yield what the model says of each picture; any number of them, in bounded memory."""
        waiting, done = iter(pictures), 0
        while chunk := list(islice(waiting, CHUNK)):
            yield from self._say(chunk, search or self.search, done)
            done += len(chunk)

    def evaluate(self, records: Sequence[CaptionedImage], search: Search | None = None) -> CaptionEvaluation:
        """Return the scores over all records that can be read, against their captions."""
        found = self.predict([record.source for record in records], search)
        readable = [row for row, each in enumerate(found) if each.problem is None]
        if not readable:
            raise DataError(f"None of {len(records):,} pictures can be read. Give at least one that can.")
        broken = tuple(Broken(each.name, each.problem) for each in found if each.problem is not None)
        return replace(self.score([records[row] for row in readable], [found[row] for row in readable]), broken=broken)

    def score(self, records: Sequence[CaptionedImage], found: Sequence[Caption]) -> CaptionEvaluation:
        """Return the scores of what the model has said of the records, all of which could be read."""
        said, references = [each.text or "" for each in found], [record.captions for record in records]
        scores, interval = score_captions(said, references), caption_interval(said, references)
        return CaptionEvaluation(scores, interval, tuple(found), ())

    @torch.inference_mode()
    def look(self, picture: ImageSource, text: str, site: str | None = None) -> Gaze:
        """Return where one layer looked, averaged over its heads, while the model says this text of the picture."""
        sites = [each for each in sites_of(self.model) if each.startswith("decoder") and each.endswith("cross")]
        if not sites:
            raise UsageError("This model has no attention over the picture: all it knows of it is one thought vector.")
        site = sites[-1] if site is None else site
        if site not in sites:
            raise UsageError(f"There is no attention {site!r} over the picture. The model has: {', '.join(sites)}.")
        images = image_of(read_square(picture, self.side, self.fit), self.side, self.colours)
        record = CaptionedImage(picture, (text,))
        batch = batch_of(images, encode_captions([record], self.tokenizer, self.model.settings.longest), [0])
        trace = Trace(site)
        self.model(batch.images, batch.target_ids, batch.target_keep, trace)
        begin, (rows, columns) = self.model.encoder.patches_begin, self.model.encoder.patch_grid
        weights_TP = trace.weights[site][0].mean(dim=0)[:, begin:]
        pieces = tuple(self.tokenizer.piece(id) for id in batch.next_ids[0].tolist())
        return Gaze(pieces, weights_TP.view(-1, rows, columns), weights_TP.sum(dim=1), site)

    @property
    def side(self) -> int:
        """Return the side of the pictures that the model reads."""
        return self.model.settings.encoder.image

    def _say(self, chunk: Sequence[ImageSource], search: Search, done: int) -> Iterator[Caption]:
        squares = read_in_threads(chunk, self.side, self.fit)
        readable = [square for square in squares if isinstance(square, bytes)]
        hypotheses: Iterator[list[Hypothesis]] = iter(())
        if readable:
            pictures = stacked(readable, self.side)
            hypotheses = iter(decode_images(self.model, pictures, self.colours, self.tokenizer, search, done))
        for source, square in zip(chunk, squares, strict=True):
            if isinstance(square, str):
                yield Caption(name_of(source), None, (), square)
                continue
            choices = tuple(self._choice(hypothesis) for hypothesis in next(hypotheses))
            yield Caption(name_of(source), choices[0].text, choices)

    def _choice(self, hypothesis: Hypothesis) -> CaptionChoice:
        text = self.tokenizer.decode(hypothesis.ids)
        return CaptionChoice(text, hypothesis.score, hypothesis.log_prob, hypothesis.ended)
