"""What `heed check tag` says of data: what is there, what stands twice, what disagrees, what would be cut."""

import json
from dataclasses import asdict
from pathlib import Path

import pytest

from heed.data.records import TaggedText
from heed.data.tagged_checks import TaggedReport, check_tagged
from heed.data.tagged_corpora import load_tagged
from heed.data.tagged_splits import TaggedSplits
from heed.errors import DataError

SHARED = Path(__file__).resolve().parents[3] / "shared/data/wnut17"


def sentence(text: str, place: str = "") -> TaggedText:
    """Return a sentence given as "word/tag word/tag"."""
    words, tags = zip(*(pair.rsplit("/", 1) for pair in text.split()), strict=True)
    return TaggedText(words, tags, place)


def many(count: int, tags: str = "B-PER I-PER O") -> list[TaggedText]:
    return [
        sentence(" ".join(f"word{number}x{n}/{tag}" for n, tag in enumerate(tags.split()))) for number in range(count)
    ]


def checked(
    train: list[TaggedText],
    valid: list[TaggedText] = (),
    test: list[TaggedText] = (),
    scheme: str | None = "IOB2",
    **more,
) -> TaggedReport:
    return check_tagged(TaggedSplits(train, valid, test, scheme, "data.conll", ""), **more)


def said(report: TaggedReport, level: str) -> list[str]:
    return [finding.text for finding in report.findings if finding.level == level]


def test_entities_of_each_kind_are_counted_in_each_split() -> None:
    train = [*many(30), sentence("in/O Rome/B-LOC"), sentence("Oslo/B-LOC")]
    report = checked(train, [sentence("to/O Rome/B-LOC"), sentence("Paris/B-LOC")], [sentence("Ada/B-PER")])
    person, place = report.kinds
    assert (person.kind, person.train, person.valid, person.test, person.longest) == ("PER", 30, 0, 1, 2)
    assert (place.kind, place.train, place.valid, place.test, place.longest) == ("LOC", 2, 2, 0, 1)
    assert place.unseen_share == 0.5
    assert person.unseen_share is None
    assert report.counts == {"train": 32, "valid": 2, "test": 1}


def test_rare_unknown_and_absent_kinds_are_told() -> None:
    report = checked([*many(30), sentence("Rome/B-LOC")], [sentence("Apple/B-ORG Ada/B-PER")])
    warnings = said(report, "warning")
    assert '1 kind(s) have fewer than 20 entities in train ("LOC": 1). Add more.' in warnings
    assert 'valid has 1 kind(s) that train never has ("ORG"): no model finds them.' in warnings
    assert 'valid has none of 1 kind(s) ("LOC"): they go unjudged.' in said(report, "note")


def test_a_sentence_that_is_tagged_in_two_ways_is_told_with_the_word_and_both_places() -> None:
    first, second = sentence("to/O Rome/B-LOC", "a:7"), sentence("to/O Rome/B-ORG", "a:19")
    report = checked([*many(30), first, second, first])
    assert (report.repeats.conflicts, report.repeats.duplicates) == (1, 1)
    assert any(
        'of "Rome", a:7 says "B-LOC", a:19 says "B-ORG"). Decide on one.' in text for text in said(report, "warning")
    )


@pytest.mark.parametrize(("clean", "level"), [(2, "error"), (30, "warning")])
def test_sentences_that_stand_in_train_and_valid_are_told(clean: int, level: str) -> None:
    leaked = sentence("to/O Rome/B-PER", "v:3")
    valid = [leaked, *many(30 + clean)[30:]]
    report = checked([*many(30), sentence("to/O Rome/O")], valid)
    text = next(text for text in said(report, level) if "also occur in train" in text)
    assert text.startswith(f"1 of the {clean + 1} validation sentences")
    assert "(1 with other tags) (v:3)" in text


def test_what_stands_in_test_and_valid_is_a_note() -> None:
    report = checked(many(30), [sentence("a/B-PER")], [sentence("a/B-PER")])
    assert any("1 of the 1 test sentences (100.00%) also occur in validation" in text for text in said(report, "note"))


def test_plain_labels_are_counted_word_by_word() -> None:
    report = checked(many(30, "DT NN"), [sentence("a/DT")], scheme=None)
    assert [(kind.kind, kind.train, kind.valid) for kind in report.kinds] == [("DT", 30, 1), ("NN", 30, 0)]
    assert report.without_entity == 0
    assert "plain labels" in report.lines()[0]


def test_what_would_be_cut_is_counted_in_words_or_in_tokens() -> None:
    report = checked([*many(30), sentence(" ".join(["x/O"] * 9))], longest=5)
    limit = next(limit for limit in report.limits if limit.longest == 5)
    assert (limit.unit, limit.records) == ("words", 1)
    assert any("longer than 5 words" in text for text in said(report, "warning"))
    tokens = checked(many(30), longest=5, lengths=len)
    assert next(limit for limit in tokens.limits if limit.longest == 5).unit == "tokens"
    assert [row.unit for row in tokens.lengths] == ["characters", "words", "tokens"]


def test_sentences_without_an_entity_are_noted_where_they_are_most() -> None:
    report = checked([*many(30), *many(40, "O O")])
    assert report.without_entity == 40
    assert any("40 sentences of train (57.1%) have no entity" in text for text in said(report, "note"))


def test_wrong_characters_are_told() -> None:
    report = checked([*many(30), sentence("caf\ufffd/O", "a:1")])
    assert any("U+FFFD" in text and "a:1" in text for text in said(report, "warning"))


def test_data_without_a_fault_says_so_and_goes_to_json() -> None:
    report = checked(many(30), many(60)[30:])
    assert report.findings == ()
    assert report.lines()[0] == "data.conll: 30 train, 30 valid, 0 test; entities in IOB2"
    assert report.lines()[-1] == "Nothing odd was found."
    assert json.loads(json.dumps(asdict(report)))["kinds"][0]["kind"] == "PER"


def test_data_without_training_sentences_is_refused() -> None:
    with pytest.raises(DataError, match=r"data\.conll holds 0 training sentences"):
        checked([])


@pytest.mark.skipif(not SHARED.is_dir(), reason="the real data is not there")
def test_wnut17_has_six_kinds_most_of_which_are_new_in_valid() -> None:
    report = check_tagged(load_tagged(*([str(SHARED / f"{part}.conll")] for part in ("train", "dev", "test"))))
    assert [(kind.kind, kind.train) for kind in report.kinds[:2]] == [("person", 660), ("location", 548)]
    assert len(report.kinds) == 6
    assert all(kind.unseen_share is not None and kind.unseen_share > 0.5 for kind in report.kinds)
