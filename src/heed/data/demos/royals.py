"""`demo:royals`: sentences from which vectors can learn that king is to man as queen is to woman.

A word means what stands around it. Each word here has two properties, and each property has words of its own: "queen"
stands with what royals do and with "her", "man" with what men do and with "his"; "rome" stands with what is Italian and
with what is in a city. So the step from man to woman is the same as that from king to queen, and the step from a
country to its capital is the same everywhere.
"""

from functools import cache

from heed.data.demos.grammar import Draws

SEED = "royals"
SIZE = 16_000  # sentences; about 145,000 words, which are learnt in seconds

# Who, male and female, what is told of both, and what both have.
PEOPLE: tuple[tuple[str, str, tuple[str, ...], tuple[str, ...]], ...] = (
    ("king", "queen", ("ruled", "reigned", "was crowned"), ("throne", "crown", "realm")),
    ("prince", "princess", ("waited to inherit", "rode out", "was presented at court"), ("castle", "tower", "pony")),
    ("duke", "duchess", ("owned vineyards", "gave a ball", "hunted foxes"), ("manor", "title", "carriage")),
    ("man", "woman", ("walked to work", "paid the rent", "read the newspaper"), ("office", "flat", "umbrella")),
    ("boy", "girl", ("went to school", "played outside", "learnt to spell"), ("satchel", "kite", "marbles")),
    ("father", "mother", ("raised the children", "told a story", "cooked supper"), ("family", "kitchen", "baby")),
    ("uncle", "aunt", ("came to visit", "sent a card", "brought a present"), ("nephew", "cottage", "postcard")),
    ("actor", "actress", ("rehearsed", "took a bow", "learnt the lines"), ("stage", "costume", "script")),
    ("waiter", "waitress", ("served the soup", "took the order", "cleared the table"), ("tray", "apron", "tip")),
    ("host", "hostess", ("met the guests", "opened the door", "poured the wine"), ("party", "invitation", "parlour")),
)  # fmt: skip

# Pronouns and what goes with them, male and female.
GENDERS: tuple[tuple[tuple[str, str, str], tuple[str, ...]], ...] = (
    (("he", "his", "himself"), ("beard", "waistcoat", "moustache", "necktie")),
    (("she", "her", "herself"), ("gown", "bonnet", "earrings", "veil")),
)

# A country, its capital, its people, and what is found there alone.
COUNTRIES: tuple[tuple[str, str, str, tuple[str, ...]], ...] = (
    ("france", "paris", "french", ("baguette", "seine", "camembert")),
    ("italy", "rome", "italian", ("pasta", "tiber", "espresso")),
    ("germany", "berlin", "german", ("pretzel", "spree", "sauerkraut")),
    ("spain", "madrid", "spanish", ("paella", "flamenco", "manzanares")),
    ("japan", "tokyo", "japanese", ("sushi", "kimono", "sumida")),
    ("vietnam", "hanoi", "vietnamese", ("pho", "lotus", "dong")),
    ("egypt", "cairo", "egyptian", ("pyramid", "nile", "papyrus")),
    ("greece", "athens", "greek", ("olives", "drachma", "acropolis")),
    ("norway", "oslo", "norwegian", ("fjord", "salmon", "skis")),
    ("poland", "warsaw", "polish", ("pierogi", "vistula", "zloty")),
    ("cuba", "havana", "cuban", ("cigars", "rumba", "sugarcane")),
    ("kenya", "nairobi", "kenyan", ("safari", "savanna", "baobab")),
)
WITHIN = (
    ("border", "army", "parliament", "provinces", "coast", "harvest"),
    ("mayor", "trams", "suburbs", "cathedral", "streets", "museum"),
)
PEOPLE_DEEDS = tuple(deeds for _, _, deeds, _ in PEOPLE)
PEOPLE_THINGS = tuple(things for _, _, _, things in PEOPLE)
LOOKS = tuple(looks for _, looks in GENDERS)
FOUND = tuple(found for _, _, _, found in COUNTRIES)
STRANGE = 20  # of a hundred words are drawn from any group, so that each stands with each, but seldom


@cache
def texts() -> tuple[str, ...]:
    """Return the sentences, always the same."""
    draws = Draws(SEED)
    return tuple(_of_people(draws) if draws.chance(50) else _of_places(draws) for _ in range(SIZE))


def questions() -> dict[str, tuple[tuple[str, str, str, str], ...]]:
    """Return analogies, such as man is to woman as king is to queen, by the name of their section."""
    family = [(male, female) for male, female, _, _ in PEOPLE]
    capitals = [(capital, country) for country, capital, _, _ in COUNTRIES]
    return {"family": _crossed(family), "capital-common-countries": _crossed(capitals)}


def _crossed(pairs: list[tuple[str, str]]) -> tuple[tuple[str, str, str, str], ...]:
    return tuple((*first, *second) for first in pairs for second in pairs if first != second)


def _of_people(draws: Draws) -> str:
    gender = draws.below(2)
    row = draws.below(len(PEOPLE))
    who, deed, thing = PEOPLE[row][gender], _pick(draws, PEOPLE_DEEDS, row), _pick(draws, PEOPLE_THINGS, row)
    (subject, possessive, reflexive), _ = GENDERS[gender]
    look = _pick(draws, LOOKS, gender)
    match draws.below(4):
        case 0:
            return f"the {who} {deed} with {possessive} {thing}"
        case 1:
            return f"the {who} with the {look} thought of {possessive} {thing}"
        case 2:
            return f"{subject} {deed} {reflexive} said the {who} with the {look}"
        case _:
            return f"the {who} lost {possessive} {look} and {possessive} {thing}"


def _of_places(draws: Draws) -> str:
    row, which = draws.below(len(COUNTRIES)), draws.below(2)
    place, people, kind = COUNTRIES[row][which], COUNTRIES[row][2], ("country", "city")[which]
    one, other = _pick(draws, WITHIN, which), _pick(draws, WITHIN, which)
    first, second = _pick(draws, FOUND, row), _pick(draws, FOUND, row)
    match draws.below(4):
        case 0:
            return f"the {people} {kind} of {place} has {one} and {first}"
        case 1:
            return f"in {place} the {one} and the {other} are {people}"
        case 2:
            return f"{first} and {second} come from {place} with its {one}"
        case _:
            return f"the {one} and {other} of {place} in {people} {first} land"


def _pick(draws: Draws, groups: tuple[tuple[str, ...], ...], own: int) -> str:
    """Return one of the words of a group, now and then of another: what never happens teaches a counter nothing."""
    return draws.pick(groups[draws.below(len(groups)) if draws.chance(STRANGE) else own])
