"""Passages of a text: all of it, cut at the same places wherever the same words stand."""

import random
import string

import pytest

from heed.data import passages
from heed.data.passages import LEAST, cut_passages


def prose(seed: int, words: int) -> str:
    draw = random.Random(seed)
    known = ["".join(draw.choices(string.ascii_lowercase, k=draw.randint(2, 9))) for _ in range(500)]
    return "".join(draw.choice(known) + draw.choice([" "] * 9 + ["\n"]) for _ in range(words))


def characters(seed: int, count: int) -> str:
    """Return a text without white space, as Chinese is written."""
    draw = random.Random(seed)
    return "".join(chr(draw.randint(0x4E00, 0x5000)) for _ in range(count))


@pytest.mark.parametrize("text", ["", "a", "\n\n", prose(1, 4000), characters(1, 5000)], ids=len)
def test_all_passages_together_are_the_text(text: str) -> None:
    assert "".join(passage.text for passage in cut_passages(text)) == text


@pytest.mark.parametrize("text", [prose(2, 4000), characters(2, 9000)], ids=["words", "characters"])
def test_an_excerpt_has_the_passages_of_the_whole_but_at_its_ends(text: str) -> None:
    whole = {passage.key for passage in cut_passages(text)}
    excerpt = [passage.key for passage in cut_passages(text[1234:-777])]
    assert len(excerpt) > 100
    assert sum(key not in whole for key in excerpt) <= 4


def test_other_text_has_no_passage_in_common() -> None:
    first, second = ({passage.key for passage in cut_passages(prose(seed, 4000))} for seed in (3, 4))
    assert first.isdisjoint(second)


def test_a_passage_is_a_sentence_or_so_and_its_key_no_less() -> None:
    text = prose(5, 8000)
    found = list(cut_passages(text))
    assert 40 < len(text) / len(found) < 100
    # White space at both ends of a key is taken off.
    assert all(len(passage.key) >= LEAST - 4 for passage in found[2:])


def test_words_are_cut_whole() -> None:
    assert all(passage.text[-1].isspace() for passage in list(cut_passages(prose(6, 4000)))[:-1])


@pytest.mark.parametrize("text", [prose(7, 3000), characters(7, 4000)], ids=["words", "characters"])
def test_blocks_in_which_a_long_text_is_hashed_change_nothing(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = list(cut_passages(text))
    monkeypatch.setattr(passages, "BLOCK", 100)
    assert list(cut_passages(text)) == whole
