"""Imports point one way, stand at the top, and only `cli/` prints; read from the syntax tree, so nothing is loaded.

Each rule is also tried on a made-up bad file, because a check that cannot fail is a defect.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parents[1] / "src" / "heed"

# A module may import its own folder and those before it.
ORDER = [
    "errors",
    "settings_file",
    "settings",
    "cgroups",
    "machine",
    "files",
    "pages",
    "data",
    "tokens",
    "layers",
    "models",
    "decoding",
    "tasks",
    "training",
    "runs",
    "reporting",
    "prediction",
    "inspection",
    "comparing",
    "listing",
    "exchange",
    "verifying",
    "serving",
    "api",
    "cli",
]

# What the order would allow and the design does not: plain PyTorch knows no files, decoding sees a protocol and not
# models, and the two faces to the outside do not know each other.
APART = {
    "layers": {"files", "data"},
    "models": {"files", "data"},
    "decoding": {"files", "data", "models"},
    "cli": {"serving"},
}
# One command starts the server.
STARTS = {Path("cli/serve.py"): {"serving"}}

# Slow to load, and needed by the training of one model alone: loaded where that begins, and no other waits for them.
SLOW = {"gensim", "scipy.optimize", "sklearn"}

# The two doors of the package: lazy functions, and `python -m heed`.
DOORS = {Path("__init__.py"), Path("__main__.py")}


def faults_of(text: str, path: Path) -> list[str]:
    """Return what is wrong with a file of this text at this place below src/heed."""
    if path in DOORS:
        return []
    tree = ast.parse(text)
    own = part_of(path)
    faults = [f"{path}:{line}: {fault}" for line, fault in wrong_directions(tree, own, path)]
    if own != "cli":
        faults += [f"{path}:{line}: {fault}" for line, fault in late_imports(tree)]
        faults += [f"{path}:{node.lineno}: calls print" for node in calls(tree, "print")]
    for name in ("import_module", "__import__"):
        faults += [f"{path}:{node.lineno}: imports by a string" for node in calls(tree, name)]
    return faults


def part_of(path: Path) -> str:
    return path.parts[0].removesuffix(".py")


def wrong_directions(tree: ast.AST, own: str, path: Path) -> Iterator[tuple[int, str]]:
    if own not in ORDER:
        yield 1, f"{own} has no place in the order of imports"
        return
    allowed = set(ORDER[: ORDER.index(own) + 1]) - (APART.get(own, set()) - STARTS.get(path, set()))
    for line, part in imported_parts(tree, path):
        if part not in allowed:
            yield line, f"{own} must not import {part}"


def imported_parts(tree: ast.AST, path: Path) -> Iterator[tuple[int, str]]:
    """Yield the line and the first name below heed of each import, wherever in the file it stands."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = absolute(node, path)
            # `from heed import data` names a part; `from heed import __version__` takes what the package itself holds.
            names = [f"{base}.{alias.name}" for alias in node.names] if base == "heed" else [base]
        else:
            continue
        for name in names:
            package, *parts = name.split(".")
            if package == "heed" and parts != ["__version__"]:
                yield node.lineno, parts[0] if parts else "heed itself"


def absolute(node: ast.ImportFrom, path: Path) -> str:
    if node.level == 0:
        return node.module or ""
    folders = ["heed", *path.parts[:-1]]
    kept = folders[: len(folders) - node.level + 1]
    return ".".join([*kept, node.module] if node.module else kept)


def late_imports(tree: ast.AST) -> Iterator[tuple[int, str]]:
    scopes = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    for scope in ast.walk(tree):
        if isinstance(scope, scopes):
            for node in ast.walk(scope):
                if isinstance(node, ast.Import | ast.ImportFrom) and not set(libraries(node)) & SLOW:
                    yield node.lineno, "imports late"


def libraries(node: ast.Import | ast.ImportFrom) -> Iterator[str]:
    """Yield the modules that it names and the packages that these stand in."""
    base = f"{node.module}." if isinstance(node, ast.ImportFrom) else ""
    for alias in node.names:
        parts = f"{base}{alias.name}".split(".")
        yield from (".".join(parts[:end]) for end in range(1, len(parts) + 1))


