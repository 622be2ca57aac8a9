"""What is to be seen in a linear model of n-grams: its weights are the explanation, and shares are exact.

What an n-gram adds to an answer is its weight times how often and how rarely it comes. That is given in equal parts to
the words that it is made of, wherever it stands; so all shares and the bias together are the lead of the answer.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy
import torch

from heed.inspection.explaining.asked import Asked
from heed.inspection.explaining.decision import Decision, decide, refuse_answer
from heed.inspection.explaining.describing import NO_ATTENTION, NO_HEADS, unseen_notes
from heed.inspection.explaining.looking import trace_of
from heed.inspection.explanation import Axis, Explanation, Numbers, Share
from heed.models.tfidf import TfidfModel, class_logits
from heed.models.tfidf_features import LIKENESSES
from heed.models.tfidf_ngrams import NgramTable
from heed.models.tfidf_words import character_ngrams, cut_texts, word_ngrams
from heed.prediction.classifier import Classifier
from heed.prediction.text_reader import LinearReader
from heed.tasks.classify import Texts
from heed.tasks.targets import Classes, Scale

LIKENESS = ("alike in all", "of the first in the second", "of the second in the first", "as long as each other")
EXACT = "The model is a weighted sum: the shares are exact, and more steps would not change them."


@dataclass(frozen=True)
class Occurrence:
    """An n-gram of the table at one place of a text: its number, and the words that it is made of."""

    ngram: int
    words: tuple[int, ...]


def explain_linear(model: Classifier, reader: LinearReader, texts: Texts, asked: Asked) -> Explanation:
    """Return what the words of these texts add to the answer of a linear model."""
    trace_of(asked.sites, ())
    linear = reader.model
    decision = _decision(model, linear, texts, asked)
    weights_F = _weights(linear, decision)
    words = cut_texts(texts, lowercase=linear.facts.settings.lowercase)
    told = decision.told if decision else _number(model, linear, texts)
    names = ("text",) if len(texts) == 1 else ("first", "second")
    axes = [Axis(name, tuple(cut)) for name, cut in zip(names, words, strict=True)]
    shares_of_texts, likeness = _spread(linear, texts, words, weights_F)
    shares = [Share(told, "gradient x input", name, each) for name, each in zip(names, shares_of_texts, strict=True)]
    if likeness is not None:
        units = [table.unit for table in linear.features.tables]
        axes.append(Axis("likeness", tuple(f"{alike} ({unit})" for unit in units for alike in LIKENESS)))
        shares.append(Share(told, "gradient x input", "likeness", likeness))
    return Explanation(
        task="classify" if len(texts) == 1 else "pair",
        model=f"tf-idf, {linear.features.width:,} n-grams, {linear.facts.candidates[linear.facts.chosen].method}",
        given=texts,
        answer=decision.answer if decision else told,
        probability=decision.probability if decision else None,
        axes=tuple(axes),
        shares=tuple(shares),
        choices=decision.choices() if decision else (),
        notes=tuple(_notes(linear, texts, decision, asked)),
    )


def _decision(model: Classifier, linear: TfidfModel, texts: Texts, asked: Asked) -> Decision | None:
    if isinstance(model.targets, Classes):
        return decide(torch.from_numpy(linear.log_probabilities([texts])[0]), model.targets.labels.names, asked.answer)
    refuse_answer(asked)
    return None


def _weights(linear: TfidfModel, decision: Decision | None) -> numpy.ndarray:
    """Return (F,): what one unit of each feature adds to the lead, or to the number."""
    if decision is None:
        return linear.weights_FK[:, 0]
    weights_FC = class_logits(linear.weights_FK)
    return weights_FC[:, decision.explained] - weights_FC[:, decision.rival]


def _spread(
    linear: TfidfModel, texts: Texts, words: Sequence[Sequence[str]], weights_F: numpy.ndarray
) -> tuple[list[Numbers], Numbers | None]:
    """Return the share of each word of each text, and of a pair those of the numbers on how alike they are."""
    added_F = linear.features([texts]).toarray()[0] * weights_F
    totals = [numpy.zeros(len(cut)) for cut in words]
    likeness, begin = [], 0
    for table in linear.features.tables:
        size = len(table.ngrams)
        found = [list(occurrences(table, cut)) for cut in words]
        if len(texts) == 1:
            _give(added_F[begin : begin + size], found, totals)
            begin += size
            continue
        # In both texts, in the first alone, in the second alone; then how alike they are.
        for block, sides in enumerate(((0, 1), (0,), (1,))):
            part_F = added_F[begin + block * size : begin + (block + 1) * size]
            _give(part_F, [found[side] for side in sides], [totals[side] for side in sides])
        begin += 3 * size
        likeness.append(added_F[begin : begin + LIKENESSES])
        begin += LIKENESSES
    alike = numpy.concatenate(likeness).astype(numpy.float32) if likeness else None
    return [total.astype(numpy.float32) for total in totals], alike


def _give(added_F: numpy.ndarray, found: Sequence[Sequence[Occurrence]], totals: Sequence[numpy.ndarray]) -> None:
    """Give what each n-gram adds to its words, the same to each place where it stands."""
    counts_F = numpy.bincount([each.ngram for side in found for each in side], minlength=len(added_F))
    for side, total in zip(found, totals, strict=True):
        for each in side:
            for word in each.words:
                total[word] += added_F[each.ngram] / counts_F[each.ngram] / len(each.words)


def occurrences(table: NgramTable, words: Sequence[str]) -> Iterator[Occurrence]:
    """Yield each known n-gram of a text at each of its places."""
    match table.unit:
        case "words":
            shortest, longest = table.lengths
            for length in range(shortest, longest + 1):
                for start, ngram in enumerate(word_ngrams(words, (length, length))):
                    if (number := table.numbers.get(ngram)) is not None:
                        yield Occurrence(number, tuple(range(start, start + length)))
        case "characters":
            for place, word in enumerate(words):
                for ngram in character_ngrams(word, table.lengths):
                    if (number := table.numbers.get(ngram)) is not None:
                        yield Occurrence(number, (place,))


def _number(model: Classifier, linear: TfidfModel, texts: Texts) -> str:
    assert isinstance(model.targets, Scale)
    return f"{model.targets.decode(linear.numbers([texts]))[0]:.4g}"


def _notes(linear: TfidfModel, texts: Texts, decision: Decision | None, asked: Asked) -> Iterator[str]:
    yield from unseen_notes(linear.count_words([texts])[0])
    yield NO_ATTENTION
    yield EXACT
    if decision is not None:
        yield decision.note
    if asked.heads:
        yield NO_HEADS
