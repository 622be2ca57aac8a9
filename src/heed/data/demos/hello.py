"""`demo:hello`: lines of the word "hello" and others of its letters, for a character model that is learnt in seconds.

Deck 3 teaches a character model on "hello": h, e, l, o. An "l" is followed by "l", "o" or "e" here, so the last letter
alone does not tell the next: a model must remember more. After "hel" there is always "l", and after "hell" always "o".
"""

from functools import cache

from heed.data.demos.grammar import Draws, weigh
from heed.data.text_splits import TextSplits

SEED = "hello-1"
WORDS = weigh([("hello", 4), ("hole", 1), ("oleo", 1), ("lo", 1), ("oh", 1)])
TRAIN_LINES, HELD_OUT_LINES = 1600, 200


@cache
def corpus() -> TextSplits:
    """Return three texts of the same words, a word a line, in an order that is drawn for each."""
    draws = Draws(SEED)
    train, valid, test = (_lines(draws, count) for count in (TRAIN_LINES, HELD_OUT_LINES, HELD_OUT_LINES))
    note = f"drawn from {len(WORDS.options)} words, seed {SEED!r}: {TRAIN_LINES} train, {HELD_OUT_LINES} valid and test"
    return TextSplits(train, valid, test, origin="demo:hello", note=note)


def _lines(draws: Draws, count: int) -> str:
    return "".join(f"{draws.pick_weighted(WORDS)}\n" for _ in range(count))
