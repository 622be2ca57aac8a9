"""English verb groups, questions and articles, for the grammars that have English on one side."""

from dataclasses import dataclass
from typing import Literal

from heed.data.demos.grammar import joined

# How a subject agrees: "I" (am), "one" (is, eats) or "many" (are, eat; also "you").
Agreement = Literal["I", "one", "many"]


@dataclass(frozen=True, slots=True)
class EnglishVerb:
    """The forms of a verb; those of "to be" follow from the subject."""

    base: str
    third: str = ""
    past: str = ""
    participle: str = ""
    gerund: str = ""


@dataclass(frozen=True, slots=True)
class Group:
    """A verb group: with an auxiliary it can be negated and asked as it stands, without one it needs "do"."""

    auxiliary: str  # "will", "is", … or "" when the finite verb is the main verb
    main: str  # what follows the auxiliary, or the finite verb itself
    support: str = ""  # the form of "do" that stands in for a missing auxiliary
    bare: str = ""  # the main verb beside that "do"


BE = EnglishVerb("be", "is", "was", "been", "being")
_BE_PRESENT: dict[Agreement, str] = {"I": "am", "one": "is", "many": "are"}
_BE_PAST: dict[Agreement, str] = {"I": "was", "one": "was", "many": "were"}


def be_present(agreement: Agreement) -> str:
    """Return am, is or are."""
    return _BE_PRESENT[agreement]


def present(agreement: Agreement, verb: EnglishVerb, following: str = "") -> Group:
    """Return the simple present; `following` is an infinitive as in "wants to swim"."""
    if verb is BE:
        return Group(_BE_PRESENT[agreement], following)
    finite = verb.third if agreement == "one" else verb.base
    support = "does" if agreement == "one" else "do"
    return Group("", joined(finite, following), support, joined(verb.base, following))


def past(agreement: Agreement, verb: EnglishVerb) -> Group:
    """Return the simple past."""
    if verb is BE:
        return Group(_BE_PAST[agreement], "")
    return Group("", verb.past, "did", verb.base)


def statement(subject: str, group: Group, negator: str = "", adverb: str = "") -> str:
    """Return subject and verb group; the negator is "", "not", "never" or "no longer"."""
    if negator != "not":
        return joined(subject, group.auxiliary, negator, adverb, group.main)
    if group.auxiliary == "can":
        return joined(subject, "cannot", adverb, group.main)
    if group.auxiliary:
        return joined(subject, group.auxiliary, "not", adverb, group.main)
    return joined(subject, group.support, "not", adverb, group.bare)


def question(subject: str, group: Group, adverb: str = "") -> str:
    """Return the same with the auxiliary, or "do", before the subject."""
    if group.auxiliary:
        return joined(group.auxiliary, subject, adverb, group.main)
    return joined(group.support, subject, adverb, group.bare)


def with_article(phrase: str) -> str:
    """Return the phrase after "a" or "an". The lexicons hold no word in which letter and sound differ."""
    return ("an " if phrase[0] in "aeiouAEIOU" else "a ") + phrase
