"""What each contender says of every test example, its seeds taken together, and how far that is from the others.

Letters of shapes: C contenders, S seeds of one contender, N test examples, K statistics of an example.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy

from heed.comparing.results import Comparison, TrialResult

Numbers = numpy.ndarray


@dataclass(frozen=True)
class Opinions:
    """What is said of each example, how strongly that differs, and how surely it is wrong."""

    said: Sequence[Sequence[str]]  # by contender, in the order of the standings, and example
    votes_CN: Numbers  # seeds that say so
    confidence_CN: Numbers  # the mean probability those seeds give it; NaN where there is none
    right_CN: Numbers | None  # None where an answer is not simply right or wrong
    contested_N: Numbers  # True where not all say the same
    strength_N: Numbers  # of the disagreement
    failed_N: Numbers  # True where none is right
    failure_N: Numbers  # how much that points to the example itself


def opinions_of(comparison: Comparison) -> Opinions:
    """Return what the contenders say, compared as labels, as numbers or as texts."""
    sides = [
        [trial for trial in comparison.trials if trial.contender == standing.name] for standing in comparison.standings
    ]
    expected = [example.expected for example in comparison.examples]
    match comparison.metric:
        case "spearman":
            return _of_numbers(sides, expected)
        case "bleu":
            return _of_texts(sides, expected)
        case _:
            return _of_labels(sides, expected)


def _of_labels(sides: Sequence[Sequence[TrialResult]], expected: Sequence[str]) -> Opinions:
    codes: dict[str, int] = {}
    expected_N = _codes(expected, codes)
    majority = _majority(sides, codes)
    # A contender that gives no probability is taken at its word.
    weight_CN = numpy.nan_to_num(majority.confidence_CN, nan=1.0)
    right_CN = majority.codes_CN == expected_N
    return Opinions(
        said=majority.said,
        votes_CN=majority.votes_CN,
        confidence_CN=majority.confidence_CN,
        right_CN=right_CN,
        contested_N=(majority.codes_CN != majority.codes_CN[0]).any(axis=0),
        strength_N=contradiction(majority.codes_CN, weight_CN),
        failed_N=~right_CN.any(axis=0),
        failure_N=agreement(majority.codes_CN, weight_CN),
    )


def _of_numbers(sides: Sequence[Sequence[TrialResult]], expected: Sequence[str]) -> Opinions:
    means_CN = numpy.array(
        [numpy.mean([list(map(float, trial.predicted)) for trial in side], axis=0) for side in sides]
    )
    error_CN = numpy.abs(means_CN - numpy.array(list(map(float, expected))))
    spread_N = means_CN.max(axis=0) - means_CN.min(axis=0)
    seeds_C1 = numpy.array([[len(side)] for side in sides])
    return Opinions(
        said=[[f"{value:.3f}" for value in row] for row in means_CN.tolist()],
        votes_CN=numpy.broadcast_to(seeds_C1, means_CN.shape),
        confidence_CN=numpy.full(means_CN.shape, numpy.nan),
        right_CN=None,
        contested_N=spread_N > 0,
        strength_N=spread_N,
        failed_N=error_CN.min(axis=0) > 0,
        failure_N=error_CN.min(axis=0),
    )


def _of_texts(sides: Sequence[Sequence[TrialResult]], expected: Sequence[str]) -> Opinions:
    codes: dict[str, int] = {}
    expected_N = _codes(expected, codes)
    majority = _majority(sides, codes)
    quality_CN = numpy.array(
        [numpy.mean([sentence_bleu(trial.statistics) for trial in side], axis=0) for side in sides]
    )
    return Opinions(
        said=majority.said,
        votes_CN=majority.votes_CN,
        confidence_CN=majority.confidence_CN,
        right_CN=None,
        contested_N=(majority.codes_CN != majority.codes_CN[0]).any(axis=0),
        strength_N=quality_CN.max(axis=0) - quality_CN.min(axis=0),
        failed_N=(majority.codes_CN != expected_N).all(axis=0),
        failure_N=-quality_CN.max(axis=0),
    )


@dataclass(frozen=True)
class _Majority:
    said: list[list[str]]
    codes_CN: Numbers
    votes_CN: Numbers
    confidence_CN: Numbers


def _majority(sides: Sequence[Sequence[TrialResult]], codes: dict[str, int]) -> _Majority:
    rows = [_majority_of_seeds(side, codes) for side in sides]
    names = list(codes)  # a code is the place in the order of first sight
    return _Majority(
        said=[[names[code] for code in row[0].tolist()] for row in rows],
        codes_CN=numpy.array([row[0] for row in rows]),
        votes_CN=numpy.array([row[1] for row in rows]),
        confidence_CN=numpy.array([row[2] for row in rows]),
    )


def _majority_of_seeds(side: Sequence[TrialResult], codes: dict[str, int]) -> tuple[Numbers, Numbers, Numbers]:
    """Return what most seeds say, how many they are, and how sure; between equals the surer, then the first seed."""
    codes_SN = numpy.array([_codes(trial.predicted, codes) for trial in side])
    unsure_N = numpy.full(codes_SN.shape[1], numpy.nan)
    confidence_SN = numpy.array([trial.confidence if len(trial.confidence) else unsure_N for trial in side])
    votes_SN, sureness_SN = numpy.zeros(codes_SN.shape), numpy.zeros(codes_SN.shape)
    for row_N, sure_N in zip(codes_SN, confidence_SN, strict=True):
        same_SN = codes_SN == row_N
        votes_SN += same_SN
        sureness_SN += numpy.where(same_SN, sure_N, 0)
    # The sum of probabilities is at most the number of seeds, so that it only decides between equal votes.
    rank_SN = votes_SN + numpy.nan_to_num(sureness_SN) / (len(side) + 1)
    chosen_1N = rank_SN.argmax(axis=0, keepdims=True)
    code_N, votes_N, sureness_N = (
        numpy.take_along_axis(each, chosen_1N, axis=0)[0] for each in (codes_SN, votes_SN, sureness_SN)
    )
    return code_N, votes_N.astype(int), sureness_N / votes_N


def contradiction(codes_CN: Numbers, weight_CN: Numbers) -> Numbers:
    """Return the mean over pairs of contenders: 0 where both say the same, else the product of their weights."""
    pairs = list(combinations(range(len(codes_CN)), 2))
    total_N = numpy.zeros(codes_CN.shape[1])
    for one, other in pairs:
        total_N += (codes_CN[one] != codes_CN[other]) * weight_CN[one] * weight_CN[other]
    return total_N / max(1, len(pairs))


def agreement(codes_CN: Numbers, weight_CN: Numbers) -> Numbers:
    """Return the largest weight that stands behind one answer, divided by the number of contenders."""
    behind_CN = numpy.array([((codes_CN == row_N) * weight_CN).sum(axis=0) for row_N in codes_CN])
    return behind_CN.max(axis=0) / len(codes_CN)


def sentence_bleu(statistics: Sequence[Sequence[float]]) -> Numbers:
    """Return BLEU of each sentence from 0 to 1, one added to the counts of longer n-grams (Lin and Och 2004)."""
    counts_NK = numpy.asarray(statistics, dtype=float)
    correct_N4, total_N4 = counts_NK[:, :4], counts_NK[:, 4:8]
    added_4 = numpy.array([0.0, 1.0, 1.0, 1.0])
    precision_N4 = (correct_N4 + added_4) / numpy.maximum(total_N4 + added_4, 1)
    with numpy.errstate(divide="ignore"):  # the logarithm of no match at all is minus infinity, and the score 0
        mean_N = numpy.log(precision_N4).mean(axis=1)
    length_N, wanted_N = numpy.maximum(counts_NK[:, 8], 1), counts_NK[:, 9]
    return numpy.exp(mean_N + numpy.minimum(0, 1 - wanted_N / length_N))


def _codes(texts: Sequence[str], codes: dict[str, int]) -> Numbers:
    """Return the number of each text; new ones are entered."""
    return numpy.array([codes.setdefault(text, len(codes)) for text in texts])
