"""`TagTraining`: what a trainer needs of `tag`: batches, loss, validation."""

from collections.abc import Sequence

from heed.data.entity_tags import spans_of
from heed.data.order import batches
from heed.data.records import TaggedText
from heed.models.tagger import Tagger
from heed.tasks.entity_scores import brief_entity_scores, word_accuracy
from heed.tasks.known_tags import KnownTags
from heed.tasks.rows import pad_rows, rows_from
from heed.tasks.tag import TagBatch, TagObjective, encode_words, words_of
from heed.tasks.tag_reading import read_tags
from heed.tasks.validation import Sample, Validation
from heed.tokens.tokenizer import Tokenizer


class TagTraining:
    """Training and validation sentences around one model."""

    def __init__(
        self,
        model: Tagger,
        tokenizer: Tokenizer,
        known: KnownTags,
        train: Sequence[TaggedText],
        valid: Sequence[TaggedText],
        label_smoothing: float,
    ) -> None:
        self.model = model
        self.known = known
        self.objective = TagObjective(model, label_smoothing, tokenizer.unknown)
        encoder = model.settings.encoder
        self.train = encode_words([record.words for record in train], tokenizer, encoder)
        self.lengths = self.train.lengths()
        # The tags of the words that are read: those beyond the longest length teach nothing.
        read = self.train.starts.lengths.tolist()
        self.expected = rows_from([known.encode(record.tags[:n]) for record, n in zip(train, read, strict=True)])
        self.valid_records = valid
        self.valid = encode_words([record.words for record in valid], tokenizer, encoder)

    def order(self, seed: int, epoch: int, tokens_per_batch: int, window: int) -> list[list[int]]:
        """Return the training sentences of an epoch in batches of like length."""
        return batches(self.lengths, seed, epoch, tokens_per_batch, window)

    def batch(self, rows: Sequence[int], epoch: int) -> TagBatch:
        """Return the chosen training sentences as one batch."""
        return TagBatch(words_of(self.train, rows), pad_rows(self.expected, rows)[0])

    def validate(self) -> Validation:
        """Return the scores over all validation sentences, and one of them to look at."""
        predicted = [reading.tags for reading in read_tags(self.model, self.valid, self.known)]
        expected = [record.tags for record in self.valid_records]
        accuracy = word_accuracy(expected, predicted)
        values = {"accuracy": accuracy}
        if not self.known.plain:
            values = {**brief_entity_scores(expected, predicted), "accuracy": accuracy}
        score = values["accuracy"] if self.known.plain else values["f1"]
        record, said = self._telling(expected, predicted)
        sample = Sample(record.text, shown_tags(record.words, record.tags), shown_tags(record.words, said))
        return Validation(score=score, values=values, sample=sample)

    def _telling(
        self, expected: Sequence[Sequence[str]], predicted: Sequence[Sequence[str]]
    ) -> tuple[TaggedText, Sequence[str]]:
        """Return the sentence in the middle, or the next one that has an entity: most have none."""
        middle = len(expected) // 2
        order = [*range(middle, len(expected)), *range(middle)]
        row = next((row for row in order if self.known.plain or spans_of(expected[row])), middle)
        return self.valid_records[row], predicted[row]


def shown_tags(words: Sequence[str], tags: Sequence[str]) -> str:
    """Return the entities of a sentence for a person to read, or its words with plain labels."""
    spans = spans_of(tags)
    if spans or all(tag == "O" for tag in tags):
        return "; ".join(f"{' '.join(words[span.start : span.end])} ({span.kind})" for span in spans) or "–"
    return " ".join(f"{word}/{tag}" for word, tag in zip(words, tags, strict=True))
