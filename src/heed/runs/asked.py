"""What a person asks for is what the run has, or it is refused: `settled` compares the one with the other.

Asked for is what stands in `--set`, in a settings file, in the `settings` of a call or in `--over`. Two things may be
in its way: a base, which brings sizes, vocabulary and colours of its own, and a task or model that has no use for it
(`runs/unused.py`). A value that the run would have anyway may be given.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from heed.errors import SettingsError
from heed.runs.based import based
from heed.runs.settings import ClassificationSettings, RunSettings, TranslationSettings
from heed.runs.unused import Unused, unused_in
from heed.runs.vectors_settings import VectorsSettings
from heed.settings import shown_value

Values = Mapping[str, object]

_ABSENT = object()
_NAMED_APART = ("task", "base", "data")  # what is to be done, from what and with what: never replaced by a base


@dataclass(frozen=True)
class Proposal:
    """Settings with all that is asked for, beside those that the run would have."""

    asked: Values
    wanted: RunSettings
    real: RunSettings  # after the base was read
    usual: RunSettings  # if only what the run uses were asked for


def settled(proposal: Proposal) -> RunSettings:
    """Return the settings as the run will have them; refuse what is asked for and would not be had."""
    for sentence in refusals(proposal).values():
        raise SettingsError(sentence)
    return proposal.real


def refusals(proposal: Proposal) -> dict[str, str]:
    """Return what is asked for and would not be had, each with a sentence about it."""
    unused, found = unused_in(proposal.real), {}
    for name in names_in(proposal.asked):
        wanted, has = _value(proposal.wanted, name), _value(proposal.real, name)
        rule = next((each for each in unused if each.covers(name)), None)
        if rule is not None and wanted != _value(proposal.usual, name):
            found[name] = _without_use(name, wanted, rule)
        elif rule is None and wanted != has and name.split(".")[0] not in _NAMED_APART:
            found[name] = _replaced(name, wanted, has, proposal.real)
    return found


def settled_changes(known: RunSettings, changes: Values, changed: RunSettings) -> RunSettings:
    """Return the settings of a run with some changed, as it will have them; refuse a change that would not be one."""
    return settled(Proposal(changes, changed, based(changed), known))


def names_in(values: Values, above: str = "") -> Iterator[str]:
    """Yield the names of all settings in the values: `training.steps`."""
    for key, value in values.items():
        if isinstance(value, Mapping):
            yield from names_in(value, f"{above}{key}.")
        else:
            yield f"{above}{key}"


def without(values: Values, names: Iterator[str] | set[str]) -> dict[str, object]:
    """Return the values without the settings of these names."""
    left_out = set(names)

    def rest(part: Values, above: str) -> Iterator[tuple[str, object]]:
        for key, value in part.items():
            if f"{above}{key}" not in left_out:
                yield key, dict(rest(value, f"{above}{key}.")) if isinstance(value, Mapping) else value

    return dict(rest(values, ""))


def settled_by_labels(settings: ClassificationSettings, numbers: bool) -> ClassificationSettings:
    """Return the settings once the labels of the data are known to be numbers or not; refuse what is of no use then.

    Nothing could be refused before the data was read; by now what was asked for is what is not the default.
    """
    known = replace(settings, outcome="number" if numbers else "label")
    usual = replace(type(settings)(), model=type(settings.model)())
    before = unused_in(settings)
    for rule in unused_in(known):
        for name in rule.names if rule not in before else ():
            if _value(settings, name) not in (_value(usual, name), 0.0):  # without any smoothing is as it will be
                raise SettingsError(_without_use(name, _value(settings, name), rule))
    return replace(settings, training=replace(settings.training, label_smoothing=0.0)) if numbers else settings


def _without_use(name: str, wanted: object, rule: Unused) -> str:
    return f"{name} is {shown_value(wanted)}, but {rule.why}. {rule.instead}"


def _replaced(name: str, wanted: object, has: object, real: RunSettings) -> str:
    asked = f"{name} is {shown_value(wanted)}"
    match real:
        case TranslationSettings():
            return (
                f"{asked}, but shared_tokens is false: source and target have no table in common, and the run would "
                f"have {name}={shown_value(has)}. Use that, or shared_tokens=true."
            )
        case VectorsSettings():
            return f"{asked}, but training.epochs is {shown_value(has)}: both say the same thing. Give one of them."
        case _:
            base = getattr(real, "base", None)
    its = f"the base {base} has {shown_value(has)}" if has is not _ABSENT else f"the base {base} has no such setting"
    if name in ("model.longest", "length"):
        return f"{asked}, but {its} positions. Use {name}={shown_value(has)} or less, or train without --from."
    return f"{asked}, but {its}, and what starts from it keeps that. Leave {name} out, or train without --from."


def _value(settings: object, name: str) -> object:
    for part in name.split("."):
        settings = getattr(settings, part, _ABSENT)
    return settings
