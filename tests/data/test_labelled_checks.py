"""Laws of check_labelled: each fault that is planted is counted, named with its place, and nothing else is said."""

import dataclasses
import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from heed.data.labelled_checks import LabelledReport, check_labelled
from heed.data.labelled_corpora import load_labelled
from heed.data.labelled_splits import LabelledSplits
from heed.data.records import LabelledText
from heed.errors import DataError

REVIEWS = Path(__file__).parents[3] / "shared" / "data" / "ntc_scv"
PAIRS = Path(__file__).parents[3] / "shared" / "data" / "mrpc"


def clean(count: int, name: str = "train", labels: Sequence[str] = ("neg", "pos")) -> list[LabelledText]:
    return [
        LabelledText((f"{name} text number {n}",), labels[n % len(labels)], f"{name}:{n + 1}") for n in range(count)
    ]


def check(
    train: Sequence[LabelledText], valid: Sequence[LabelledText] = (), test: Sequence[LabelledText] = ()
) -> LabelledReport:
    return check_labelled(LabelledSplits(train, valid, test, origin="files", note=""))


def said(report: LabelledReport) -> list[tuple[str, str]]:
    return [(finding.level, finding.text) for finding in report.findings]


def test_clean_records_have_no_findings() -> None:
    report = check(clean(300), clean(30, "valid"), clean(20, "test"))
    assert said(report) == []
    assert report.counts == {"train": 300, "valid": 30, "test": 20}
    assert report.lines()[0] == "files: 300 train, 30 valid, 20 test"
    assert report.lines()[-1] == "Nothing odd was found."


def test_the_report_goes_to_json_and_back() -> None:
    report = check([*clean(300), LabelledText(("odd \ufffd",), "psitive", "x:1")], clean(5))
    values = json.loads(json.dumps(dataclasses.asdict(report), allow_nan=False))
    assert values["counts"] == report.counts
    assert values["labels"][0] == {"label": "neg", "train": 150, "valid": 3, "test": 0}
    assert [finding["text"] for finding in values["findings"]] == [text for _, text in said(report)]


def test_the_labels_of_each_split_are_counted_and_shown() -> None:
    lines = check(clean(300), clean(30, "valid", ("neg", "pos", "pos"))).lines()
    assert lines[1].split() == ["label", "train", "valid", "test"]
    assert lines[2].split() == ['"neg"', "150", "50.0%", "10", "33.3%", "–"]
    assert lines[3].split() == ['"pos"', "150", "50.0%", "20", "66.7%", "–"]


def test_of_many_labels_the_commonest_are_shown() -> None:
    names = [f"label {n:02}" for n in range(30)]
    lines = check([*clean(600, labels=names), *clean(5, "more", ["label 29"])]).lines()
    assert lines[2].startswith('"label 29"')
    assert lines[22] == "… and 10 rarer labels"


def test_lengths_and_what_several_limits_would_cut_are_told_in_words() -> None:
    records = [LabelledText((" ".join("w" * n),), "ab"[n % 2], f"x:{n}") for n in (10, 40, 50, 100)]
    report = check_labelled(LabelledSplits(records, (), (), "", ""), longest=50)
    assert [(limit.longest, limit.records) for limit in report.limits] == [
        *((32, 3), (50, 1), (64, 1), (128, 0), (256, 0), (512, 0)),
    ]
    assert report.limits[0].lost_share == (8 + 18 + 68) / 200
    assert "64 words                   1    25.0%     18.0%" in report.lines()
    assert (
        "warning",
        "1 record(s) (25.0%) are longer than 50 words (tokens are more than words) and would be cut: 25.0% of all "
        "words would not be read.",
    ) in said(report)


def test_tokens_are_counted_where_a_tokenizer_is_known() -> None:
    report = check_labelled(LabelledSplits(clean(20), (), (), "", ""), lengths=len, longest=22)
    assert {limit.unit for limit in report.limits} == {"tokens"}
    assert {row.unit for row in report.lengths} == {"characters", "words", "tokens"}
    assert next(limit.records for limit in report.limits if limit.longest == 22) == 0


