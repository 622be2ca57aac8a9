"""`read_analogies`: questions of the form of questions-words.txt (Mikolov et al. 2013).

: capital-common-countries          a line with ": " names the section that begins
Athens Greece Berlin Germany        Athens is to Greece as Berlin is to Germany
"""

from dataclasses import dataclass
from pathlib import Path

from heed.errors import DataError
from heed.files.lines import Line, read_lines
from heed.files.quoting import quote

MOST_QUESTIONS = 1_000_000

AnalogyWords = tuple[str, str, str, str]


@dataclass(frozen=True)
class AnalogySection:
    """Questions of one kind: four words each, of which the fourth is to be found."""

    name: str
    questions: tuple[AnalogyWords, ...]


def is_analogies(path: Path) -> bool:
    """Tell whether the first line that is not blank names a section, as it does in a file of analogies."""
    first = next((line.text.strip() for line in read_lines(path) if line.text.strip()), "")
    return first.startswith(":")


def read_analogies(path: Path) -> tuple[AnalogySection, ...]:
    """Return the sections of a file of analogies in order; words stay as they are spelt."""
    sections: list[tuple[str, list[AnalogyWords]]] = []
    count = 0
    for line in read_lines(path):
        text = line.text.strip()
        if text.startswith(":"):
            sections.append((_section_name(path, line, text), []))
        elif text:
            if not sections:
                raise DataError(
                    f"{path}:{line.number}: {quote(text)} stands before the first section. Begin with a line ': NAME'."
                )
            count += 1
            sections[-1][1].append(_question(path, line))
        if count > MOST_QUESTIONS:
            raise DataError(f"{path} holds more than {MOST_QUESTIONS:,} questions. Give a part of them.")
    if count == 0:
        raise DataError(f"{path} holds no questions. Give a file with sections (': NAME') of four words a line.")
    return tuple(AnalogySection(name, tuple(questions)) for name, questions in sections)


def _section_name(path: Path, line: Line, text: str) -> str:
    name = text.removeprefix(":").strip()
    if not name:
        raise DataError(f"{path}:{line.number}: a section without a name, {quote(text)}. Write ': NAME'.")
    return name


def _question(path: Path, line: Line) -> AnalogyWords:
    match line.text.split():
        case [a, b, c, d]:
            return a, b, c, d
        case words:
            raise DataError(
                f"{path}:{line.number}: {len(words)} word(s) instead of four: {quote(line.text)}. "
                f"Write for example: Athens Greece Berlin Germany"
            )
