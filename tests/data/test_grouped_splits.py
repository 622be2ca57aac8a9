"""Laws of grouped splits: no group on two sides, sizes near their shares, the same split in any order of the file."""

import random
import time
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heed.data.caption_corpora import load_captions
from heed.data.corpora import load_pairs
from heed.data.dealing import SplitRule
from heed.data.demos import (
    DEMOS,
    QUESTION_DEMOS,
    TAGGED_DEMOS,
    labelled_demos,
    load_demo,
    load_labelled_demo,
    load_question_demo,
    load_tagged_demo,
)
from heed.data.documents import Corpus
from heed.data.grouping import connected_groups
from heed.data.image_corpora import load_images
from heed.data.labelled_corpora import load_labelled
from heed.data.labelled_splits import LabelledSplits, split_labelled
from heed.data.leaks import find_group_leaks, sharing
from heed.data.question_corpora import load_questions
from heed.data.question_splits import split_questions
from heed.data.record_keys import input_texts
from heed.data.records import LabelledText, Question, TaggedText, TextPair
from heed.data.splits import PairSplits, split_by_hash
from heed.data.tagged_corpora import load_tagged
from heed.data.tagged_splits import split_tagged
from heed.errors import DataError, UsageError

BY_RECORD = SplitRule(name="by-record")


def premises(count: int, each: int = 3) -> list[LabelledText]:
    """Return pairs as of natural language inference: each premise with several hypotheses, one of each label."""
    labels = ("yes", "no", "maybe")
    return [
        LabelledText((f"premise {n}", f"hypothesis {n} {k}"), labels[k % 3], f"x:{n * each + k}")
        for n in range(count)
        for k in range(each)
    ]


def sides_of(splits: LabelledSplits | PairSplits) -> dict[str, str]:
    named = (("train", splits.train), ("valid", splits.valid), ("test", splits.test))
    return {record.place: name for name, records in named for record in records}


def table(path: Path, head: str, rows: Sequence[str]) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join([head, *rows]) + "\n", encoding="utf-8")
    return str(path)


def reviews(path: Path, users: int = 60, each: int = 5) -> str:
    rows = [f"user {n},review {n} {k},{'pos' if k % 2 else 'neg'}" for n in range(users) for k in range(each)]
    return table(path, "user,text,label", rows)


def test_a_premise_is_on_one_side_with_all_its_hypotheses() -> None:
    splits = split_labelled(premises(1000))
    assert not sharing(splits.valid, splits.train, input_texts)
    assert not sharing(splits.test, [*splits.train, *splits.valid], input_texts)
    older = split_labelled(premises(1000), rule=BY_RECORD)
    assert len(sharing(older.valid, older.train, input_texts)) > 0.9 * len(older.valid)


def test_a_text_that_is_first_here_and_second_there_ties_both_pairs() -> None:
    pairs = [LabelledText((f"t {n}", f"t {n + 1}"), "yes" if n % 2 else "no") for n in range(0, 300, 2)]
    turned = [LabelledText((f"t {n + 1}", f"u {n}"), "yes") for n in range(0, 300, 2)]
    splits = split_labelled([*pairs, *turned])
    assert not sharing(splits.valid, splits.train, input_texts)


@settings(deadline=None, max_examples=30)
@given(st.lists(st.tuples(st.integers(0, 80), st.integers(0, 80)), min_size=60, max_size=120, unique=True))
def test_no_text_is_on_two_sides_whatever_the_pairs(numbers: list[tuple[int, int]]) -> None:
    pairs = [LabelledText((f"a {one}", f"b {other}"), "yes", str(n)) for n, (one, other) in enumerate(numbers)]
    try:
        splits = split_labelled(pairs)
    except DataError:  # one group has nearly all of them
        return
    assert not sharing(splits.valid, splits.train, input_texts)
    assert not sharing(splits.test, [*splits.train, *splits.valid], input_texts)


def test_the_order_of_the_file_does_not_change_the_split() -> None:
    pairs = premises(300)
    mixed = pairs.copy()
    random.Random(1).shuffle(mixed)
    assert sides_of(split_labelled(pairs)) == sides_of(split_labelled(mixed))


def test_pairs_without_shared_texts_are_split_as_in_every_version() -> None:
    pairs = [LabelledText((f"a {n}", f"b {n}"), "yes" if n % 2 else "no", str(n)) for n in range(500)]
    assert sides_of(split_labelled(pairs)) == sides_of(split_labelled(pairs, rule=BY_RECORD))


