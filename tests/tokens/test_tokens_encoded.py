"""What was unknown and what was cut is counted."""

from heed.tokens.encoded import TokenCounts


def test_counts_add_up() -> None:
    assert TokenCounts(10, 2, 1) + TokenCounts(5, 0, 3) == TokenCounts(15, 2, 4)


def test_counts_say_themselves_in_numbers_and_percent() -> None:
    assert str(TokenCounts(2000, 5, 20)) == "2,000 tokens, 5 unknown (0.25 %), 20 cut (1.00 %)"
    assert str(TokenCounts()) == "0 tokens, 0 unknown (0.00 %), 0 cut (0.00 %)"
