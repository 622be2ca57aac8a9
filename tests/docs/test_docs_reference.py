"""The page of settings is what the settings classes say now."""

import dataclasses
import importlib.util
import tomllib
import typing
from pathlib import Path
from types import ModuleType

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "reference"


@pytest.fixture(scope="module")
def generate() -> ModuleType:
    spec = importlib.util.spec_from_file_location("generate", FOLDER / "generate.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def parts_of(cls: type) -> set[type]:
    """Return the settings classes that the fields of a class hold, and those inside these."""
    hints = typing.get_type_hints(cls).values()
    inner = {each for hint in hints for each in (hint, *typing.get_args(hint)) if dataclasses.is_dataclass(each)}
    return inner.union(*(parts_of(each) for each in inner))


def rows_of(page: str) -> list[tuple[str, str]]:
    """Return each setting on the page and its default."""
    settings, _, _ = page.partition("## Where a setting does not apply")
    cells = [line.split(" | ") for line in settings.splitlines() if line.startswith("| `")]
    return [(name.strip("|` "), default.strip("`")) for name, default, *_ in cells]


def test_the_page_of_settings_is_current(generate: ModuleType) -> None:
    written = (FOLDER / "settings.md").read_text(encoding="utf-8")
    assert written == generate.page(), "settings.md is out of date: run `make docs`"


def test_every_default_on_the_page_is_that_of_its_class(generate: ModuleType) -> None:
    rows = rows_of(generate.page())
    for part, cls, _ in generate.PARTS:
        for field in dataclasses.fields(cls):
            if field.name in ("task", "kind") or dataclasses.is_dataclass(field.default):
                continue
            expected = list(field.default) if isinstance(field.default, tuple) else field.default
            shown = [text for name, text in rows if name == (f"{part}.{field.name}" if part else field.name)]
            values = [None if text == "none" else tomllib.loads(f"value = {text}")["value"] for text in shown]
            assert expected in values, f"{cls.__name__}.{field.name}"


def test_every_part_of_every_run_is_on_the_page(generate: ModuleType) -> None:
    shown = {cls for _, cls, _ in generate.PARTS}
    runs = [cls for part, cls, _ in generate.PARTS if not part]
    assert {inner for cls in runs for inner in parts_of(cls)} - shown == set()


def test_a_default_that_is_wrapped_in_brackets_keeps_its_value_and_its_comment(generate: ModuleType) -> None:
    rows = generate._rows("model", generate.Word2VecSettings)
    method = next(row for row in rows if row.startswith("| `model.method`"))
    assert method.split(" | ")[1] == '`"skipgram"`'
    assert "cbow: the neighbours' mean" in method
