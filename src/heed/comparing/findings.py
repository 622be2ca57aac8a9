"""What a comparison finds, in sentences: who is best, which gaps are real, and what limits the answer."""

from collections.abc import Iterator, Sequence

from heed.comparing.results import Comparison, Standing
from heed.comparing.statistics import Difference
from heed.comparing.wording import Scale, listed, percent, scale_of, short, verdict


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
    return [*_about_seeds(comparison.standings), *_about_cutting(comparison.standings)]


def _lead(comparison: Comparison) -> Iterator[str]:
    _, *others = comparison.standings
    behind = [other.name for other in others if other.against_best and other.against_best.real]
    equal = [other.name for other in others if other.against_best and not other.against_best.real]
    if behind and equal:
        yield f"Its lead over {listed(behind)} is real; over {listed(equal)} it may be chance."
    elif behind:
        yield f"Its lead over {listed(behind)} is real."
    elif equal:
        yield f"Its lead over {listed(equal)} may be chance."


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
    return Difference(-difference.mean, -difference.high, -difference.low, difference.p_value, difference.real)


def _gap(name: str, other: str, difference: Difference, scale: Scale) -> str:
    above = difference.mean >= 0
    seen = difference if above else _turned(difference)
    distance, bounds = scale.distance(seen), scale.bounds(seen)
    if not difference.real:
        higher, lower = (name, other) if above else (other, name)
        return f"{higher} and {lower}: the gap of {distance} {bounds} may be chance"
    return f"{name} is {distance} {'above' if above else 'below'} {other} {bounds}: real"


def _about_seeds(standings: Sequence[Standing]) -> Iterator[str]:
    alone = [standing.name for standing in standings if standing.seeds == 1]
    if len(alone) == len(standings):
        yield (
            "Each model was trained with one seed only: how much of its score is the luck of that seed is not known. "
            "Give --seeds 3 or more."
        )
    elif alone:
        yield f"{listed(alone)} {'uses' if len(alone) == 1 else 'use'} no seed: training again gives the same model."


def _about_cutting(standings: Sequence[Standing]) -> Iterator[str]:
    by_share: dict[str, list[str]] = {}
    for standing in standings:
        if standing.cut_share > 0:
            by_share.setdefault(percent(standing.cut_share), []).append(standing.name)
    if by_share:
        cut = "; ".join(f"{share} % of the tokens by {listed(names)}" for share, names in by_share.items())
        yield f"Some test texts are longer than a model reads, and were cut: {cut}."
