"""Laws of check_pairs: each fault that is planted is counted, named with its place, and nothing else is said."""

import dataclasses
import json
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import pytest

from heed.data.checks import PairReport, check_pairs
from heed.data.pairs import read_pairs
from heed.data.records import TextPair
from heed.data.splits import PairSplits
from heed.errors import DataError

CAPTIONS = Path(__file__).parents[3] / "shared" / "data" / "multi30k_en_fr"


def clean(count: int, name: str = "train") -> list[TextPair]:
    """Pairs of all lengths from 1 to 12 words, each target about as long as its source."""
    words = [(n % 12 + 1) * f"{name}{n} " for n in range(count)]
    return [TextPair(text.strip(), text.upper().strip(), f"{name}:{n + 1}") for n, text in enumerate(words)]


def check(train: Sequence[TextPair], valid: Sequence[TextPair] = (), test: Sequence[TextPair] = ()) -> PairReport:
    return check_pairs(PairSplits(train, valid, test, origin="files", note=""))


def said(report: PairReport) -> list[tuple[str, str]]:
    return [(finding.level, finding.text) for finding in report.findings]


def test_clean_pairs_have_no_findings() -> None:
    report = check(clean(300), clean(30, "valid"), clean(20, "test"))
    assert said(report) == []
    assert report.counts == {"train": 300, "valid": 30, "test": 20}
    assert report.lines()[0] == "files: 300 train, 30 valid, 20 test"
    assert report.lines()[-1] == "Nothing odd was found."


def test_the_report_goes_to_json_and_back() -> None:
    report = check([*clean(300), TextPair("a", "b" * 300, "x:1")], clean(5))
    values = json.loads(json.dumps(dataclasses.asdict(report), allow_nan=False))
    assert values["counts"] == report.counts
    assert [finding["text"] for finding in values["findings"]] == [text for _, text in said(report)]


def test_lengths_are_counted_in_characters_words_and_tokens() -> None:
    pairs = [TextPair("ab cd", "x" * n) for n in range(1, 101)]
    report = check_pairs(PairSplits(pairs, (), (), "", ""), lengths=lambda text: 2 * len(text))
    rows = {(row.side, row.unit): row for row in report.lengths}
    assert (rows["source", "characters"].median, rows["source", "words"].longest) == (5, 2)
    target = rows["target", "tokens"]
    assert (target.median, target.ninety_percent, target.ninety_nine_percent, target.longest) == (100, 180, 198, 200)


def test_a_length_function_is_called_once_for_each_text() -> None:
    seen: list[str] = []
    check_pairs(PairSplits(clean(10), (), (), "", ""), lengths=lambda text: len(seen.append(text) or text))
    assert len(seen) == 20


def test_what_would_be_cut_is_counted_in_tokens_where_they_are_known() -> None:
    splits = PairSplits([TextPair("a b c", "a b", "x:1"), TextPair("a", "b b", "x:2")], (), (), "", "")
    words = check_pairs(splits, longest=2)
    assert (words.cut.pairs, words.cut.unit, words.cut.examples) == (1, "words", ("x:1",))
    assert (
        "warning",
        "1 pair(s) (50.0%) are longer than 2 words (tokens are more than words) and would be cut (x:1).",
    ) in said(words)
    tokens = check_pairs(splits, lengths=len, longest=4)
    assert (tokens.cut.pairs, tokens.cut.unit) == (1, "tokens")
    assert check_pairs(splits, lengths=len, longest=5).cut.pairs == 0


def test_pairs_that_were_left_out_are_named() -> None:
    splits = PairSplits(clean(5), (), (), "", "", empty=7, empty_places=("x:3", "x:9"))
    assert said(check_pairs(splits)) == [("warning", "7 pair(s) with an empty side are left out (x:3, x:9).")]


def test_a_pair_of_odd_lengths_is_named_and_shown_cut() -> None:
    odd = TextPair("short", "long " * 60, "x:7")
    report = check([*clean(300), odd])
    assert report.agreement.suspects == 1
    (shown,) = report.agreement.examples
    assert (shown.place, shown.source, shown.ratio) == ("x:7", '"short"', 60.0)
    assert len(shown.target) == 82
    assert said(report) == [("note", "1 pair(s) (0.3%) have lengths that fit badly and may be misaligned.")]
    assert report.lines()[-1].startswith('  x:7  "short" → "long long')


def test_at_most_ten_odd_pairs_are_shown_the_worst_first() -> None:
    odd = [TextPair("a", "b" * (100 + n), f"x:{n}") for n in range(15)]
    report = check([*clean(300), *odd])
    assert report.agreement.suspects == 15
    assert [shown.place for shown in report.agreement.examples] == [f"x:{n}" for n in range(14, 4, -1)]
    assert said(report)[0][0] == "warning"


def test_lines_that_are_all_shifted_are_noticed() -> None:
    pairs = [*clean(600)]
    shifted = [TextPair(a.source, b.target, a.place) for a, b in zip(pairs, pairs[5:], strict=False)]
    (finding, *_) = said(check(shifted))
    assert finding[0] == "warning"
    assert "Longer sources do not have longer targets (correlation -0." in finding[1]


def test_the_place_where_a_shift_begins_is_named() -> None:
    pairs = clean(2000)
    shifted = [TextPair(a.source, b.target, a.place) for a, b in zip(pairs[1400:], pairs[1405:], strict=False)]
    report = check([*pairs[:1400], *shifted])
    assert report.agreement.shifted_from == "train:1401"
    assert any(text.startswith("From about train:1401 on, the lengths") for _, text in said(report))


def test_short_or_uniform_data_claims_no_disagreement() -> None:
    assert check(clean(20)).agreement.correlation is None
    assert check([TextPair(f"{n:05}", f"{n:05}"[::-1]) for n in range(1000)]).agreement.correlation is None


