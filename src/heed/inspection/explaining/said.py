"""What translations and captions share: a sentence that was said piece by piece, and what stood behind each piece.

target     the pieces that were said; they look
written    what stood before each of them: the start, and all but the last piece; the decoder looks back at these
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from heed.decoding.beam import BeamSettings
from heed.decoding.hypotheses import Hypothesis
from heed.errors import UsageError
from heed.files.quoting import first_of, quote
from heed.inspection.explaining.decision import leads
from heed.inspection.explaining.gradients import Score
from heed.inspection.explaining.looking import Sides, numbers_of
from heed.inspection.explaining.pieces import label_of, labels_of, told_apart
from heed.inspection.explaining.rollout import layers_in, rolled_out, rolled_out_twice
from heed.inspection.explanation import Axis, Choice, Share
from heed.layers.trace import Trace
from heed.tokens.tokenizer import Tokenizer

TARGET, WRITTEN = "target", "written"
CHOICES = 3  # pieces that might have stood at each place
MOST_NAMES = 20  # of words in a message


@dataclass(frozen=True, eq=False)
class Sentence:
    """What a model said."""

    text: str
    ids: tuple[int, ...]
    labels: tuple[str, ...]
    probability: float
    places: tuple[int, ...]  # the pieces that are explained
    told: str
    tokenizer: Tokenizer

    @property
    def written(self) -> Tensor:
        """Return (1, T): what the decoder was fed."""
        return torch.tensor([[self.tokenizer.start, *self.ids[:-1]]])

    @property
    def score(self) -> Score:
        """Return how far the explained pieces stand before their rivals, together."""
        places, chosen = list(self.places), [self.ids[place] for place in self.places]
        return lambda logits_TV: leads(logits_TV[places], chosen).sum()

    def axes(self) -> tuple[Axis, Axis]:
        """Return the pieces that were said, and those that stood before them."""
        return Axis(TARGET, self.labels), Axis(WRITTEN, labels_of(self.written[0].tolist(), self.tokenizer))


def sentence_of(hypothesis: Hypothesis, tokenizer: Tokenizer, answer: str | None) -> Sentence:
    """Return what was said; explain all of it, or the pieces that read so."""
    labels, text = labels_of(hypothesis.ids, tokenizer), tokenizer.decode(hypothesis.ids)
    names = zip(labels, told_apart(labels), strict=True)
    places = tuple(place for place, both in enumerate(names) if answer is None or answer in both)
    if not places:
        said = first_of(list(map(quote, labels)), MOST_NAMES)
        raise UsageError(f"{quote(str(answer))} is no piece of what was said. These are: {said}.")
    probability = float(torch.tensor(hypothesis.log_prob, dtype=torch.float64).exp())
    told = (text or " ".join(labels)) if answer is None else answer
    return Sentence(text, hypothesis.ids, labels, probability, places, told, tokenizer)


def sides_of(source: str) -> Sides:
    """Return which axes look and are looked at, at each site of an encoder and a decoder."""

    def sides(site: str) -> tuple[str, str]:
        if site.startswith("encoder"):
            return source, source
        return (TARGET, WRITTEN) if site.endswith("self") else (TARGET, source)

    return sides


def rollouts_of(sentence: Sentence, trace: Trace, sites: Sequence[str], source: str) -> Iterator[Share]:
    """Yield for each explained piece what of the source, and of what was written, is in the vector that said it."""
    encoder, decoder = ([site for site in sites if site.startswith(half)] for half in ("encoder", "decoder"))
    source_layers = layers_in(trace, encoder, ".self")
    self_layers, cross_layers = layers_in(trace, decoder, ".self"), layers_in(trace, decoder, "cross")
    if source_layers is None or self_layers is None or cross_layers is None:
        return
    rolled = rolled_out_twice(rolled_out(source_layers), self_layers, cross_layers)
    names = told_apart(sentence.labels)
    for place in sentence.places:
        yield Share(names[place], "rollout", source, numbers_of(rolled.source_TS[place]))
        yield Share(names[place], "rollout", WRITTEN, numbers_of(rolled.target_TT[place]))


def choices_of(sentence: Sentence, logits_TV: Tensor) -> Iterator[Choice]:
    """Yield what might have stood at each explained place, best first."""
    best = logits_TV.detach().double().softmax(dim=1).topk(min(CHOICES, logits_TV.shape[1]), dim=1)
    for place in sentence.places:
        where = f"{place + 1}. {sentence.labels[place]}"
        for chance, piece in zip(best.values[place].tolist(), best.indices[place].tolist(), strict=True):
            yield Choice(label_of(piece, sentence.tokenizer), chance, where)


def with_beams(search: BeamSettings, beams: int | None) -> BeamSettings:
    """Return how to search: the run's own way, or for one sentence with so many beams."""
    return search if beams is None else replace(search, beams=beams, results=1)


def probability_of(sentence: Sentence, logits_TV: Tensor) -> float:
    """Return how probable all pieces of the sentence are together."""
    ids_T1 = torch.tensor(sentence.ids)[:, None]
    return float(logits_TV.double().log_softmax(dim=1).gather(1, ids_T1).sum().exp())
