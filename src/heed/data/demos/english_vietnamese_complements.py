"""The complements of the English-Vietnamese grammar that are made of more than one phrase: places, gifts, weather."""

from heed.data.demos import english_vietnamese_words as words
from heed.data.demos.english_forms import with_article
from heed.data.demos.english_vietnamese_phrases import Complement, Rows, plain, things


def at(buildings: tuple[tuple[str, str, str], ...]) -> Rows:
    """Return being at these places, or at home."""
    rows = [
        (Complement(f"{preposition} {english}", f"ở {vietnamese}", english), 1)
        for preposition, english, vietnamese in buildings
    ]
    return rows + plain((words.HOME,), 2)


def in_lands() -> Rows:
    """Return being in lands and cities."""
    return [(Complement(f"in {english}", f"ở {vietnamese}", english), 1) for english, vietnamese in words.LANDS]


def weather() -> Rows:
    """Return how warm it is and where."""
    return [
        (Complement(f"{english} in {land}", f"{vietnamese} ở {place}", f"{english}+{land}"), 1)
        for english, vietnamese in words.WEATHER
        for land, place in words.LANDS
    ]


def degrees(pairs: tuple[tuple[str, str], ...]) -> Rows:
    """Return adjectives alone and with "very", which "không" turns into "lắm"."""
    rows: Rows = []
    for english, vietnamese in pairs:
        rows.append((Complement(english, vietnamese, english), 2))
        rows.append((Complement(f"very {english}", f"rất {vietnamese}", english, negated=f"{vietnamese} lắm"), 1))
    return rows


def professions() -> Rows:
    """Return professions after "là" and "trở thành": with an article in English, without in Vietnamese."""
    return [
        (Complement(with_article(noun.english), noun.vietnamese, noun.english, english_many=noun.plural), 1)
        for noun in words.PROFESSIONS
    ]


def gifts() -> Rows:
    """Return things and who is given them."""
    return [
        (
            Complement(
                f"{gift.english} to {name}",
                f"{gift.vietnamese} cho {name}",
                f"{gift.head}+{name}",
                negated=f"{gift.negated} cho {name}" if gift.negated else "",
                negatable=gift.negatable,
            ),
            1,
        )
        for gift, _ in things(words.READINGS[:1] + words.GOODS[:6] + words.CLOTHES, ("a", "this", "two"))
        for name in words.NAMES
    ]


def there(determiners: tuple[str, ...]) -> Rows:
    """Return what there is and where."""
    rows: Rows = []
    for nouns, places in (
        (words.READINGS + words.FRUIT + words.GOODS[:6], words.CONTAINERS),
        (words.ANIMALS, words.OUTSIDE),
    ):
        for made, _ in things(nouns, determiners):
            for english, vietnamese in places:
                rows.append(
                    (
                        Complement(
                            f"{made.english} {english}",
                            f"{made.vietnamese} {vietnamese}",
                            f"{made.head}+{english}",
                            negated=f"{made.negated} {vietnamese}" if made.negated else "",
                            negatable=made.negatable,
                        ),
                        1,
                    )
                )
    return rows


AGES = [(f"{english} years old", f"{vietnamese} tuổi") for english, vietnamese in words.NUMBERS]
LIKED = (
    plain(words.MASS_FOOD + words.DRINKS + words.LANDS[:5], 12)
    + things(words.ANIMALS + words.FRUIT, ("any",))
    + things(words.GOODS + words.CLOTHES + words.READINGS[:1] + words.MOVIES + words.SONGS, ("this", "that", "other"))
)
COLOURED = tuple((english, f"màu {vietnamese}") for english, vietnamese in words.COLOURS)
