"""The sentences of a report on questions: what each number means, and what to do about it."""

from collections.abc import Iterator, Sequence

from heed.data.findings import MANY_DUPLICATES, Finding, at, inflated
from heed.data.leaks import NAMES
from heed.data.question_repeats import QuestionLeak, QuestionRepeats
from heed.data.questions import Misplaced
from heed.data.reading_limits import ReadingLimit


def about_misplaced(misplaced: Sequence[Misplaced]) -> Iterator[Finding]:
    """Say which answers do not stand where they promise."""
    if misplaced:
        first = misplaced[0]
        count = f"{len(misplaced):,} question(s) have an answer that does not stand where it promises"
        yield Finding("error", f"{count}; training refuses them. The first, {first.place}: {first.reason}")


def about_question_leak(leak: QuestionLeak) -> Iterator[Finding]:
    """Say how much of a split was seen before."""
    if leak.on_known_paragraphs:
        share = f"{leak.on_known_paragraphs:,} of the {leak.size:,} {NAMES[leak.split]} questions"
        percent = f"({leak.on_known_paragraphs / leak.size:.1%})"
        same = f", {leak.questions:,} of them word for word" if leak.questions else ""
        text = f"{share} {percent} are on paragraphs of {{earlier}}{same}{at(leak.examples)}"
        yield inflated(leak, text, leak.on_known_paragraphs, "Split the data by paragraph.")


def about_question_repeats(repeats: QuestionRepeats, train: int) -> Iterator[Finding]:
    """Say what stands twice in train, and what is answered in two ways."""
    if repeats.duplicates:
        many = repeats.duplicates > MANY_DUPLICATES * train
        share = f"{repeats.duplicates:,} question(s) of train ({repeats.duplicates / train:.2%})"
        where = at(repeats.duplicate_examples)
        yield Finding(
            "warning" if many else "note", f"{share} stand there more than once on the same paragraph{where}."
        )
    if repeats.conflicts:
        where = at(repeats.conflict_examples)
        yield Finding(
            "warning",
            f"{repeats.conflicts:,} of the repeated questions have another answer than before{where}. "
            f"Give one question all of its answers.",
        )


def about_long_paragraphs(limit: ReadingLimit) -> Iterator[Finding]:
    """Say how many paragraphs a model reads in several windows."""
    if limit.records:
        more = "" if limit.unit == "tokens" else " (tokens are more than words)"
        share = f"{limit.records:,} paragraph(s) ({limit.record_share:.1%})"
        yield Finding("note", f"{share} are longer than {limit.longest:,} {limit.unit}{more}: read in several windows.")


def about_long_answers(long: int, places: Sequence[str], longest: int, unit: str) -> Iterator[Finding]:
    """Say how many answers are longer than those that are looked for."""
    if long:
        yield Finding(
            "warning",
            f"{long:,} question(s) have only answers of more than {longest:,} {unit}{at(places)}: they are never "
            f"found. Raise search.longest_answer.",
        )


def about_torn_words(torn: int, places: Sequence[str], answers: int) -> Iterator[Finding]:
    """Say how many answers begin or end inside a word."""
    if torn:
        yield Finding(
            "note",
            f"{torn:,} of {answers:,} first answers ({torn / answers:.1%}) begin or end inside a word{at(places)}: "
            f"a vocabulary of whole words cannot give them.",
        )
