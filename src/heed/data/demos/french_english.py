"""`demo:fr-en`: everyday French sentences and their English translations.

A sentence is a `Clause`: a subject, a frame (verb), a complement, a tense, and perhaps a negation, a question, an
adverb, a place and a time. What is unseen in valid and test is the combination (head of the subject, verb, head of the
complement): if "Jane visite l'Afrique en septembre" is in test, train holds no sentence at all in which Jane visits
Africa, in any tense, but many in which Jane visits other places, others visit Africa, and things happen in September.
"""

import re
from collections.abc import Iterator
from functools import cache
from itertools import product

from heed.data.demos import french_english_words as words
from heed.data.demos.french_english_clauses import Clause, derivation
from heed.data.demos.french_english_frames import FRAMES, Frame, complements_for
from heed.data.demos.french_english_phrases import SUBJECTS, Complement, Subject
from heed.data.demos.french_forms import VOWELS, FrenchVerb, agreeing
from heed.data.demos.grammar import Corpus, Derivation, Draws, Weighted, assemble, differ, weigh

SEED = "heed fr-en 1"
PINNED = ("Jane visite l'Afrique en septembre",)

_MOST_WORDS = 14
_NO_TIME = ("", "")
_PERIODS = {"present": "present", "like": "habit", "past": "past", "imperfect": "past"}
_NEGATORS: Weighted[tuple[str, str]] = weigh(
    [(("", ""), 80), (("pas", "not"), 16), (("jamais", "never"), 2), (("plus", "no longer"), 2)]
)
_ASKED: Weighted[tuple[str, str]] = weigh(
    [(("", ""), 60), (("où", "where"), 9), (("quand", "when"), 9), (("pourquoi", "why"), 9)]
)


@cache
def corpus() -> Corpus:
    """Return the three splits."""
    pinned = [next(derivations(source)) for source in PINNED]
    return assemble(_derive, SEED, pinned)


def derivations(source: str) -> Iterator[Derivation]:
    """Yield every way in which the grammar makes this sentence."""
    for clause in _clauses_within(set(_content_words(source))):
        if _is_allowed(clause):
            made = derivation(clause)
            if made.source == source:
                yield made


def _derive(draws: Draws) -> Derivation | None:
    frame = draws.pick_weighted(FRAMES)
    subject = draws.pick_weighted(SUBJECTS[frame.subjects])
    complements = complements_for(frame, subject.owner)
    if not complements.options:
        return None
    tense = draws.pick(frame.tenses)
    is_question = draws.chance(14)
    negator = ("", "") if is_question else draws.pick_weighted(_NEGATORS)
    frequent = frame.frequent and tense == "present" and not negator[0] and draws.chance(14)
    place = draws.pick(words.BUILDINGS) if frame.with_place and draws.chance(15) else None
    times = _times(frame, tense)
    clause = Clause(
        frame,
        subject,
        draws.pick_weighted(complements),
        tense,
        negator,
        is_question,
        draws.pick_weighted(_ASKED) if is_question else ("", ""),
        draws.pick(words.FREQUENCIES) if frequent else ("", ""),
        (place.french_at, place.english_at) if place else ("", ""),
        draws.pick(times) if times and draws.chance(62) else _NO_TIME,
        draws.chance(30),
    )
    made = derivation(clause) if _is_allowed(clause) else None
    if made is None or _words(made.source) > _MOST_WORDS or _words(made.target) > _MOST_WORDS:
        return None
    return made


def _words(text: str) -> int:
    return 1 + text.count(" ") + text.count("'")


def _times(frame: Frame, tense: str) -> tuple[tuple[str, str], ...]:
    return words.TIMES[frame.scale, _PERIODS.get(tense, "coming")] if frame.scale else ()


