"""What stands before and after the verb in the French-English grammar: subjects and complements."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from heed.data.demos import french_english_words as words
from heed.data.demos.english_forms import Agreement
from heed.data.demos.french_forms import Adjective, Noun, Phrase, noun_phrase
from heed.data.demos.grammar import Weighted, weigh


@dataclass(frozen=True, slots=True)
class Subject:
    """Who acts: both texts and all that agreement needs."""

    french: str
    english: str
    head: str  # what the combination calls it
    person: int  # 0 … 5: je, tu, il, nous, vous, ils
    gender: str
    owner: str  # the possessive that points back to it: "my", "his", …

    @property
    def plural(self) -> bool:
        """Return whether it takes plural forms."""
        return self.person >= 3

    @property
    def agreement(self) -> Agreement:
        """Return how an English verb agrees with it."""
        if self.owner == "many":  # "il y a" stays singular where "there are" does not
            return "many"
        return "I" if self.person == 0 else "one" if self.person == 2 else "many"


@dataclass(frozen=True, slots=True)
class Complement:
    """What completes the verb. `french` has four columns and `english` two, for what agrees with the subject."""

    french: tuple[str, str, str, str]
    english: tuple[str, str]
    head: str
    negated: str = ""  # French after "ne … pas", where it differs
    owner: str = ""  # the possessive in it, which the subject must match
    pronoun: str = ""  # me, te, le, … and y, placed before the verb
    participle_ending: str = ""  # what a pronoun adds to the participle: "l'a vue"
    never_with: tuple[int, ...] = ()  # persons of the subject that would make it reflexive
    negatable: bool = True


Rows = list[tuple[Complement, int]]
OWN = ("my", "your", "his", "her", "our", "your (many)", "their")


def fixed(french: str, english: str, head: str = "") -> Complement:
    """Return a complement that agrees with nothing."""
    return Complement((french,) * 4, (english,) * 2, head or french)


def of_phrase(phrase: Phrase, owner: str = "", negatable: bool = True) -> Complement:
    """Return a noun phrase as a complement."""
    return Complement(
        (phrase.french,) * 4, (phrase.english,) * 2, phrase.head, phrase.negated, owner, negatable=negatable
    )


SINGULAR = (False,)
BOTH = (False, True)
_NUMERALS = ("two", "three", "four", "five")
_PLAIN_WEIGHT = 24  # against 1 for each adjective that could be added


def things(
    nouns: Sequence[Noun],
    determiners: Sequence[str],
    adjectives: Sequence[Adjective] = (),
    plurals: Sequence[bool] = BOTH,
) -> Rows:
    """Return every phrase of these parts; the determiner "own" stands for the subject's possessive."""
    rows: Rows = []
    for noun in nouns:
        for determiner in determiners:
            for actual in OWN if determiner == "own" else (determiner,):
                for plural in plurals:
                    rows += _phrases(noun, actual, actual if determiner == "own" else "", adjectives, plural)
    return rows


def _phrases(noun: Noun, determiner: str, owner: str, adjectives: Sequence[Adjective], plural: bool) -> Rows:
    is_counted = determiner in _NUMERALS
    if (plural and noun.plural == "-") or (is_counted and not plural):
        return []
    rows: Rows = [(of_phrase(noun_phrase(noun, determiner, plural), owner, not is_counted), _PLAIN_WEIGHT)]
    for adjective in adjectives:
        # "des" before an adjective would have to become "de": left out.
        if not (determiner == "a" and plural and adjective.precedes):
            rows.append((of_phrase(noun_phrase(noun, determiner, plural, adjective), owner, not is_counted), 1))
    return rows


def names() -> Rows:
    """Return the people by name."""
    return [(fixed(name, name), 60) for name in words.WOMEN + words.MEN]


def pronouns() -> Rows:
    """Return object pronouns with the ending that they give to a participle after them."""
    table = (
        ("me", "me", "", (0, 3)),
        ("te", "you", "", (1, 4)),
        ("nous", "us", "s", (0, 3)),
        ("vous", "you", "s", (1, 4)),
        ("les", "them", "s", ()),
        ("le", "him", "", ()),
        ("la", "her", "e", ()),
    )
    return [
        (
            Complement(
                ("",) * 4, (english,) * 2, french, pronoun=french, participle_ending=ending, never_with=never_with
            ),
            500 if french == "la" else 250,
        )
        for french, english, ending, never_with in table
    ]


def people() -> Rows:
    """Return the people that one can meet: by name, by noun, of one's own family."""
    return (
        names()
        + things(words.CHILDREN, ("the", "this"), words.CHILD_ADJECTIVES)
        + things(words.ADULTS, ("the", "this"), words.ADULT_ADJECTIVES)
        + things(words.FAMILY + words.FRIENDS, ("own",))
    )


