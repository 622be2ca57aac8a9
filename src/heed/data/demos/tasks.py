"""`demo:tasks`: three text-to-text tasks in one corpus, told apart by the prefix of the source.

    translate English to Vietnamese: I love you!      Tôi yêu bạn!
    classify: I like this movie!                      positive
    answer: What is the boiling point of water?       100 °C

What is unseen in valid and test: for translation the (subject, verb, complement) as in `demo:en-vi`, for opinions the
(thing, judging word, denied or not), for questions the (fact, phrasing).
"""

from collections.abc import Iterator
from functools import cache

from heed.data.demos import english_vietnamese
from heed.data.demos.grammar import Corpus, Derivation, Draws, assemble, weigh
from heed.data.demos.tasks_facts import questions
from heed.data.demos.tasks_opinions import opinions

SEED = "heed tasks 1"
PINNED = (
    "translate English to Vietnamese: I love you!",
    "classify: I like this movie!",
    "answer: What is the boiling point of water?",
)

_PREFIX = "translate English to Vietnamese: "
_MOST_WORDS = 7  # of a sentence to translate: the corpus has two other tasks to teach
_TASKS = weigh([("translate", 52), ("classify", 28), ("answer", 20)])
_ENDS = (".", "!")


@cache
def corpus() -> Corpus:
    """Return the three splits."""
    return assemble(_derive, SEED, [next(derivations(source)) for source in PINNED])


def derivations(source: str) -> Iterator[Derivation]:
    """Yield every way in which the grammar makes this source."""
    if not source.startswith(_PREFIX):
        yield from (made for made in (*opinions(), *questions()) if made.source == source)
        return
    sentence = source.removeprefix(_PREFIX)
    end = sentence[-1:]
    if end == "?":
        yield from (_translation(made, "") for made in english_vietnamese.derivations(sentence))
    elif end in _ENDS:
        yield from (_translation(made, end) for made in english_vietnamese.derivations(sentence[:-1]))


def _derive(draws: Draws) -> Derivation | None:
    match draws.pick_weighted(_TASKS):
        case "classify":
            return draws.pick(opinions())
        case "answer":
            return draws.pick(questions())
        case _:
            made = english_vietnamese.derive(draws)
            if made is None or made.source.count(" ") >= _MOST_WORDS:
                return None
            return _translation(made, "" if made.source.endswith("?") else draws.pick(_ENDS))


def _translation(made: Derivation, end: str) -> Derivation:
    return Derivation(f"{_PREFIX}{made.source}{end}", f"{made.target}{end}", f"translate | {made.combination}")
