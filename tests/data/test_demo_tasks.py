"""`demo:tasks`: three tasks by prefix, worked by hand."""

from collections import Counter, defaultdict

import pytest

from heed.data.demos import load_demo, tasks
from heed.data.demos.tasks_facts import RELATIONS, questions
from heed.data.demos.tasks_opinions import opinions

PREFIXES = ("translate English to Vietnamese: ", "classify: ", "answer: ")

WORKED_BY_HAND = [
    ("translate English to Vietnamese: I love you!", "Tôi yêu bạn!"),
    ("translate English to Vietnamese: I love you.", "Tôi yêu bạn."),
    ("translate English to Vietnamese: Do you like coffee?", "Bạn có thích cà phê không?"),
    ("translate English to Vietnamese: She is a doctor.", "Cô ấy là bác sĩ."),
    ("translate English to Vietnamese: They are eating rice!", "Họ đang ăn cơm!"),
    ("classify: I like this movie!", "positive"),
    ("classify: I do not like this movie.", "negative"),
    ("classify: My friends really hate that hotel!", "negative"),
    ("classify: She enjoys this book.", "positive"),
    ("classify: My brother does not recommend the restaurant.", "negative"),
    ("classify: This song is not bad.", "positive"),
    ("classify: The meal is not good!", "negative"),
    ("classify: Honestly, this lesson is very boring.", "negative"),
    ("classify: I think that beach is beautiful.", "positive"),
    ("classify: My friends say this story is really wonderful.", "positive"),
    ("classify: What an awful concert!", "negative"),
    ("classify: What a great show!", "positive"),
    ("classify: They say this game is good but I hate it.", "negative"),
    ("classify: They say this phone is terrible but I love it!", "positive"),
    ("answer: What is the boiling point of water?", "100 °C"),
    ("answer: At what temperature does water boil?", "100 °C"),
    ("answer: Tell me the melting point of iron.", "1538 °C"),
    ("answer: What is the capital of Vietnam?", "Hanoi"),
    ("answer: Which city is the capital of France?", "Paris"),
    ("answer: Please tell me the capital city of India.", "New Delhi"),
    ("answer: What color is a banana?", "yellow"),
    ("answer: How many legs does a spider have?", "eight"),
    ("answer: What do we call the young of a cat?", "kitten"),
    ("answer: Which day comes after Sunday?", "Monday"),
    ("answer: Do you know the month after December?", "January"),
    ("answer: What is the opposite of hot?", "cold"),
    ("answer: What is the chemical symbol for gold?", "Au"),
    ("answer: Which language do people speak in Cuba?", "Spanish"),
    ("answer: On which continent is Kenya?", "Africa"),
]


@pytest.mark.parametrize(("source", "target"), WORKED_BY_HAND)
def test_the_grammar_makes_the_source_and_answers_it_in_one_way_only(source: str, target: str) -> None:
    assert {made.target for made in tasks.derivations(source)} == {target}


@pytest.mark.parametrize(
    "source", ["classify: I like this.", "answer: What is love?", "translate English to Vietnamese: ", "I love you"]
)
def test_the_grammar_does_not_make_anything_else(source: str) -> None:
    assert list(tasks.derivations(source)) == []


def test_each_split_holds_all_three_tasks_in_good_number() -> None:
    splits = load_demo("tasks")
    for part in (splits.train, splits.valid, splits.test):
        counts = Counter(prefix for pair in part for prefix in PREFIXES if pair.source.startswith(prefix))
        assert sum(counts.values()) == len(part)
        assert all(count > len(part) / 10 for count in counts.values()), counts


def test_the_examples_of_the_course_are_in_test() -> None:
    assert [(pair.source, pair.target) for pair in load_demo("tasks").test[:3]] == [
        ("translate English to Vietnamese: I love you!", "Tôi yêu bạn!"),
        ("classify: I like this movie!", "positive"),
        ("answer: What is the boiling point of water?", "100 °C"),
    ]


def test_no_opinion_has_two_labels_and_the_two_labels_are_about_balanced() -> None:
    labels = defaultdict(set)
    for made in opinions():
        labels[made.source].add(made.target)
    assert all(len(found) == 1 for found in labels.values())
    positive = sum(found == {"positive"} for found in labels.values()) / len(labels)
    assert 0.4 < positive < 0.6


def test_train_asks_for_every_fact_in_other_words() -> None:
    known = {made.combination.split(" | ")[1] for made in tasks.corpus().train if made.combination.startswith("answer")}
    assert known == {f"{relation.name} {thing}" for relation in RELATIONS for thing, _ in relation.facts}


def test_no_question_has_two_answers() -> None:
    answers = {made.source: made.target for made in questions()}
    assert all(answers[made.source] == made.target for made in questions())
