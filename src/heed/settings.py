"""`@settings`: a frozen, keyword-only dataclass, and the strict reader that fills one from TOML or JSON.

    @settings
    class WarmupSchedule:
        kind: Literal["warmup"] = "warmup"     # tag: picks this class when a field allows several
        peak: float = 1e-3
        warmup_steps: int = 400

        def __post_init__(self) -> None:       # checks that involve several fields, or a range
            if self.warmup_steps < 1:
                raise SettingsError(f"warmup_steps is {self.warmup_steps}. Use 1 or more.")

A field holds an int, float, str, bool, Literal, tuple, settings class, or a union of these with None. A union of
settings classes is told apart by `kind`; without it the class of the field's default is meant. A key that is not given
keeps the value of the field's default. TOML has no null: the text "none" means None wherever text is not allowed.
"""

import dataclasses
import difflib
import math
import reprlib
import types
import typing
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Literal, TypeVar, dataclass_transform

from heed.errors import SettingsError
from heed.settings_file import parse_assigned, parse_file

T = TypeVar("T")

# Fields are described by typing's own objects (int | None, Literal["a"]), which have no type in common.
FieldType = object

_BRIEF = reprlib.Repr()
_BRIEF.maxstring = _BRIEF.maxother = _BRIEF.maxlong = 80
_WORDS: dict[object, str] = {
    int: "an integer",
    float: "a finite number",
    str: "text",
    bool: "true or false",
    type(None): "none",
}


@dataclass_transform(frozen_default=True, kw_only_default=True)
def settings(cls: type[T]) -> type[T]:
    """Return the class as a frozen, keyword-only dataclass."""
    return dataclasses.dataclass(frozen=True, kw_only=True)(cls)


def read_file(cls: type[T], path: Path) -> T:
    """Return the settings that a TOML or JSON file describes."""
    return from_dict(cls, parse_file(path), f"{path}: settings")


def from_dict(cls: type[T], values: Mapping[str, object], where: str) -> T:
    """Return `cls` filled with the values; `where` is how error messages name the place, such as "settings"."""
    return _read_settings(cls, values, where, None)


def to_dict(value: object) -> dict[str, object]:
    """Return settings as plain dicts, lists and scalars, ready for JSON; `from_dict` gives them back."""
    if not _is_settings_value(value):
        raise TypeError(f"to_dict takes an instance of a settings class, not {value!r}")
    return {name: _plain(getattr(value, name)) for name in _fields(type(value))}


def with_overrides(values: Mapping[str, object], assignments: Sequence[str]) -> dict[str, object]:
    """Return a copy of the values with each "part.key=value" put in; the value is TOML, or else plain text."""
    result = dict(values)
    for assignment in assignments:
        name, equals, text = assignment.partition("=")
        keys = [key.strip() for key in name.split(".")]
        if not equals or not all(keys):
            raise SettingsError(f"The override {assignment!r} cannot be read. Write it as part.key=value.")
        result = _assign(result, keys, parse_assigned(text), assignment)
    return result


def shown_value(value: object) -> str:
    """Return the value of a setting as `--set` takes it."""
    match value:
        case None:
            return "none"
        case bool():
            return str(value).lower()
        case tuple() | list():
            return f"[{', '.join(map(shown_value, value))}]"
        case _:
            return str(value)


def _assign(values: Mapping[str, object], keys: list[str], value: object, assignment: str) -> dict[str, object]:
    key, *rest = keys
    if not rest:
        return {**values, key: value}
    inner = values.get(key)
    if inner is None:
        inner = {}
    if not isinstance(inner, Mapping):
        raise SettingsError(
            f"The override {assignment!r} cannot be applied: {key} is {_shown(inner)}, a single value. "
            f"Write {key}=value, without .{rest[0]}."
        )
    return {**values, key: _assign(inner, rest, value, assignment)}


def _plain(value: object) -> object:
    if _is_settings_value(value):
        return to_dict(value)
    if isinstance(value, tuple | list):
        return [_plain(item) for item in value]
    return value


def _read_settings(cls: type[T], values: object, where: str, base: object) -> T:
    """Fill `cls`; what is not given comes from `base` when that is of the same class, else from the class."""
    if not isinstance(values, Mapping):
        raise SettingsError(f"{where} is {_shown(values)}, but must be a table of keys and values.")
    fields, types_by_name = _fields(cls), typing.get_type_hints(cls)
    _refuse_unknown(values, list(fields), where)
    filled = {}
    for name, field in fields.items():
        default = getattr(base, name) if type(base) is cls else _default(field)
        if name in values:
            filled[name] = _read(types_by_name[name], values[name], f"{where}.{name}", default)
        elif default is dataclasses.MISSING:
            raise SettingsError(f"{where}.{name} is missing. Give it {_expected(types_by_name[name])}.")
        else:
            filled[name] = default
    return cls(**filled)


def _fields(cls: type[object]) -> dict[str, "dataclasses.Field[object]"]:
    assert dataclasses.is_dataclass(cls), f"{cls} is no settings class"
    return {field.name: field for field in dataclasses.fields(cls) if field.init}


def _default(field: "dataclasses.Field[object]") -> object:
    return field.default if field.default_factory is dataclasses.MISSING else field.default_factory()


