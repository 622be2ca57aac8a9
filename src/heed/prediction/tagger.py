"""`WordTagger`: a run's best weights, ready to find entities in text, or to label its words, and to be scored."""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from heed.data.entity_tags import OUTSIDE, is_entity_tag, spans_of
from heed.data.records import TaggedText
from heed.data.word_spans import WordSpan, find_words, spans_of_words
from heed.errors import DataError, UsageError
from heed.files.quoting import quote
from heed.models.tagger import Tagger
from heed.models.token_encoder import TokenEncoderSettings
from heed.tasks.entity_scores import TagScores, score_entities, score_words
from heed.tasks.known_tags import KnownTags
from heed.tasks.tag import encode_words
from heed.tasks.tag_reading import TagReading, read_tags
from heed.tokens.encoded import TokenCounts
from heed.tokens.tokenizer import Tokenizer

CHUNK = 1000  # texts read together; bounds memory on endless input, and is many batches

GivenText = str | Sequence[str]  # plain text, or the words of one


@dataclass(frozen=True)
class Entity:
    """An entity in a text: characters `start` up to, not including, `end`."""

    text: str
    kind: str
    start: int
    end: int
    probability: (
        float | None
    )  # that all its words have the tags they were given; None where a field judges them together


@dataclass(frozen=True)
class LabelledWord:
    """A word of a text, its place in characters, and its tag: in IOB2, or a plain label."""

    text: str
    start: int
    end: int
    tag: str
    probability: float | None


@dataclass(frozen=True)
class Tagging:
    """What a model says of the words of a text."""

    text: str  # as it was given; of a list of words, these with one space between
    entities: tuple[Entity, ...]  # in their order; none where labels are plain
    words: tuple[LabelledWord, ...]
    unknown: int  # pieces that the vocabulary does not have
    cut: int  # pieces beyond the longest length, which the model never saw
    cut_words: int  # words there; they are tagged O


@dataclass(frozen=True)
class TaggerEvaluation:
    """A tagger's scores on sentences that it was not trained on."""

    scores: TagScores
    counts: TokenCounts
    cut_words: int  # words beyond the longest length, counted as O
    predictions: tuple[tuple[str, ...], ...]  # the tags of each sentence


class WordTagger:
    """A model with its tokenizer and tags. It never trains; results do not depend on what they are batched with."""

    def __init__(self, model: Tagger, tokenizer: Tokenizer, known: KnownTags) -> None:
        self.model = model.eval()
        self.tokenizer = tokenizer
        self.known = known

    def predict(self, texts: Sequence[GivenText]) -> list[Tagging]:
        """Return what the model says of each text, in order; a text may be given as a list of its words."""
        if isinstance(texts, str):
            raise UsageError(f"Give a list of texts, not one text by itself: [{texts[:60]!r}].")
        return list(self.stream(texts))

    def stream(self, texts: Iterable[GivenText]) -> Iterator[Tagging]:
        """Yield what the model says of each text; any number of texts, in bounded memory."""
        waiting = iter(texts)
        while chunk := list(islice(waiting, CHUNK)):
            words = [find_words(text) if isinstance(text, str) else _given_words(text) for text in chunk]
            whole = [text if isinstance(text, str) else " ".join(text) for text in chunk]
            # The words are joined as in training, whatever stands between them in the text.
            encoded = encode_words([[span.word for span in spans] for spans in words], self.tokenizer, self._encoder)
            readings = read_tags(self.model, encoded, self.known)
            rows = zip(whole, words, readings, encoded.counts, encoded.cut_words(), strict=True)
            for text, spans, reading, counts, cut_words in rows:
                yield Tagging(
                    text=text,
                    entities=() if self.known.plain else _entities(text, spans, reading),
                    words=_labelled(spans, reading),
                    unknown=counts.unknown,
                    cut=counts.cut,
                    cut_words=cut_words,
                )

    def evaluate(self, records: Sequence[TaggedText]) -> TaggerEvaluation:
        """Return the scores over all sentences against their tags; a label that the model does not know is missed."""
        self.check_tags(records)
        return self.score(records)

    def check_tags(self, records: Sequence[TaggedText]) -> None:
        """Refuse plain labels for a model of entities and the other way round, which would give a score of 0 unseen."""
        _refuse_other_tags(records, self.known)

    def score(self, records: Sequence[TaggedText]) -> TaggerEvaluation:
        """Return the scores over sentences whose tags have been checked."""
        if not records:
            raise DataError("There are no sentences to evaluate on. Give a file with at least one.")
        encoded = encode_words([record.words for record in records], self.tokenizer, self._encoder)
        predicted = tuple(reading.tags for reading in read_tags(self.model, encoded, self.known))
        expected = [record.tags for record in records]
        return TaggerEvaluation(
            scores=score_words(expected, predicted) if self.known.plain else score_entities(expected, predicted),
            counts=sum(encoded.counts, TokenCounts()),
            cut_words=sum(encoded.cut_words()),
            predictions=predicted,
        )

    @property
    def _encoder(self) -> TokenEncoderSettings:
        return self.model.settings.encoder


def _given_words(words: Sequence[str]) -> tuple[WordSpan, ...]:
    for word in words:
        if not isinstance(word, str):
            raise UsageError(f"A word is given as {word!r:.60}. Give a text as a string, or as a list of strings.")
    return spans_of_words(words)


def _refuse_other_tags(records: Sequence[TaggedText], known: KnownTags) -> None:
    if known.plain and records:
        tags = {tag for record in records for tag in record.tags}
        if tags.isdisjoint(known.names):
            raise DataError(
                f"{records[0].place}: the first tag is {quote(records[0].tags[0])}; neither it nor another is known to "
                f"this model, which says {', '.join(known.names[:10])}. Give data with the same labels."
            )
        return
    for record in records:
        for tag in record.tags:
            if tag != OUTSIDE and not is_entity_tag(tag):
                raise DataError(
                    f"{record.place}: {quote(tag)} is a plain label, but this model finds entities such as "
                    f"{known.names[1]}. Give data in which entities are marked, or choose the column with --columns."
                )


def _entities(text: str, words: Sequence[WordSpan], reading: TagReading) -> tuple[Entity, ...]:
    entities = []
    for span in spans_of(reading.tags):
        start, end = words[span.start].start, words[span.end - 1].end
        chances = None if reading.probabilities is None else reading.probabilities[span.start : span.end]
        probability = None if chances is None else math.prod(chances)
        entities.append(Entity(text[start:end], span.kind, start, end, probability))
    return tuple(entities)


def _labelled(words: Sequence[WordSpan], reading: TagReading) -> tuple[LabelledWord, ...]:
    chances = reading.probabilities or (None,) * len(words)
    return tuple(
        LabelledWord(span.word, span.start, span.end, tag, chance)
        for span, tag, chance in zip(words, reading.tags, chances, strict=True)
    )
