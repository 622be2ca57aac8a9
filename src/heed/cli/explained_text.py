"""An explanation as lines for a terminal: the answer, what moved it, the heads that matter, and where to look."""

from collections.abc import Iterator, Sequence

from heed.files.quoting import printable
from heed.inspection.explanation import Choice, Explanation, HeadOff, Share

MOST_WORDS = 12  # those that moved the answer most
MOST_CHOICES = 5
MOST_HEADS = 5
BAR = 20  # columns of the longest bar, to either side
LONGEST_LABEL = 24
HONEST = (
    "Attention tells where a model looked, not why it answered; shares tell what moved the answer, to a first order."
)


def lines_of(explanation: Explanation) -> Iterator[str]:
    """Yield what a person reads first; all numbers are in the files."""
    chance = "" if explanation.probability is None else f"  ({explanation.probability:.4f})"
    yield f"{_one_line(explanation.answer)}{chance}"
    yield f"  {explanation.model}"
    yield from _choices(explanation.choices)
    for share in explanation.shares:
        if share.method != "rollout":
            yield ""
            yield from _bars(explanation, share)
    yield from _heads(explanation.heads, explanation.probability)
    if explanation.looked:
        yield ""
        yield "Attention (--site PATTERN, --out page.html):"
        yield f"  {', '.join(each.site for each in explanation.looked)}"
    if explanation.notes:
        yield ""
        yield from (f"- {note}" for note in explanation.notes)
    yield ""
    yield HONEST


def _choices(choices: Sequence[Choice]) -> Iterator[str]:
    for choice in [choice for choice in choices if not choice.place][:MOST_CHOICES]:
        yield f"  {choice.probability:.4f}  {_one_line(choice.text)}"


def _bars(explanation: Explanation, share: Share) -> Iterator[str]:
    """Yield a line for each word that moved the answer most, in the order of the text; + towards it, - away."""
    labels = explanation.axis(share.axis).labels
    most = sorted(range(len(labels)), key=lambda place: -abs(float(share.values_S[place])))[:MOST_WORDS]
    longest = max((abs(float(share.values_S[place])) for place in most), default=0.0) or 1.0
    yield f"What moved {_one_line(share.answer)!r} ({share.axis}, {share.method}):"
    for place in sorted(most):
        value = float(share.values_S[place])
        bar = ("+" if value > 0 else "-") * round(BAR * abs(value) / longest)
        away, towards = (bar, "") if value < 0 else ("", bar)
        yield f"  {_one_line(labels[place])[:LONGEST_LABEL]:>{LONGEST_LABEL}} {value:+9.4f} {away:>{BAR}}|{towards}"


def _heads(heads: Sequence[HeadOff], probability: float | None) -> Iterator[str]:
    if not heads or probability is None:
        return
    yield ""
    yield f"Without one head (the whole model: {probability:.4f}):"
    for off in heads[:MOST_HEADS]:
        yield f"  {off.site} head {off.head}: {off.probability:.4f}  {_one_line(off.answer)}"


def _one_line(text: str) -> str:
    """Return the text without what would move the cursor of a terminal."""
    shown = printable(text)
    return shown if len(shown) <= 200 else f"{shown[:199]}…"
