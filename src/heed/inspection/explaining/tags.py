"""What is to be seen in a tagger: which words moved the tags of an entity, or of any word."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from heed.data.entity_tags import OUTSIDE, spans_of
from heed.data.word_spans import WordSpan, find_words
from heed.errors import UsageError
from heed.files.quoting import first_of, quote
from heed.inspection.explaining.asked import Asked
from heed.inspection.explaining.decision import leads
from heed.inspection.explaining.describing import attention_notes, model_line, unseen_notes
from heed.inspection.explaining.gradients import Read, caught
from heed.inspection.explaining.head_off import Said, places_in, rank_heads
from heed.inspection.explaining.looking import looked_at, numbers_of, trace_of
from heed.inspection.explaining.pieces import MADE, labels_of, vectors_before, with_first
from heed.inspection.explaining.rollout import layers_in, rolled_out
from heed.inspection.explaining.shares import shares_of, words_on
from heed.inspection.explanation import Axis, Choice, Explanation, HeadOff, Looked, Share
from heed.layers.trace import Trace
from heed.models.tagger import Tagger, WordInput
from heed.prediction.tagger import WordTagger
from heed.tasks.known_tags import KnownTags
from heed.tasks.tag import EncodedWords, encode_words, words_of

TEXT = "text"
MOST_NAMES = 20  # of words or entities in a message
MOST_WORDS = 40  # whose other tags are told
CHOICES = 3  # tags of each word
CRF = "Tags are judged together here: a word by itself has no probability, and what is explained is its score alone."


@dataclass(frozen=True)
class Found:
    """Words that are one thing to explain: an entity, or a word with its label."""

    name: str
    tag: str
    words: tuple[int, ...]

    def __str__(self) -> str:
        return f"{self.name} ({self.tag})"


@dataclass(frozen=True, eq=False)
class _Seen:
    """A text as words, and the tag of each word that was read."""

    words: tuple[WordSpan, ...]
    encoded: EncodedWords
    given: WordInput
    trace: Trace
    read: Read  # said: (W, C)
    tags: list[int]
    found: tuple[Found, ...]


def explain_tags(model: WordTagger, text: str, asked: Asked) -> Explanation:
    """Return what is to be seen while the tagger reads a text."""
    network, seen = model.model, _look(model, text, asked)
    looked = looked_at(seen.trace, network.sites, lambda _: (TEXT, TEXT))
    chosen = _chosen(seen.found, asked.answer)
    rolled = tuple(_rollouts(network, seen, chosen))
    answer = _told(seen.found)
    words = [word for each in chosen for word in each.words]
    moved = shares_of(
        lambda scale, trace: _read(network, seen.given, scale, trace),
        seen.read,
        lambda said_WC: leads(said_WC[words], [seen.tags[word] for word in words]).sum(),
        _told(chosen),
        [words_on(TEXT, vectors_before(network.encoder))],
        asked.steps,
    )
    return Explanation(
        task="tag",
        model=model_line(network.settings.encoder),
        given=(text,),
        answer=answer,
        probability=_probability(network, seen.read.said, seen),
        axes=(_axis(model, seen),),
        looked=looked,
        shares=(*moved, *rolled),
        heads=_heads(model, seen, looked, answer) if asked.heads else (),
        choices=() if network.crf is not None else tuple(_choices(model.known, seen, words[:MOST_WORDS])),
        notes=tuple(_notes(model, seen, bool(rolled))),
    )


def _look(model: WordTagger, text: str, asked: Asked) -> _Seen:
    words = find_words(text)
    if not words:
        raise UsageError(f"There is no word in {quote(text)}. Give a text.")
    encoded = encode_words([[span.word for span in words]], model.tokenizer, model.model.settings.encoder)
    given = words_of(encoded, [0])
    trace = trace_of(asked.sites, model.model.sites)
    read = _read(model.model, given, 1.0, trace)
    tags = _best(model.model, read.said, given)
    return _Seen(words, encoded, given, trace, read, tags, _found(words, tags, model.known))


def _read(network: Tagger, given: WordInput, scale: float, trace: Trace | None) -> Read:
    with caught([network.encoder.embedding], scale) as vectors:
        return Read(network(given, trace)[0], tuple(vectors))


def _best(network: Tagger, said_WC: Tensor, given: WordInput) -> list[int]:
    tags: list[int] = network.best(said_WC.detach()[None], given.keep)[0].tolist()
    return tags


def _found(words: Sequence[WordSpan], tags: Sequence[int], known: KnownTags) -> tuple[Found, ...]:
    """Return the entities; where labels are plain, or there is no entity, each word with its tag."""
    names = known.decode(tags)
    entities = () if known.plain else spans_of(names)
    spans = [(each.start, each.end, each.kind) for each in entities]
    return tuple(
        Found(" ".join(span.word for span in words[start:end]), kind, tuple(range(start, end)))
        for start, end, kind in spans or [(place, place + 1, tag) for place, tag in enumerate(names)]
    )


def _chosen(found: Sequence[Found], answer: str | None) -> tuple[Found, ...]:
    """Return what is explained: all that was found, or that of this name or tag."""
    chosen = tuple(each for each in found if answer is None or answer in (each.name, each.tag))
    if not chosen:
        names = first_of(list(map(str, found)), MOST_NAMES)
        raise UsageError(f"{quote(str(answer))} was not found in this text. Found were: {names}.")
    return chosen


def _told(found: Sequence[Found]) -> str:
    if all(each.tag == OUTSIDE for each in found):
        return "no entity"
    return ", ".join(map(str, found))


def _probability(network: Tagger, said_WC: Tensor, seen: _Seen) -> float:
    """Return how probable all tags together are."""
    scores_WC, tags_W = said_WC.detach(), torch.tensor(seen.tags)
    if network.crf is not None:
        with torch.no_grad():
            return math.exp(float(network.crf.log_likelihood(scores_WC[None], tags_W[None], seen.given.keep)))
    return math.exp(float(scores_WC.double().log_softmax(dim=1).gather(1, tags_W[:, None]).sum()))


def _axis(model: WordTagger, seen: _Seen) -> Axis:
    """Return the tokens; one that is a whole word is told as that, and each stands where its word does."""
    ids = seen.given.text.token_ids[0].tolist()
    labels, spans = list(labels_of(ids, model.tokenizer)), [MADE] * len(ids)
    bounds = zip(seen.given.starts[0].tolist(), seen.given.stops[0].tolist(), seen.words, strict=False)
    for start, stop, word in bounds:
        spans[start:stop] = [(word.start, word.end)] * (stop - start)
        if stop - start == 1:
            labels[start] = word.word
    axis = Axis(TEXT, tuple(labels), spans=tuple(spans))
    return with_first(axis) if vectors_before(model.model.encoder) else axis


def _rollouts(network: Tagger, seen: _Seen, chosen: Sequence[Found]) -> Iterator[Share]:
    """Yield what of the text is in the words of each thing that was found."""
    layers = layers_in(seen.trace, network.sites, ".self")
    if layers is None:
        return
    rolled_TT, places = rolled_out(layers), seen.given.starts[0] + vectors_before(network.encoder)
    for each in chosen:
        rows = places[list(each.words)]
        yield Share(str(each), "rollout", TEXT, numbers_of(rolled_TT[rows].mean(dim=0)))


def _choices(known: KnownTags, seen: _Seen, words: Sequence[int]) -> Iterator[Choice]:
    chances_WC = seen.read.said.detach().double().softmax(dim=1)
    for word in words:
        best = chances_WC[word].topk(min(CHOICES, len(known.names)))
        for chance, tag in zip(best.values.tolist(), best.indices.tolist(), strict=True):
            yield Choice(known.names[tag], chance, seen.words[word].word)


def _heads(model: WordTagger, seen: _Seen, looked: Sequence[Looked], answer: str) -> tuple[HeadOff, ...]:
    def say() -> Said:
        said_WC = model.model(seen.given)[0]
        found = _found(seen.words, _best(model.model, said_WC, seen.given), model.known)
        return Said(_probability(model.model, said_WC, seen), _told(found))

    whole = Said(_probability(model.model, seen.read.said, seen), answer)
    return rank_heads(places_in(model.model), looked, whole, say)


def _notes(model: WordTagger, seen: _Seen, rolled: bool) -> Iterator[str]:
    yield from unseen_notes(seen.encoded.counts[0])
    yield from attention_notes(model.model.sites, rolled)
    if model.model.crf is not None:
        yield CRF