def test_duplicates_in_training_are_counted_beyond_the_first() -> None:
    pairs = clean(20)
    report = check([*pairs, pairs[0], pairs[0], pairs[1]])
    assert report.repeats.duplicates == 3
    assert said(report) == [("note", "3 pair(s) of train (13.0%) stand there more than once.")]


def test_a_source_with_several_targets_is_noted_with_its_place() -> None:
    pairs = clean(20)
    report = check([*pairs, TextPair(pairs[3].source, pairs[3].target + " X", "train:21")])
    assert said(report) == [("note", "1 source(s) of train have several targets (first at train:4).")]


def test_pairs_that_leak_into_validation_and_test_are_counted() -> None:
    train, valid, test = clean(50), clean(40, "valid"), clean(5, "test")
    valid[2] = TextPair(train[7].source, train[7].target, "valid:3")
    valid[3] = TextPair(train[8].source, train[8].target[::-1], "valid:4")
    test[0] = TextPair(train[9].source, train[9].target, "test:1")
    report = check(train, valid, test)
    assert [(leak.split, leak.pairs, leak.sources) for leak in report.repeats.leaks] == [
        ("valid", 1, 2),
        ("test", 1, 1),
        ("test", 0, 0),
    ]
    scores = "scores are inflated. Remove them from train."
    assert said(report) == [
        ("error", f"1 of the 5 test pairs (20.0%) also occur in train (test:1), so test {scores}"),
        ("warning", f"1 of the 40 validation pairs (2.5%) also occur in train (valid:3), so validation {scores}"),
        (
            "warning",
            f"1 validation pair(s) have a source that also occurs in train with another target, so validation {scores}",
        ),
    ]


def test_sources_that_test_shares_with_validation_are_a_note() -> None:
    train, valid, test = clean(50), clean(40, "valid"), clean(5, "test")
    test[0] = TextPair(valid[9].source.upper(), test[0].target * 10, "test:1")
    assert said(check(train, valid, test)) == [
        ("note", "1 test pair(s) have a source that also occurs in validation with another target (test:1).")
    ]


def test_groups_that_are_in_two_splits_are_told() -> None:
    train = [dataclasses.replace(pair, group=f"g{n // 5}") for n, pair in enumerate(clean(50))]
    valid = [dataclasses.replace(pair, group="g3" if n < 2 else "new") for n, pair in enumerate(clean(40, "valid"))]
    test = [dataclasses.replace(pair, group="new") for pair in clean(5, "test")]
    report = check(train, valid, test)
    assert [(leak.split, leak.earlier, leak.records, leak.groups) for leak in report.groups] == [
        ("valid", "train", 2, 1),
        ("test", "valid", 5, 1),
    ]
    assert (
        "warning",
        "2 of the 40 validation records (5.0%) are of 1 group(s) that train has too (valid:1, valid:2), so validation "
        "scores are inflated. Put each group on one side.",
    ) in said(report)


def test_a_leak_is_found_through_another_spelling_of_a_letter() -> None:
    report = check([TextPair("caf\u00e9", "b")], [TextPair("cafe\u0301", "b")])
    assert report.repeats.leaks[0].pairs == 1


def test_copies_are_a_warning_unless_all_are() -> None:
    pairs = clean(20)
    some = check([*pairs, TextPair("same text here", "same text here")])
    assert some.repeats.copies == 1
    assert said(some) == [("warning", "1 pair(s) (4.8%) have a target that is a copy of the source: not translated?")]
    every = check([TextPair(pair.source, pair.source) for pair in pairs])
    assert said(every) == [("note", "All 20 targets are copies of their sources. Was one file given for both sides?")]


@pytest.mark.parametrize(
    ("text", "level", "named"),
    [
        ("lost \ufffd letter", "warning", "U+FFFD"),
        ("bell \x07 here", "warning", "control characters"),
        ("mark \ufeff here", "warning", "control characters"),
        ("dÃ©jÃ\xa0 vu", "warning", "UTF-8 read as Latin-1"),
        ("don\u00e2\u20ac\u2122t", "warning", "UTF-8 read as Latin-1"),
        ("cafe\u0301", "note", "letters written in pieces"),
    ],
)
def test_characters_that_look_wrong_are_named_with_their_place(text: str, level: str, named: str) -> None:
    report = check([*clean(20), TextPair(text, "x" * len(text), "x:1")])
    ((found, sentence),) = said(report)
    assert found == level
    assert sentence.startswith("1 pair(s) have ") and named in sentence and "(x:1)" in sentence


@pytest.mark.parametrize("text", ["déjà vu, Ã la carte", "NÃO", "một hai ba", "tab\tand\nline", "« Âge »", "👩‍👩‍👧"])
def test_good_text_is_not_suspected(text: str) -> None:
    assert check([TextPair(text, "x" * len(text))]).characters == ()


def test_no_pairs_at_all_are_refused() -> None:
    with pytest.raises(DataError, match="files holds 0 pairs"):
        check([])


@pytest.mark.skipif(not CAPTIONS.exists(), reason="the captions are not on this machine")
def test_real_captions_are_clean_and_a_lost_line_in_them_is_found() -> None:
    pairs = read_pairs([CAPTIONS / "train.en", CAPTIONS / "train.fr"]).pairs
    whole = check(pairs)
    assert [level for level, _ in said(whole) if level != "note"] == []
    assert whole.agreement.correlation is not None and whole.agreement.correlation > 0.8
    lost = [TextPair(a.source, b.target, a.place) for a, b in pairwise(pairs[20_000:])]
    assert check([*pairs[:20_000], *lost]).agreement.shifted_from == f"{CAPTIONS / 'train.en'}:20001"
