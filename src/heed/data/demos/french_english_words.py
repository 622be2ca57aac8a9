"""The words of the French-English grammar: nouns, adjectives, people, places and times.

Words are grouped by what they can mean in a sentence, so that food is eaten and tables are not.
"""

from dataclasses import dataclass

from heed.data.demos.french_forms import Adjective, Noun


def _nouns(table: str) -> tuple[Noun, ...]:
    return tuple(Noun(*line.split()) for line in table.strip().splitlines())


def _adjectives(table: str) -> tuple[Adjective, ...]:
    rows = (line.split() for line in table.strip().splitlines())
    return tuple(Adjective((row[0], row[1], row[2], row[3]), row[4], row[5] == "before", row[6]) for row in rows)


# French singular, plural, gender, English singular, plural
CHILDREN = _nouns("""
garçon garçons m boy boys
fille filles f girl girls
enfant enfants m child children
""")
ADULTS = _nouns("""
homme hommes m man men
femme femmes f woman women
voisin voisins m neighbor neighbors
professeur professeurs m teacher teachers
médecin médecins m doctor doctors
étudiante étudiantes f student students
""")
# Only with a possessive: nobody is "the friend".
FRIENDS = _nouns("""
ami amis m friend friends
amie amies f friend friends
""")
FAMILY = _nouns("""
frère frères m brother brothers
sœur sœurs f sister sisters
père - m father -
mère - f mother -
oncle - m uncle -
""")
ANIMALS = _nouns("""
chat chats m cat cats
chien chiens m dog dogs
oiseau oiseaux m bird birds
cheval chevaux m horse horses
""")
FOOD = _nouns("""
pomme pommes f apple apples
orange oranges f orange oranges
gâteau gâteaux m cake cakes
œuf œufs m egg eggs
""")
DISHES = _nouns("""
pain - m bread -
fromage - m cheese -
riz - m rice -
viande - f meat -
soupe - f soup -
""")
DRINKS = _nouns("""
eau - f water -
lait - m milk -
café - m coffee -
thé - m tea -
""")
READINGS = _nouns("""
livre livres m book books
lettre lettres f letter letters
journal journaux m newspaper newspapers
""")
SHOWS = _nouns("""
film films m movie movies
match matchs m game games
""")
CLOTHES = _nouns("""
chapeau chapeaux m hat hats
robe robes f dress dresses
manteau manteaux m coat coats
""")
GOODS = _nouns("""
sac sacs m bag bags
clé clés f key keys
fleur fleurs f flower flowers
""")
ESTATE = _nouns("""
voiture voitures f car cars
vélo vélos m bicycle bicycles
maison maisons f house houses
table tables f table tables
""")
OPENINGS = _nouns("""
porte portes f door doors
fenêtre fenêtres f window windows
""")
PROFESSIONS = _nouns("""
professeur professeurs m teacher teachers
médecin médecins m doctor doctors
artiste artistes m artist artists
""")

# masculine, feminine, masculine plural, feminine plural, masculine before a vowel, place, English
THING_ADJECTIVES = _adjectives("""
petit petite petits petites petit before small
grand grande grands grandes grand before big
nouveau nouvelle nouveaux nouvelles nouvel before new
vieux vieille vieux vieilles vieil before old
beau belle beaux belles bel before beautiful
rouge rouge rouges rouges rouge after red
bleu bleue bleus bleues bleu after blue
vert verte verts vertes vert after green
noir noire noirs noires noir after black
blanc blanche blancs blanches blanc after white
""")
BOOK_ADJECTIVES = _adjectives("""
nouveau nouvelle nouveaux nouvelles nouvel before new
vieux vieille vieux vieilles vieil before old
""")
CHILD_ADJECTIVES = _adjectives("""
petit petite petits petites petit before little
français française français françaises français after French
intelligent intelligente intelligents intelligentes intelligent after intelligent
""")
ADULT_ADJECTIVES = _adjectives("""
jeune jeune jeunes jeunes jeune before young
vieux vieille vieux vieilles vieil before old
français française français françaises français after French
intelligent intelligente intelligents intelligentes intelligent after intelligent
""")
MOODS = _adjectives("""
content contente contents contentes content after happy
triste triste tristes tristes triste after sad
fatigué fatiguée fatigués fatiguées fatigué after tired
malade malade malades malades malade after sick
occupé occupée occupés occupées occupé after busy
prêt prête prêts prêtes prêt after ready
""")
TRAITS = _adjectives("""
grand grande grands grandes grand before tall
jeune jeune jeunes jeunes jeune before young
riche riche riches riches riche after rich
intelligent intelligente intelligents intelligentes intelligent after intelligent
""")
COLOURS = THING_ADJECTIVES[5:]
LASTING_LOOKS = (THING_ADJECTIVES[0], THING_ADJECTIVES[1], THING_ADJECTIVES[4], *COLOURS)

