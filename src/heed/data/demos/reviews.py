"""`demo:reviews` and `demo:reviews-vi`: generated reviews of places to eat and to sleep, with three labels.

    The soup was cold, but the waiter was really friendly.      positive
    Was the room clean? Not at all.                             negative
    The curry was neither tasty nor bad.                        neutral

The label follows from what is said last and whether it is denied, not from which words occur: the same words in another
order have another label. Around it stand details that do not count, some of which praise or blame the weather.
What is unseen in valid and test is what decides: the thing, the word that judges it, and any denial.
"""

from dataclasses import dataclass
from functools import cache
from typing import Literal

from heed.data.demos import reviews_english, reviews_vietnamese
from heed.data.demos.grammar import Corpus, Derivation, Draws, Weighted, assemble, capitalised, split_of, weigh
from heed.data.demos.reviews_words import Judging, Label, Language, Thing

Shape = Literal["plain", "denied", "contrast", "turn", "asked", "verdict", "neither"]  # each is a function below

LABELS: tuple[Label, ...] = ("negative", "neutral", "positive")
TRAIN_SIZE, HELD_OUT_SIZE = 8_000, 1_000

_OPINIONS: Weighted[Shape] = weigh(
    [("plain", 16), ("denied", 17), ("contrast", 27), ("turn", 20), ("asked", 12), ("verdict", 8)]
)
_NEUTRAL: Weighted[Shape] = weigh([("plain", 18), ("contrast", 26), ("turn", 20), ("neither", 22), ("verdict", 14)])
_LONG = 4  # of a hundred reviews
_FACTS = 12  # of a hundred neutral ones


@dataclass(frozen=True, slots=True)
class _Core:
    """The part of a review that has its label, and the combination that decides it."""

    sentences: str
    combination: str


@cache
def english() -> Corpus:
    """Return the three splits of the English reviews."""
    return _corpus(reviews_english.LANGUAGE)


@cache
def vietnamese() -> Corpus:
    """Return the three splits of the Vietnamese reviews."""
    return _corpus(reviews_vietnamese.LANGUAGE)


def derive(language: Language, draws: Draws) -> Derivation | None:
    """Return one review, its label, and what decides it; or None where two clauses belong in different splits."""
    label = draws.pick(LABELS)
    is_long = draws.chance(_LONG)
    before = 3 + draws.below(4) if is_long else int(draws.chance(35))
    after = 2 + draws.below(3) if is_long else int(draws.chance(20))
    if label == "neutral" and draws.chance(_FACTS):
        return _facts(language, draws, before + after + 2)
    core = _core(language, draws, label)
    if core is None:
        return None
    details = _details(language, draws, before + after)
    return Derivation(" ".join([*details[:before], core.sentences, *details[before:]]), label, core.combination)


def _facts(language: Language, draws: Draws, count: int) -> Derivation:
    """Return a review that judges nothing; what is unseen in valid and test is which facts it tells."""
    told = _details(language, draws, count)
    return Derivation(" ".join(told), "neutral", " | ".join(told))


def _corpus(language: Language) -> Corpus:
    return assemble(lambda draws: derive(language, draws), language.seed, [], TRAIN_SIZE, HELD_OUT_SIZE)


def _core(language: Language, draws: Draws, label: Label) -> _Core | None:
    match draws.pick_weighted(_NEUTRAL if label == "neutral" else _OPINIONS):
        case "plain":
            return _plain(language, draws, label)
        case "denied":
            return _denied(language, draws, label)
        case "contrast":
            return _contrast(language, draws, label)
        case "turn":
            return _turn(language, draws, label)
        case "asked":
            return _asked(language, draws, label)
        case "verdict":
            return _verdict(language, draws, label)
        case "neither":
            return _neither(language, draws)


def _plain(language: Language, draws: Draws, label: Label) -> _Core | None:
    thing, judging = _judged(language, draws, label)
    said = language.clause(thing, _with_degree(language, draws, judging))
    if draws.chance(60):
        return _Core(_sentence(said), _combination(thing, judging))
    other, also = _judged(language, draws, label, besides=thing)
    additions = language.additions[:1] if label == "neutral" else language.additions
    said = draws.pick(additions).format(first=said, last=language.clause(other, also.text))
    decided, decides_too = _combination(thing, judging), _combination(other, also)
    # Either clause alone would decide, so neither may be unseen in valid or test.
    return _Core(_sentence(said), decided) if split_of(decided) == split_of(decides_too) else None


def _denied(language: Language, draws: Draws, label: Label) -> _Core:
    thing, judging = _judged(language, draws, _opposite(label), deniable=True)
    said = _denial(language, draws, thing, judging)
    return _Core(_sentence(said), _combination(thing, judging, "denied"))