def states(adjectives: Iterable[Adjective], degrees: Sequence[tuple[str, str]]) -> Rows:
    """Return adjectives after "être", which agree with the subject."""
    rows: Rows = []
    for adjective in adjectives:
        for french, english in degrees:
            forms = tuple(f"{french} {form}".strip() for form in adjective.forms)
            said = f"{english} {adjective.english}".strip()
            rows.append((Complement((forms[0], forms[1], forms[2], forms[3]), (said, said), adjective.forms[0]), 1))
    return rows


def professions() -> Rows:
    """Return professions after "être": without an article in French, with one in English."""
    rows: Rows = []
    for noun in words.PROFESSIONS:
        english = noun_phrase(noun, "a").english
        forms = (noun.singular, noun.singular, noun.plural, noun.plural)
        rows.append((Complement(forms, (english, noun.english_plural), noun.singular), 1))
    return rows


def _pronoun_subjects() -> list[tuple[Subject, int]]:
    table = (
        ("je", "I", 0, "m", "my"),
        ("tu", "you", 1, "m", "your"),
        ("il", "he", 2, "m", "his"),
        ("elle", "she", 2, "f", "her"),
        ("nous", "we", 3, "m", "our"),
        ("vous", "you", 4, "m", "your (many)"),
        ("ils", "they", 5, "m", "their"),
        ("elles", "they", 5, "f", "their"),
    )
    return [
        (
            Subject(french, english, french, person, gender, owner),
            240 if person in (2, 5) else 450 if person == 0 else 580,
        )
        for french, english, person, gender, owner in table
    ]


def _named_subjects() -> list[tuple[Subject, int]]:
    # Jane is drawn more often, so that each word around her is well known where she does something new.
    rows = [(Subject(name, name, name, 2, "f", "her"), 480 if name == "Jane" else 240) for name in words.WOMEN]
    rows += [(Subject(name, name, name, 2, "m", "his"), 240) for name in words.MEN]
    for woman, man in zip(words.WOMEN, words.MEN, strict=True):
        rows.append((Subject(f"{woman} et {man}", f"{woman} and {man}", f"{woman}&{man}", 5, "m", "their"), 40))
    for first, second in zip(words.WOMEN, words.WOMEN[1:], strict=False):
        rows.append(
            (Subject(f"{first} et {second}", f"{first} and {second}", f"{first}&{second}", 5, "f", "their"), 40)
        )
    return rows


def noun_subjects(
    nouns: Sequence[Noun], determiners: Sequence[str], adjectives: Sequence[Adjective] = ()
) -> list[tuple[Subject, int]]:
    """Return nouns as subjects, in singular and plural."""
    rows: list[tuple[Subject, int]] = []
    for noun in nouns:
        for determiner in determiners:
            for plural in (False, True) if noun.plural != "-" else (False,):
                for adjective in (None, *adjectives):
                    phrase = noun_phrase(noun, determiner, plural, adjective)
                    owner = "their" if plural else "her" if noun.gender == "f" else "his"
                    subject = Subject(
                        phrase.french, phrase.english, phrase.head, 5 if plural else 2, noun.gender, owner
                    )
                    rows.append((subject, 2 if adjective else 12))
    return rows


THINGS = words.ESTATE + words.GOODS + words.CLOTHES + words.READINGS
_YOUNG = _pronoun_subjects() + _named_subjects() + noun_subjects(words.CHILDREN, ("the", "this"))
_PERSONS = (
    _pronoun_subjects()
    + _named_subjects()
    + noun_subjects(words.CHILDREN, ("the", "this"), words.CHILD_ADJECTIVES)
    + noun_subjects(words.ADULTS, ("the", "this"), words.ADULT_ADJECTIVES)
    + noun_subjects(words.FAMILY + words.FRIENDS, ("my", "your", "our", "your (many)"))
)
SUBJECTS: dict[str, Weighted[Subject]] = {
    "person": weigh(_PERSONS),
    "young": weigh(_YOUNG),
    "animal": weigh(noun_subjects(words.ANIMALS, ("the", "this", "my"), words.COLOURS[-2:])),
    "thing": weigh(noun_subjects(THINGS, ("the", "this", "my", "your", "our"))),
    "weather": weigh([(Subject("il", "it", "il (temps)", 2, "m", ""), 1)]),
    "there": weigh(
        [(Subject("il", "there", "il y a", 2, "m", "one"), 1), (Subject("il", "there", "il y a", 2, "m", "many"), 1)]
    ),
}