def _is_allowed(clause: Clause) -> bool:
    """Return whether the choices fit together; each alone is already fit for its frame."""
    subject, complement, negator = clause.subject, clause.complement, clause.negator[0]
    if subject.person in complement.never_with or not differ(subject.head, complement.head):
        return False
    if negator and (not complement.negatable or clause.frequency[0] or clause.is_question):
        return False
    if (negator or clause.frequency[0]) and clause.time[0].startswith(("chaque", "tous")):
        return False
    if negator == "jamais" and not (clause.tense == "present" and clause.frame.frequent):
        return False
    if negator == "plus" and not (clause.tense == "present" and clause.frame.may_end):
        return False
    if clause.is_question and (clause.tense in ("must", "like") or (subject.person == 0 and clause.tense != "can")):
        return False  # nobody asks whether he himself is eating
    if clause.time_first and (clause.is_question or clause.time[0] not in words.FRONTABLE):
        return False
    return _is_unambiguous(clause) and _is_askable(clause)


def _is_unambiguous(clause: Clause) -> bool:
    # "l'aide" hides whether he or she is helped; in the past the participle tells ("l'a aidée").
    if clause.complement.pronoun in ("le", "la") and clause.tense != "past":
        following = clause.frame.verb.present[clause.subject.person]
        return following[0] not in VOWELS and clause.frame.verb.infinitive[0] not in VOWELS
    return True


def _is_askable(clause: Clause) -> bool:
    match clause.asked[0]:
        case "":
            return True
        case "où":
            return clause.frame.with_place and not clause.place[0]
        case "quand":
            return bool(clause.frame.scale) and not clause.time[0] and not clause.frequency[0] and clause.tense != "can"
        case _:
            return clause.frame.has_reason and clause.tense != "can"


# These change shape, or are too common to tell sentences apart.
_SMALL_WORDS = frozenset(re.findall(r"\w+", "le la les l de du des d à au aux je j ne n que qu me m te t"))


def _content_words(text: str) -> list[str]:
    return [word for word in re.findall(r"[\w-]+", text.lower()) if word not in _SMALL_WORDS]


@cache
def _words_of(text: str) -> frozenset[str]:
    return frozenset(_content_words(text))


@cache
def _verb_words(verb: FrenchVerb) -> frozenset[str]:
    participles = (verb.participle + ending for ending in ("", "e", "s", "es"))
    return frozenset((verb.infinitive, *verb.present, *verb.future, *verb.imperfect, *participles))


def _clauses_within(present_words: set[str]) -> Iterator[Clause]:
    """Yield the clauses, allowed or not, whose content words all occur; small words change shape and are not asked."""
    for frame in FRAMES.options:
        if present_words.isdisjoint(_verb_words(frame.verb)):
            continue
        subjects = [one for one in SUBJECTS[frame.subjects].options if _words_of(one.french) <= present_words]
        for subject in subjects:
            for complement in complements_for(frame, subject.owner).options:
                column = agreeing(subject.gender, subject.plural)
                texts = (complement.french[column], complement.negated or complement.french[column])
                if any(_words_of(text) <= present_words for text in texts):
                    yield from _completions(frame, subject, complement, present_words)


def _completions(frame: Frame, subject: Subject, complement: Complement, present_words: set[str]) -> Iterator[Clause]:
    def within(options: tuple[tuple[str, str], ...]) -> list[tuple[str, str]]:
        return [option for option in options if _words_of(option[0]) <= present_words]

    places = (("", ""), *((place.french_at, place.english_at) for place in words.BUILDINGS if frame.with_place))
    frequencies = (("", ""), *(words.FREQUENCIES if frame.frequent else ()))
    moods = [(False, ("", "")), *((True, option) for option in within(_ASKED.options))]
    for tense in dict.fromkeys(frame.tenses):
        times = (_NO_TIME, *within(_times(frame, tense)))
        said_often = within(frequencies if tense == "present" else frequencies[:1])
        choices = product(within(_NEGATORS.options), moods, said_often, within(places), times, (False, True))
        for negator, (is_question, asked), frequency, place, time, first in choices:
            yield Clause(
                frame, subject, complement, tense, negator, is_question, asked, frequency, place, time, first
            )  # fmt: skip