def _contrast(language: Language, draws: Draws, label: Label) -> _Core:
    """Two things are judged in two ways, and the second counts."""
    thing, judging = _judged(language, draws, _another(draws, label))
    first = language.clause(thing, _with_degree(language, draws, judging))
    template = draws.pick(language.contrasts)
    if label != "neutral" and draws.chance(25):
        thing, judging = _judged(language, draws, _opposite(label), deniable=True, besides=thing)
        last = _denial(language, draws, thing, judging)
        return _Core(_sentence(template.format(first=first, last=last)), _combination(thing, judging, "denied"))
    thing, judging = _judged(language, draws, label, besides=thing)
    last = language.clause(thing, _with_degree(language, draws, judging))
    return _Core(_sentence(template.format(first=first, last=last)), _combination(thing, judging))


def _turn(language: Language, draws: Draws, label: Label) -> _Core:
    """One thing was said, expected or formerly found to be so, and is otherwise."""
    thing, judging = _judged(language, draws, label)
    heard = draws.pick(language.words(thing.kind, _another(draws, label)))
    template = draws.pick(language.turns)
    said = template.format(
        thing=thing.text,
        holder=draws.pick(language.holders),
        clause=language.clause(thing, heard.text),
        heard=heard.text,
        it_is=language.it_is(thing, _with_degree(language, draws, judging)),
        to_be=language.to_be(thing, heard.text),
    )
    return _Core(_sentence(said), _combination(thing, judging))


def _asked(language: Language, draws: Draws, label: Label) -> _Core:
    """A question, and an answer without which it says nothing."""
    denied = draws.chance(60)
    thing, judging = _judged(language, draws, _opposite(label) if denied else label, deniable=True)
    answer = draws.pick(language.denying if denied else language.affirming)
    said = f"{_sentence(language.question(thing, judging.text), end='')} {answer}"
    return _Core(said, _combination(thing, judging, "denied" if denied else ""))


def _verdict(language: Language, draws: Draws, label: Label) -> _Core:
    """One thing was good, another bad; the last sentence weighs them."""
    first_label: Label = draws.pick(("negative", "positive"))
    thing, judging = _judged(language, draws, first_label)
    other, also = _judged(language, draws, _opposite(first_label), besides=thing)
    first, last = language.clause(thing, judging.text), language.clause(other, also.text)
    said = draws.pick(language.mixtures).format(first=first, last=last, thing=other.text, also=also.text)
    verdict = draws.pick(language.verdicts[label])
    return _Core(f"{_sentence(said)} {verdict}", f"{thing.text} | {other.text} | {verdict}")


def _neither(language: Language, draws: Draws) -> _Core:
    thing, good = _judged(language, draws, "positive", deniable=True)
    bad = draws.pick([word for word in language.words(thing.kind, "negative") if word.is_deniable])
    first, second = (good, bad) if draws.chance(50) else (bad, good)
    said = language.clause(thing, draws.pick(language.neithers).format(first.text, second.text))
    return _Core(_sentence(said), f"{thing.text} | {first.text} | {second.text}")


def _denial(language: Language, draws: Draws, thing: Thing, judging: Judging) -> str:
    if draws.chance(25):
        clause = language.clause(thing, judging.text)
        return draws.pick(language.outer_denials).format(clause=clause, thing=thing.text, word=judging.text)
    return language.clause(thing, draws.pick(language.denials).format(judging.text))


def _judged(
    language: Language, draws: Draws, label: Label, deniable: bool = False, besides: Thing | None = None
) -> tuple[Thing, Judging]:
    thing = draws.pick([each for each in language.things if besides is None or each.kind != besides.kind])
    words = [word for word in language.words(thing.kind, label) if word.is_deniable or not deniable]
    return thing, draws.pick(words)


def _with_degree(language: Language, draws: Draws, judging: Judging) -> str:
    degrees = language.degrees[judging.degree]
    return draws.pick(degrees).format(judging.text) if degrees and draws.chance(45) else judging.text


def _details(language: Language, draws: Draws, count: int) -> list[str]:
    """Return so many different sentences that judge nothing of the place."""
    found: dict[str, str] = {}
    while len(found) < count:
        template = draws.pick(language.details)
        filled = template.format(**{slot: draws.pick(options) for slot, options in language.slots.items()})
        found.setdefault(template, _sentence(filled))
    return list(found.values())


def _sentence(text: str, end: str = ".") -> str:
    return capitalised(text) + end


def _combination(thing: Thing, judging: Judging, *more: str) -> str:
    return " | ".join((thing.text, judging.text, *filter(None, more)))


def _opposite(label: Label) -> Label:
    return "negative" if label == "positive" else "positive"


def _another(draws: Draws, label: Label) -> Label:
    """Return another label; for a judgement, more often the opposite one than none."""
    if label == "neutral" or draws.chance(80):
        return draws.pick(("negative", "positive")) if label == "neutral" else _opposite(label)
    return "neutral"
