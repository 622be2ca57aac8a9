"""What is particular to one task: curves, choices, windows, places in a text, and options that mean nothing."""

import math
from io import BytesIO
from pathlib import Path

import numpy
import pytest
import torch
from PIL import Image
from tiny_models import (
    CAPTIONER,
    EXAMPLES,
    LONG,
    PAIR,
    QUESTION,
    SEQ2SEQ,
    TEXT,
    TOKENIZER,
    answerer,
    bert,
    captioner,
    classifier,
    encoder,
    filler,
    picture_classifier,
    tagger,
    translator,
    writer,
)

from heed.decoding.beam import BeamSettings
from heed.errors import DataError, UsageError
from heed.inspection.explaining.asked import Asked
from heed.inspection.explaining.explain import explain
from heed.inspection.explaining.pieces import told_apart
from heed.models.language_transformer import LanguageTransformerSettings
from heed.models.word_space import WordSpace
from heed.prediction.word_vectors import WordVectors
from heed.tasks.text_ids import encode_text


def test_the_words_of_a_text_stand_where_they_stood() -> None:
    found = explain(classifier(encoder(pooling="first")), TEXT)
    (axis,) = found.axes
    assert axis.labels == ("[CLS]", "the", "cat", "sat", "on", "a", "mat")
    assert [TEXT[start:end] for start, end in axis.spans] == ["", "the", "cat", "sat", "on", "a", "mat"]


def test_of_a_text_that_is_cut_only_what_was_read_is_shown_and_a_note_says_so() -> None:
    found = explain(classifier(encoder(longest=4)), f"{TEXT} zebra")
    assert found.axes[0].labels == ("the", "cat", "sat", "on")
    assert any("3 of 7 pieces lie beyond" in note for note in found.notes)


def test_words_that_are_unknown_are_counted_in_a_note() -> None:
    assert any("1 of 2 pieces are unknown" in note for note in explain(classifier(encoder()), "the zebra").notes)


def test_both_texts_of_a_joined_pair_stand_in_one_row() -> None:
    (axis,) = explain(classifier(encoder(segments=2), 2), PAIR).axes
    assert axis.labels == ("the", "cat", "sat", TOKENIZER.piece(TOKENIZER.end), "on", "a", "mat")
    (axis,) = explain(classifier(encoder(segments=2), 2), ("the cat", "on a zebra")).axes
    assert axis.labels[3:] == ("on", "a", "zebra"), "an unknown word is told as it was given, in the second text too"
    (axis,) = explain(classifier(bert(), 2), ("", "a mat")).axes
    assert axis.labels[-3:-1] == ("a", "mat")


def test_each_tower_has_its_own_text_and_its_own_attention() -> None:
    found = explain(classifier(encoder(), 2, "towers"), PAIR)
    assert [(axis.name, len(axis.labels)) for axis in found.axes] == [("first", 3), ("second", 3)]
    assert {(each.site.partition(".")[0], each.keys) for each in found.looked} == {
        ("first", "first"),
        ("second", "second"),
    }


def test_a_number_is_told_as_such_and_has_no_label_to_explain() -> None:
    example = EXAMPLES["number"](Path())
    found = explain(example.predictor, TEXT, Asked(heads=True))
    assert (found.probability, found.choices, found.heads) == (None, (), ())
    assert any("heads are ranked by probabilities" in note for note in found.notes)


def test_start_and_end_of_an_answer_are_probabilities_over_the_paragraph() -> None:
    found = explain(answerer(), QUESTION)
    assert [curve.name for curve in found.curves] == ["start", "end"]
    question = len(["where", "did", "it", "sit"])
    for curve in found.curves:
        assert curve.values_S.sum() == pytest.approx(1, abs=1e-5)
        assert (curve.values_S[1 : question + 2] == 0).all(), "no answer stands in the question"


