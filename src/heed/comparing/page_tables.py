"""The tables of the page: standings, all that was measured, each trial, and what was cut or unknown."""

from heed.comparing.results import Comparison
from heed.comparing.statistics import Difference
from heed.comparing.wording import Scale, costs, percent, probability, scale_of, short, verdict
from heed.pages.markup import Child, Markup, element
from heed.pages.parts import bullets, fold, name, table

MOST_TRIALS = 200  # rows


def standings_table(comparison: Comparison) -> Markup:
    """Return one row a contender, best first."""
    scale, several = scale_of(comparison), len(comparison.standings) > 1
    baseline = comparison.baseline if several else None
    titles: list[Child] = ["Model", f"{scale.title}{scale.unit}"]
    titles += ["To the best"] if several else []
    titles += [f"To the baseline {baseline}"] if baseline is not None else []
    titles += ["Parameters", "Training, minutes", "One text, ms", "Texts a second", "On disk", "Cut, %"]
    rows = []
    for standing in comparison.standings:
        gaps: list[Child] = [_gap(standing.against_best, "best", scale)] if several else []
        gaps += [_gap(standing.against_baseline, "baseline", scale)] if baseline is not None else []
        rows.append([name(standing.name), scale.interval(standing.score), *gaps, *costs(standing)])
    return table(_caption(comparison), titles, rows)


def values_table(comparison: Comparison) -> Markup:
    """Return everything that was measured on the test data, a mean over the seeds each."""
    titles = list(dict.fromkeys(key for standing in comparison.standings for key in standing.values))
    rows: list[list[Child]] = [
        [name(standing.name), *(f"{standing.values[key]:.4f}" if key in standing.values else "–" for key in titles)]
        for standing in comparison.standings
    ]
    return table("Everything measured on the test data, means over the seeds", ["Model", *titles], rows)


def trials_table(comparison: Comparison) -> Markup:
    """Return one row a trial, folded away."""
    scale, trials = scale_of(comparison), comparison.trials
    rows: list[list[Child]] = [
        [
            name(trial.contender),
            str(trial.seed),
            scale.value(trial.score),
            f"{trial.steps:,}",
            short(trial.seconds / 60),
        ]
        for trial in trials[:MOST_TRIALS]
    ]
    more = f", the first {MOST_TRIALS}" if len(trials) > MOST_TRIALS else ""
    titles = ["Model", "Seed", f"{scale.title}{scale.unit}", "Steps", "Minutes"]
    return fold(f"Each of the {len(trials)} trainings", table(f"Trainings{more}", titles, rows))


def reading_table(comparison: Comparison) -> Markup:
    """Return what share of the test data each contender could not read."""
    rows: list[list[Child]] = [
        [name(each.name), percent(each.unknown_share), percent(each.cut_share)] for each in comparison.standings
    ]
    table_itself = table("Tokens of the test data that a model did not see", ["Model", "Unknown, %", "Cut, %"], rows)
    meaning = [
        "Unknown: not in the vocabulary that the model learnt from the training data.",
        "Cut: beyond the longest text that the model reads (its setting “longest”).",
    ]
    whole = all(each.unknown_share == 0 and each.cut_share == 0 for each in comparison.standings)
    all_read = element("p", "Every model read every token of the test data.")
    return all_read if whole else element("div", table_itself, bullets(meaning))


def _gap(difference: Difference | None, itself: str, scale: Scale) -> Child:
    if difference is None:
        return itself
    said = f"{verdict(difference)}, p {_relation(probability(difference.p_value))}"
    return element("span", scale.gap(difference), element("br"), element("small", said))


def _relation(p_value: str) -> str:
    return p_value if p_value.startswith("<") else f"= {p_value}"


def _caption(comparison: Comparison) -> str:
    caption = f"Models on {len(comparison.examples):,} test examples, best first"
    if max(standing.seeds for standing in comparison.standings) > 1:
        caption += "; scores are means over seeds, ± half of the 95 % interval over seeds"
    if len(comparison.standings) > 1:
        caption += "; gaps have their 95 % interval over other test texts and seeds in brackets; all gaps hold at once"
    return caption
