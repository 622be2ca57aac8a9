"""The sentences of a report on pictures: what each number means, and what to do about it."""

from collections.abc import Iterator, Sequence

from heed.data.findings import Finding, at
from heed.data.image_sizes import LONG, SMALL, ImageSizes
from heed.data.labelled_findings import RepeatWords

PICTURES = RepeatWords("picture", "in how they are stored")
MUCH_BROKEN = 0.1  # share of the pictures above which it is no longer a few that are damaged
MANY_SMALL = 0.05
SHOWN = 3  # reasons in one sentence


def about_others(others: int, places: Sequence[str]) -> Iterator[Finding]:
    """Say how many files of a folder are passed over."""
    if others:
        yield Finding("note", f"{others:,} file(s) are passed over, for they are no pictures of a class{at(places)}.")


def about_broken(faults: Sequence[str], everything: int) -> Iterator[Finding]:
    """Say which pictures cannot be read; `faults` are sentences that name them."""
    if faults:
        share = f"{len(faults):,} of {everything:,} picture(s) ({len(faults) / everything:.1%})"
        shown = " ".join(faults[:SHOWN]) + (" …" if len(faults) > SHOWN else "")
        many = len(faults) > MUCH_BROKEN * everything
        yield Finding("error" if many else "warning", f"{share} cannot be read and are left out. {shown}")


def about_sizes(sizes: ImageSizes, everything: int) -> Iterator[Finding]:
    """Say which pictures are too small to show much, or so long that a square shows little of them."""
    if sizes.small.count:
        share = f"{sizes.small.count:,} picture(s) ({sizes.small.count / everything:.1%})"
        text = f"{share} have a side of fewer than {SMALL} pixels{at(sizes.small.places)}: little is to be seen there."
        yield Finding("warning" if sizes.small.count > MANY_SMALL * everything else "note", text)
    if sizes.long.count:
        share = f"{sizes.long.count:,} picture(s) ({sizes.long.count / everything:.1%})"
        yield Finding(
            "note",
            f"{share} are more than {LONG:g} times as long as broad{at(sizes.long.places)}: their middle square is "
            f"less than a third of them. Cut them, or have them squashed.",
        )
