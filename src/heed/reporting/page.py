"""A run as one HTML file that needs nothing else: no script, no network, by day and by night, and on paper."""

import base64
import hashlib
from importlib.resources import files
from pathlib import Path

from heed import __version__
from heed.files.atomic import write_text
from heed.files.quoting import shortened
from heed.pages.document import document, identifier_of, links_to, shared_style
from heed.pages.markup import Child, Markup, element, together
from heed.pages.parts import fold, pairs_list, section, table
from heed.reporting.commands import commands_for
from heed.reporting.facts import RunFacts
from heed.reporting.numbers import size_text, spelled
from heed.reporting.page_curves import curves_section
from heed.reporting.page_data import cut_section, data_section, masking_section
from heed.reporting.page_samples import samples_section
from heed.reporting.settings_list import Setting
from heed.reporting.wording import date_text, headline, length_text, state_sentence, title_of
from heed.runs.folder import RunFolder

MOST_SETTINGS = 1_000  # rows; a run has a hundred
LONGEST_VALUE = 2_000  # characters of a setting: a list of files may be long


def write_report(folder: RunFolder, facts: RunFacts) -> Path:
    """Write the page into the run's folder, and return where it is."""
    folder.write_report(page_text(facts))
    return folder.report


def write_page(facts: RunFacts, path: Path) -> Path:
    """Write the page elsewhere, and return where it is."""
    write_text(path, page_text(facts))
    return path


def page_text(facts: RunFacts) -> str:
    """Return the page."""
    title = f"{facts.task}: {facts.name}"
    sections = _sections(facts)
    main = element("main", element("h1", element("bdi", title)), links_to(sections), *sections.values())
    style = shared_style() + files("heed.reporting").joinpath("page_style.css").read_text(encoding="utf-8")
    return document(title, main, style, _policy(style))


def _policy(style: str) -> str:
    """Return what a browser may do with the page: take this one style, run nothing and fetch nothing."""
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    return f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"


def _sections(facts: RunFacts) -> dict[str, Markup]:
    """Return the sections by their titles, in order; what a run does not have is left out."""
    parts: dict[str, Markup] = {
        "The result": _result(facts),
        "Curves": curves_section(facts),
        "Samples along training": samples_section(facts.samples),
        "Data": data_section(facts.data),
        "What was cut": cut_section(facts.data),
        "How words were hidden": masking_section(facts.data.masking, facts.data.pairs),
        "Settings": _settings(facts.settings),
        "How to use it": _commands(facts),
    }
    return {title: section(identifier_of(title), title, part) for title, part in parts.items() if part.text}


def _result(facts: RunFacts) -> Markup:
    state = state_sentence(facts)
    cautions = [*([state] if state is not None else []), *(f"Mind: {fault}" for fault in facts.faults)]
    return together(
        [
            element("p", headline(facts), class_="answer"),
            *(element("p", caution, class_="caution") for caution in cautions),
            _scores(facts),
            pairs_list(_circumstances(facts)),
        ]
    )


def _scores(facts: RunFacts) -> Markup:
    best = facts.best
    if best is None or len(best.values) < 2:
        return Markup("")
    names = sorted(best.values, key=lambda name: name != best.name)
    rows: list[list[Child]] = [[title_of(name), spelled(best.values[name])] for name in names]
    return table(f"All that was measured on the validation data at step {best.step:,}", ["Score", "Value"], rows)


def _circumstances(facts: RunFacts) -> list[tuple[Child, Child]]:
    pairs: list[tuple[Child, Child]] = [("state", facts.state)]
    if facts.began is not None and facts.ended is not None:
        pairs.append(("trained", f"{date_text(facts.began)} to {date_text(facts.ended)}, by the dates of its files"))
    if facts.progress.steps:
        pairs.append(("length", length_text(facts)))
    pairs += [(name, element("bdi", value)) for name, value in facts.machine.items()]
    if facts.bytes_to_predict:
        pairs.append(("size", f"{size_text(facts.bytes_to_predict)} that prediction needs"))
    return [*pairs, ("this page", f"written by heed {__version__}")]


def _settings(settings: tuple[Setting, ...]) -> Markup:
    changed = [setting for setting in settings if setting.usual is not None][:MOST_SETTINGS]
    rows: list[list[Child]] = [[_code(each.name), _value(each)] for each in settings[:MOST_SETTINGS]]
    if not rows:
        return Markup("")
    whole = fold(f"All {len(rows)} settings", table("All settings", ["Setting", "Value"], rows, kind="settings"))
    if not changed:
        return together([element("p", "All settings are the usual ones of this task, data and kind of model."), whole])
    chosen: list[list[Child]] = [[_code(each.name), _code(each.value), _code(each.usual or "")] for each in changed]
    caption = "Settings that are not what this task, data and kind of model usually have"
    return together([table(caption, ["Setting", "Here", "Usual"], chosen, kind="settings"), whole])


def _value(setting: Setting) -> Child:
    value = _code(setting.value)
    return value if setting.usual is None else together([value, element("small", f" usual: {setting.usual}")])


def _code(text: str) -> Markup:
    return element("code", shortened(text, LONGEST_VALUE))


def _commands(facts: RunFacts) -> Markup:
    pairs = [(said, element("code", command)) for said, command in commands_for(facts)]
    return pairs_list(pairs) if pairs else Markup("")
