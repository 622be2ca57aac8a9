"""What stands before and after the verb in the English-Vietnamese grammar: subjects and complements."""

from collections.abc import Sequence
from dataclasses import dataclass

from heed.data.demos import english_vietnamese_words as words
from heed.data.demos.english_forms import Agreement, with_article
from heed.data.demos.english_vietnamese_words import Noun
from heed.data.demos.grammar import Weighted, joined, weigh


@dataclass(frozen=True, slots=True)
class Subject:
    """Who acts: both texts, how the English verb agrees, and the possessive that points back."""

    english: str
    vietnamese: str
    head: str  # what the combination calls it
    agreement: Agreement
    owner: str


@dataclass(frozen=True, slots=True)
class Complement:
    """What completes the verb."""

    english: str
    vietnamese: str
    head: str
    negated: str = ""  # Vietnamese after "không", where "a book" is "quyển sách nào", any book
    owner: str = ""  # the possessive in it, which must be the subject's own ("của mình")
    other_owner: str = ""  # the possessive in it, which must not be the subject's own ("của tôi")
    never_with: tuple[str, ...] = ()  # heads of subjects that would make it reflexive
    negatable: bool = True
    english_many: str = ""  # English after a plural subject, where it differs: "they are doctors"


Rows = list[tuple[Complement, int]]
Words = Sequence[tuple[str, str]]

_PLAIN_WEIGHT = 12  # against 1 for each adjective that could be added
_OWNERS = ("my", "your", "his", "her", "our", "their")
_OTHERS = {"my": "của tôi", "your": "của bạn"}
_COUNTS = {"two": "hai", "three": "ba", "four": "bốn", "many": "nhiều", "some": "một vài"}


def things(nouns: Sequence[Noun], determiners: Sequence[str], adjectives: Words = ()) -> Rows:
    """Return every phrase of these parts; "own" stands for the subject's possessive, "other" for my or your."""
    rows: Rows = []
    for noun in nouns:
        for determiner in determiners:
            rows += [(made, _PLAIN_WEIGHT) for made in _phrases(noun, determiner, ("", ""))]
            for adjective in adjectives:
                rows += [(made, 1) for made in _phrases(noun, determiner, adjective)]
    return rows


def _phrases(noun: Noun, determiner: str, adjective: tuple[str, str]) -> list[Complement]:
    one = joined(adjective[0], noun.english)
    vietnamese = joined(noun.classifier, noun.vietnamese, adjective[1])
    if determiner == "own":
        return [Complement(f"{owner} {one}", f"{vietnamese} của mình", noun.english, owner=owner) for owner in _OWNERS]
    if determiner == "other":
        return [
            Complement(f"{owner} {one}", f"{vietnamese} {said}", noun.english, other_owner=owner)
            for owner, said in _OTHERS.items()
        ]
    english, said = _determined(noun, determiner, adjective)
    negated = f"{vietnamese} nào" if determiner == "a" else ""
    return [Complement(english, said, noun.english, negated, negatable=determiner not in _COUNTS)]


def _determined(noun: Noun, determiner: str, adjective: tuple[str, str]) -> tuple[str, str]:
    """Return both texts of a noun after an article, a demonstrative or a number."""
    one, many = joined(adjective[0], noun.english), joined(adjective[0], noun.plural)
    vietnamese = joined(noun.classifier, noun.vietnamese, adjective[1])
    match determiner:
        case "the":
            return f"the {one}", vietnamese
        case "the (many)":
            return f"the {many}", f"{noun.several} {vietnamese}"
        case "a":
            return with_article(one), f"một {vietnamese}"
        case "any":  # "books" in general: without a classifier
            return many, joined(noun.vietnamese, adjective[1])
        case "this":
            return f"this {one}", f"{vietnamese} này"
        case "that":
            return f"that {one}", f"{vietnamese} đó"
        case "these":
            return f"these {many}", f"{noun.several} {vietnamese} này"
        case "those":
            return f"those {many}", f"{noun.several} {vietnamese} đó"
        case count:
            return f"{count} {many}", f"{_COUNTS[count]} {vietnamese}"


def plain(pairs: Words, weight: int = 1) -> Rows:
    """Return complements that are the same after every subject."""
    return [(Complement(english, vietnamese, english), weight) for english, vietnamese in pairs]


def owned(pairs: Words) -> Rows:
    """Return what belongs to the subject itself: "my English skills", "kỹ năng tiếng Anh của mình"."""
    return [
        (Complement(f"{owner} {english}", f"{vietnamese} của mình", english, owner=owner), 12)
        for english, vietnamese in pairs
        for owner in _OWNERS
    ]


