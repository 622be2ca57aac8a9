"""`demo:entities`: what it promises to those who learn from it."""

import hashlib
from collections import Counter

from heed.data.demos import entities, load_tagged_demo
from heed.data.entity_tags import find_fault, spans_of
from heed.data.records import TaggedText

SPLITS = load_tagged_demo("entities")
KNOWN = {word for record in SPLITS.train for word in record.words}


def names(record: TaggedText) -> set[str]:
    """Return the words of entities that are not dates."""
    spans = [span for span in spans_of(record.tags) if span.kind != "date"]
    return {word for span in spans for word in record.words[span.start : span.end]}


def test_every_sentence_is_tagged_in_iob2_and_none_stands_twice() -> None:
    records = [*SPLITS.train, *SPLITS.valid, *SPLITS.test]
    assert [len(part) for part in (SPLITS.train, SPLITS.valid, SPLITS.test)] == [4000, 500, 500]
    for record in records:
        assert len(record.words) == len(record.tags)
        assert find_fault(record.tags, "IOB2") is None
    assert len({record.text for record in records}) == 5000


def test_no_made_up_name_of_valid_or_test_occurs_in_another_split() -> None:
    corpus = entities.corpus()
    train, valid, test = (
        {name for made in part for name in made.combination.split(" | ")}
        for part in (corpus.train, corpus.valid, corpus.test)
    )
    assert train.isdisjoint(valid | test) and valid.isdisjoint(test)
    assert min(len(valid), len(test)) > 100


def test_most_entities_of_valid_have_a_word_that_train_does_not_know_and_all_other_words_are_known() -> None:
    unknown = [names(record) - KNOWN for record in SPLITS.valid]
    assert sum(map(bool, unknown)) > 450
    others = {word for record in SPLITS.valid for word in record.words} - set().union(*unknown)
    assert len(others - KNOWN) < 40  # numbers alone
    assert all(word.isdigit() for word in others - KNOWN)


def test_one_name_stands_for_a_person_a_place_and_an_organisation() -> None:
    kinds: dict[str, set[str]] = {}
    for record in SPLITS.train:
        for span in spans_of(record.tags):
            if span.end - span.start == 1:
                kinds.setdefault(record.words[span.start], set()).add(span.kind)
    assert sum(found >= {"person", "place", "organisation"} for found in kinds.values()) > 20


def test_all_four_kinds_are_common() -> None:
    counts = Counter(span.kind for record in SPLITS.train for span in spans_of(record.tags))
    assert set(counts) == {"person", "place", "organisation", "date"}
    assert min(counts.values()) > 1000


def test_the_same_numbers_are_years_and_counts_by_the_words_around_them() -> None:
    tags: dict[str, set[str]] = {}
    for record in SPLITS.train:
        for word, tag in zip(record.words, record.tags, strict=True):
            tags.setdefault(word, set()).add(tag)
    assert sum(word.isdigit() and len(word) == 4 and {"O", "B-date"} <= found for word, found in tags.items()) > 50


def test_the_corpus_is_the_same_on_every_machine() -> None:
    digest = hashlib.sha256(repr([SPLITS.train, SPLITS.valid, SPLITS.test]).encode()).hexdigest()
    assert digest.startswith("9a24b6a47209d773")
