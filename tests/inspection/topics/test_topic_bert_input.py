"""What BERT reads: frame, segments, the sum of three vectors, and masking by deck 1's shares."""

import pytest
import torch

from heed.errors import UsageError
from heed.inspection.given import Given
from heed.inspection.topics.bert_input import show_bert_input


def test_a_pair_is_framed_and_its_segments_tell_the_texts_apart(table) -> None:
    sequence = table(show_bert_input(Given()), "The sequence")
    pieces = ["[CLS]", "my", "dog", "is", "cute", "[SEP]", "he", "like", "##s", "play", "##ing", "[SEP]"]
    assert list(sequence.names) == pieces
    assert [row[0] for row in sequence.cells] == list(range(12))
    assert [row[1] for row in sequence.cells] == [0] * 6 + [1] * 6


def test_one_text_has_one_segment(table) -> None:
    sequence = table(show_bert_input(Given(texts=("Tôi yêu Hà Nội!",))), "The sequence")
    assert list(sequence.names) == ["[CLS]", "tôi", "yêu", "hà", "nội", "!", "[SEP]"]
    assert {row[1] for row in sequence.cells} == {0}


def test_the_three_vectors_sum_to_the_fourth(numbers) -> None:
    token, segment, position, total, normed = numbers(show_bert_input(Given()), "The vectors of position 1")
    torch.testing.assert_close(token + segment + position, total, atol=1e-7, rtol=0)
    assert normed.mean().item() == pytest.approx(0, abs=1e-5)


def test_deck_1s_sums_are_right(numbers) -> None:
    assert numbers(show_bert_input(Given()), "Deck 1, slide 18").tolist() == [[2, 3, 2], [0, 1, 0], [3, 2, 1]]


def test_masking_keeps_deck_1s_shares(numbers) -> None:
    stated, counted = numbers(show_bert_input(Given()), "Masking").T.tolist()
    assert stated == [0.15, 0.8, 0.1, 0.1]
    assert counted[0] == pytest.approx(1 / 9)  # of nine pieces one is the nearest to 15 %
    assert counted[1:] == pytest.approx(stated[1:], abs=0.03)


def test_what_must_be_found_stands_where_bert_reads_something_else_or_the_same(table) -> None:
    rows = table(show_bert_input(Given()), "The sequence")
    hidden = [(name, row[3]) for name, row in zip(rows.names, rows.cells, strict=True) if row[3]]
    assert hidden
    assert all(name == found for name, found in hidden)


def test_the_parameters_that_deck_1_states_are_counted(table) -> None:
    sizes = table(show_bert_input(Given()), "Sizes")
    assert [row[3:] for row in sizes.cells] == [(110, 109), (340, 335)]


@pytest.mark.parametrize(
    ("texts", "fault"),
    [
        (("a", "b", "c"), "3 texts were given"),
        ((" ".join("abcdefghijk"),), "has 11 words; at most 10"),
        (("!" * 40,), "have 40 pieces; at most 32"),
    ],
)
def test_texts_that_cannot_be_shown_are_refused(texts: tuple[str, ...], fault: str) -> None:
    with pytest.raises(UsageError, match=fault):
        show_bert_input(Given(texts=texts))
