"""The opinions of `demo:tasks`: sentences that praise or blame something, with "positive" or "negative".

The label follows from the whole sentence, not from one word: a denial turns it round ("not bad"), and after "but" only
the second half counts.
"""

from collections.abc import Iterator
from functools import cache

from heed.data.demos.english_forms import with_article
from heed.data.demos.grammar import Derivation, capitalised, joined

_THINGS = (
    *("movie", "book", "song", "game", "story", "show", "album", "concert", "lesson", "trip"),
    *("restaurant", "hotel", "phone", "meal", "car", "beach", "museum", "coat", "city", "garden"),
)
_DETERMINERS = ("this", "that", "the")

# subject, whether its verb takes an s, and what denies it
_HOLDERS = (
    ("I", False, "do not"),
    ("we", False, "do not"),
    ("my friends", False, "do not"),
    ("most people", False, "do not"),
    ("she", True, "does not"),
    ("my brother", True, "does not"),
)
_PRAISING = ("like", "love", "enjoy", "adore", "recommend")
_BLAMING = ("hate", "dislike", "despise")
_GOOD = ("good", "great", "nice", "wonderful", "excellent", "beautiful", "fantastic", "perfect")
_BAD = ("bad", "boring", "dull", "terrible", "awful", "horrible", "poor", "disappointing")
_DENIABLE = frozenset({"good", "great", "nice", "bad", "boring", "dull"})  # "not wonderful" may still be good
_EXTREME = frozenset({"great", "wonderful", "excellent", "fantastic", "perfect", "terrible", "awful", "horrible"})
_OPENINGS = ("", "I think", "honestly,", "my friends say")
_ENDS = ("!", ".")


@cache
def opinions() -> tuple[Derivation, ...]:
    """Return every opinion of the grammar; its combination is the thing, the word that judges, and any denial."""
    return (*_of_feeling(), *_of_quality(), *_of_exclamation(), *_of_contrast())


def _opinion(text: str, is_positive: bool, *combination: str) -> Iterator[Derivation]:
    for end in _ENDS:
        label = "positive" if is_positive else "negative"
        yield Derivation(f"classify: {capitalised(text)}{end}", label, " | ".join(("classify", *combination)))


def _of_feeling() -> Iterator[Derivation]:
    for holder, takes_s, denial in _HOLDERS:
        for verb in _PRAISING + _BLAMING:
            finite = _third(verb) if takes_s else verb
            for determiner in _DETERMINERS:
                for thing in _THINGS:
                    judged, named = verb in _PRAISING, f"{determiner} {thing}"
                    yield from _opinion(joined(holder, finite, named), judged, thing, verb)
                    yield from _opinion(joined(holder, "really", finite, named), judged, thing, verb)
                    if judged:
                        yield from _opinion(joined(holder, denial, verb, named), False, thing, verb, "not")


def _third(verb: str) -> str:
    return "enjoys" if verb == "enjoy" else f"{verb}s"


def _of_quality() -> Iterator[Derivation]:
    for adjective in _GOOD + _BAD:
        is_good = adjective in _GOOD
        for thing in _THINGS:
            for determiner in _DETERMINERS:
                for opening in _OPENINGS:
                    # Nothing is "very perfect".
                    for degree in ("", "really") if adjective in _EXTREME else ("", "really", "very"):
                        text = joined(opening, determiner, thing, "is", degree, adjective)
                        yield from _opinion(text, is_good, thing, adjective)
                    if adjective in _DENIABLE:
                        text = joined(opening, determiner, thing, "is not", adjective)
                        yield from _opinion(text, not is_good, thing, adjective, "not")


def _of_exclamation() -> Iterator[Derivation]:
    for adjective in _GOOD + _BAD:
        for thing in _THINGS:
            said = with_article(f"{adjective} {thing}")
            for opening in ("what", "it is", "it was"):
                yield from _opinion(f"{opening} {said}", adjective in _GOOD, thing, adjective)


def _of_contrast() -> Iterator[Derivation]:
    for adjective in _GOOD + _BAD:
        for verb in _PRAISING[:2] + _BLAMING[:2]:
            if (adjective in _GOOD) == (verb in _PRAISING):
                continue
            for thing in _THINGS:
                text = f"they say this {thing} is {adjective} but I {verb} it"
                yield from _opinion(text, verb in _PRAISING, thing, verb)
