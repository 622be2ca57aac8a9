"""`demo:en-vi`: everyday English sentences and their Vietnamese translations.

A sentence is a `Clause`, as in `demo:fr-en`, and what is unseen in valid and test is again the combination (head of the
subject, verb, head of the complement), in whatever tense and with whatever adverb, place and time.
"""

import re
from collections.abc import Iterator
from functools import cache
from itertools import product

from heed.data.demos import english_vietnamese_words as words
from heed.data.demos.english_forms import BE
from heed.data.demos.english_vietnamese_clauses import ASKED, NEGATIVE, Clause, derivation, english_complement
from heed.data.demos.english_vietnamese_frames import FRAMES, Frame, complements_for
from heed.data.demos.english_vietnamese_phrases import SUBJECTS, Complement, Subject
from heed.data.demos.english_vietnamese_words import NO_TIME, Time
from heed.data.demos.grammar import Corpus, Derivation, Draws, Weighted, assemble, differ, weigh

SEED = "heed en-vi 1"
PINNED = ("I love you", "I would like to improve my English skills")

_MOST_WORDS = 14
_PERIODS = {"present": "present", "like": "habit", "past": "past", "progressive": "now"}
# "" states, "?" asks for yes or no.
_MOODS: Weighted[str] = weigh([("", 82), ("?", 12), ("why", 4), ("when", 2)])
_NEGATORS: Weighted[str] = weigh([("", 79), ("not", 18), ("never", 3)])


@cache
def corpus() -> Corpus:
    """Return the three splits."""
    pinned = [next(derivations(source)) for source in PINNED]
    return assemble(derive, SEED, pinned)


def derivations(source: str) -> Iterator[Derivation]:
    """Yield every way in which the grammar makes this sentence."""
    for clause in _clauses_within(frozenset(_words_in(source))):
        if _is_allowed(clause):
            made = derivation(clause)
            if made.source == source:
                yield made


def derive(draws: Draws) -> Derivation | None:
    """Return one sentence, or None where the choices drawn do not fit together."""
    frame = draws.pick_weighted(FRAMES)
    subject = draws.pick_weighted(SUBJECTS[frame.subjects])
    tense = draws.pick(frame.tenses)
    mood = draws.pick_weighted(_MOODS)
    negator = "" if mood else draws.pick_weighted(_NEGATORS)
    has_adverb = bool(frame.adverbs) and tense == "present" and not negator and not mood and draws.chance(18)
    place = draws.pick(words.BUILDINGS) if frame.with_place and draws.chance(15) else None
    times = _times(frame, tense)
    needs_time = _needs_time(frame, tense, mood)
    clause = Clause(
        frame,
        subject,
        draws.pick_weighted(complements_for(frame, subject.owner)),
        tense,
        negator,
        mood,
        draws.pick(frame.adverbs) if has_adverb else ("", ""),
        (f"{place[0]} {place[1]}", f"ở {place[2]}") if place else ("", ""),
        draws.pick(times) if times and (needs_time or draws.chance(58)) else NO_TIME,
        draws.chance(25),
    )
    made = derivation(clause) if _is_allowed(clause) else None
    return made if made and _is_short(made.source) else None


def _is_short(text: str) -> bool:
    return 1 + text.count(" ") + text.count("'") <= _MOST_WORDS


def _times(frame: Frame, tense: str) -> tuple[Time, ...]:
    if not frame.scale or tense == "perfect":
        return ()
    return words.TIMES[frame.scale, _PERIODS.get(tense, "coming")]


def _needs_time(frame: Frame, tense: str, mood: str) -> bool:
    """Return whether only a time tells the tense: of "they read", of "họ mệt", of "họ có đi không?"."""
    if tense == "past" and (frame.behaviour == "state" or frame.english.past == frame.english.base):
        return True
    return mood == "?" and tense in ("past", "future")


def _is_allowed(clause: Clause) -> bool:
    """Return whether the choices fit together; each alone is already fit for its frame."""
    frame, complement, time = clause.frame, clause.complement, clause.time
    if clause.subject.head in complement.never_with or not differ(clause.subject.head, complement.head):
        return False
    if clause.time_first and not (time.opens and not clause.mood):
        return False
    if _needs_time(frame, clause.tense, clause.mood) and not time.opens:
        return False
    if clause.adverb[0] and (clause.mood or clause.negator or time.english.startswith("every")):
        return False
    if clause.place[0] and clause.tense in ("want", "would", "must", "need"):
        return False
    return _is_deniable(clause) and _is_askable(clause)


def _is_deniable(clause: Clause) -> bool:
    if not clause.negator:
        return True
    if not clause.frame.askable or not clause.complement.negatable or clause.time.english.startswith("every"):
        return False
    if clause.negator == "never":
        return clause.tense == "present" and clause.frame.adverbs == words.ADVERBS
    return clause.tense in NEGATIVE


def _is_askable(clause: Clause) -> bool:
    match clause.mood:
        case "":
            return True
        case "?":
            if clause.subject.head == "I" and clause.tense not in ("can", "should", "need"):
                return False  # nobody asks whether he himself is eating
            is_doubtful = clause.complement.negatable and not clause.complement.english.startswith("very ")
            return clause.tense in ASKED and clause.frame.askable and is_doubtful
        case "when":
            return bool(clause.frame.scale) and not clause.time.english and clause.tense in ("future", "past")
        case _:
            return (
                clause.tense in ("present", "past", "future", "progressive", "want")
                and clause.frame.askable
                and not clause.subject.head.startswith("there")
            )


def _words_in(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


@cache
def _words_of(text: str) -> frozenset[str]:
    return frozenset(_words_in(text))


def _clauses_within(present_words: frozenset[str]) -> Iterator[Clause]:
    """Yield the clauses, allowed or not, whose words all occur."""
    for frame in FRAMES.options:
        verb = frame.english
        if verb is not BE and present_words.isdisjoint(
            (verb.base, verb.third, verb.past, verb.participle, verb.gerund)
        ):
            continue
        for subject in SUBJECTS[frame.subjects].options:
            if _words_of(subject.english) <= present_words:
                for complement in complements_for(frame, subject.owner).options:
                    if _words_of(english_complement(subject, complement)) <= present_words:
                        yield from _completions(frame, subject, complement, present_words)


def _completions(
    frame: Frame, subject: Subject, complement: Complement, present_words: frozenset[str]
) -> Iterator[Clause]:
    places = [("", ""), *((f"{row[0]} {row[1]}", f"ở {row[2]}") for row in words.BUILDINGS if frame.with_place)]
    places = [place for place in places if _words_of(place[0]) <= present_words]
    adverbs = [("", ""), *(pair for pair in frame.adverbs if pair[0] in present_words)]
    negators = [each for each in _NEGATORS.options if each in ("", "not") or each in present_words]
    moods = [each for each in _MOODS.options if each in ("", "?") or each in present_words]
    for tense in dict.fromkeys(frame.tenses):
        times = [time for time in _times(frame, tense) if _words_of(time.english) <= present_words]
        said = adverbs if tense == "present" else adverbs[:1]
        choices = product(negators, moods, said, places, (NO_TIME, *times), (False, True))
        for negator, mood, adverb, place, time, first in choices:
            if not (negator and mood):
                yield Clause(frame, subject, complement, tense, negator, mood, adverb, place, time, first)
