"""What a comparison finds, in sentences: who is best, which gaps are real, and what limits the answer."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations

from heed.comparing.results import Comparison, Standing, TrialResult
from heed.comparing.statistics import Difference
from heed.comparing.wording import Scale, beyond_texts, listed, percent, scale_of, short, verdict, version_of


def answer(comparison: Comparison) -> str:
    """Return the answer in a few sentences."""
    best, scale = comparison.standings[0], scale_of(comparison)
    reached = f"{scale.interval(best.score)}{scale.unit} {scale.title}"
    if len(comparison.standings) == 1:
        return f"{best.name} reaches {reached}."
    first = f"{best.name} scores highest of {len(comparison.standings)}: {reached}."
    return " ".join([first, *_lead(comparison), *_beside_baseline(comparison, scale), *_as_good(comparison)])


def gap_sentences(comparison: Comparison) -> list[str]:
    """Return one sentence a gap: of the best to each of the others, then of those to the baseline."""
    best, *others = comparison.standings
    scale, baseline = scale_of(comparison), comparison.baseline
    sentences = [
        _gap(best.name, other.name, _turned(other.against_best), scale) for other in others if other.against_best
    ]
    if baseline is not None and baseline != best.name:
        sentences += [
            _gap(other.name, baseline, other.against_baseline, scale) for other in others if other.against_baseline
        ]
    return sentences


def cautions(comparison: Comparison) -> list[str]:
    """Return what a reader must know before believing the scores."""
    return [
        *_about_seeds(comparison),
        *_about_cutting(comparison.standings),
        *_about_twins(comparison),
        *_about_versions(comparison.trials),
    ]


def _lead(comparison: Comparison) -> Iterator[str]:
    """Yield over whom the best leads for certain, over whom by one seed, and over whom by chance."""
    by_verdict: dict[str, list[str]] = {"real": [], "may be the seed": [], "may be chance": []}
    for other in comparison.standings[1:]:
        if other.against_best:
            by_verdict[verdict(other.against_best)].append(other.name)
    words = {"real": "is real", "may be the seed": "may be the luck of one seed", "may be chance": "may be chance"}
    said: list[str] = []
    for found, names in by_verdict.items():
        if names:
            said.append(f"over {listed(names)} {'it ' if said else ''}{words[found]}")
    if said:
        yield f"Its lead {'; '.join(said)}."


def _beside_baseline(comparison: Comparison, scale: Scale) -> Iterator[str]:
    best = comparison.standings[0]
    if best.name == comparison.baseline:
        yield "It is the baseline: nothing beats it."
    elif best.against_baseline is not None:
        above = f"{scale.distance(best.against_baseline)} above the baseline {comparison.baseline}"
        yield f"It is {above} {scale.bounds(best.against_baseline)}: {verdict(best.against_baseline)}."


def _as_good(comparison: Comparison) -> Iterator[str]:
    """Yield which of those that may be as good as the best is quickest: the one to use where speed counts."""
    best, *others = comparison.standings
    equal = [other for other in others if other.against_best and not other.against_best.real]
    quickest = min([best, *equal], key=lambda standing: standing.latency)
    if quickest is not best:
        speeds = f"{short(1000 * quickest.latency)} ms a text, {best.name} {short(1000 * best.latency)}"
        yield f"Of those that may be as good, {quickest.name} is the quickest ({speeds})."


def _turned(difference: Difference) -> Difference:
    """Return the same gap, seen from the other side."""
    return replace(difference, mean=-difference.mean, low=-difference.high, high=-difference.low)


def _gap(name: str, other: str, difference: Difference, scale: Scale) -> str:
    above = difference.mean >= 0
    seen = difference if above else _turned(difference)
    distance, bounds = scale.distance(seen), scale.bounds(seen)
    if beyond_texts(difference):
        side = f"{distance} {'above' if above else 'below'} {other} {bounds}"
        return f"{name} is {side}: more than other test texts would change, but it may be the luck of one seed"
    if not difference.real:
        higher, lower = (name, other) if above else (other, name)
        return f"{higher} and {lower}: the gap of {distance} {bounds} may be chance"
    return f"{name} is {distance} {'above' if above else 'below'} {other} {bounds}: real"


def _about_seeds(comparison: Comparison) -> Iterator[str]:
    once = {trial.contender: trial.deterministic for trial in comparison.trials}
    alone = [standing.name for standing in comparison.standings if standing.seeds == 1]
    # Where others have several seeds, one run is all that a model without seeds needs.
    lucky = [name for name in alone if len(alone) == len(comparison.standings) and not once.get(name, False)]
    if lucky:
        who = "Each model" if len(lucky) == len(comparison.standings) else listed(lucky)
        yield (
            f"{who} was trained with one seed only: how much of a score is the luck of that seed is not known, so no "
            f"gap is called real. Give --seeds 3 or more."
        )
    steady = [name for name in alone if name not in lucky]
    if steady:
        yield f"{listed(steady)} {'uses' if len(steady) == 1 else 'use'} no seed: training again gives the same model."


def _about_cutting(standings: Sequence[Standing]) -> Iterator[str]:
    by_share: dict[str, list[str]] = {}
    for standing in standings:
        if standing.cut_share > 0:
            by_share.setdefault(percent(standing.cut_share), []).append(standing.name)
    if by_share:
        cut = "; ".join(f"{share} % of the tokens by {listed(names)}" for share, names in by_share.items())
        yield f"Some test texts are longer than a model reads, and were cut: {cut}."


def _about_twins(comparison: Comparison) -> Iterator[str]:
    """Yield who gave the same answers throughout: what differs between them may not be used at all."""
    by_name: dict[str, list[object]] = {}
    for trial in comparison.trials:
        said = (trial.seed, list(trial.predicted), list(trial.confidence), [list(each) for each in trial.statistics])
        by_name.setdefault(trial.contender, []).append(said)
    for (one, own), (other, others) in combinations(by_name.items(), 2):
        if own == others and comparison.examples:
            yield (
                f"{one} and {other} gave exactly the same answers with every seed: what differs in their settings had "
                f"no effect."
            )


def _about_versions(trials: Sequence[TrialResult]) -> Iterator[str]:
    by_version: dict[str, list[str]] = {}
    for trial in trials:
        names = by_version.setdefault(version_of(trial), [])
        if trial.contender not in names:
            names.append(trial.contender)
    if len(by_version) > 1:
        told = "; ".join(f"{listed(names)} by {version}" for version, names in by_version.items())
        yield f"The models were not all trained by the same version ({told}): gaps may come from that."
