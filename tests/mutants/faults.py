"""The table of faults: what each one changes in the source, and the tests that must notice it.

A fault stands in `faults/*.toml`:

    [[fault]]
    name = "a padded key may be attended to"     # what is then wrong
    file = "layers/masks.py"                     # below src/heed
    old = "return keep[:, None, None, :]"        # occurs exactly once in the file; ''' for several lines
    new = "return torch.ones_like(keep)[:, None, None, :]"
    tests = ["tests/layers/test_layer_masks.py"] # files or single tests; a few seconds together
"""

import ast
import tomllib
from collections import Counter
from dataclasses import dataclass, fields
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = Path("heed")
TABLE = Path(__file__).resolve().parent / "faults"


@dataclass(frozen=True)
class Fault:
    """One fault: the text that replaces another in one file, and the tests nearest to it."""

    name: str
    file: str
    old: str
    new: str
    tests: tuple[str, ...]


def read_faults(folder: Path = TABLE) -> list[Fault]:
    """Return the faults of every table in the folder, in the order of the files."""
    faults = []
    for path in sorted(folder.glob("*.toml")):
        for number, entry in enumerate(tomllib.loads(path.read_text(encoding="utf-8")).get("fault", []), start=1):
            wanted = {field.name for field in fields(Fault)}
            if set(entry) != wanted or not entry["tests"]:
                raise ValueError(f"{path.name}, fault {number}: it has {sorted(entry)}; needed are {sorted(wanted)}")
            faults.append(Fault(**{**entry, "tests": tuple(entry["tests"])}))
    return faults


def problems(faults: list[Fault], source: Path = ROOT / "src") -> list[str]:
    """Return one line for each entry of the table that does not fit the source or the tests any more."""
    repeated = [f"{name}: several faults have this name" for name, count in _names(faults).items() if count > 1]
    return repeated + [f"{fault.name}: {problem}" for fault in faults for problem in _problems_of(fault, source)]


def plant(fault: Fault, source: Path) -> None:
    """Change the copy of the package below `source` as the fault says."""
    path = source / PACKAGE / fault.file
    text = path.read_text(encoding="utf-8")
    if text.count(fault.old) != 1:
        raise ValueError(f"{fault.name}: the old text occurs {text.count(fault.old)} times in {fault.file}, not once")
    path.write_text(text.replace(fault.old, fault.new), encoding="utf-8")
    # Compiled code is matched by whole seconds and size: what an earlier run left could pass for the changed file.
    for compiled in (path.parent / "__pycache__").glob(f"{path.stem}.*.pyc"):
        compiled.unlink()


def _names(faults: list[Fault]) -> Counter[str]:
    return Counter(fault.name for fault in faults)


def _problems_of(fault: Fault, source: Path) -> list[str]:
    path = source / PACKAGE / fault.file
    if not path.is_file():
        return [f"there is no file {fault.file}"]
    text = path.read_text(encoding="utf-8")
    found = [problem for test in fault.tests for problem in _problems_of_test(test)]
    if fault.old == fault.new:
        found.append("the old text and the new one are equal")
    if text.count(fault.old) != 1:
        found.append(f"the old text occurs {text.count(fault.old)} times in {fault.file}, not once")
    elif path.suffix == ".py" and not _parses(text.replace(fault.old, fault.new)):
        found.append(f"with the new text {fault.file} is not valid Python")
    return found


def _problems_of_test(test: str) -> list[str]:
    file, _, name = test.partition("::")
    path = ROOT / file
    if not path.exists():
        return [f"there is no test file {file}"]
    function = name.partition("[")[0].rpartition("::")[2]
    if function and f"def {function}(" not in path.read_text(encoding="utf-8"):
        return [f"{file} has no {function}"]
    return []


def _parses(text: str) -> bool:
    try:
        ast.parse(text)
    except SyntaxError:
        return False
    return True