def test_of_a_pair_both_texts_together_are_read() -> None:
    pairs = [LabelledText(("a b c", "d e"), label, "x:1") for label in ("yes", "no")]
    report = check_labelled(LabelledSplits(pairs, (), (), "", ""), longest=4)
    assert next(limit.records for limit in report.limits if limit.longest == 4) == 2
    assert {row.side for row in report.lengths} == {"first", "second"}


def test_records_that_were_left_out_are_named() -> None:
    splits = LabelledSplits(clean(20), (), (), "", "", empty=7, empty_places=("x:3", "x:9"))
    assert said(check_labelled(splits)) == [("warning", "7 record(s) without text or label are left out (x:3, x:9).")]


def test_an_uneven_spread_is_noted_and_a_very_uneven_one_warned_of() -> None:
    (level, text), *_ = said(check([*clean(100, labels=("a",)), *clean(30, "more", ("b",))]))
    assert (level, text) == (
        "note",
        '"a" is on 76.9% of train, "b" on 23.1%: to say "a" always would be right 76.9% of the time. '
        "Judge by macro F1, not by accuracy, and gather more of the rare labels.",
    )
    assert said(check([*clean(200, labels=("a",)), *clean(20, "more", ("b",))]))[0][0] == "warning"
    assert said(check([*clean(58, labels=("a",)), *clean(20, "more", ("b",))])) == []


def test_a_label_with_too_few_records_is_warned_of() -> None:
    report = check([*clean(20), *clean(9, "more", ("rare",))])
    assert said(report) == [
        (
            "warning",
            '1 label(s) have fewer than 10 training records ("rare": 9), too few to learn from. '
            "Add records, or join them with another label.",
        )
    ]


def test_a_label_that_a_split_lacks_is_noted() -> None:
    report = check(clean(30, labels=("a", "b", "c")), clean(10, "valid", ("a", "b")))
    assert said(report) == [("note", 'valid has no record with 1 label(s) ("c"): they go unjudged.')]


def test_another_spread_in_test_is_warned_of_where_there_are_enough_records() -> None:
    train, test = clean(200), clean(100, "test", ("pos", "pos", "pos", "neg"))
    (finding,) = said(check(train, (), test))
    assert finding[0] == "warning"
    assert finding[1].startswith('"neg" is on 50.0% of train and on 25.0% of test')
    assert said(check(train, (), test[:96])) == []


def test_duplicates_in_training_are_counted_beyond_the_first() -> None:
    records = clean(20)
    report = check([*records, records[0], records[0], records[1]])
    assert report.repeats.duplicates == 3
    assert said(report) == [("note", "3 record(s) of train (13.04%) stand there more than once.")]


def test_one_text_with_two_labels_is_named_with_both_places() -> None:
    records = clean(20)
    report = check([*records, LabelledText(records[3].texts, "neg", "train:21")])
    assert report.repeats.conflicts == 1
    assert said(report) == [
        (
            "warning",
            '1 text(s) of train have several labels (train:4 says "pos", train:21 says "neg"). Decide on one for each.',
        )
    ]


def test_texts_that_leak_into_validation_and_test_are_counted() -> None:
    train, valid, test = clean(50), clean(40, "valid"), clean(6, "test")
    valid[2] = LabelledText(train[6].texts, train[6].label, "valid:3")
    test[0] = LabelledText(train[9].texts, "neg", "test:1")
    test[1] = LabelledText((train[11].texts[0].replace(" ", "  ").upper(),), "pos", "test:2")
    test[2] = LabelledText(valid[4].texts, "neg", "test:3")
    report = check(train, valid, test)
    found = [(leak.split, leak.earlier, leak.records, leak.other_label, leak.alike) for leak in report.repeats.leaks]
    assert found == [("valid", "train", 1, 0, 0), ("test", "train", 1, 1, 1), ("test", "valid", 1, 0, 0)]
    scores = "scores are inflated. Remove them from train."
    assert said(report) == [
        (
            "error",
            f"1 of the 6 test texts (16.67%) also occur in train (1 with another label) (test:1), so test {scores}",
        ),
        ("warning", f"1 of the 40 validation texts (2.50%) also occur in train (valid:3), so validation {scores}"),
        ("note", "1 more test text(s) differ from one in train only in case or white space."),
        ("note", "1 of the 6 test texts (16.67%) also occur in validation (test:3)."),
    ]


