"""Tagged sentences from files: one scheme inside, whichever outside; places, splits and notes."""

from pathlib import Path

import pytest

from heed.data.demos import load_tagged_demo
from heed.data.records import TaggedText
from heed.data.tagged import read_tagged
from heed.data.tagged_corpora import load_tagged
from heed.data.tagged_splits import TaggedSplits, check_tags, split_tagged
from heed.errors import DataError, UsageError

SHARED = Path(__file__).resolve().parents[3] / "shared/data/wnut17"


def write(path: Path, *sentences: str) -> str:
    """Write sentences given as "word/tag word/tag"."""
    rows = ["".join(f"{pair.replace('/', ' ')}\n" for pair in sentence.split()) for sentence in sentences]
    path.write_text("\n".join(rows))
    return str(path)


def many(count: int, tags: str = "B-PER O") -> list[str]:
    first, second = tags.split()
    return [f"word{number}/{first} runs/{second}" for number in range(count)]


def test_entities_become_iob2_and_places_are_those_of_first_words(tmp_path: Path) -> None:
    file = read_tagged([Path(write(tmp_path / "a.conll", "Ada/I-PER Lovelace/I-PER", "in/O Rome/I-LOC"))])
    assert file.scheme == "IOB1"
    assert "entities in IOB1" in file.columns
    assert file.records == (
        TaggedText(("Ada", "Lovelace"), ("B-PER", "I-PER"), f"{tmp_path / 'a.conll'}:1"),
        TaggedText(("in", "Rome"), ("O", "B-LOC"), f"{tmp_path / 'a.conll'}:4"),
    )
    assert file.records[1].text == "in Rome"


def test_plain_labels_are_kept_and_composed(tmp_path: Path) -> None:
    file = read_tagged([Path(write(tmp_path / "a.conll", "a/DT cafe\u0301/Se\u0301"))])
    assert file.scheme is None
    assert file.records[0].words == ("a", "cafe\u0301")
    assert file.records[0].tags == ("DT", "Sé")


def test_a_tag_out_of_order_is_refused_with_its_line_and_scheme(tmp_path: Path) -> None:
    path = write(tmp_path / "a.conll", "Ada/B-PER", "in/O Rome/I-LOC", "Bob/B-PER")
    with pytest.raises(DataError, match=r"a\.conll:4: I-LOC after O is not IOB2 \(B-LOC would be\)\. Correct"):
        read_tagged([Path(path)])


def test_one_file_is_read_and_no_more(tmp_path: Path) -> None:
    path = Path(write(tmp_path / "a.conll", "a/O"))
    with pytest.raises(UsageError, match=r"2 files .*are not one set"):
        read_tagged([path, path])
    with pytest.raises(UsageError, match="No data is given"):
        read_tagged([])
    with pytest.raises(DataError, match=r"nowhere\.conll does not exist"):
        read_tagged([path, tmp_path / "nowhere.conll"])


def test_a_single_file_is_dealt_by_its_texts_and_the_same_text_never_falls_to_two_sides(tmp_path: Path) -> None:
    path = write(tmp_path / "a.conll", *many(60), *many(60))
    splits = load_tagged([path])
    parts = [{record.text for record in part} for part in (splits.train, splits.valid, splits.test)]
    assert sum(map(len, parts)) == len(set.union(*parts)) == 60
    assert "Split by the hash of the text" in splits.note
    assert "entities in IOB2" in splits.note


def test_files_of_their_own_are_kept_as_they_are_and_may_have_another_scheme(tmp_path: Path) -> None:
    train, valid = write(tmp_path / "a", *many(3)), write(tmp_path / "b", "Ada/S-PER Rome/S-LOC")
    test = write(tmp_path / "c", "Ada/O")
    splits = load_tagged([train], [valid], [test])
    assert [len(part) for part in (splits.train, splits.valid, splits.test)] == [3, 1, 1]
    assert splits.valid[0].tags == ("B-PER", "B-LOC")
    assert 'valid has label(s) that train never has ("LOC"): they cannot be found and count as missed.' in splits.note


def test_with_a_test_file_alone_validation_is_dealt_from_train(tmp_path: Path) -> None:
    splits = load_tagged([write(tmp_path / "a", *many(80))], test=[write(tmp_path / "b", "Ada/B-PER")])
    assert len(splits.train) + len(splits.valid) == 80
    assert [record.words for record in splits.test] == [("Ada",)]


def test_sentences_with_a_label_that_train_lacks_are_moved_there() -> None:
    records = [TaggedText((f"word{number}",), ("B-PER",)) for number in range(80)]
    valid = split_tagged(records, "IOB2").valid[0]
    rare = [TaggedText(record.words, ("B-LOC",)) if record is valid else record for record in records]
    splits = split_tagged(rare, "IOB2")
    assert valid.words in [record.words for record in splits.train]
    assert valid.words not in [record.words for record in (*splits.valid, *splits.test)]
    assert 'too rare to fall to train ("LOC")' in splits.note


def test_too_few_of_too_rare_labels_are_refused() -> None:
    records = [TaggedText((f"word{number}",), (f"B-{number}",)) for number in range(80)]
    with pytest.raises(DataError, match=r"fell to validation, and train lacks labels of theirs \(\"\d+\""):
        split_tagged(records, "IOB2")


def test_training_without_an_entity_or_with_one_label_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"none of the 2 training sentences has an entity"):
        load_tagged([write(tmp_path / "a", "a/O", "b/O")], [write(tmp_path / "b", "a/O")])
    with pytest.raises(DataError, match='every word of train has the tag "NN"'):
        check_tags(TaggedSplits([TaggedText(("a",), ("NN",))], [], [], None, "", ""))


def test_entities_and_plain_labels_are_not_mixed(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"are entities in IOB2, those of .*b are plain labels"):
        load_tagged([write(tmp_path / "a", *many(3))], [write(tmp_path / "b", "a/DT")])


def test_a_demo_stands_alone_and_is_known_by_its_name() -> None:
    assert load_tagged(["demo:entities"]) is load_tagged_demo("entities")
    with pytest.raises(UsageError, match="a demo stands alone"):
        load_tagged(["demo:entities"], ["x.conll"])
    with pytest.raises(DataError, match="demo:reviews is for the task classify"):
        load_tagged(["demo:reviews"])
    with pytest.raises(DataError, match="no built-in corpus 'entitees'"):
        load_tagged_demo("entitees")


@pytest.mark.skipif(not SHARED.is_dir(), reason="the real data is not there")
def test_wnut17_is_read_whole() -> None:
    splits = load_tagged(*([str(SHARED / f"{part}.conll")] for part in ("train", "dev", "test")))
    assert [len(part) for part in (splits.train, splits.valid, splits.test)] == [3394, 1009, 1287]
    assert splits.scheme == "IOB2"
