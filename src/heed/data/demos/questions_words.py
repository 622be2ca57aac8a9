"""The words of `demo:questions`: invented people, towns and works, and the sentences and questions about them."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Relation:
    """One kind of fact: what it is about, how it is told, and how it is asked for."""

    name: str
    slots: tuple[str, ...]  # names of what a fact joins, in the order of the tables below
    sentences: tuple[str, ...]  # every slot stands in each, once
    questions: tuple[tuple[str, str], ...]  # the slot that answers, and a question that gives some of the others


def _listed(table: str) -> tuple[str, ...]:
    return tuple(word.strip() for word in table.split(","))


# Nobody shares a name with another: to know whose fact it is takes the first name or the last.
PEOPLE = _listed("""
Mara Voss, Ivo Brandt, Selma Tellier, Orrin Quill, Tilda Marsh, Bram Okoro, Yara Lindqvist, Cosmo Harrow, Petra Penrose,
Lorn Adeyemi, Alva Castell, Dario Dunmore, Fenna Ferro, Hugo Galloway, Isolde Ishii, Jonas Novak, Kaia Moreau,
Leopold Sand, Nadia Bishop, Oskar Teller, Rosa Winter, Silas Crane, Thea Olander, Ulf Barros, Vera Pike, Walter Rook,
Xenia Holt, Yusuf Demir, Zora Fields, Anton Grey, Bianca Stone, Cyril Wells, Dora Finch, Emil Sorrel, Flora Vance,
Gideon Ash, Hanna Birch, Igor Thorne, Judith Lake, Kolya Reed, Livia Hale, Milo Ward, Noor Salim, Otis Flint,
Paula Drake, Quentin Moss, Rita Lund, Stefan Cole
""")
TOWNS = _listed("""
Tellin, Orrery, Marrowick, Saltmere, Duskport, Fenwater, Highmoor, Larkfield, Copperton, Ashbourne, Vellamo, Quarrin,
Northolm, Brackwell, Silvergate, Eastmarch, Ravenby, Thornham, Wexley, Zellwood, Old Harbour, New Caldera, Port Amsel,
Lower Finch
""")
TRADES = _listed("""
baker, clockmaker, painter, gardener, sailor, doctor, teacher, tailor, carpenter, librarian, musician, ship builder,
night watchman, stone mason, glass blower, weaver, blacksmith, potter, beekeeper, mountain guide
""")
BUILDINGS = ("Bridge", "Tower", "Lighthouse", "Mill", "Library", "Theatre", "Fountain", "Gate")
BOOKS = ("Winter", "Garden", "Island", "Letter", "Mirror", "Harvest", "Stranger", "Voyage")
ADJECTIVES = _listed(
    "Silver, Crooked, Silent, Golden, Northern, Broken, Hidden, Crimson, Lonely, Distant, Hollow, Painted"
)

VALUES: dict[str, tuple[str, ...]] = {
    "who": PEOPLE,
    "master": PEOPLE,
    "town": TOWNS,
    "trade": TRADES,
    "building": tuple(f"the {adjective} {noun}" for adjective in ADJECTIVES for noun in BUILDINGS),
    "book": tuple(f"The {adjective} {noun}" for adjective in ADJECTIVES for noun in BOOKS),
    "year": tuple(str(year) for year in range(1801, 2000)),
}

RELATIONS = (
    Relation(
        "home",
        ("who", "town"),
        (
            "{who} lives in {town}.",
            "The home of {who} is in {town}.",
            "{town} is where {who} lives.",
            "For many years {who} has had a house in {town}.",
        ),
        (
            ("town", "Where does {who} live?"),
            ("town", "In which town does {who} live?"),
            ("town", "Where is the home of {who}?"),
            ("who", "Who lives in {town}?"),
        ),
    ),
    Relation(
        "birth",
        ("who", "year"),
        ("{who} was born in {year}.", "In {year} {who} was born.", "The life of {who} began in {year}."),
        (
            ("year", "When was {who} born?"),
            ("year", "In which year was {who} born?"),
            ("who", "Who was born in {year}?"),
        ),
    ),
    Relation(
        "trade",
        ("who", "trade"),
        ("{who} is a {trade}.", "{who} earns a living as a {trade}.", "By trade {who} is a {trade}."),
        (
            ("trade", "What does {who} do for a living?"),
            ("trade", "What is the trade of {who}?"),
            ("who", "Who is a {trade}?"),
        ),
    ),
    Relation(
        "master",
        ("who", "master"),
        ("{who} learnt everything from {master}.", "{master} was the teacher of {who}.", "{master} taught {who}."),
        (
            ("master", "Who taught {who}?"),
            ("master", "From whom did {who} learn?"),
            ("who", "Whom did {master} teach?"),
        ),
    ),
    Relation(
        "building",
        ("who", "building", "year"),
        (
            "In {year} {who} built {building}.",
            "{who} built {building} in {year}.",
            "{building} was built by {who} in {year}.",
        ),
        (
            ("building", "What did {who} build?"),
            ("who", "Who built {building}?"),
            ("year", "When did {who} build {building}?"),
            ("year", "In which year was {building} built?"),
        ),
    ),
    Relation(
        "book",
        ("who", "book", "year"),
        (
            "{who} wrote {book} in {year}.",
            "In {year} {who} finished the novel {book}.",
            "{book}, a novel by {who}, came out in {year}.",
        ),
        (
            ("book", "Which novel did {who} write?"),
            ("who", "Who wrote {book}?"),
            ("who", "Who is the author of {book}?"),
            ("year", "When did {book} come out?"),
        ),
    ),
)
