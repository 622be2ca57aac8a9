"""`Translator`: a run's best weights, ready to translate, to be scored and to be looked into."""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import torch
from torch import Tensor

from heed.data.order import valid_batches
from heed.data.records import TextPair
from heed.decoding.beam import BeamSettings
from heed.decoding.hypotheses import Ended, Hypothesis
from heed.decoding.tree import BeamTree, render
from heed.errors import DataError, UsageError
from heed.layers.trace import Trace, sites_of
from heed.models.seq2seq import Seq2Seq
from heed.tasks.translate import (
    TokenizerPair,
    TranslationObjective,
    batch_of,
    encode_pairs,
    encode_sources,
    loss_per_token,
)
from heed.tasks.translating import Search, decode_rows, decode_with_tree
from heed.tasks.translation_scores import BleuInterval, TranslationScores, bleu_interval, score_translations
from heed.tokens.encoded import TokenCounts

CHUNK = 2000  # texts translated together; bounds memory on endless input, and is many batches


@dataclass(frozen=True)
class Alternative:
    """One of several translations of a text."""

    text: str
    score: float  # normalised by length: what alternatives are ranked by
    log_prob: float
    ended: Ended


NOTHING = Alternative("", score=0.0, log_prob=0.0, ended="end")


@dataclass(frozen=True)
class Translation:
    """The best translation of a text, those after it, and what was lost on the way in."""

    source: str
    text: str
    score: float
    log_prob: float
    ended: Ended  # "length": the translation was cut at the longest allowed length
    alternatives: tuple[Alternative, ...]  # best first, the first is this translation
    unknown: int  # source pieces that the vocabulary does not have
    cut: int  # source pieces beyond the longest length, which the model never saw


@dataclass(frozen=True)
class Alignment:
    """Which source pieces the model looked at for each target piece: `weights` is (target, source), rows sum to one."""

    source: tuple[str, ...]
    target: tuple[str, ...]
    weights: Tensor
    site: str


@dataclass(frozen=True)
class Evaluation:
    """A translator's scores on pairs that it was not trained on."""

    scores: TranslationScores
    interval: BleuInterval
    loss: float  # mean negative log-likelihood of a reference token, in nats
    perplexity: float
    source_counts: TokenCounts
    target_counts: TokenCounts
    translations: tuple[Translation, ...]


class Translator:
    """A model with its tokenizers. It never trains; results do not depend on what they are batched with."""

    def __init__(self, model: Seq2Seq, tokenizers: TokenizerPair, search: BeamSettings) -> None:
        self.model = model.eval()
        self.tokenizers = tokenizers
        self.search = search

    def predict(self, texts: Sequence[str], search: Search | None = None) -> list[Translation]:
        """Return the translation of each text, in order."""
        return list(self.stream(texts, search))

    def stream(self, texts: Iterable[str], search: Search | None = None) -> Iterator[Translation]:
        """Yield the translation of each text; any number of texts, in bounded memory."""
        waiting, done = iter(texts), 0
        while chunk := list(islice(waiting, CHUNK)):
            yield from self._translate(chunk, search or self.search, done)
            done += len(chunk)

    def tree(self, text: str, search: BeamSettings) -> tuple[BeamTree, list[str]]:
        """Return every expansion that the beam considered for a text, and its lines to print."""
        rows, _ = encode_sources([text], self.tokenizers.source, self.model.settings.longest)
        _, tree = decode_with_tree(self.model, rows, self.tokenizers.target, search)
        return tree, render(tree, self.tokenizers.target.piece)

    @torch.inference_mode()
    def align(self, translation: Translation, site: str | None = None) -> Alignment:
        """Return the attention of one layer, averaged over its heads, while the model says this translation."""
        site = self._cross_site() if site is None else site
        if site not in sites_of(self.model):
            raise UsageError(
                f"There is no attention {site!r} in this model. It has: {', '.join(sites_of(self.model))}."
            )
        pair = TextPair(translation.source, translation.text)
        batch = batch_of(encode_pairs([pair], self.tokenizers, self.model.settings.longest), [0])
        trace = Trace(site)
        self.model(batch.source_ids, batch.source_keep, batch.target_ids, batch.target_keep, trace)
        source = tuple(self.tokenizers.source.piece(id) for id in batch.source_ids[0].tolist())
        target = tuple(self.tokenizers.target.piece(id) for id in batch.next_ids[0].tolist())
        return Alignment(source, target, trace.weights[site][0].mean(dim=0), site)

    def evaluate(self, pairs: Sequence[TextPair], search: Search | None = None) -> Evaluation:
        """Return the scores of the translations of all sources against their targets."""
        if not pairs:
            raise DataError("There are no pairs to evaluate on. Give a file with at least one.")
        translations = self.predict([pair.source for pair in pairs], search)
        hypotheses, references = [each.text for each in translations], [pair.target for pair in pairs]
        encoded = encode_pairs(pairs, self.tokenizers, self.model.settings.longest)
        chosen = valid_batches(encoded.lengths(), 8192)
        loss = loss_per_token(TranslationObjective(self.model, 0.0), (batch_of(encoded, rows) for rows in chosen))
        return Evaluation(
            scores=score_translations(hypotheses, references),
            interval=bleu_interval(hypotheses, references),
            loss=loss,
            perplexity=math.exp(min(loss, 100.0)),
            source_counts=encoded.source_counts,
            target_counts=encoded.target_counts,
            translations=tuple(translations),
        )

    def _translate(self, texts: list[str], search: Search, done: int) -> Iterator[Translation]:
        rows, counts = encode_sources(texts, self.tokenizers.source, self.model.settings.longest)
        hypotheses = decode_rows(self.model, rows, self.tokenizers.target, search, done)
        for text, count, found in zip(texts, counts, hypotheses, strict=True):
            # Nothing in, nothing out: no model was taught what an empty text means, and its answer would be invented.
            alternatives = tuple(self._alternative(hypothesis) for hypothesis in found) if count.tokens else (NOTHING,)
            best = alternatives[0]
            yield Translation(
                text, best.text, best.score, best.log_prob, best.ended, alternatives, count.unknown, count.cut
            )

    def _alternative(self, hypothesis: Hypothesis) -> Alternative:
        text = self.tokenizers.target.decode(hypothesis.ids)
        return Alternative(text, hypothesis.score, hypothesis.log_prob, hypothesis.ended)

    def _cross_site(self) -> str:
        """Return the last decoder layer's attention over the source."""
        sites = [site for site in sites_of(self.model) if site.startswith("decoder") and site.endswith("cross")]
        if not sites:
            raise UsageError("This model has no attention over the source: all it knows of it is one thought vector.")
        return sites[-1]
