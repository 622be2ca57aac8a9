"""The documentation runs: every block marked `run`, in order, in one empty folder for each page.

    ```sh run             run by bash, stopping at the first command that fails
    ```python run         run by Python
    ```sh run slow        the same, but only in the slow tests, since it takes more than a few seconds

Other blocks are for reading. A page with a block that fails, or with a mark that is mistyped, is a failing test.
"""

import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([*ROOT.glob("README.md"), *(ROOT / "docs").rglob("*.md")])
LANGUAGES = ("", "sh", "python", "console", "toml", "json", "text", "make")
FENCE = re.compile(r"^```([^\n`]*)\n(.*?)^```\s*$", flags=re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)#\s]+)[^)]*\)")


@dataclass(frozen=True)
class Block:
    """A fenced block: its language, whether it is run and is slow, the line it begins at, and its text."""

    language: str
    run: bool
    slow: bool
    line: int
    text: str


def blocks_of(page: str) -> list[Block]:
    """Return the fenced blocks of a page; refuse a mark that means nothing."""
    found = []
    for match in FENCE.finditer(page):
        language, *marks = match[1].split() or [""]
        line = page.count("\n", 0, match.start()) + 1
        runs = language in ("sh", "python") and marks in (["run"], ["run", "slow"])
        if not runs and (marks or language not in LANGUAGES):
            raise ValueError(f"line {line}: {match[1]!r} is no mark; use for example `sh run` or `python run slow`")
        found.append(Block(language, runs, "slow" in marks, line, match[2]))
    return found


def run_blocks(blocks: list[Block], folder: Path) -> None:
    """Run the blocks in the folder, one after the other; fail at the first that does."""
    programs = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    environment = {**os.environ, "PATH": programs}
    for block in blocks:
        shell = ["bash", "-euo", "pipefail", "-c", block.text]
        command = shell if block.language == "sh" else [sys.executable, "-c", block.text]
        child = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
        assert child.returncode == 0, f"the block at line {block.line} failed:\n{child.stdout}\n{child.stderr}"
        assert "Traceback" not in child.stderr, f"the block at line {block.line}:\n{child.stderr}"


def name_of(page: Path) -> str:
    return str(page.relative_to(ROOT))


RUNNING = [page for page in PAGES if any(block.run for block in blocks_of(page.read_text()))]
# Every command of a page starts a process that loads torch: all pages take minutes, so quick tests run the first ones.
FIRST = [page for page in RUNNING if page.parent.name not in ("how-to", "notes", "results")]


@pytest.mark.parametrize("page", FIRST, ids=name_of)
def test_every_block_of_a_first_page_that_is_not_slow_runs(page: Path, tmp_path: Path) -> None:
    run_blocks([block for block in blocks_of(page.read_text()) if block.run and not block.slow], tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("page", RUNNING, ids=name_of)
def test_every_block_of_a_page_runs(page: Path, tmp_path: Path) -> None:
    run_blocks([block for block in blocks_of(page.read_text()) if block.run], tmp_path)


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_every_link_of_a_page_leads_to_a_file(page: Path) -> None:
    links = [link for link in LINK.findall(page.read_text()) if "://" not in link]
    assert [link for link in links if not (page.parent / link).exists()] == []


GOOD = """
# A page

```sh run
echo hello > made.txt
```
Text, and a block to read:
```sh
false
```
```python run slow
print(open("made.txt").read())
```
"""


def test_blocks_run_in_order_in_one_folder_and_those_to_read_do_not(tmp_path: Path) -> None:
    blocks = blocks_of(GOOD)
    assert [(block.language, block.run, block.slow, block.line) for block in blocks] == [
        ("sh", True, False, 4),
        ("sh", False, False, 8),
        ("python", True, True, 11),
    ]
    run_blocks([block for block in blocks if block.run], tmp_path)
    assert (tmp_path / "made.txt").read_text() == "hello\n"


@pytest.mark.parametrize(
    "block",
    [
        "```sh run\nfalse\necho after\n```\n",
        "```sh run\nfalse | cat\n```\n",
        "```sh run\necho $NO_SUCH_NAME\n```\n",
        "```sh run\ncat nowhere.txt\n```\n",
        "```python run\nraise SystemExit(3)\n```\n",
        "```python run\nopen('missing.txt')\n```\n",
    ],
)
def test_a_block_that_fails_is_a_failing_test_with_its_line(block: str, tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="the block at line 2 failed"):
        run_blocks(blocks_of(f"\n{block}"), tmp_path)


@pytest.mark.parametrize("mark", ["sh runn", "sh slow", "python run fast", "shell run", "bsh"])
def test_a_mistyped_mark_is_not_passed_over(mark: str) -> None:
    with pytest.raises(ValueError, match="is no mark"):
        blocks_of(f"```{mark}\ntrue\n```\n")


def test_every_page_is_marked_as_it_should_be() -> None:
    for page in PAGES:
        blocks_of(page.read_text())
