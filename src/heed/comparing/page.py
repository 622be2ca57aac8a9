"""A comparison as one HTML file that needs nothing else: no script, no network, by day and by night, and on paper."""

from importlib.resources import files
from pathlib import Path

from heed.comparing.charts import curve_svg, scores_svg
from heed.comparing.disagreements import find_disagreements
from heed.comparing.findings import answer, cautions, gap_sentences
from heed.comparing.page_confusion import confusions
from heed.comparing.page_examples import contested_examples, failed_examples
from heed.comparing.page_tables import reading_table, standings_table, trials_table, values_table
from heed.comparing.results import Comparison
from heed.comparing.series import COLOURS, MOST_CURVES
from heed.comparing.wording import listed, scale_of
from heed.files.atomic import write_text
from heed.pages.document import document, identifier_of, links_to, shared_style
from heed.pages.markup import Child, Markup, element, together
from heed.pages.parts import bullets, name, pairs_list, section

# Even if a text from the data became more than text, the browser would run nothing and fetch nothing.
POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"


def write_page(comparison: Comparison, path: Path) -> None:
    """Write the page."""
    write_text(path, page_text(comparison))


def page_text(comparison: Comparison) -> str:
    """Return the page."""
    title = f"{comparison.task}: {len(comparison.standings)} models compared"
    sections = _sections(comparison)
    head = element("p", f"{len(comparison.examples):,} test examples of ", name(comparison.origin))
    main = element("main", element("h1", title), head, links_to(sections), *sections.values())
    return document(title, main, _style(), POLICY)


def _style() -> str:
    colours = "".join(f".c{number}{{--c:{colour}}}" for number, colour in enumerate(COLOURS))
    return colours + shared_style() + files("heed.comparing").joinpath("page_style.css").read_text(encoding="utf-8")


def _sections(comparison: Comparison) -> dict[str, Markup]:
    """Return the sections by their titles, in order."""
    found = find_disagreements(comparison)
    parts: dict[str, Markup] = {
        "The answer": _answer(comparison),
        "Models": together(
            [standings_table(comparison), _scores(comparison), values_table(comparison), trials_table(comparison)]
        ),
        "Learning curves": _curves(comparison),
        "Confusions": confusions(comparison) if comparison.labels else Markup(""),
        "Where they disagree": contested_examples(comparison, found),
        "What all get wrong": failed_examples(comparison, found),
        "Cut and unknown": reading_table(comparison),
        "How to repeat it": _facts(comparison),
    }
    return {title: section(identifier_of(title), title, part) for title, part in parts.items() if part.text}


def _answer(comparison: Comparison) -> Markup:
    return together(
        [
            element("p", answer(comparison), class_="answer"),
            bullets(gap_sentences(comparison)),
            *(element("p", f"Mind: {caution}", class_="caution") for caution in cautions(comparison)),
        ]
    )


def _scores(comparison: Comparison) -> Markup:
    seeds = "Mark: mean over the seeds. Line: its 95 % interval over seeds. Small circles: single seeds."
    return _figure(scores_svg(comparison), seeds if _has_seeds(comparison) else "One seed each.")


def _curves(comparison: Comparison) -> Markup:
    drawn = curve_svg(comparison)
    if not drawn:
        return element("p", "No model was validated while it trained.")
    seeds = "Thick: mean of the seeds, as far as all of them came. Thin: single seeds."
    said = [seeds] if _has_seeds(comparison) else []
    said += [f"The {MOST_CURVES} best are drawn."] if len(comparison.standings) > MOST_CURVES else []
    return _figure(drawn, " ".join(said))


def _figure(drawn: str, said: str) -> Markup:
    return element("figure", Markup(drawn), element("figcaption", said))


def _has_seeds(comparison: Comparison) -> bool:
    return any(standing.seeds > 1 for standing in comparison.standings)


def _facts(comparison: Comparison) -> Markup:
    seeds = sorted({trial.seed for trial in comparison.trials})
    pairs: list[tuple[Child, Child]] = [
        ("data", name(comparison.origin)),
        ("task", comparison.task),
        ("models", listed([standing.name for standing in comparison.standings])),
        ("seeds", listed([str(seed) for seed in seeds])),
        ("training of each", comparison.budget),
        ("ranked by", f"{scale_of(comparison).title} on the test data"),
    ]
    pairs += [(key, fact) for key, fact in comparison.facts.items() if key != "command"]
    command = comparison.facts.get("command")
    shown = element("pre", element("code", command), tabindex="0") if command is not None else Markup("")
    return together([shown, pairs_list(pairs)])
