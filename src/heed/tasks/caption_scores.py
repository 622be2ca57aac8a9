"""BLEU-1 to BLEU-4 and chrF of captions, each against several references, by sacrebleu.

Capital letters are not told from small ones, as in the evaluation of COCO (Chen et al. 2015): a model
whose vocabulary has small letters alone would otherwise be wrong at the beginning of each sentence.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF

from heed.errors import DataError
from heed.tasks.bootstrap import RESAMPLES, SEED, BootstrapInterval, draw_counts, percentile_interval
from heed.tasks.translation_scores import bleu_of_counts

References = Sequence[Sequence[str]]  # of each picture one or more


@dataclass(frozen=True, slots=True)
class CaptionScores:
    """Corpus scores over `count` pictures: BLEU and chrF from 0 to 100, higher is better."""

    bleu: tuple[float, float, float, float]  # with n-grams up to 1, 2, 3 and 4 words
    bleu_signature: str
    chrf: float
    chrf_signature: str
    exact: float  # share of captions equal to one of their references, from 0 to 1
    exact_first: float  # and to the first of them
    count: int


def score_captions(captions: Sequence[str], references: References) -> CaptionScores:
    """Return the scores of the captions, each against the references at its place."""
    _check(captions, references)
    streams = _streams(references)
    metrics = [BLEU(lowercase=True, max_ngram_order=order, force=True) for order in (1, 2, 3, 4)]
    one, two, three, four = (metric.corpus_score(captions, streams).score for metric in metrics)
    chrf = CHRF(lowercase=True)
    return CaptionScores(
        bleu=(one, two, three, four),
        bleu_signature=str(metrics[-1].get_signature()),
        chrf=chrf.corpus_score(captions, streams).score,
        chrf_signature=str(chrf.get_signature()),
        exact=float(np.mean([said in given for said, given in _small(captions, references)])),
        exact_first=float(np.mean([said == given[0] for said, given in _small(captions, references)])),
        count=len(captions),
    )


def caption_interval(captions: Sequence[str], references: References, seed: int = SEED) -> BootstrapInterval:
    """Return the bootstrap interval of BLEU-4: pictures drawn with replacement, scored again each time."""
    counts_NC = _counts(captions, references)
    drawn = draw_counts(len(captions), RESAMPLES, seed)
    scores = [bleu_of_counts(counts) for counts_RN in drawn for counts in counts_RN @ counts_NC]
    return percentile_interval(np.array(scores), seed)


def _counts(captions: Sequence[str], references: References) -> np.ndarray:
    """Return, for each caption, its four counts of matching n-grams, its four counts of n-grams and both lengths."""
    # `effective_order` silences a warning on scores of single sentences; only their counts are used.
    metric = BLEU(lowercase=True, effective_order=True, force=True)
    rows = []
    for caption, given in zip(captions, references, strict=True):
        score = metric.sentence_score(caption, list(given))
        rows.append([*score.counts, *score.totals, score.sys_len, score.ref_len])
    return np.array(rows, dtype=np.int64)


def _small(captions: Sequence[str], references: References) -> Iterator[tuple[str, list[str]]]:
    """Yield each caption with its references, all in small letters."""
    for caption, given in zip(captions, references, strict=True):
        yield caption.lower(), [text.lower() for text in given]


def _streams(references: References) -> list[list[str]]:
    """Return the references as sacrebleu wants them: all first ones, all second ones; None where a picture has none."""
    most = max(map(len, references))
    streams = [[given[place] if place < len(given) else None for given in references] for place in range(most)]
    return cast(list[list[str]], streams)  # sacrebleu takes None, though its types do not say so


def _check(captions: Sequence[str], references: References) -> None:
    if len(captions) != len(references):
        raise DataError(f"There are {len(captions)} captions and references of {len(references)} pictures.")
    if not captions:
        raise DataError("There are 0 captions to score. Give at least one picture.")
    for number, given in enumerate(references, start=1):
        if not given:
            raise DataError(f"Picture {number} of {len(references)} has no caption to compare with. Leave it out.")