def calls(tree: ast.AST, name: str) -> Iterator[ast.Call]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            function = node.func
            called = function.id if isinstance(function, ast.Name) else getattr(function, "attr", "")
            # `console.print` is rich's and means the same thing.
            if called == name:
                yield node


def source_files() -> list[Path]:
    return sorted(SOURCE.rglob("*.py"))


def test_the_files_are_found() -> None:
    assert {SOURCE / "errors.py", SOURCE / "settings.py", SOURCE / "__init__.py"} <= set(source_files())


def test_imports_point_one_way_stand_at_the_top_and_only_cli_prints() -> None:
    faults = []
    for path in source_files():
        faults += faults_of(path.read_text(encoding="utf-8"), path.relative_to(SOURCE))
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize(
    ("path", "text", "fault"),
    [
        ("data/pairs.py", "from heed.training.loop import train", "data must not import training"),
        ("data/pairs.py", "import heed.tokens", "data must not import tokens"),
        ("data/pairs.py", "from heed import tokens", "data must not import tokens"),
        ("data/pairs.py", "import json, heed.cli.main as m", "data must not import cli"),
        ("data/pairs.py", "from ..tokens import words", "data must not import tokens"),
        ("data/pairs.py", "from .. import tokens", "data must not import tokens"),
        ("data/demos/french.py", "from ...tokens import words", "data must not import tokens"),
        ("data/pairs.py", "def f():\n    from heed.runs import folder", "data must not import runs"),
        ("data/pairs.py", "if TYPE_CHECKING:\n    from heed.runs import folder", "data must not import runs"),
        ("data/pairs.py", "import heed", "data must not import heed itself"),
        ("data/pairs.py", "from heed import train", "data must not import train"),
        ("errors.py", "from heed.settings import settings", "errors must not import settings"),
        ("decoding/beam.py", "from heed.models.transformer import Transformer", "decoding must not import models"),
        ("layers/masks.py", "from heed.files.lines import read_lines", "layers must not import files"),
        ("cli/main.py", "from heed.serving.app import app", "cli must not import serving"),
        ("serving/app.py", "from heed.cli.main import main", "serving must not import cli"),
        ("helpers.py", "import json", "helpers has no place in the order"),
        ("data/pairs.py", "def f():\n    import json", "2: imports late"),
        ("models/bert.py", "def f():\n    from scipy import sparse", "2: imports late"),
        (
            "data/pairs.py",
            "class C:\n    def f(self):\n        async def g():\n            import json",
            "4: imports late",
        ),
        ("data/pairs.py", "def f():\n    print('x')", "2: calls print"),
        ("data/pairs.py", "console.print('x')", "1: calls print"),
        ("data/pairs.py", "importlib.import_module(name)", "imports by a string"),
        ("cli/main.py", "__import__(name)", "imports by a string"),
    ],
)
def test_a_bad_file_is_caught(path: str, text: str, fault: str) -> None:
    assert any(fault in found for found in faults_of(text, Path(path)))


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("data/pairs.py", "from heed.files.lines import read_lines\nfrom heed.data.records import TextPair"),
        ("data/pairs.py", "from . import records\nfrom .records import TextPair\nfrom ..errors import DataError"),
        ("data/demos/french.py", "from ..records import TextPair"),
        ("machine.py", "from heed import __version__"),
        ("models/bert.py", "from heed.settings import settings\nimport heedless"),
        ("models/tfidf.py", "def f():\n    from sklearn.svm import LinearSVC\n    from scipy import optimize"),
        ("cli/serve.py", "def serve():\n    from heed.serving.server import Server"),
        ("cli/main.py", "def train():\n    from heed.api import train\n    print(train)"),
        ("__init__.py", "def __getattr__(name):\n    from heed import api"),
        ("data/pairs.py", "try:\n    import fast\nexcept ImportError:\n    fast = None\nprinted = print"),
    ],
)
def test_a_good_file_is_left_in_peace(path: str, text: str) -> None:
    assert faults_of(text, Path(path)) == []
