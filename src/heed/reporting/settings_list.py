"""The settings of a run one by one, and for each what it would have been unless told otherwise."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from heed.errors import HeedError
from heed.runs.defaults import model_name, resolve
from heed.runs.settings import RunSettings, read_settings
from heed.runs.strict_json import JSON
from heed.runs.unused import Unused, unused_in
from heed.settings import to_dict

# What every run has of its own: its data, and the number of threads of its machine.
_OWN = ("data.", "training.threads")


@dataclass(frozen=True)
class Setting:
    """One setting; both values are JSON."""

    name: str  # model.width
    value: str
    usual: str | None  # the value that the task would have taken by itself; None: this one, or it is not known


@dataclass(frozen=True)
class SettingsList:
    """All settings of a run, in the order of its file."""

    settings: tuple[Setting, ...] = ()
    fault: str | None = None  # why it is not known what is usual


def list_settings(values: Mapping[str, JSON]) -> SettingsList:
    """Return the settings that the run uses; those of another version are all listed, without what is usual."""
    unused: tuple[Unused, ...] = ()
    try:
        settings = read_settings(values, "settings")
        usual, unused, fault = _usual(settings), unused_in(settings), None
    except HeedError as problem:
        usual, fault = {}, f"The settings are not those of this version, so that none is compared: {problem}"
    listed = tuple(
        Setting(name, value, usual[name] if usual.get(name, value) != value else None)
        for name, value in _flat(values)
        if not any(each.covers(name) for each in unused)
    )
    return SettingsList(listed, fault)


def _usual(settings: RunSettings) -> dict[str, str]:
    """Return the settings of a new run of the same task, data and kind of model."""
    whole = to_dict(_new(settings))
    whole["model"] = whole["model"] if _kind(whole) == settings.model.kind else to_dict(type(settings.model)())
    return {name: value for name, value in _flat(whole) if not name.startswith(_OWN)}


def _new(settings: RunSettings) -> RunSettings:
    usual = resolve(settings.task, settings.data.train, None, {})
    if model_name(usual) == model_name(settings):
        return usual
    try:
        return resolve(settings.task, settings.data.train, model_name(settings), {})
    except HeedError:  # no model can be asked for by that name: a BERT that started from another
        return usual


def _kind(whole: Mapping[str, object]) -> object:
    model = whole["model"]
    return model.get("kind") if isinstance(model, Mapping) else None


def _flat(values: Mapping[str, object], above: str = "") -> Iterator[tuple[str, str]]:
    for name, value in values.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{above}{name}.")
        else:
            yield f"{above}{name}", json.dumps(value, ensure_ascii=False)