def _refuse_unknown(values: Mapping[str, object], valid: list[str], where: str) -> None:
    for key in values:
        if key not in valid:
            raise SettingsError(
                f"{where}.{_key(key)} is not a setting.{_did_you_mean(key, valid)} Valid here: {', '.join(valid)}."
            )


def _read(field_type: FieldType, value: object, where: str, default: object) -> object:
    """Return the value as the field holds it, or refuse it."""
    options = _options(field_type)
    classes = [option for option in options if isinstance(option, type) and dataclasses.is_dataclass(option)]
    if classes and isinstance(value, Mapping):
        return _read_settings(_choose(classes, value, where, default), value, where, default)
    if type(None) in options and (value is None or (value == "none" and not _allows_text(options))):
        return None
    for option in options:
        if typing.get_origin(option) is tuple and isinstance(value, list | tuple):
            return _read_tuple(option, value, where)
        if _fits(option, value):
            # An int given for a float becomes one, so that the same settings always compare and print the same.
            return float(typing.cast(int, value)) if option is float else value
    raise SettingsError(f"{where} is {_shown(value)}, but must be {_expected(field_type)}.{_near_text(options, value)}")


def _options(field_type: FieldType) -> tuple[FieldType, ...]:
    if typing.get_origin(field_type) in (types.UnionType, typing.Union):
        return typing.get_args(field_type)
    return (field_type,)


def _choose(classes: Sequence[type[object]], values: Mapping[str, object], where: str, default: object) -> type[object]:
    """Return the class whose `kind` the values name, or the class of the default."""
    if len(classes) == 1:
        return classes[0]
    by_kind = {kind: cls for cls in classes for kind in typing.get_args(typing.get_type_hints(cls)["kind"])}
    if "kind" not in values:
        if type(default) in classes:
            return type(default)
        raise SettingsError(f"{where}.kind is missing. Give it one of: {', '.join(by_kind)}.")
    kind = values["kind"]
    if not isinstance(kind, str) or kind not in by_kind:
        raise SettingsError(
            f"{where}.kind is {_shown(kind)}, but must be one of: {', '.join(by_kind)}.{_did_you_mean(kind, by_kind)}"
        )
    return by_kind[kind]


def _read_tuple(tuple_type: FieldType, values: Sequence[object], where: str) -> tuple[object, ...]:
    item_types = typing.get_args(tuple_type)
    if item_types[-1] is Ellipsis:
        item_types = item_types[:1] * len(values)
    if len(item_types) != len(values):
        raise SettingsError(f"{where} is {_shown(values)}, but must be {_expected(tuple_type)}.")
    pairs = zip(item_types, values, strict=True)
    return tuple(_read(kind, item, f"{where}[{n}]", dataclasses.MISSING) for n, (kind, item) in enumerate(pairs))


def _fits(option: FieldType, value: object) -> bool:
    """Whether a scalar is of this type; True is no 1, NaN and infinity are no numbers, half a character is no text."""
    if typing.get_origin(option) is Literal:
        return any(type(value) is type(allowed) and value == allowed for allowed in typing.get_args(option))
    if option is float:
        return isinstance(value, int | float) and not isinstance(value, bool) and _is_finite(value)
    if option is int:
        return type(value) is int and -(2**63) <= value < 2**63
    if option is str:
        return isinstance(value, str) and not any("\ud800" <= character <= "\udfff" for character in value)
    return option is bool and isinstance(value, bool)


def _is_finite(value: float) -> bool:
    try:
        return math.isfinite(value)
    except OverflowError:  # an integer too large for a float
        return False


def _allows_text(options: Iterable[FieldType]) -> bool:
    return any(option is str or "none" in typing.get_args(option) for option in options)


def _is_settings_value(value: object) -> bool:
    return dataclasses.is_dataclass(value) and not isinstance(value, type)


def _expected(field_type: FieldType) -> str:
    """Return in words what a field takes."""
    return " or ".join(_expected_one(option) for option in _options(field_type))


def _expected_one(option: FieldType) -> str:
    if dataclasses.is_dataclass(option):
        return "a table of settings"
    if typing.get_origin(option) is Literal:
        return "one of: " + ", ".join(str(allowed) for allowed in typing.get_args(option))
    if typing.get_origin(option) is tuple:
        item_types = typing.get_args(option)
        if item_types[-1] is Ellipsis:
            return f"a list, each item {_expected(item_types[0])}"
        return f"a list of {len(item_types)}: " + ", ".join(_expected(item) for item in item_types)
    return _WORDS.get(option, str(option))


def _near_text(options: Iterable[FieldType], value: object) -> str:
    literals = [option for option in options if typing.get_origin(option) is Literal]
    return _did_you_mean(value, [str(text) for option in literals for text in typing.get_args(option)])


def _did_you_mean(name: object, valid: Iterable[str]) -> str:
    near = difflib.get_close_matches(name[:100], list(valid), n=1) if isinstance(name, str) else []
    return f" Did you mean {near[0]!r}?" if near else ""


def _key(key: object) -> str:
    return key if isinstance(key, str) and key.isprintable() and 0 < len(key) <= 60 else _shown(key)


def _shown(value: object) -> str:
    try:
        return _BRIEF.repr(value)
    except ValueError:  # an integer of more digits than Python converts to text
        return "a value too long to show"
