"""Keys of examples: the input alone, whatever its spelling in Unicode and whatever its label."""

from pathlib import Path

from heed.data.documents import Document
from heed.data.example_keys import document_key, image_key, source_key
from heed.data.record_keys import labelled_key, question_key, tagged_key
from heed.data.records import (
    AnswerText,
    CaptionedImage,
    LabelledImage,
    LabelledText,
    Question,
    TaggedText,
    TextPair,
)

COMPOSED, SPLIT = "caf\u00e9", "cafe\u0301"


def test_two_unicode_spellings_of_one_input_have_one_key() -> None:
    assert source_key(TextPair(COMPOSED, "a")) == source_key(TextPair(SPLIT, "b"))
    assert labelled_key(LabelledText((COMPOSED, "x"), "1")) == labelled_key(LabelledText((SPLIT, "x"), "2"))
    assert tagged_key(TaggedText((COMPOSED,), ("O",))) == tagged_key(TaggedText((SPLIT,), ("B-x",)))
    assert document_key(Document((COMPOSED,), "")) == document_key(Document((SPLIT,), ""))
    first = Question("1", "", COMPOSED, "Where?", (AnswerText("caf", 0),))
    assert question_key(first) == question_key(Question("2", "", SPLIT, "where?", ()))


def test_another_order_of_two_texts_is_another_input() -> None:
    assert labelled_key(LabelledText(("a", "b"), "1")) != labelled_key(LabelledText(("b", "a"), "1"))


def test_an_image_is_known_by_its_bytes_not_by_its_name_label_or_captions(tmp_path: Path) -> None:
    for name, data in (("a.png", b"1"), ("b.png", b"1"), ("c.png", b"2")):
        (tmp_path / name).write_bytes(data)
    key = image_key(LabelledImage(tmp_path / "a.png", "red"))
    assert image_key(CaptionedImage(tmp_path / "b.png", ("x",))) == key
    assert image_key(LabelledImage(tmp_path / "c.png", "red")) != key


def test_an_image_that_cannot_be_read_has_a_key_and_stops_nothing(tmp_path: Path) -> None:
    assert image_key(LabelledImage(tmp_path / "gone.png", "red")) == (str(tmp_path / "gone.png"),)
