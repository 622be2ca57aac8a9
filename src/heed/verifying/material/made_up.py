"""Records made up from what a model knows: pieces of its vocabulary, its labels, noise for pictures.

They mean nothing, but what is proved of a model must hold for them too: laws are not about meaning.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass

import numpy
from PIL import Image

from heed.data.records import AnswerText, CaptionedImage, LabelledImage, LabelledText, Question, TaggedText, TextPair
from heed.tasks.known_tags import KnownTags
from heed.tasks.targets import Classes, Targets
from heed.tokens.tokenizer import Tokenizer

COUNT = 24
LONGEST = 12  # pieces of a text
SIDE = 40  # of a picture


@dataclass(frozen=True)
class Noise:
    """A picture of noise, the same for the same number."""

    number: int

    @property
    def name(self) -> str:
        """Return what messages and reports call it."""
        return f"noise {self.number}"

    def draw(self) -> Image.Image:
        """Return the picture, the same each time."""
        generator = numpy.random.Generator(numpy.random.PCG64(self.number))
        return Image.fromarray(generator.integers(0, 256, size=(SIDE, SIDE, 3), dtype=numpy.uint8))


class Inventor:
    """Draws texts from a vocabulary."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        specials = {tokenizer.id_of(piece) for piece in tokenizer.specials}
        self.tokenizer = tokenizer
        self.ids = [id for id in range(tokenizer.size) if id not in specials] or [tokenizer.unknown]
        self.draw = random.Random(1)

    def text(self) -> str:
        """Return a text of a few pieces; never one without a word."""
        ids = self.draw.choices(self.ids, k=self.draw.randint(2, LONGEST))
        return self.tokenizer.decode(ids).strip() or "a"

    def texts(self, count: int) -> tuple[str, ...]:
        """Return so many texts."""
        return tuple(self.text() for _ in range(count))


def invent_pairs(source: Tokenizer, target: Tokenizer) -> list[TextPair]:
    """Return pairs of texts."""
    sources, targets = Inventor(source), Inventor(target)
    return [TextPair(sources.text(), targets.text()) for _ in range(COUNT)]


def invent_labelled(tokenizer: Tokenizer, targets: Targets, texts_each: int) -> list[LabelledText]:
    """Return labelled texts, or pairs of them."""
    texts = Inventor(tokenizer)
    return [LabelledText(texts.texts(texts_each), _label(targets, number)) for number in range(COUNT)]


def invent_unread(texts_each: int) -> list[LabelledText]:
    """Return texts for a model that has no pieces to draw from."""
    return [LabelledText((f"text number {number}",) * texts_each, "") for number in range(COUNT)]


def invent_tagged(tokenizer: Tokenizer, known: KnownTags) -> list[TaggedText]:
    """Return sentences with the first of the tags, which of entities is that of none."""
    sentences = (tuple(text.split()) or ("a",) for text in Inventor(tokenizer).texts(COUNT))
    return [TaggedText(words, (known.names[0],) * len(words)) for words in sentences]


def invent_questions(tokenizer: Tokenizer) -> list[Question]:
    """Return questions that the first word of a paragraph answers."""
    texts = Inventor(tokenizer)
    questions = []
    for number in range(COUNT):
        context = " ".join(texts.texts(3))
        answer = AnswerText(context.split()[0], 0)
        questions.append(Question(str(number), "", context, texts.text(), (answer,)))
    return questions


def invent_pictures(targets: Classes) -> list[LabelledImage]:
    """Return labelled noise."""
    return [LabelledImage(Noise(number), _label(targets, number)) for number in range(COUNT)]


def invent_captioned(tokenizer: Tokenizer) -> list[CaptionedImage]:
    """Return noise with captions."""
    texts = Inventor(tokenizer)
    return [CaptionedImage(Noise(number), (texts.text(),)) for number in range(COUNT)]


def invent_text(tokenizer: Tokenizer) -> Sequence[str]:
    """Return the lines of a text."""
    return Inventor(tokenizer).texts(8 * COUNT)


def _label(targets: Targets, number: int) -> str:
    if isinstance(targets, Classes):
        return targets.labels.names[number % targets.outputs]
    return f"{targets.mean + targets.spread * (number % 3 - 1):.3f}"
