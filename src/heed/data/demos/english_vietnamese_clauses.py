"""`Clause`: the choices that make a sentence of the English-Vietnamese grammar, and both its texts."""

from dataclasses import dataclass

from heed.data.demos import english_vietnamese_words as words
from heed.data.demos.english_forms import Group, be_present, past, present, question, statement
from heed.data.demos.english_vietnamese_frames import Frame
from heed.data.demos.english_vietnamese_phrases import Complement, Subject
from heed.data.demos.english_vietnamese_words import Time
from heed.data.demos.grammar import Derivation, capitalised, joined

# What stands before the verb in a statement, a denial and a question, for each tense that can have one.
_POSITIVE = {
    "present": "",
    "past": "đã",
    "future": "sẽ",
    "progressive": "đang",
    "perfect": "đã",
    "want": "muốn",
    "would": "muốn",
    "can": "có thể",
    "must": "phải",
    "should": "nên",
    "need": "cần",
    "like": "thích",
}
NEGATIVE = {
    "present": "không",
    "past": "đã không",
    "future": "sẽ không",
    "perfect": "chưa",
    "want": "không muốn",
    "can": "không thể",
    "must": "không được",
    "should": "không nên",
    "need": "không cần",
    "like": "không thích",
}
ASKED = {
    "present": "có",
    "past": "có",
    "future": "có",
    "progressive": "có đang",
    "perfect": "đã",
    "want": "có muốn",
    "would": "có muốn",
    "can": "có thể",
    "should": "có nên",
    "need": "có cần",
    "like": "có thích",
}


@dataclass(frozen=True, slots=True)
class Clause:
    """All choices that make a sentence; pairs are (English, Vietnamese), empty where nothing is said."""

    frame: Frame
    subject: Subject
    complement: Complement
    tense: str
    negator: str
    mood: str
    adverb: tuple[str, str]
    place: tuple[str, str]
    time: Time
    time_first: bool  # in English; Vietnamese decides by the time itself


def derivation(clause: Clause) -> Derivation:
    """Return both texts of a clause."""
    combination = f"{clause.subject.head} | {clause.frame.english.base} | {clause.complement.head}"
    return Derivation(_english(clause), _vietnamese(clause), combination)


def _english(clause: Clause) -> str:
    group = _english_group(clause)
    said = joined(clause.frame.particle, english_complement(clause.subject, clause.complement), clause.place[0])
    subject, time = clause.subject.english, clause.time.english
    if clause.mood:
        asked = "" if clause.mood == "?" else clause.mood
        yet = "yet" if clause.tense == "perfect" else ""
        return capitalised(joined(asked, question(subject, group), said, yet, time) + "?")
    is_done = clause.tense == "perfect"
    adverb = "already" if is_done and not clause.negator else clause.adverb[0]
    yet = "yet" if is_done and clause.negator else ""
    core = joined(statement(subject, group, clause.negator, adverb), said, yet)
    return capitalised(joined(time, core) if clause.time_first else joined(core, time))


def english_complement(subject: Subject, complement: Complement) -> str:
    """Return the complement, in the plural where it says what several people are."""
    is_many = subject.agreement == "many" and subject.head != "you"
    return complement.english_many if is_many and complement.english_many else complement.english


def _english_group(clause: Clause) -> Group:
    agreement, verb = clause.subject.agreement, clause.frame.english
    match clause.tense:
        case "present":
            return present(agreement, verb)
        case "past":
            return past(agreement, verb)
        case "progressive":
            return Group(be_present(agreement), verb.gerund)
        case "perfect":
            return Group("has" if agreement == "one" else "have", verb.participle)
        case "want" | "need" | "like":
            return present(agreement, words.VERBS[clause.tense], f"to {verb.base}")
        case "would":
            return Group("would", f"like to {verb.base}")
        case "future":
            return Group("will", verb.base)
        case modal:
            return Group(modal, verb.base)


def _vietnamese(clause: Clause) -> str:
    frame, complement, time = clause.frame, clause.complement, clause.time
    denies = clause.negator or (clause.mood == "?" and frame.behaviour == "có")
    said = complement.negated if denies and complement.negated else complement.vietnamese
    core = joined(clause.subject.vietnamese, clause.adverb[1], _marked_verb(clause), said, clause.place[1])
    if not time.opens:
        core = joined(core, time.vietnamese)
    match clause.mood:
        case "":
            core = joined(core, "rồi" if clause.tense == "perfect" and not clause.negator else "")
        case "?":
            core = joined(core, "chưa?" if clause.tense == "perfect" else "không?")
        case "why":
            core = f"tại sao {core}?"
        case _:  # "khi nào" opens a question about the future and closes one about the past
            core = f"{core} khi nào?" if clause.tense == "past" else f"khi nào {core}?"
    return capitalised(joined(time.vietnamese, core) if time.opens else core)


def _marked_verb(clause: Clause) -> str:
    """Return the verb after its markers of tense, denial or question."""
    verb, behaviour, tense = clause.frame.vietnamese, clause.frame.behaviour, clause.tense
    if behaviour == "state" and tense == "past":
        tense = "present"
    if clause.negator == "never":
        return joined("không bao giờ", verb)
    if clause.negator:
        return joined(NEGATIVE[tense], "phải" if behaviour == "là" else "", verb)
    if clause.mood == "?":
        asked = "" if behaviour == "có" else ASKED[tense]
        return joined(asked, "phải" if behaviour == "là" else "", verb)
    return joined(_POSITIVE[tense], verb)
