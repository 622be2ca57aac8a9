"""`demo:fr-en`: French grammar worked by hand, and the sentence that the course uses."""

import re
from collections import Counter

import pytest

from heed.data.demos import french_english, load_demo
from heed.data.demos.french_forms import elide

JANE = "Jane visite l'Afrique en septembre"

WORKED_BY_HAND = [
    (JANE, "Jane visits Africa in September"),
    ("Paul visite le Japon en mai", "Paul visits Japan in May"),
    ("Nous avons visité les États-Unis l'année dernière", "We visited the United States last year"),
    ("Elle est allée en Italie", "She went to Italy"),
    ("Elles sont allées au Canada en juillet", "They went to Canada in July"),
    ("Marie et Sophie sont parties pour la Chine", "Marie and Sophie left for China"),
    ("Jane et Paul sont partis pour la Chine", "Jane and Paul left for China"),
    ("Je ne mange pas de pain", "I do not eat bread"),
    ("Il boit de l'eau", "He drinks water"),
    ("Tu aimes les pommes", "You like apples"),
    ("J'aime Paris", "I like Paris"),
    ("Je t'aime", "I love you"),
    ("Elle ne m'a pas aidé", "She did not help me"),
    ("Paul l'a vue hier", "Paul saw her yesterday"),
    ("Je vais le voir demain", "I am going to see him tomorrow"),
    ("Est-ce qu'elle parle anglais ?", "Does she speak English?"),
    ("Où est-ce que Paul lit le journal ?", "Where does Paul read the newspaper?"),
    ("Pourquoi est-ce que vous apprenez le français ?", "Why do you learn French?"),
    ("Quand est-ce que Jane ira à Londres ?", "When will Jane go to London?"),
    ("Cet homme travaille à l'hôpital", "This man works at the hospital"),
    ("Cette étudiante est très fatiguée", "This student is very tired"),
    ("Les filles étaient contentes hier", "The girls were happy yesterday"),
    ("Mon amie habite aux Pays-Bas", "My friend lives in the Netherlands"),
    ("Ils viennent du Maroc", "They come from Morocco"),
    ("Emma vient d'Espagne", "Emma comes from Spain"),
    ("Marie a dix ans", "Marie is ten years old"),
    ("Tu n'as pas faim", "You are not hungry"),
    ("Sophie est médecin", "Sophie is a doctor"),
    ("Ils sont professeurs", "They are teachers"),
    ("Il y a deux livres sur la table", "There are two books on the table"),
    ("Il n'y a pas de clé dans le sac", "There is not a key in the bag"),
    ("Il fait froid en France en hiver", "It is cold in France in the winter"),
    ("Il va pleuvoir à Paris", "It is going to rain in Paris"),
    ("Lucas a acheté une nouvelle voiture", "Lucas bought a new car"),
    ("Claire porte une robe blanche", "Claire wears a white dress"),
    ("Hugo cherche son sac", "Hugo looks for his bag"),
    ("Claire cherche son sac", "Claire looks for her bag"),
    ("Ils jouent au football au parc le dimanche", "They play football in the park on Sundays"),
    ("Elle joue du piano", "She plays the piano"),
    ("Le vieux professeur donne le livre à Jane", "The old teacher gives the book to Jane"),
    ("Nous ne voulons pas rester à la maison", "We do not want to stay at home"),
    ("Vous ne devez pas ouvrir la fenêtre", "You must not open the window"),
    ("Le cheval boit de l'eau", "The horse drinks water"),
    ("Hier Thomas est resté au musée", "Yesterday Thomas stayed at the museum"),
    ("Jane ne regarde jamais de films", "Jane never watches movies"),
    ("Paul n'habite plus à Rome", "Paul no longer lives in Rome"),
    ("Ils ont deux chats noirs", "They have two black cats"),
    ("Mes clés ne sont pas dans le sac", "My keys are not in the bag"),
]

NOT_IN_THE_LANGUAGE = [
    "La table mange du pain",
    "Jane aide Jane",
    "Jane visite le Afrique en septembre",
    "Elle est allé en Italie",
    "Je me vois",
    "Il l'aide",  # him or her?
    "Jane visite l'Afrique à huit heures",
    "Il mange pas de pain",
]

LANDS = "Africa|France|Italy|Spain|Germany|China|India|Japan|Canada|Brazil|Morocco|the United States|the Netherlands"
NAMED_VISIT = re.compile(rf"(?<!and )\b(\w+) (?:[a-z]+ )*visit(?:s|ed)? ({LANDS}|Paris|London|Rome|Berlin)\b")


def visits(targets: list[str]) -> set[tuple[str, str]]:
    found = (NAMED_VISIT.search(target) for target in targets if " and " not in target)
    names = {"Jane", "Marie", "Sophie", "Claire", "Emma", "Paul", "Thomas", "Lucas", "Pierre", "Hugo"}
    return {(match[1], match[2]) for match in found if match and match[1] in names}


@pytest.mark.parametrize(("source", "target"), WORKED_BY_HAND)
def test_the_grammar_makes_the_sentence_and_translates_it_in_one_way_only(source: str, target: str) -> None:
    assert {made.target for made in french_english.derivations(source)} == {target}


@pytest.mark.parametrize("source", NOT_IN_THE_LANGUAGE)
def test_the_grammar_does_not_make_what_is_wrong_or_senseless(source: str) -> None:
    assert list(french_english.derivations(source)) == []


def test_what_was_drawn_is_found_again_with_the_same_translation_and_combination() -> None:
    for made in french_english.corpus().valid[::25]:
        assert set(french_english.derivations(made.source)) == {made}


def test_jane_visits_africa_in_the_test_split_and_nowhere_else() -> None:
    splits = load_demo("fr-en")
    assert {pair.source: pair.target for pair in splits.test}[JANE] == "Jane visits Africa in September"
    for pair in (*splits.train, *splits.valid):
        assert not re.search(r"\bJane\b(?! et).*visit\w* l'Afrique", pair.source), pair


def test_train_knows_every_part_of_the_sentence_well() -> None:
    train = [pair.source for pair in load_demo("fr-en").train]
    counts = Counter(word for source in train for word in re.findall(r"[\w-]+'?", source))
    assert all(counts[word] >= 100 for word in ("Jane", "visite", "l'", "Afrique", "en", "septembre"))
    assert sum("visite l'Afrique" in source for source in train) >= 10
    assert sum(source.startswith("Jane visite ") for source in train) >= 10
    assert sum(source.startswith("Jane") and "septembre" in source for source in train) >= 3


def test_no_one_visits_in_test_what_they_visit_in_train() -> None:
    splits = load_demo("fr-en")
    train, test = (visits([pair.target for pair in part]) for part in (splits.train, splits.test))
    assert ("Jane", "Africa") in test
    assert len(train) > 100
    assert train.isdisjoint(test)


@pytest.mark.parametrize(
    ("full", "written"),
    [
        ("je aime la eau", "j'aime l'eau"),
        ("il va à le Japon", "il va au Japon"),
        ("il va à le hôpital", "il va à l'hôpital"),
        ("à les États-Unis", "aux États-Unis"),
        ("de le pain de la eau", "du pain de l'eau"),
        ("est-ce que elle ne a pas", "est-ce qu'elle n'a pas"),
        ("le vieux livre de les filles", "le vieux livre des filles"),
    ],
)
def test_elision_comes_before_contraction(full: str, written: str) -> None:
    assert elide(full) == written