# Equal in both languages.
WOMEN = ("Jane", "Marie", "Sophie", "Claire", "Emma")
MEN = ("Paul", "Thomas", "Lucas", "Pierre", "Hugo")


@dataclass(frozen=True, slots=True)
class Place:
    """A place on both sides: as what is visited, where one is or goes, and where one comes from."""

    french: str  # la France
    french_at: str  # en France
    french_from: str  # de France
    english: str  # France
    english_at: str  # in France
    head: str


def _feminine_country(french: str, english: str) -> Place:
    return Place(f"la {french}", f"en {french}", f"de {french}", english, f"in {english}", french)


def _masculine_country(french: str, english: str) -> Place:
    return Place(f"le {french}", f"à le {french}", f"de le {french}", english, f"in {english}", french)


def _plural_country(french: str, english: str) -> Place:
    return Place(f"les {french}", f"à les {french}", f"de les {french}", english, f"in {english}", french)


def _city(french: str, english: str) -> Place:
    return Place(french, f"à {french}", f"de {french}", english, f"in {english}", french)


def _building(french: str, english: str, preposition: str) -> Place:
    name = f"the {english}"
    return Place(french, f"à {french}", f"de {french}", name, f"{preposition} {name}", french.split()[1])


LANDS = (
    _feminine_country("Afrique", "Africa"),
    _feminine_country("France", "France"),
    _feminine_country("Italie", "Italy"),
    _feminine_country("Espagne", "Spain"),
    _feminine_country("Allemagne", "Germany"),
    _feminine_country("Chine", "China"),
    _feminine_country("Inde", "India"),
    _masculine_country("Japon", "Japan"),
    _masculine_country("Canada", "Canada"),
    _masculine_country("Brésil", "Brazil"),
    _masculine_country("Maroc", "Morocco"),
    _plural_country("États-Unis", "the United States"),
    _plural_country("Pays-Bas", "the Netherlands"),
    _city("Paris", "Paris"),
    _city("Londres", "London"),
    _city("Rome", "Rome"),
    _city("Berlin", "Berlin"),
)
BUILDINGS = (
    _building("la école", "school", "at"),
    _building("la gare", "station", "at"),
    _building("le parc", "park", "in"),
    _building("le marché", "market", "at"),
    _building("le restaurant", "restaurant", "at"),
    _building("le hôpital", "hospital", "at"),
    _building("le musée", "museum", "at"),
    _building("la bibliothèque", "library", "at"),
    _building("la plage", "beach", "at"),
)
COUNTRIES = LANDS[:13]
SLEEPING_PLACES = tuple(place for place in BUILDINGS if place.head not in ("marché", "restaurant", "musée"))
HOME = Place("la maison", "à la maison", "de la maison", "home", "at home", "maison")

