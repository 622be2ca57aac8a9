"""`Clause`: the choices that make a sentence of the French-English grammar, and both its texts."""

from dataclasses import dataclass

from heed.data.demos import french_english_verbs as verbs
from heed.data.demos.english_forms import Group, be_present, past, present, question, statement
from heed.data.demos.french_english_frames import Frame
from heed.data.demos.french_english_phrases import Complement, Subject
from heed.data.demos.french_forms import FrenchVerb, agreeing, elide
from heed.data.demos.grammar import Derivation, capitalised, joined

_MODALS = {"going": verbs.GO, "want": verbs.WANT, "can": verbs.CAN, "must": verbs.MUST, "like": verbs.LOVE}


@dataclass(frozen=True, slots=True)
class Clause:
    """All choices that make a sentence; pairs are (French, English), empty where nothing is said."""

    frame: Frame
    subject: Subject
    complement: Complement
    tense: str
    negator: tuple[str, str]
    is_question: bool
    asked: tuple[str, str]
    frequency: tuple[str, str]
    place: tuple[str, str]
    time: tuple[str, str]
    time_first: bool


def derivation(clause: Clause) -> Derivation:
    """Return both texts of a clause."""
    combination = f"{clause.subject.head} | {clause.frame.verb.infinitive} | {clause.complement.head}"
    return Derivation(_french(clause), _english(clause), combination)


def _french(clause: Clause) -> str:
    subject, complement = clause.subject, clause.complement
    column = agreeing(subject.gender, subject.plural)
    said = complement.negated if clause.negator[0] and complement.negated else complement.french[column]
    before_finite, finite, rest = _french_verb(clause, column)
    core = joined(
        subject.french,
        "ne" if clause.negator[0] else "",
        before_finite,
        finite,
        clause.negator[0],
        clause.frequency[0],
        rest,
        said,
        clause.place[0],
    )
    time = clause.time[0]
    if clause.is_question:
        return capitalised(elide(joined(clause.asked[0], "est-ce que", core, time, "?")))
    return capitalised(elide(joined(time, core) if clause.time_first else joined(core, time)))


def _french_verb(clause: Clause, column: int) -> tuple[str, str, str]:
    """Return what stands before the finite verb, the finite verb, and what follows it."""
    verb, person, pronoun = clause.frame.verb, clause.subject.person, clause.complement.pronoun
    match clause.tense:
        case "present":
            return pronoun, verb.present[person], ""
        case "imperfect":
            return pronoun, verb.imperfect[person], ""
        case "future":
            return pronoun, verb.future[person], ""
        case "past":
            auxiliary = verbs.BE if verb.with_etre else verbs.HAVE
            ending = ("", "e", "s", "es")[column] if verb.with_etre else clause.complement.participle_ending
            return pronoun, auxiliary.present[person], _participle(verb, ending)
        case modal:
            return "", _MODALS[modal].present[person], joined(pronoun, verb.infinitive)


def _participle(verb: FrenchVerb, ending: str) -> str:
    # "appris" already ends in the s of the plural.
    return verb.participle if ending == "s" and verb.participle.endswith("s") else verb.participle + ending


def _english(clause: Clause) -> str:
    subject, frame = clause.subject, clause.frame
    group = _english_group(clause)
    said = joined(frame.particle, clause.complement.english[subject.plural], clause.place[1])
    time = clause.time[1]
    if clause.is_question:
        asked = question(subject.english, group, clause.frequency[1])
        return capitalised(joined(clause.asked[1], asked, said, time) + "?")
    core = joined(statement(subject.english, group, clause.negator[1], clause.frequency[1]), said)
    return capitalised(joined(time, core) if clause.time_first else joined(core, time))


def _english_group(clause: Clause) -> Group:
    agreement, verb = clause.subject.agreement, clause.frame.english
    match clause.tense:
        case "present":
            return present(agreement, verb)
        case "past" | "imperfect":
            return past(agreement, verb)
        case "going":
            return Group(be_present(agreement), f"going to {verb.base}")
        case "want" | "like":
            return present(agreement, verbs.ENGLISH[clause.tense], f"to {verb.base}")
        case "future":
            return Group("will", verb.base)
        case modal:
            return Group(modal, verb.base)
