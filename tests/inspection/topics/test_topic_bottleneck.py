"""The bottleneck: a short training for what is said, the whole one for what is claimed."""

import pytest

from heed.errors import UsageError
from heed.inspection.given import Given
from heed.inspection.topics.bottleneck import Effort, show_bottleneck
from heed.runs.telling import silent

SHORT = Effort(width=8, steps=3, batch=4, longest=3, lengths=(1, 2), tried=5)


def test_shares_are_percent_and_texts_of_the_reader_are_copied_by_both(table) -> None:
    told: list[float | None] = []
    shown = show_bottleneck(Given(texts=("xyx", "yy")), lambda what, share: told.append(share), SHORT)
    exact = table(shown, "Exact copies")
    assert exact.columns == ("1 letters", "2 letters")
    assert all(0 <= share <= 100 for row in exact.cells for share in row)
    copied = table(shown, "Copied")
    assert copied.names == ("xyx", "yy")
    assert all(set(text) <= {"x", "y"} for row in copied.cells for text in row)
    assert told == sorted(told)
    assert told[-1] == 1


@pytest.mark.slow
def test_attention_copies_texts_that_the_thought_vector_no_longer_holds(numbers) -> None:
    thought, attention = numbers(show_bottleneck(Given(), silent), "Exact copies").tolist()
    assert thought[0] > 90  # two letters
    assert thought[3] < 50 < 90 < attention[3]  # eight letters


@pytest.mark.parametrize(
    ("texts", "fault"),
    [
        (("aaaa",), "have 1 different char"),
        (("abcdefghijklm",), "have 13 different char"),
        (("ab" * 9,), "has 18 characters; at most 16"),
    ],
)
def test_texts_that_cannot_be_learnt_are_refused(texts: tuple[str, ...], fault: str) -> None:
    with pytest.raises(UsageError, match=fault):
        show_bottleneck(Given(texts=texts), silent)