def people() -> Rows:
    """Return the people one can meet: pronouns, names, family, strangers."""
    table = (
        ("me", "tôi", ("I", "we")),
        ("you", "bạn", ("you",)),
        ("him", "anh ấy", ("he",)),
        ("her", "cô ấy", ("she",)),
        ("us", "chúng tôi", ("I", "we")),
        ("them", "họ", ("they",)),
    )
    rows: Rows = [
        (Complement(english, vietnamese, english, never_with=never_with), 60)
        for english, vietnamese, never_with in table
    ]
    rows += [(Complement(name, name, name), 30) for name in words.NAMES]
    rows += owned(words.FAMILY)
    for english, vietnamese in words.FAMILY:
        for owner, said in (("my", "tôi"), ("your", "bạn")):
            rows.append((Complement(f"{owner} {english}", f"{vietnamese} {said}", english, other_owner=owner), 8))
    rows += things(words.PEOPLE, ("the",))
    return rows + things(words.PEOPLE + words.PROFESSIONS, ("this", "that", "the (many)", "those"))


def _pronouns_and_names() -> list[tuple[Subject, int]]:
    rows: list[tuple[Subject, int]] = [
        (Subject("I", "tôi", "I", "I", "my"), 90),
        (Subject("you", "bạn", "you", "many", "your"), 90),
        (Subject("he", "anh ấy", "he", "one", "his"), 80),
        (Subject("she", "cô ấy", "she", "one", "her"), 80),
        (Subject("we", "chúng tôi", "we", "many", "our"), 80),
        (Subject("they", "họ", "they", "many", "their"), 80),
    ]
    for name in words.NAMES:
        rows.append((Subject(name, name, name, "one", "her" if name in words.WOMEN else "his"), 36))
    for first, second in zip(words.NAMES, words.NAMES[1:], strict=False):
        subject = Subject(f"{first} and {second}", f"{first} và {second}", f"{first}&{second}", "many", "their")
        rows.append((subject, 6))
    return rows


def _family() -> list[tuple[Subject, int]]:
    return [
        (
            Subject(
                f"{owner} {english}",
                f"{vietnamese} {said}",
                english,
                "one",
                "his" if english in ("father", "older brother") else "her",
            ),
            9,
        )
        for english, vietnamese in words.FAMILY
        for owner, said in (("my", "tôi"), ("your", "bạn"), ("our", "chúng tôi"))
    ]


_ONE = ("the", "this", "that")
_GROUPS = ("the (many)", "these", "those", "many")


def _nouns(nouns: Sequence[Noun], determiners: Sequence[str], adjectives: Words = ()) -> list[tuple[Subject, int]]:
    rows: list[tuple[Subject, int]] = []
    for noun in nouns:
        for determiner in determiners:
            agreement: Agreement = "one" if determiner in _ONE else "many"
            owner = "their" if agreement == "many" else "her" if noun.english in ("woman", "nurse") else "his"
            for adjective in (("", ""), *adjectives):
                english, vietnamese = _determined(noun, determiner, adjective)
                weight = 1 if adjective[0] else 5
                rows.append((Subject(english, vietnamese, noun.english, agreement, owner), weight))
    return rows


def _owned_things() -> list[tuple[Subject, int]]:
    return [
        (Subject(f"{owner} {noun.english}", f"{noun.classifier} {noun.vietnamese} {said}", noun.english, "one", ""), 5)
        for noun in THINGS
        for owner, said in _OTHERS.items()
    ]


THINGS = words.ESTATE + words.GOODS + words.CLOTHES
SUBJECTS: dict[str, Weighted[Subject]] = {
    "person": weigh(_pronouns_and_names() + _family() + _nouns(words.PEOPLE + words.PROFESSIONS, _ONE + _GROUPS)),
    "young": weigh(_pronouns_and_names() + _nouns(words.PEOPLE[2:], (*_ONE, *_GROUPS[:3]))),
    "animal": weigh(_nouns(words.ANIMALS, (*_ONE, *_GROUPS, "two", "three"), (*words.COLOURS[:2], *words.LOOKS[:2]))),
    # "The table is old" would read "cái bàn cũ", an old table: something must part the two.
    "thing": weigh(_nouns(THINGS, ("this", "that", "these", "those")) + _owned_things()),
    "weather": weigh([(Subject("it", "trời", "it (weather)", "one", ""), 1)]),
    "there (one)": weigh([(Subject("there", "", "there", "one", ""), 1)]),
    "there (many)": weigh([(Subject("there", "", "there", "many", ""), 1)]),
}