def test_a_long_paragraph_is_shown_by_the_window_that_holds_the_answer() -> None:
    paragraph = " ".join([LONG] * 4)
    model = answerer()
    found = explain(model, ("where did it sit", paragraph))
    assert any("windows; shown is number" in note for note in found.notes)
    assert found.answer == model.predict("where did it sit", paragraph).text
    assert all(word in found.axes[0].labels for word in found.answer.split())
    other = explain(model, ("where did it sit", paragraph), Asked(answer="dog sat"))
    assert other.shares[0].answer == "dog sat"
    assert other.answer == found.answer


def test_the_candidates_of_each_gap_are_those_of_the_filler() -> None:
    model, text = filler(), "the [MASK] sat on a [MASK]"
    (filled,) = model.predict([text])
    found = explain(model, text)
    for number, gap in enumerate(filled.gaps, start=1):
        told = [choice.probability for choice in found.choices if choice.place == f"gap {number}"]
        assert told == pytest.approx([candidate.probability for candidate in gap], abs=1e-5)
    assert found.probability == pytest.approx(math.prod(gap[0].probability for gap in filled.gaps), abs=1e-5)


def test_a_word_that_is_several_pieces_cannot_stand_in_a_gap() -> None:
    with pytest.raises(UsageError, match='"cat sat" is not one piece of the vocabulary'):
        explain(filler(), "the [MASK] sat", Asked(answer="cat sat"))


def test_bits_are_those_of_the_probabilities_of_each_piece() -> None:
    settings = LanguageTransformerSettings(width=12, heads=3, layers=2, feedforward=20, dropout=0.0, longest=8)
    model = writer(settings)
    found = explain(model, TEXT)
    ids = torch.from_numpy(encode_text(TEXT, TOKENIZER).ids).long()[None]
    log_probs_TV = model.model(ids)[0].log_softmax(dim=-1).detach()
    expected = [-float(log_probs_TV[place, ids[0, place + 1]]) / math.log(2) for place in range(ids.shape[1] - 1)]
    numpy.testing.assert_allclose(found.curves[0].values_S, [0, *expected], atol=1e-4)
    assert found.choices[0].text == found.answer
    assert found.probability == pytest.approx(found.choices[0].probability)


def test_of_a_long_prompt_the_end_is_read() -> None:
    settings = LanguageTransformerSettings(width=12, heads=3, layers=2, feedforward=20, dropout=0.0, longest=4)
    found = explain(writer(settings), TEXT)
    assert found.axes[0].labels == ("sat", "on", "a", "mat")
    assert any("3 of 6 pieces" in note for note in found.notes)


def test_a_translation_is_that_of_the_run_with_its_tree_and_other_beams_if_asked() -> None:
    model = translator(SEQ2SEQ)
    found = explain(model, TEXT)
    assert found.answer == model.predict([TEXT])[0].text
    assert found.tree == tuple(model.tree(TEXT, BeamSettings(beams=2))[1])
    wider = explain(model, TEXT, Asked(beams=4))
    assert wider.tree == tuple(model.tree(TEXT, BeamSettings(beams=4))[1])
    assert wider.answer == model.predict([TEXT], BeamSettings(beams=4))[0].text


def test_what_looks_in_a_decoder_is_what_is_said_and_what_is_looked_at_stood_before() -> None:
    found = explain(translator(SEQ2SEQ), TEXT)
    said, written = found.axis("target").labels, found.axis("written").labels
    assert written == (TOKENIZER.piece(TOKENIZER.start), *said[:-1])
    assert found.axis("source").labels == (*TEXT.split(), TOKENIZER.piece(TOKENIZER.end))


def test_one_word_of_a_translation_can_be_explained_alone() -> None:
    model = translator(SEQ2SEQ)
    whole = explain(model, TEXT)
    word = told_apart(whole.axis("target").labels)[1]
    alone = explain(model, TEXT, Asked(answer=word))
    assert alone.shares[0].answer == word
    assert not numpy.allclose(alone.shares[0].values_S, whole.shares[0].values_S)
    assert len(alone.choices) == len(whole.choices) / len(whole.axis("target").labels)


