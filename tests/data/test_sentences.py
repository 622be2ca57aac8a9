"""Sentences of words: how a line is cut, that a corpus is streamed as often as asked, and what its counts say."""

import gzip
import tracemalloc
from pathlib import Path

import pytest

from heed.data import sentences as module
from heed.data.sentences import LONGEST, Sentences, count_words, load_sentences, words_of
from heed.errors import DataError, UsageError


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("The King, the QUEEN!", ["the", "king", "the", "queen"]),
        ("new_york is a city", ["new_york", "is", "a", "city"]),
        ("Nhà_hàng này NGON", ["nhà_hàng", "này", "ngon"]),
        ("cafe\u0301 Café", ["café", "café"]),
        ("well-known, it's 42", ["well", "known", "it", "s", "42"]),
        ("हिन्दी में", ["हिन्दी", "में"]),
        ("a\u2028b\x0bc", ["a", "b", "c"]),
        ("... -- !", []),
        ("", []),
    ],
)
def test_a_line_is_cut_into_words_in_lower_case(text: str, words: list[str]) -> None:
    assert words_of(text) == words


def test_a_corpus_can_be_gone_through_again_and_lines_without_words_are_no_sentences(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("One two.\n\n...\nthree\n")
    (tmp_path / "b.txt.gz").write_bytes(gzip.compress(b"Four five six"))
    corpus = load_sentences([str(tmp_path / "a.txt"), str(tmp_path / "b.txt.gz")])
    expected = [["one", "two"], ["three"], ["four", "five", "six"]]
    assert list(corpus) == expected
    assert list(corpus) == expected
    assert corpus.origin == f"{tmp_path / 'a.txt'} + {tmp_path / 'b.txt.gz'}"


def test_a_long_line_is_given_in_parts_that_hold_every_word() -> None:
    words = [f"w{number}" for number in range(2 * LONGEST + 3)]
    parts = list(Sentences(lambda: [" ".join(words)], "here"))
    assert [len(part) for part in parts] == [LONGEST, LONGEST, 3]
    assert [word for part in parts for word in part] == words


def test_a_large_file_takes_the_memory_of_a_line(tmp_path: Path) -> None:
    path = tmp_path / "large.txt"
    path.write_text("the same few words on every line\n" * 100_000)
    corpus = load_sentences([str(path)])
    words_of("warm")  # the pattern is made once
    tracemalloc.start()
    try:
        assert sum(len(words) for words in corpus) == 700_000
        assert tracemalloc.get_traced_memory()[1] < 1_000_000
    finally:
        tracemalloc.stop()


def test_a_missing_file_is_told_before_the_others_are_read(tmp_path: Path) -> None:
    (tmp_path / "here.txt").write_text("a")
    with pytest.raises(DataError, match=r"away.txt does not exist"):
        load_sentences([str(tmp_path / "here.txt"), str(tmp_path / "away.txt")])


def test_counts_say_how_many_sentences_and_words_and_rank_equals_by_their_letters() -> None:
    counts = count_words([["b", "a", "c"], ["b", "a"], ["d"]])
    assert (counts.sentences, counts.words) == (3, 6)
    assert list(counts.frequent(minimum=1, most=9).items()) == [("a", 2), ("b", 2), ("c", 1), ("d", 1)]
    assert list(counts.frequent(minimum=2, most=9)) == ["a", "b"]
    assert list(counts.frequent(minimum=1, most=3)) == ["a", "b", "c"]


def test_too_few_frequent_words_are_refused_with_their_number() -> None:
    with pytest.raises(DataError, match=r"1 of 2 different words stand 3 or more times in the corpus of 4 words"):
        count_words([["b", "b", "b", "a"]]).frequent(minimum=3, most=9)


def test_what_is_no_text_of_a_language_is_refused_before_it_fills_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_DIFFERENT", 5)
    with pytest.raises(DataError, match=r"more than 5 different words in the first 3 sentences, such as 'w5'"):
        count_words([f"w{number}", f"w{number + 1}"] for number in range(0, 100, 2))


def test_the_demo_stands_alone() -> None:
    with pytest.raises(UsageError, match=r"demo:royals more.txt: a demo stands alone"):
        load_sentences(["demo:royals", "more.txt"])


def test_a_demo_of_another_task_is_refused_with_those_that_fit() -> None:
    with pytest.raises(DataError, match=r"demo:reviews is for the task classify. The demos that fit here: demo:royals"):
        load_sentences(["demo:reviews"])


def test_an_unknown_demo_is_refused_with_the_nearest() -> None:
    with pytest.raises(DataError, match=r"no demo 'royal'.*Did you mean demo:royals\?"):
        load_sentences(["demo:royal"])
