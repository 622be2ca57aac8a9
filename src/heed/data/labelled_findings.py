"""The sentences of a report on labelled records: what each number means, and what to do about it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from heed.data.findings import MANY_DUPLICATES, Finding, at, inflated
from heed.data.label_counts import LabelCount, Misspelling
from heed.data.label_numbers import NumberSummary
from heed.data.labelled_repeats import LabelledLeak, LabelledRepeats
from heed.data.leaks import NAMES
from heed.data.reading_limits import ReadingLimit
from heed.files.quoting import first_of, quote

UNEVEN = 3  # times as many records of the commonest label as of the rarest: good to know
VERY_UNEVEN = 10  # so many times: accuracy says little
FEW = 10  # records of a label in train; fewer teach next to nothing
SHIFTED = 0.1  # difference of a label's share in two splits that is more than chance
ENOUGH = 100  # records of a split from which on its shares say something
SHOWN = 5  # labels in one sentence


@dataclass(frozen=True)
class RepeatWords:
    """How sentences on repeats call what is labelled, and what may differ in two that are alike."""

    noun: str
    alike: str


TEXTS = RepeatWords("text", "in case or white space")


def about_labelled_leak(leak: LabelledLeak, words: RepeatWords = TEXTS) -> Iterator[Finding]:
    """Say how much of a split was seen before."""
    split = NAMES[leak.split]
    if leak.records:
        share = f"{leak.records:,} of the {leak.size:,} {split} {words.noun}s ({leak.records / leak.size:.2%})"
        other = f" ({leak.other_label:,} with another label)" if leak.other_label else ""
        yield inflated(leak, f"{share} also occur in {{earlier}}{other}{at(leak.examples)}", leak.records)
    if leak.sharing:
        more = " more" if leak.records else ""
        share = f"{leak.sharing:,}{more} of the {leak.size:,} {split} pairs ({leak.sharing / leak.size:.2%})"
        text = f"{share} share one text with {{earlier}}{at(leak.sharing_examples)}"
        yield inflated(leak, text, leak.sharing, "Put all pairs of a text on one side.")
    if leak.alike and leak.earlier == "train":
        more = " more" if leak.records else ""
        where = "" if leak.records else at(leak.examples)
        alike = f"{leak.alike:,}{more} {split} {words.noun}(s)"
        yield Finding("note", f"{alike} differ from one in train only {words.alike}{where}.")


def about_labelled_repeats(repeats: LabelledRepeats, train: int, words: RepeatWords = TEXTS) -> Iterator[Finding]:
    """Say what stands twice in train, and what has two labels."""
    if repeats.duplicates:
        many = repeats.duplicates > MANY_DUPLICATES * train
        share = f"{repeats.duplicates:,} record(s) of train ({repeats.duplicates / train:.2%})"
        yield Finding("warning" if many else "note", f"{share} stand there more than once.")
    if repeats.conflicts:
        shown = "; ".join(
            f"{each.first} says {quote(each.first_label, 30)}, {each.second} says {quote(each.second_label, 30)}"
            for each in repeats.conflict_examples[:3]
        )
        more = "; …" if repeats.conflicts > 3 else ""
        yield Finding(
            "warning",
            f"{repeats.conflicts:,} {words.noun}(s) of train have several labels ({shown}{more}). "
            f"Decide on one for each.",
        )


def about_balance(labels: Sequence[LabelCount], train: int) -> Iterator[Finding]:
    """Say whether some labels are much rarer than others, or too rare to be learnt."""
    common, rare = max(labels, key=lambda label: label.train), min(labels, key=lambda label: label.train)
    if common.train >= UNEVEN * rare.train:
        share, name = common.train / train, quote(common.label, 30)
        text = (
            f"{name} is on {share:.1%} of train, {quote(rare.label, 30)} on {rare.train / train:.1%}: "
            f"to say {name} always would be right {share:.1%} of the time. "
            f"Judge by macro F1, not by accuracy, and gather more of the rare labels."
        )
        yield Finding("warning" if common.train >= VERY_UNEVEN * rare.train else "note", text)
    few = [label for label in labels if label.train < FEW]
    if few:
        shown = first_of([f"{quote(label.label, 30)}: {label.train}" for label in few], SHOWN)
        yield Finding(
            "warning",
            f"{len(few):,} label(s) have fewer than {FEW} training records ({shown}), too few to learn from. "
            f"Add records, or join them with another label.",
        )


def about_other_spread(labels: Sequence[LabelCount], counts: dict[str, int]) -> Iterator[Finding]:
    """Say which labels a split lacks, or has in another share than train."""
    for split in ("valid", "test"):
        if not counts[split]:
            continue
        absent = [label.label for label in labels if label.train and not getattr(label, split)]
        if absent:
            shown = first_of([quote(name, 30) for name in absent], SHOWN)
            yield Finding("note", f"{split} has no record with {len(absent):,} label(s) ({shown}): they go unjudged.")
        shares = {label: (label.train / counts["train"], getattr(label, split) / counts[split]) for label in labels}
        label, (there, here) = max(shares.items(), key=lambda item: abs(item[1][0] - item[1][1]))
        if min(counts["train"], counts[split]) >= ENOUGH and abs(there - here) > SHIFTED:
            yield Finding(
                "warning",
                f"{quote(label.label, 30)} is on {there:.1%} of train and on {here:.1%} of {split}: "
                f"were they drawn from the same source? Scores may say little about train's.",
            )


def about_misspelling(found: Misspelling) -> Iterator[Finding]:
    """Say which label is probably another."""
    yield Finding(
        "warning",
        f"The label {quote(found.label, 30)} ({found.count:,} of train) looks like {quote(found.meant, 30)} "
        f"({found.meant_count:,}) misspelt{at(found.examples)}. Correct it, or it is learnt as a class of its own.",
    )


def about_numbers(numbers: NumberSummary, train: int) -> Iterator[Finding]:
    """Say whether the numbers of train cover those by which it is judged, and are spread at all."""
    if numbers.beyond:
        yield Finding(
            "warning",
            f"{numbers.beyond:,} number(s) of valid and test lie beyond those of train, {numbers.lowest:g} to "
            f"{numbers.highest:g}{at(numbers.beyond_places)}.",
        )
    fullest = max(numbers.bins, key=lambda each: each.count)
    if fullest.count > 0.8 * train and numbers.lowest < numbers.highest:
        yield Finding(
            "warning",
            f"{fullest.count / train:.1%} of the numbers of train lie from {fullest.low:g} to {fullest.high:g}: "
            f"the rest is hardly learnt. Gather more of it.",
        )


def about_limit(limit: ReadingLimit) -> Iterator[Finding]:
    """Say what a model would not read to the end."""
    if limit.records:
        more = "" if limit.unit == "tokens" else " (tokens are more than words)"
        share = f"{limit.records:,} record(s) ({limit.record_share:.1%})"
        yield Finding(
            "warning",
            f"{share} are longer than {limit.longest:,} {limit.unit}{more} and would be cut: {limit.lost_share:.1%} of "
            f"all {limit.unit} would not be read.",
        )