def test_groups_are_split_the_same_in_every_version() -> None:
    # Recorded: a run is resumed on the split that it was begun with. A new rule needs a new name in data.split.
    small = split_labelled(premises(60))
    assert [record.place for record in small.valid[::3]] == ["x:51", "x:84", "x:120"]
    assert [record.place for record in small.test[::3]] == ["x:3", "x:93", "x:165", "x:171"]
    large = split_labelled(premises(12, 10))
    assert [record.place for record in large.valid[::10]] == ["x:80"]
    assert [record.place for record in large.test[::10]] == ["x:0", "x:10"]


@pytest.mark.parametrize(("groups", "each"), [(1000, 3), (40, 50), (25, 80), (300, 7)])
def test_sizes_are_near_their_shares_however_large_the_groups(groups: int, each: int) -> None:
    splits = split_labelled(premises(groups, each))
    total = groups * each
    for part in (splits.valid, splits.test):
        assert 0.08 * total - each <= len(part) <= 0.12 * total + each


def test_a_giant_group_goes_to_train_and_the_note_says_what_to_do() -> None:
    giant = [LabelledText(("the same", f"h {n}"), "yes" if n % 2 else "no") for n in range(900)]
    splits = split_labelled([*giant, *premises(100, 1)])
    assert all(record in splits.train for record in giant[:5])
    assert splits.valid
    share = len(splits.valid) / 1000
    assert f"The validation set has {share:.1%} of the records instead of 10%" in splits.note
    assert "the largest has 900 of 1,000): give files of your own (--valid, --test), or another column" in splits.note


def test_a_group_that_is_too_large_for_its_side_gives_way_to_smaller_ones() -> None:
    for number in range(30):  # of the large groups about three fall to validation, some with none of the smaller ones
        sizes = [150] + [50] * 17
        pairs = [
            LabelledText((f"{number} {group}", f"{number} {group} {n}"), "yes" if n % 2 else "no")
            for group, size in enumerate(sizes)
            for n in range(size)
        ]
        splits = split_labelled(pairs)
        assert 70 <= len(splits.valid) <= 130 and 70 <= len(splits.test) <= 130


def test_a_chain_of_shared_texts_is_one_group_in_whatever_order_it_comes() -> None:
    assert list(connected_groups([("a",), ("b",), ("b", "c"), ("d",), ("a", "c")])) == [0, 0, 0, 3, 0]


def test_data_that_is_one_group_is_refused_with_what_to_do() -> None:
    pairs = [LabelledText(("a", f"b {n}"), "yes") for n in range(300)]
    with pytest.raises(
        DataError,
        match=r"300 records in 1 group\(s\) by shared texts are too few .* 30 groups or more, .*--group.*--valid",
    ):
        split_labelled(pairs)


def test_texts_that_differ_in_case_or_white_space_are_on_one_side() -> None:
    texts = [text for n in range(400) for text in (f"Text  {n}", f"text {n}")]
    labelled = split_labelled([LabelledText((text,), "yes" if n % 3 else "no") for n, text in enumerate(texts)])
    train = {record.texts[0].lower().split()[1] for record in labelled.train}
    assert train.isdisjoint(record.texts[0].lower().split()[1] for record in (*labelled.valid, *labelled.test))
    paired = split_by_hash([TextPair(text, "t") for text in texts])
    train = {pair.source.split()[1] for pair in paired.train}
    assert train.isdisjoint(pair.source.split()[1] for pair in (*paired.valid, *paired.test))


def test_a_rare_label_takes_all_records_of_its_text_to_train() -> None:
    records = [LabelledText((f"text {n}",), "yes" if n % 2 else "no", str(n)) for n in range(500)]
    aside = split_labelled(records).valid[0]
    splits = split_labelled([*records, LabelledText(aside.texts, "rare", "again")])
    assert "rare" in {record.label for record in splits.train}
    assert not sharing(splits.valid, splits.train, input_texts)


def test_a_rare_tag_takes_all_sentences_of_its_text_to_train() -> None:
    records = [TaggedText((f"word{n}",), ("B-PER",), str(n)) for n in range(200)]
    aside = split_tagged(records, "IOB2").valid[0]
    splits = split_tagged([*records, TaggedText(aside.words, ("B-LOC",), "again")], "IOB2")
    assert not sharing(splits.valid, splits.train, input_texts)