# French and English, for parler; apprendre takes the article.
LANGUAGES = (
    ("français", "French"),
    ("anglais", "English"),
    ("espagnol", "Spanish"),
    ("chinois", "Chinese"),
    ("allemand", "German"),
)
GAMES = (
    ("à le football", "football"),
    ("à le tennis", "tennis"),
    ("à les cartes", "cards"),
    ("de le piano", "the piano"),
    ("de la guitare", "the guitar"),
)
NUMBERS = (
    ("deux", "two"),
    ("trois", "three"),
    ("quatre", "four"),
    ("cinq", "five"),
    ("six", "six"),
    ("sept", "seven"),
    ("huit", "eight"),
    ("dix", "ten"),
    ("vingt", "twenty"),
    ("trente", "thirty"),
)
_MONTHS = (
    ("janvier", "January"),
    ("février", "February"),
    ("mars", "March"),
    ("avril", "April"),
    ("mai", "May"),
    ("juin", "June"),
    ("juillet", "July"),
    ("août", "August"),
    ("septembre", "September"),
    ("octobre", "October"),
    ("novembre", "November"),
    ("décembre", "December"),
)
_DAYS = (
    ("lundi", "Monday"),
    ("mardi", "Tuesday"),
    ("mercredi", "Wednesday"),
    ("jeudi", "Thursday"),
    ("vendredi", "Friday"),
    ("samedi", "Saturday"),
    ("dimanche", "Sunday"),
)

MONTHS = tuple((f"en {french}", f"in {english}") for french, english in _MONTHS)
_SEASONS = (("en été", "in the summer"), ("en hiver", "in the winter"), ("à le printemps", "in the spring"))
_HOURS = (
    ("le matin", "in the morning"),
    ("le soir", "in the evening"),
    *((f"à {french} heures", f"at {english} o'clock") for french, english in NUMBERS[3:8]),
)
_WEEKDAYS = tuple((f"le {french}", f"on {english}s") for french, english in _DAYS)
_LAST_DAYS = tuple((f"{french} dernier", f"last {english}") for french, english in _DAYS)
_NEXT_DAYS = tuple((f"{french} prochain", f"next {english}") for french, english in _DAYS)
_DAYS_AGO = tuple((f"il y a {french} jours", f"{english} days ago") for french, english in NUMBERS[:4])
_IN_DAYS = tuple((f"dans {french} jours", f"in {english} days") for french, english in NUMBERS[:4])

# (how long the act takes, when it is) -> the times that suit it. Nobody visits Africa at eight o'clock.
TIMES: dict[tuple[str, str], tuple[tuple[str, str], ...]] = {
    ("hour", "present"): (*_HOURS, *_WEEKDAYS, ("tous les jours", "every day"), ("chaque semaine", "every week")),
    ("hour", "past"): (
        *_LAST_DAYS,
        *_DAYS_AGO,
        ("hier", "yesterday"),
        ("hier soir", "last night"),
        ("la semaine dernière", "last week"),
    ),
    ("hour", "coming"): (
        *_NEXT_DAYS,
        *_IN_DAYS,
        ("demain", "tomorrow"),
        ("demain matin", "tomorrow morning"),
        ("la semaine prochaine", "next week"),
        *_HOURS[2:],
    ),
    ("hour", "habit"): (*_HOURS[:2], *_WEEKDAYS),
    ("day", "present"): (*_HOURS[:2], *_WEEKDAYS),
    ("day", "past"): (*_LAST_DAYS, *_DAYS_AGO, ("hier", "yesterday"), ("hier soir", "last night")),
    ("day", "coming"): (*_NEXT_DAYS, ("demain", "tomorrow"), ("demain matin", "tomorrow morning")),
    ("season", "habit"): (*MONTHS, *_SEASONS),
    ("season", "present"): (*MONTHS, *_SEASONS, ("chaque année", "every year")),
    ("season", "past"): (
        *MONTHS,
        *_SEASONS,
        ("la semaine dernière", "last week"),
        ("la année dernière", "last year"),
    ),
    ("season", "coming"): (
        *MONTHS,
        *_SEASONS,
        ("la semaine prochaine", "next week"),
        ("la année prochaine", "next year"),
        ("demain", "tomorrow"),
    ),
}
# Placed after the finite verb in French, before the main verb in English.
FREQUENCIES = (("souvent", "often"), ("toujours", "always"), ("parfois", "sometimes"), ("rarement", "rarely"))
# Only these may open a sentence.
FRONTABLE = frozenset({"hier", "demain", "en été", "en hiver", *(french for french, _ in MONTHS)})
