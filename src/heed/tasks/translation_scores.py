"""BLEU, chrF and TER of translations, by sacrebleu, each with the signature that makes it comparable elsewhere."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF
from sacrebleu.metrics.ter import TER

from heed.errors import DataError


@dataclass(frozen=True, slots=True)
class TranslationScores:
    """Corpus scores over `count` sentences: BLEU and chrF from 0 to 100, higher is better; TER lower is better."""

    bleu: float
    bleu_signature: str
    chrf: float
    chrf_signature: str
    ter: float | None  # edits per hundred words of reference; None where it was not asked for
    exact: float  # share of translations equal to their reference, from 0 to 1
    count: int


@dataclass(frozen=True, slots=True)
class BleuInterval:
    """Where BLEU would lie, with the given probability, for other test sentences of the same kind."""

    low: float
    high: float
    level: float
    resamples: int
    seed: int


def score_translations(
    hypotheses: Sequence[str], references: Sequence[str], *, with_ter: bool = False
) -> TranslationScores:
    """Return the scores of the hypotheses, each against the reference at its place.

    TER is left out unless asked for: it takes longer than the others together.
    """
    _check_lengths(hypotheses, references)
    # `force` only silences a warning on standard error about text that looks tokenized; the score is the same.
    bleu, chrf = BLEU(force=True), CHRF()
    bleu_score = bleu.corpus_score(hypotheses, [references]).score
    chrf_score = chrf.corpus_score(hypotheses, [references]).score
    equal = sum(hypothesis == reference for hypothesis, reference in zip(hypotheses, references, strict=True))
    return TranslationScores(
        bleu=bleu_score,
        bleu_signature=str(bleu.get_signature()),
        chrf=chrf_score,
        chrf_signature=str(chrf.get_signature()),
        ter=TER().corpus_score(hypotheses, [references]).score if with_ter else None,
        exact=equal / len(hypotheses),
        count=len(hypotheses),
    )


def bleu_interval(
    hypotheses: Sequence[str],
    references: Sequence[str],
    *,
    level: float = 0.95,
    resamples: int = 1000,
    seed: int = 12345,
) -> BleuInterval:
    """Return the bootstrap interval of BLEU (Koehn 2004): sentences drawn with replacement, scored again each time."""
    _check_lengths(hypotheses, references)
    counts_NC = sentence_counts(hypotheses, references)
    generator = np.random.default_rng(seed)
    sentences = len(counts_NC)
    scores = [
        bleu_of_counts(counts_NC[generator.integers(sentences, size=sentences)].sum(axis=0)) for _ in range(resamples)
    ]
    low, high = np.quantile(scores, [(1 - level) / 2, (1 + level) / 2])
    return BleuInterval(low=float(low), high=float(high), level=level, resamples=resamples, seed=seed)


def sentence_counts(hypotheses: Sequence[str], references: Sequence[str]) -> np.ndarray:
    """Return, for each sentence, its four counts of matching n-grams, its four counts of n-grams and both lengths."""
    # `effective_order` silences a warning on scores of single sentences; only their counts are used.
    metric = BLEU(effective_order=True, force=True)
    rows = []
    for hypothesis, reference in zip(hypotheses, references, strict=True):
        score = metric.sentence_score(hypothesis, [reference])
        rows.append([*score.counts, *score.totals, score.sys_len, score.ref_len])
    return np.array(rows, dtype=np.int64)


def bleu_of_counts(counts: np.ndarray) -> float:
    """Return corpus BLEU from summed counts, smoothed as `score_translations` smooths it."""
    correct, total = counts[:4].tolist(), counts[4:8].tolist()
    return BLEU.compute_bleu(correct, total, int(counts[8]), int(counts[9]), smooth_method="exp").score


def _check_lengths(hypotheses: Sequence[str], references: Sequence[str]) -> None:
    if isinstance(hypotheses, str) or isinstance(references, str):
        raise DataError("Translations are scored as a list of sentences, not as one string. Put the string in a list.")
    if len(hypotheses) != len(references):
        raise DataError(
            f"There are {len(hypotheses)} translations and {len(references)} references. "
            f"Give one reference for each translation, in the same order."
        )
    if not hypotheses:
        raise DataError("There are 0 translations to score. Give at least one.")
