"""French forms: elision and contraction, adjectives and articles that agree, verb forms.

Phrases are first written out in full ("la Afrique", "à le Japon", "je aime"); `elide` makes the written French.
"""

import re
from dataclasses import dataclass

from heed.data.demos.english_forms import with_article

VOWELS = "aeiouyhàâéèêîôœAEIOUYHÀÂÉÈÊÎÔŒ"  # every h of the lexicon is mute

_ELISION = re.compile(rf"\b(je|ne|de|le|la|que|me|te) (?=[{VOWELS}])")
_CONTRACTION = re.compile(r"\b(à|de) (les?)\b(?!')")
_CONTRACTED = {"à le": "au", "à les": "aux", "de le": "du", "de les": "des"}


def elide(text: str) -> str:
    """Return the text with j', n', d', l', qu', m', t' and au, aux, du, des where French wants them."""
    text = _ELISION.sub(lambda found: found[1][:-1] + "'", text)
    return _CONTRACTION.sub(lambda found: _CONTRACTED[found[0]], text)


@dataclass(frozen=True, slots=True)
class Noun:
    """A noun on both sides; plural columns are "-" for what is not counted."""

    singular: str
    plural: str
    gender: str  # "m" or "f"
    english: str
    english_plural: str


@dataclass(frozen=True, slots=True)
class Adjective:
    """An adjective on both sides, with the column of French forms in the order of `agreeing`."""

    forms: tuple[str, str, str, str]
    before_vowel: str  # masculine singular before a vowel: bel, nouvel, vieil
    precedes: bool
    english: str

    def form(self, gender: str, plural: bool) -> str:
        """Return the form that agrees."""
        return self.forms[agreeing(gender, plural)]


def agreeing(gender: str, plural: bool) -> int:
    """Return the column of a form: masculine, feminine, masculine plural, feminine plural."""
    return 2 * plural + (gender == "f")


@dataclass(frozen=True, slots=True)
class FrenchVerb:
    """The forms that the grammar uses; `future` and `imperfect` are empty where it does not use them."""

    infinitive: str
    present: tuple[str, ...]
    participle: str
    with_etre: bool = False
    future: tuple[str, ...] = ()
    imperfect: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Phrase:
    """A noun phrase on both sides; `negated` is the French after "ne … pas", where un, des and du become de."""

    french: str
    negated: str
    english: str
    head: str


# determiner -> (masculine, feminine, plural) in French, (singular, plural) in English. "a" marks the article
# that turns into "an", "" no word at all.
_DETERMINERS = {
    "the": (("le", "la", "les"), ("the", "the")),
    "a": (("un", "une", "des"), ("a", "")),
    "some": (("de le", "de la", "des"), ("", "")),
    "generic": (("le", "la", "les"), ("", "")),
    "this": (("ce", "cette", "ces"), ("this", "these")),
    "my": (("mon", "ma", "mes"), ("my", "my")),
    "your": (("ton", "ta", "tes"), ("your", "your")),
    "his": (("son", "sa", "ses"), ("his", "his")),
    "her": (("son", "sa", "ses"), ("her", "her")),
    "our": (("notre", "notre", "nos"), ("our", "our")),
    "your (many)": (("votre", "votre", "vos"), ("your", "your")),
    "their": (("leur", "leur", "leurs"), ("their", "their")),
    "no word": (("", "", ""), ("", "")),
    "two": (("deux", "deux", "deux"), ("two", "two")),
    "three": (("trois", "trois", "trois"), ("three", "three")),
    "four": (("quatre", "quatre", "quatre"), ("four", "four")),
    "five": (("cinq", "cinq", "cinq"), ("five", "five")),
}
_BEFORE_VOWEL = {"ce": "cet", "ma": "mon", "ta": "ton", "sa": "son"}
_INDEFINITE = ("a", "some")


def noun_phrase(noun: Noun, determiner: str, plural: bool = False, adjective: Adjective | None = None) -> Phrase:
    """Return determiner, noun and adjective, agreeing in gender and number on the French side."""
    core = _french_core(noun, plural, adjective)
    articles, english_articles = _DETERMINERS[determiner]
    article = articles[2 if plural else int(noun.gender == "f")]
    if core[0] in VOWELS:
        article = _BEFORE_VOWEL.get(article, article)
    french = f"{article} {core}".strip()
    english_core = noun.english_plural if plural else noun.english
    if adjective is not None:
        english_core = f"{adjective.english} {english_core}"
    english_article = english_articles[plural]
    english = with_article(english_core) if english_article == "a" else f"{english_article} {english_core}".strip()
    return Phrase(french, f"de {core}" if determiner in _INDEFINITE else french, english, noun.singular)


def _french_core(noun: Noun, plural: bool, adjective: Adjective | None) -> str:
    word = noun.plural if plural else noun.singular
    if adjective is None:
        return word
    form = adjective.form(noun.gender, plural)
    if not adjective.precedes:
        return f"{word} {form}"
    if noun.gender == "m" and not plural and word[0] in VOWELS:
        form = adjective.before_vowel
    return f"{form} {word}"


def regular(infinitive: str, plain: str = "", first_plural: str = "") -> FrenchVerb:
    """Return a verb in -er; `plain` is the stem of the singular and the third plural where its accent differs."""
    stem = infinitive[:-2]
    plain = plain or stem
    present = (
        f"{plain}e",
        f"{plain}es",
        f"{plain}e",
        first_plural or f"{stem}ons",
        f"{stem}ez",
        f"{plain}ent",
    )
    return FrenchVerb(infinitive, present, f"{stem}é")
