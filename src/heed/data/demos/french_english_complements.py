"""The complements of the French-English grammar that are made of more than one phrase: places, gifts, ages, weather."""

from heed.data.demos import french_english_words as words
from heed.data.demos.french_english_phrases import Complement, Rows, fixed, things
from heed.data.demos.french_forms import noun_phrase


def at(*groups: tuple[words.Place, ...]) -> Rows:
    """Return being at these places."""
    return [(fixed(place.french_at, place.english_at, place.head), 1) for group in groups for place in group]


def to(*groups: tuple[words.Place, ...]) -> Rows:
    """Return going to these places."""
    return [(fixed(place.french_at, f"to {place.english}", place.head), 1) for group in groups for place in group]


def gifts() -> Rows:
    """Return things and who is given them."""
    rows: Rows = []
    given = words.READINGS + words.CLOTHES + words.FOOD[:3] + words.GOODS
    receivers = [(name, name, name) for name in words.WOMEN + words.MEN]
    for noun in words.CHILDREN + words.ADULTS[:2]:
        phrase = noun_phrase(noun, "the")
        receivers.append((phrase.french, phrase.english, phrase.head))
    for thing in given:
        for determiner, plural in (("the", False), ("a", False), ("this", False), ("the", True)):
            phrase = noun_phrase(thing, determiner, plural)
            for french, english, head in receivers:
                rows.append(
                    (
                        Complement(
                            (f"{phrase.french} à {french}",) * 4,
                            (f"{phrase.english} to {english}",) * 2,
                            f"{phrase.head}+{head}",
                            negated=f"{phrase.negated} à {french}",
                        ),
                        1,
                    )
                )
    return rows


SUPPORTS = (("sur la table", "on the table", "table"), ("dans le sac", "in the bag", "sac"))
_SMALL_THINGS = words.READINGS + words.CLOTHES + words.FOOD + words.GOODS[1:]


def there(plural: bool) -> Rows:
    """Return what there is and where, after "il y"."""
    rows: Rows = []
    for noun in _SMALL_THINGS:
        for determiner in ("a", "two", "three", "four", "five") if plural else ("a",):
            phrase = noun_phrase(noun, determiner, plural)
            for french, english, head in SUPPORTS:
                rows.append(
                    (
                        Complement(
                            (f"{phrase.french} {french}",) * 4,
                            (f"{phrase.english} {english}",) * 2,
                            f"{phrase.head}+{head}",
                            negated=f"{phrase.negated} {french}",
                            owner="many" if plural else "one",
                            pronoun="y",
                            negatable=not plural,
                        ),
                        1,
                    )
                )
    return rows


def visited() -> Rows:
    """Return lands and cities themselves."""
    return [(fixed(place.french, place.english, place.head), 24) for place in words.LANDS]


def weather() -> Rows:
    """Return how warm it is and where."""
    rows: Rows = []
    for french, english in (("chaud", "hot"), ("froid", "cold")):
        for place in words.LANDS:
            rows.append(
                (fixed(f"{french} {place.french_at}", f"{english} {place.english_at}", f"{french}+{place.head}"), 1)
            )
    return rows


AGES: Rows = [(fixed(f"{french} ans", f"{english} years old"), 1) for french, english in words.NUMBERS[2:]]
LIKED = (
    things(words.DISHES + words.DRINKS, ("generic",))
    + [row for row in things(words.FOOD + words.ANIMALS, ("generic",)) if row[0].french[0].startswith("les ")]
    + visited()
)
