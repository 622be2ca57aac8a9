"""The sentences of a report on captions: what each number means, and what to do about it."""

from collections.abc import Iterator, Mapping, Sequence

from heed.data.caption_counts import CaptionRepeats
from heed.data.captions import UnknownPicture
from heed.data.findings import Finding, at
from heed.files.quoting import first_of, quote

MUCH_SHARED = 0.1  # share of the pictures; a caption that more of them have says little about any


def about_unknown(unknown: Sequence[UnknownPicture]) -> Iterator[Finding]:
    """Say which pictures are not there."""
    if unknown:
        first = f"{quote(unknown[0].name, 200)} {unknown[0].reason} ({unknown[0].place})"
        yield Finding(
            "error",
            f"{len(unknown):,} picture(s) have captions and are not there: {first}. Training leaves out those of "
            f"Flickr8k; a table that names one is refused.",
        )


def about_number(each: Mapping[int, int]) -> Iterator[Finding]:
    """Say whether pictures have different numbers of captions, so that scores of some rest on fewer."""
    if len(each) > 1:
        shown = first_of([f"{pictures:,} with {captions}" for captions, pictures in each.items()], 5)
        yield Finding("note", f"Not all pictures have the same number of captions: {shown}.")


def about_caption_repeats(repeats: CaptionRepeats, pictures: int) -> Iterator[Finding]:
    """Say which captions stand more than once."""
    if repeats.twice:
        yield Finding("note", f"{repeats.twice:,} picture(s) have the same caption twice{at(repeats.twice_places)}.")
    if repeats.shared:
        first = repeats.common[0]
        share = f"{repeats.pictures:,} picture(s) ({repeats.pictures / pictures:.1%})"
        text = f"{share} share captions with others; {quote(first.caption)} stands with {first.pictures:,}."
        yield Finding("warning" if first.pictures > MUCH_SHARED * pictures else "note", text)
