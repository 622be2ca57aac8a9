"""Tags and the entities that they stand for: every scheme, both ways, and the first tag that is out of order."""

import itertools
import random

import pytest

from heed.data.entity_tags import (
    SCHEMES,
    EntityScheme,
    Span,
    find_fault,
    find_scheme,
    kinds_of,
    spans_of,
    tags_of,
    to_iob2,
)

ENTITIES = (Span(1, 3, "PER"), Span(3, 4, "PER"), Span(5, 8, "LOC"), Span(8, 9, "ORG"))
WRITTEN: dict[EntityScheme, str] = {
    "IOB1": "O I-PER I-PER B-PER O I-LOC I-LOC I-LOC I-ORG",
    "IOB2": "O B-PER I-PER B-PER O B-LOC I-LOC I-LOC B-ORG",
    "IOBES": "O B-PER E-PER S-PER O B-LOC I-LOC E-LOC S-ORG",
    "BILOU": "O B-PER L-PER U-PER O B-LOC I-LOC L-LOC U-ORG",
}


def random_entities(dice: random.Random, words: int) -> tuple[Span, ...]:
    edges = sorted(dice.sample(range(words + 1), dice.randrange(words + 2)))
    spans = [Span(start, end, dice.choice(["PER", "a-b"])) for start, end in itertools.pairwise(edges)]
    return tuple(span for span in spans if dice.random() < 0.7)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_entities_are_written_and_read_as_the_scheme_has_them(scheme: EntityScheme) -> None:
    tags = tuple(WRITTEN[scheme].split())
    assert tags_of(ENTITIES, 9, scheme) == tags
    assert spans_of(tags) == ENTITIES
    assert to_iob2(tags) == tuple(WRITTEN["IOB2"].split())
    assert list(kinds_of([tags])) == ["PER", "PER", "LOC", "ORG"]


@pytest.mark.parametrize("scheme", SCHEMES)
def test_tags_made_of_any_entities_give_the_same_entities_back(scheme: EntityScheme) -> None:
    dice = random.Random(3)
    for words in [*range(8)] * 30:
        spans = random_entities(dice, words)
        tags = tags_of(spans, words, scheme)
        assert spans_of(tags) == spans
        assert find_fault(tags, scheme) is None


@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_scheme_of_a_file_is_found_even_if_one_sentence_is_out_of_order(scheme: EntityScheme) -> None:
    whole = WRITTEN[scheme].split()
    assert find_scheme([whole]) == scheme
    assert find_scheme([["O"], whole, whole, ["O", "B-PER", "I-LOC"]]) == scheme


def test_plain_labels_have_no_scheme_and_a_file_without_entities_is_iob2() -> None:
    assert find_scheme([["DT", "NN"], ["O", "X-Y"]]) is None
    assert find_scheme([["O", "O"]]) == "IOB2"
    assert find_scheme([["B-PER", "I-PER", "O"], ["PER"]]) == "IOB2"  # a mistake to be told, not a plain label


@pytest.mark.parametrize(
    ("tags", "scheme", "place", "reason"),
    [
        ("O I-PER O", "IOB2", 1, "I-PER after O is not IOB2 (B-PER would be)"),
        ("B-PER I-LOC", "IOB2", 1, "I-LOC after B-PER is not IOB2 (B-LOC would be)"),
        ("I-PER I-PER", "IOB2", 0, "I-PER at the beginning is not IOB2 (B-PER would be)"),
        ("O B-PER", "IOB1", 1, "B-PER after O is not IOB1 (I-PER would be)"),
        ("O B-PER O", "IOBES", 1, "B-PER after O and before O is not IOBES (S-PER would be)"),
        ("B-PER I-PER", "IOBES", 1, "I-PER after B-PER and at the end is not IOBES (E-PER would be)"),
        ("U-PER E-PER", "BILOU", 1, "E-PER after U-PER and at the end is not BILOU (U-PER would be)"),
        ("B-PER PER", "IOB2", 1, 'the tag "PER" is neither O nor one of IOB2, such as B-PER'),
        ("o", "IOB1", 0, 'the tag "o" is neither O nor one of IOB1, such as I-PER'),
        ("B- O", "IOBES", 0, 'the tag "B-" is neither O'),
    ],
)
def test_the_first_tag_out_of_order_is_named_with_what_would_be_right(
    tags: str, scheme: EntityScheme, place: int, reason: str
) -> None:
    fault = find_fault(tags.split(), scheme)
    assert fault is not None
    assert fault.place == place
    assert fault.reason.startswith(reason)


def test_what_a_model_may_say_out_of_order_is_read_as_conlleval_reads_it() -> None:
    assert spans_of(["I-PER", "I-PER", "O", "I-LOC", "B-LOC", "I-PER"]) == (
        Span(0, 2, "PER"),
        Span(3, 4, "LOC"),
        Span(4, 5, "LOC"),
        Span(5, 6, "PER"),
    )