def test_questions_on_one_paragraph_are_on_one_side() -> None:
    questions = [Question(f"{n} {k}", "", f"Paragraph {n}.", f"Q{k}?", ()) for n in range(200) for k in range(4)]
    splits = split_questions(questions)
    assert not sharing(splits.valid, splits.train, input_texts)
    assert 0.05 < len(splits.valid) / 800 < 0.15


def test_groups_are_found_in_time_that_grows_with_the_texts() -> None:
    def seconds(count: int) -> float:
        began = time.perf_counter()
        groups = connected_groups((f"a {n // 4}", f"b {n // 6}") for n in range(count))
        assert len(set(groups)) == 1 + (count - 1) // 12
        return time.perf_counter() - began

    assert seconds(120_000) < 20 * max(seconds(12_000), 0.02)


def test_a_group_column_keeps_its_records_together(tmp_path: Path) -> None:
    splits = load_labelled([reviews(tmp_path / "r.csv")], rule=SplitRule("user"))
    assert splits.train[0].group == splits.train[0].texts[0].replace("review", "user").rpartition(" ")[0]
    assert splits.valid and not find_group_leaks(splits)
    assert 'Split by the hash of column "user": ' in splits.note
    assert 'groups by "user"' in splits.note
    assert find_group_leaks(load_labelled([reviews(tmp_path / "r.csv")])) == ()


