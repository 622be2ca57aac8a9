"""What is compared: contenders, each trained with every seed, on one split and with one budget."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from heed.errors import UsageError
from heed.models.tfidf import TfidfSettings
from heed.runs.asked import settled_changes
from heed.runs.based import based
from heed.runs.defaults import resolve_each
from heed.runs.settings import RunSettings, read_settings
from heed.settings import to_dict, with_overrides

UNCHANGED = "unchanged"  # the contender that is the run itself
_FOREIGN = re.compile(r"[^A-Za-z0-9=.,_-]+")  # what has no place in the name of a folder


@dataclass(frozen=True)
class Contender:
    """One of those that are compared: a name, and everything that decides what its runs become, except the seed."""

    name: str
    settings: RunSettings
    notes: tuple[str, ...] = ()  # about settings that were given to all contenders, and do not apply to this one

    @property
    def is_deterministic(self) -> bool:
        """Tell whether every seed would give the same model, so that one is enough."""
        return isinstance(self.settings.model, TfidfSettings)


@dataclass(frozen=True)
class Trial:
    """A contender with one seed."""

    contender: Contender
    seed: int

    @property
    def name(self) -> str:
        """Return what its folder is called."""
        return f"{_folder_name(self.contender.name)}-{self.seed}"

    @property
    def settings(self) -> RunSettings:
        """Return the settings of its run."""
        return with_seed(self.contender.settings, self.seed)


@dataclass(frozen=True)
class Plan:
    """All trials of a comparison. Seeds come first, so that an interrupted one has seen every contender."""

    contenders: tuple[Contender, ...]
    seeds: int
    baseline: str | None  # the contender that the others should beat

    def trials(self) -> Iterator[Trial]:
        """Yield all trials in the order in which they are trained."""
        for seed in range(1, self.seeds + 1):
            for contender in self.contenders:
                if seed == 1 or not contender.is_deterministic:
                    yield Trial(contender, seed)

    def facts(self) -> dict[str, object]:
        """Return the plan as JSON can hold it, for telling one comparison from another."""
        return {
            "contenders": {each.name: to_dict(each.settings) for each in self.contenders},
            "seeds": self.seeds,
            "baseline": self.baseline,
        }


def plan_models(task: str, data: Sequence[str], models: Sequence[str], seeds: int, given: Mapping[str, object]) -> Plan:
    """Return the plan that compares named models, each with its own defaults under the settings that are given."""
    if len(set(models)) < len(models):
        raise UsageError(f"--models {','.join(models)} names one model twice. Name each once.")
    if not models:
        raise UsageError("No model is named. Give two or more: --models tfidf,textcnn,transformer.")
    _refuse_one_folder([_short(model) for model in models])
    resolved = resolve_each(task, data, models, given)
    contenders = tuple(Contender(_short(model), each.settings, each.left_out) for model, each in resolved.items())
    _refuse_equal(contenders)
    return Plan(contenders, _checked(seeds), "tfidf" if "tfidf" in models else None)


def _short(model: str) -> str:
    """Return what a model is called in tables: `bert:DIR` by the last part of its path."""
    name, colon, path = model.partition(":")
    return f"{name}:{Path(path).absolute().name}" if colon else model


def plan_changes(settings: RunSettings, over: Sequence[str], seeds: int) -> Plan:
    """Return the plan that changes one setting at a time of a run: each `name=value,value` of `over` is one.

    A name without a dot is a setting of the model.
    """
    settings = based(settings)  # a run of version 0.5 may have noted others than it had
    base, contenders = to_dict(settings), [Contender(UNCHANGED, settings)]
    for assignment in over:
        name, values = _split(assignment)
        for value in values:
            change = [f"{name}={value}"]
            changed = read_settings(with_overrides(base, change), "settings")
            changed = settled_changes(settings, with_overrides({}, change), changed)
            if changed != settings:
                contenders.append(Contender(f"{name.removeprefix('model.')}={value}", changed))
    if len(contenders) == 1:
        raise UsageError(f"--over {' '.join(over)} changes nothing: the run has just these values. Give others.")
    _refuse_one_folder([contender.name for contender in contenders])
    _refuse_equal(contenders)
    return Plan(tuple(contenders), _checked(seeds), UNCHANGED)


def _refuse_equal(contenders: Sequence[Contender]) -> None:
    """Refuse two contenders whose settings, seeds aside, are equal once they are resolved."""
    bases = [getattr(contender.settings, "base", None) for contender in contenders]
    seen: list[tuple[str, RunSettings]] = []
    for contender, base in zip(contenders, bases, strict=True):
        # A base decides the sizes of its model; one that no other contender starts from need not be read for that.
        resolved = with_seed(based(contender.settings) if bases.count(base) > 1 else contender.settings, 0)
        for name, settings in seen:
            if settings == resolved:
                raise UsageError(
                    f"{name} and {contender.name} would be the same model: their resolved settings are equal, seeds "
                    f"aside{_decided_by(resolved)}. Leave one of them out."
                )
        seen.append((contender.name, resolved))


def _decided_by(settings: RunSettings) -> str:
    base = getattr(settings, "base", None)
    return "" if base is None else f" (the base {base} decides the sizes of its model)"


def _refuse_one_folder(names: Sequence[str]) -> None:
    """Refuse two contenders that would share a folder, and so their runs and results; some file systems fold case."""
    seen: dict[str, str] = {}
    for name in names:
        folder = _folder_name(name).casefold()
        if seen.get(folder) == name:
            raise UsageError(f"Two contenders would be called {name}. Leave one out, or rename its folder.")
        if folder in seen:
            raise UsageError(
                f"{seen[folder]} and {name} would share the folder trials/{_folder_name(name)}-1. "
                f"Leave one out, or rename it."
            )
        seen[folder] = name


def _folder_name(name: str) -> str:
    return _FOREIGN.sub("_", name)


def with_seed(settings: RunSettings, seed: int) -> RunSettings:
    """Return the settings with another seed."""
    return replace(settings, training=replace(settings.training, seed=seed))


def _split(assignment: str) -> tuple[str, list[str]]:
    name, equals, values = assignment.partition("=")
    found = [value.strip() for value in values.split(",")]
    if not equals or not name.strip() or not all(found):
        raise UsageError(f"--over {assignment!r} cannot be read. Write it as positions=sinusoid,learned,none.")
    name = name.strip()
    return (name if "." in name else f"model.{name}"), found


def _checked(seeds: int) -> int:
    if not 1 <= seeds <= 100:
        raise UsageError(f"--seeds is {seeds}; it must be from 1 to 100. Three show how much is luck.")
    return seeds