def test_a_leak_is_found_through_another_spelling_of_a_letter() -> None:
    report = check([LabelledText(("caf\u00e9",), "a")], [LabelledText(("cafe\u0301",), "a")])
    assert report.repeats.leaks[0].records == 1


@pytest.mark.parametrize(
    ("wrong", "meant"),
    [
        ("positve", "positive"),
        ("Positive", "positive"),
        ("po sitive", "positive"),
        ("tich cuc", "tích cực"),
        ("1.0", "1"),
    ],
)
def test_a_misspelt_label_is_named_with_the_one_that_was_meant(wrong: str, meant: str) -> None:
    report = check([*clean(1000, labels=(meant, "other")), LabelledText(("text",), wrong, "x:7")])
    (found,) = report.misspellings
    assert (found.label, found.count, found.meant, found.meant_count, found.examples) == (
        wrong,
        1,
        meant,
        500,
        ("x:7",),
    )
    assert any(
        text.startswith(f'The label "{wrong}" (1 of train) looks like "{meant}" (500) misspelt (x:7)')
        for _, text in said(report)
    )


@pytest.mark.parametrize("labels", [("1", "11"), ("class 1", "class 11"), ("negative", "positive"), ("pos", "neg")])
def test_different_classes_are_not_taken_for_misspellings(labels: tuple[str, str]) -> None:
    assert check([*clean(1000, labels=labels[:1]), *clean(1, "more", labels[1:])]).misspellings == ()


def test_a_label_that_is_nearly_another_is_let_pass_where_it_is_common() -> None:
    assert check(clean(1000, labels=("recall", "recalls"))).misspellings == ()


def scored(numbers: Sequence[float], name: str = "train") -> list[LabelledText]:
    return [LabelledText((f"{name} {n}", "b"), str(number), f"{name}:{n + 1}") for n, number in enumerate(numbers)]


def test_numbers_of_pairs_are_told_by_range_and_spread() -> None:
    report = check(scored([n / 20 for n in range(100)]))
    assert report.outcome == "number" and report.labels == () and report.numbers is not None
    assert (report.numbers.lowest, report.numbers.highest) == (0.0, 4.95)
    assert [each.count for each in report.numbers.bins] == [10] * 10
    assert report.lines()[1] == "labels are numbers from 0 to 4.95, mean 2.48, deviation 1.44"
    assert report.lines()[2].endswith(" 10  " + "#" * 40)
    assert said(report) == []


def test_numbers_beyond_those_of_train_and_a_lopsided_spread_are_warned_of() -> None:
    report = check(scored([0.5] * 90 + [5.0] * 10), scored([2.0, 5.5, 0.1, 5.0, 0.5], "valid"))
    assert (
        "warning",
        "2 number(s) of valid and test lie beyond those of train, 0.5 to 5 (valid:2, valid:3).",
    ) in said(report)
    assert any("90.0% of the numbers of train lie from 0.5 to 0.95" in text for _, text in said(report))


def test_what_the_labels_are_may_be_said() -> None:
    splits = LabelledSplits(scored([1, 2, 3, 4] * 10), (), (), "", "")
    assert check_labelled(splits).outcome == "label"
    assert check_labelled(splits, outcome="number").numbers is not None