def test_a_group_column_works_for_pairs_numbers_and_positions(tmp_path: Path) -> None:
    rows = [f"{n % 40}\ts {n}\tt {n}" for n in range(800)]
    path = tmp_path / "t.tsv"
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    splits = load_pairs([str(path)], columns=("2", "3"), rule=SplitRule("1"))
    assert splits.valid and splits.test and not find_group_leaks(splits)
    lines = [f'{{"source": "s {n}", "target": "t {n}", "who": {n % 40}}}' for n in range(800)]
    (tmp_path / "t.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    objects = load_pairs([str(tmp_path / "t.jsonl")], rule=SplitRule("who"))
    assert objects.train[0].group == str(int(objects.train[0].source[2:]) % 40)
    assert objects.valid and not find_group_leaks(objects)


def test_a_group_column_may_be_one_of_the_texts(tmp_path: Path) -> None:
    rows = [f"p {n // 3}\th {n}\t{'yes' if n % 2 else 'no'}" for n in range(300)]
    path = table(tmp_path / "t.tsv", "premise\thypothesis\tlabel", rows)
    splits = load_labelled([path], texts=2, rule=SplitRule("premise"))
    assert splits.train[0].group == splits.train[0].texts[0]
    assert not find_group_leaks(splits)


def test_a_group_column_keeps_images_and_captions_together(tmp_path: Path) -> None:
    for n in range(120):
        (tmp_path / f"{n}.png").write_bytes(b"image %d" % n)
    labelled = table(tmp_path / "l.csv", "path,label,who", [f"{n}.png,{'ab'[n % 2]},{n // 4}" for n in range(120)])
    images = load_images([labelled], rule=SplitRule("who"))
    assert images.valid and not find_group_leaks(images)
    captioned = table(tmp_path / "c.csv", "path,caption,who", [f"{n}.png,one {n},{n // 4}" for n in range(120)])
    captions = load_captions([captioned], rule=SplitRule("who"))
    assert captions.valid and not find_group_leaks(captions)


def test_a_group_column_keeps_documents_of_a_corpus_together(tmp_path: Path) -> None:
    path = table(tmp_path / "t.csv", "text,book", [f"A page {n}.,book {n // 5}" for n in range(2000)])
    corpus = Corpus((path,), (), None, "book")
    valid = {document.group for document in corpus.validation()}
    assert valid and valid.isdisjoint(document.group for document in corpus.training())


def test_an_image_whose_captions_are_of_two_groups_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(b"a")
    path = table(tmp_path / "c.csv", "path,caption,who", ["a.png,one,x", "a.png,two,y"])
    with pytest.raises(DataError, match=r'c.csv:3: the image "a.png" has the group "y" here and "x" at .*c.csv:2'):
        load_captions([path], rule=SplitRule("who"))


def test_a_group_column_that_is_missing_is_refused_with_the_columns_there_are(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r'no group column "author"; its columns are "user", "text", "label"'):
        load_labelled([reviews(tmp_path / "r.csv")], rule=SplitRule("author"))
    with pytest.raises(DataError, match=r'no group column "usr"; .* Did you mean "user"\?'):
        load_labelled([reviews(tmp_path / "r.csv")], rule=SplitRule("usr"))
    other = table(tmp_path / "v.csv", "text,label", ["a,pos"])
    with pytest.raises(DataError, match=r'v.csv: there is no group column "user"'):
        load_labelled([reviews(tmp_path / "r.csv")], valid=[other], rule=SplitRule("user"))


def test_a_group_that_is_empty_is_refused_with_its_place(tmp_path: Path) -> None:
    path = table(tmp_path / "r.csv", "user,text,label", ["a,one,pos", ",two,neg"])
    with pytest.raises(DataError, match=r"r.csv:3: the group column \(--group\) is empty here"):
        load_labelled([path], rule=SplitRule("user"))


def test_data_without_columns_refuses_a_group(tmp_path: Path) -> None:
    (tmp_path / "f" / "pos").mkdir(parents=True)
    (tmp_path / "f" / "pos" / "1.txt").write_text("a", encoding="utf-8")
    for side in ("a.fr", "a.en"):
        (tmp_path / side).write_text("a\n", encoding="utf-8")
    rule = SplitRule("user")
    with pytest.raises(UsageError, match=r'The group column "user" is for tables .* a folder, has none'):
        load_labelled([str(tmp_path / "f")], rule=rule)
    with pytest.raises(UsageError, match=r"lines of text, has none"):
        load_pairs([str(tmp_path / "a.fr"), str(tmp_path / "a.en")], rule=rule)
    with pytest.raises(UsageError, match=r"a folder, has none"):
        load_images([str(tmp_path / "f")], rule=rule)
    with pytest.raises(UsageError, match=r"captions of Flickr8k, has none"):
        load_captions([str(tmp_path / "a.fr")], rule=rule)
    with pytest.raises(UsageError, match=r"a CoNLL file, whose columns are of words, has none"):
        load_tagged([str(tmp_path / "a.fr")], rule=rule)
    with pytest.raises(UsageError, match=r"the format of SQuAD has none"):
        load_questions([str(tmp_path / "a.fr")], rule=rule)
    with pytest.raises(UsageError, match=r"plain text, has none"):
        list(Corpus((str(tmp_path / "a.fr"),), (), None, "user").training())
    with pytest.raises(UsageError, match=r"demo:reviews has its own split and no column 'user'"):
        load_labelled(["demo:reviews"], rule=rule)


def test_with_files_of_their_own_groups_on_two_sides_are_noted(tmp_path: Path) -> None:
    valid = table(tmp_path / "v.csv", "user,text,label", ["user 3,other,pos", "new,another,neg"])
    splits = load_labelled([reviews(tmp_path / "r.csv")], valid=[valid], rule=SplitRule("user"))
    assert f"1 of the 2 validation records (50.0%) are of 1 group(s) that train has too ({valid}:2)" in splits.note


def test_texts_that_two_groups_share_are_noted(tmp_path: Path) -> None:
    rows = [f"user {n},the same,{'pos' if n % 2 else 'neg'}" for n in range(200)]
    splits = load_labelled([table(tmp_path / "r.csv", "user,text,label", rows)], rule=SplitRule("user"))
    assert f"{len(splits.valid)} of the {len(splits.valid)} validation records (100.0%) share a text" in splits.note
    assert "with --group the column alone decides" in splits.note


TEXT_DEMOS = [
    *((name, load_demo) for name in DEMOS),
    *((name, load_labelled_demo) for name in (*labelled_demos(1), *labelled_demos(2))),
    *((name, load_tagged_demo) for name in TAGGED_DEMOS),
    *((name, load_question_demo) for name in QUESTION_DEMOS),
]


@pytest.mark.parametrize(("name", "load"), TEXT_DEMOS, ids=[name for name, _ in TEXT_DEMOS])
def test_no_demo_has_an_input_on_two_sides(name: str, load) -> None:  # type: ignore[no-untyped-def]
    splits = load(name)
    assert not sharing(splits.valid, splits.train, input_texts)
    assert not sharing(splits.test, [*splits.train, *splits.valid], input_texts)
