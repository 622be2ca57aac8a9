"""Laws of splitting labelled texts: stable, one side for each text, and every label known in training."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heed.data.labelled_splits import LabelledSplits, check_labels, split_labelled
from heed.data.records import LabelledText
from heed.errors import DataError, UsageError

RECORDS = [LabelledText((f"text {n}",), "yes" if n % 3 else "no", f"x:{n}") for n in range(1000)]


def side_of(splits: LabelledSplits) -> dict[str, str]:
    named = (("train", splits.train), ("valid", splits.valid), ("test", splits.test))
    return {record.place: name for name, records in named for record in records}


def test_every_record_falls_to_one_side_in_about_the_shares_asked_for() -> None:
    splits = split_labelled(RECORDS, valid_share=0.1, test_share=0.2)
    assert sorted([*splits.train, *splits.valid, *splits.test], key=RECORDS.index) == RECORDS
    assert 70 < len(splits.valid) < 130
    assert 160 < len(splits.test) < 240


@settings(deadline=None)  # other work on the machine must not count
@given(st.sets(st.integers(0, 999)))
def test_a_record_that_is_removed_never_moves_another(removed: set[int]) -> None:
    fewer = [record for number, record in enumerate(RECORDS) if number not in removed or number < 300]
    whole = side_of(split_labelled(RECORDS))
    assert all(whole[place] == side for place, side in side_of(split_labelled(fewer)).items())


def test_the_label_and_the_spelling_of_a_letter_do_not_move_a_text() -> None:
    def sides(letter: str, label: str) -> dict[str, str]:
        return side_of(split_labelled([LabelledText((f"{letter} {n}",), label, str(n)) for n in range(300)]))

    assert sides("\u00e9", "a") == sides("e\u0301", "b")


def test_two_texts_fall_to_the_same_side_in_either_order() -> None:
    pairs = [LabelledText((f"a {n}", f"b {n}"), "yes", str(n)) for n in range(300)]
    turned = [LabelledText(pair.texts[::-1], "no", pair.place) for pair in pairs]
    assert side_of(split_labelled(pairs)) == side_of(split_labelled(turned))


def test_pairs_that_share_either_text_fall_to_one_side() -> None:
    premises = [LabelledText((f"p {n // 3}", f"h {n}"), "yes" if n % 2 else "no", str(n)) for n in range(3000)]
    chains = [LabelledText((f"h {9 * n}", f"x {n}"), "yes", f"chain {n}") for n in range(200)]
    splits = split_labelled([*premises, *chains])
    texts = [{text for record in part for text in record.texts} for part in (splits.train, splits.valid, splits.test)]
    assert not (texts[0] & texts[1] or texts[0] & texts[2] or texts[1] & texts[2])


def test_the_split_is_the_same_in_every_version() -> None:
    # Recorded: were it to change, a model would be scored on texts that an earlier run of it has seen.
    assert [record.place for record in split_labelled(RECORDS[:60]).valid] == [
        "x:12",
        "x:13",
        "x:19",
        "x:20",
        "x:26",
        "x:30",
        "x:43",
    ]


def test_the_note_says_how_it_was_split() -> None:
    splits = split_labelled(RECORDS)
    assert splits.note == (
        f"Split by the hash of the text: {len(splits.train):,} training, {len(splits.valid):,} validation, "
        f"{len(splits.test):,} test records."
    )


def test_a_label_that_would_be_missing_in_train_is_moved_there_and_noted() -> None:
    aside = [record.place for record in split_labelled(RECORDS).valid]
    records = [LabelledText(r.texts, "rare" if r.place == aside[0] else r.label, r.place) for r in RECORDS]
    splits = split_labelled(records)
    assert [record.label for record in splits.train].count("rare") == 1
    assert "rare" not in {record.label for record in (*splits.valid, *splits.test)}
    assert '1 label(s) ("rare") are so rare that no record of theirs fell to train' in splits.note
    assert len(splits.train) + len(splits.valid) + len(splits.test) == len(RECORDS)


def test_numbers_are_not_moved() -> None:
    numbers = [LabelledText(record.texts * 2, str(n / 7), record.place) for n, record in enumerate(RECORDS)]
    splits = split_labelled(numbers, outcome="number")
    assert len(splits.valid) > 70
    assert "so rare" not in splits.note


def test_when_all_of_validation_would_be_moved_the_user_is_told() -> None:
    aside = {record.place for record in split_labelled(RECORDS[:60]).valid}
    records = [LabelledText(r.texts, r.place if r.place in aside else "x", r.place) for r in RECORDS[:60]]
    with pytest.raises(DataError, match=rf"{len(aside)} record\(s\) fell to validation, and train has none"):
        split_labelled(records)


def test_too_few_records_are_refused_with_what_is_needed() -> None:
    with pytest.raises(
        DataError, match=r"2 records with 2 different texts .* validation \(10%\).* 30 or more.*--valid"
    ):
        split_labelled(RECORDS[:2])


@pytest.mark.parametrize(("valid", "test"), [(0.0, 0.1), (0.5, 0.5), (0.1, -0.1)])
def test_shares_that_leave_nothing_are_refused(valid: float, test: float) -> None:
    with pytest.raises(UsageError, match=f"Shares of {valid} .* and {test} "):
        split_labelled(RECORDS, valid, test)


def test_training_with_one_label_is_refused() -> None:
    train = [LabelledText((f"text {n}",), "yes") for n in range(5)]
    with pytest.raises(
        DataError, match=r'files: all 5 training records have the label "yes".* needs two or more classes'
    ):
        check_labels(LabelledSplits(train, (), (), "files", ""))


def test_a_label_that_train_does_not_have_is_named_with_its_place() -> None:
    strange = LabelledText(("a",), "yess", "test.csv:7")
    with pytest.raises(
        DataError, match=r'test.csv:7: the label "yess" stands in test and never in train.*"no", "yes".*"yes"\?'
    ):
        check_labels(LabelledSplits(RECORDS, RECORDS[:3], [RECORDS[0], strange], "", ""))
