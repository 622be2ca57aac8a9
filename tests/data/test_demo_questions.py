"""`demo:questions`: facts that stand where they say, one answer to each question, and unseen facts to be judged by."""

from collections import defaultdict

import pytest

from heed.data.demos import questions
from heed.data.demos.catalogue import load_question_demo
from heed.data.demos.questions_words import RELATIONS, VALUES
from heed.data.question_splits import QuestionSplits
from heed.errors import DataError


@pytest.fixture(scope="module")
def splits() -> QuestionSplits:
    return load_question_demo("questions")


def test_every_answer_stands_where_it_says(splits: QuestionSplits) -> None:
    for question in (*splits.train, *splits.valid, *splits.test):
        assert question.impossible == (not question.answers)
        for answer in question.answers:
            assert question.context[answer.start : answer.end] == answer.text


def test_there_are_questions_without_an_answer_but_not_many(splits: QuestionSplits) -> None:
    share = sum(question.impossible for question in splits.train) / len(splits.train)
    assert 0.1 < share < 0.2


def test_ids_are_unique_and_each_paragraph_is_asked_as_often(splits: QuestionSplits) -> None:
    everything = (*splits.train, *splits.valid, *splits.test)
    assert len({question.id for question in everything}) == len(everything)
    asked: dict[str, set[str]] = defaultdict(set)
    for question in everything:
        asked[question.context].add(question.question)
    assert {len(each) for each in asked.values()} == {questions.QUESTIONS_EACH}


def told(context: str) -> set[tuple[str, str, str]]:
    """Return the facts of a paragraph, read back from its sentences: relation, who and what."""
    found = set()
    for sentence in context.rstrip(".").split(". "):
        for relation in RELATIONS:
            slot = relation.slots[1]
            for who in VALUES["who"]:
                if who not in sentence:
                    continue
                for template in relation.sentences:
                    for value in VALUES[slot]:
                        if value.lower() not in sentence.lower():
                            continue
                        bare = template.replace("{who}", who).replace(f"{{{slot}}}", value).rstrip(".")
                        head, _, tail = bare.partition("{year}")
                        low = sentence.lower()
                        if low.startswith(head.lower()) and low.endswith(tail.lower()):
                            found.add((relation.name, who, value))
    return found


def test_no_fact_of_valid_or_test_is_told_in_train(splits: QuestionSplits) -> None:
    seen = {fact for context in {each.context for each in splits.train[:1200]} for fact in told(context)}
    unseen = {fact for context in {each.context for each in (*splits.valid, *splits.test)} for fact in told(context)}
    assert len(unseen) > 300
    assert not seen & unseen


def test_every_word_of_an_answer_of_test_is_in_train(splits: QuestionSplits) -> None:
    known = {word for question in splits.train for word in question.context.replace(".", "").split()}
    for question in splits.test:
        for answer in question.answers:
            assert set(answer.text.split()) <= known


def test_the_filled_slots_stand_where_they_are_said_to() -> None:
    text, starts = questions.fill("In {year} {who} came.", {"who": "Ivo", "year": "1951"})
    assert text == "In 1951 Ivo came."
    assert (text[starts["year"] :][:4], text[starts["who"] :][:3]) == ("1951", "Ivo")


def test_a_demo_that_is_not_there_is_refused() -> None:
    with pytest.raises(DataError, match=r"no built-in corpus 'question'.*demo:questions"):
        load_question_demo("question")