def test_nothing_to_translate_is_refused() -> None:
    with pytest.raises(UsageError, match="nothing to translate in '  '"):
        explain(translator(SEQ2SEQ), "  ")


def test_words_without_a_text_are_refused_by_a_tagger() -> None:
    with pytest.raises(UsageError, match='no word in " "'):
        explain(tagger(encoder(), crf=False), " ")


def test_the_probability_of_tags_is_that_of_all_words_together() -> None:
    model = tagger(encoder(), crf=False)
    (predicted,) = model.predict([TEXT])
    chances = [word.probability for word in predicted.words if word.probability is not None]
    found = explain(model, TEXT)
    assert found.probability == pytest.approx(math.prod(chances), rel=1e-4)
    assert all(entity.text in found.answer for entity in predicted.entities)


def test_the_heat_lies_on_the_patches_and_the_picture_is_what_the_model_saw(pictures: Path) -> None:
    found = explain(picture_classifier(), pictures / "picture.png")
    (axis,) = found.axes
    assert axis.grid == (3, 3)
    assert axis.labels[:4] == ("[CLS]", "register 1", "register 2", "row 1, column 1")
    moved = next(share for share in found.shares if share.method == "gradient x input")
    assert (moved.values_S[:3] == 0).all()
    assert (moved.values_S[3:] != 0).all()
    assert Image.open(BytesIO(found.picture)).size == (12, 12)


def test_each_word_of_a_caption_looks_at_the_picture(pictures: Path) -> None:
    found = explain(captioner(CAPTIONER), str(pictures / "picture.png"))
    across = [each for each in found.looked if each.site.endswith("cross")]
    assert {(each.queries, each.keys) for each in across} == {("target", "picture")}
    assert found.tree


def test_a_picture_that_cannot_be_read_is_refused_with_its_name(tmp_path: Path) -> None:
    (tmp_path / "broken.png").write_bytes(b"no picture")
    with pytest.raises(DataError, match=r"broken\.png"):
        explain(picture_classifier(), tmp_path / "broken.png")


@pytest.mark.parametrize(
    ("name", "given", "said"),
    [
        ("classify", PAIR, "one text at a time"),
        ("pair joined", TEXT, "two texts at a time"),
        ("answer", TEXT, "two texts at a time"),
        ("image", ("a.png", "b.png"), "one picture at a time; 2 came"),
    ],
)
def test_too_many_or_too_few_inputs_are_refused(name: str, given: object, said: str, pictures: Path) -> None:
    with pytest.raises(UsageError, match=said):
        explain(EXAMPLES[name](pictures).predictor, given)  # type: ignore[arg-type]


def test_beams_are_refused_where_nothing_is_searched() -> None:
    with pytest.raises(UsageError, match="3 beams are asked for, but this run is a classifier"):
        explain(classifier(encoder()), TEXT, Asked(beams=3))
    with pytest.raises(UsageError, match="0 beams"):
        Asked(beams=0)


def test_word_vectors_have_no_inside() -> None:
    vectors = WordVectors(WordSpace(["a", "b"], numpy.eye(2, dtype=numpy.float32)))
    with pytest.raises(UsageError, match="look at nothing, so 'a' cannot"):
        explain(vectors, "a")


def test_a_classifier_over_another_kind_of_reader_is_refused_by_its_name() -> None:
    model = classifier(encoder())
    model.reader = object()  # type: ignore[assignment]
    with pytest.raises(UsageError, match="over object cannot be"):
        explain(model, TEXT)


def test_equal_labels_are_told_apart_by_their_number() -> None:
    assert told_apart(["a", "b", "a", "a"]) == ("a", "b", "a (2)", "a (3)")