@pytest.mark.parametrize(
    ("text", "level", "named"),
    [
        ("lost \ufffd letter", "warning", "U+FFFD"),
        ("bell \x07 here", "warning", "control characters"),
        ("dÃ©jÃ\xa0 vu", "warning", "UTF-8 read as Latin-1"),
        ("cafe\u0301", "note", "letters written in pieces"),
    ],
)
def test_characters_that_look_wrong_are_named_with_their_place(text: str, level: str, named: str) -> None:
    ((found, sentence),) = said(check([*clean(20), LabelledText((text,), "pos", "x:1")]))
    assert found == level
    assert sentence.startswith("1 record(s) have ") and named in sentence and "(x:1)" in sentence


def test_no_records_at_all_are_refused() -> None:
    with pytest.raises(DataError, match="files holds 0 training records"):
        check([])


@pytest.mark.slow
def test_pairs_that_share_either_text_with_an_earlier_split_are_counted() -> None:
    def pairs(name: str, count: int) -> list[LabelledText]:
        return [LabelledText((f"{name} a {n}", f"{name} b {n}"), "ny"[n % 2], f"{name}:{n}") for n in range(count)]

    train, valid, test = pairs("train", 60), pairs("valid", 20), pairs("test", 20)
    valid[0] = LabelledText((train[5].texts[0], "new"), "n", "valid:0")
    test[0] = LabelledText(("new too", train[6].texts[0].upper()), "n", "test:0")
    test[1] = LabelledText((valid[7].texts[1], "newer"), "y", "test:1")
    test[2] = LabelledText(train[8].texts[::-1], "n", "test:2")
    test[3] = LabelledText(train[9].texts, "y", "test:3")
    report = check(train, valid, test)
    assert [(leak.split, leak.earlier, leak.records, leak.sharing) for leak in report.repeats.leaks] == [
        ("valid", "train", 0, 1),
        ("test", "train", 1, 2),
        ("test", "valid", 0, 1),
    ]
    cure = "scores are inflated. Put all pairs of a text on one side."
    assert said(report) == [
        ("warning", f"1 of the 20 validation pairs (5.00%) share one text with train (valid:0), so validation {cure}"),
        (
            "warning",
            "1 of the 20 test texts (5.00%) also occur in train (test:3), so test scores are inflated. "
            "Remove them from train.",
        ),
        ("warning", f"2 more of the 20 test pairs (10.00%) share one text with train (test:0, test:2), so test {cure}"),
        ("note", "1 of the 20 test pairs (5.00%) share one text with validation (test:1)."),
    ]


@pytest.mark.skipif(not REVIEWS.exists(), reason="the reviews are not on this machine")
def test_of_the_real_reviews_six_of_test_stand_in_train() -> None:
    splits = load_labelled(*([str(REVIEWS / f"{part}.csv")] for part in ("train", "valid", "test")))
    report = check_labelled(splits, longest=512)
    found = {(leak.split, leak.earlier): (leak.records, leak.alike) for leak in report.repeats.leaks}
    assert found == {("valid", "train"): (9, 1), ("test", "train"): (6, 3), ("test", "valid"): (2, 0)}
    assert (report.repeats.duplicates, report.repeats.conflicts, report.misspellings) == (14, 0, ())
    assert [(label.label, label.train, label.valid, label.test) for label in report.labels] == [
        ("0", 15_000, 5_000, 5_000),
        ("1", 15_000, 5_000, 5_000),
    ]
    assert any(text.startswith("6 of the 10,000 test texts (0.06%) also occur in train") for _, text in said(report))


@pytest.mark.skipif(not PAIRS.exists(), reason="the pairs are not on this machine")
def test_the_real_pairs_have_labels_and_share_texts_across_their_splits() -> None:
    splits = load_labelled([str(PAIRS / "train.tsv")], valid=[str(PAIRS / "dev.tsv")], texts=2)
    report = check_labelled(splits)
    assert report.outcome == "label"
    (found,) = said(report)
    assert found[0] == "error" and found[1].startswith(
        "43 of the 408 validation pairs (10.54%) share one text with train"
    )
