"""BERT, RoBERTa and DistilBERT come in and go out: what is said stays the same, and so do the bytes of the weights."""

from pathlib import Path

import pytest
import torch
from foreign import LONGEST, TEXTS, build, edit_json, opened, publish, transformers
from safetensors.torch import load_file
from torch import Tensor, nn

import heed
from heed.errors import HeedError, RunError, UsageError
from heed.models.bert import Bert
from heed.models.text_input import TextInput
from heed.models.weights import load_weights
from heed.prediction.answerer import Answerer
from heed.prediction.classifier import Classifier
from heed.prediction.filler import WordFiller
from heed.prediction.tagger import WordTagger
from heed.runs.base import load_base

FAMILIES = ("Bert", "Roberta", "DistilBert")
HEADS = ("Model", "ForMaskedLM", "ForSequenceClassification", "ForTokenClassification", "ForQuestionAnswering")
NAMES = ["BertForPreTraining", *(family + head for family in FAMILIES for head in HEADS)]


def inputs(folder: Path, *texts: str) -> dict[str, Tensor]:
    """Return texts as their library gives them to a model."""
    return dict(transformers.AutoTokenizer.from_pretrained(folder)(*texts, return_tensors="pt"))


@torch.no_grad()
def outputs(model: nn.Module, given: dict[str, Tensor]) -> list[Tensor]:
    return [value for value in model(**given).values() if isinstance(value, Tensor)]


@pytest.mark.parametrize("name", NAMES)
def test_what_goes_out_again_opens_there_with_equal_outputs_and_equal_bytes(name: str, tmp_path: Path) -> None:
    theirs = publish(name, tmp_path / "in")
    heed.import_model(tmp_path / "in", tmp_path / "run")
    made = heed.export_model(tmp_path / "run", "hf", tmp_path / "out")
    assert made.kind == name
    again = opened(tmp_path / "out", name)
    for text in TEXTS:
        given = inputs(tmp_path / "out", text)
        for found, expected in zip(outputs(again, given), outputs(theirs, given), strict=True):
            # Rows that pad the table to a round number have no piece and are gone.
            torch.testing.assert_close(found, expected[..., : found.shape[-1]], rtol=0, atol=1e-5)
    before, after = (load_file(tmp_path / folder / "model.safetensors") for folder in ("in", "out"))
    assert before.keys() == after.keys()
    for weight, tensor in before.items():
        used = slice(2, None) if name.startswith("Roberta") and "position_embeddings" in weight else slice(None)
        kept = tensor[: len(after[weight])]
        assert torch.equal(after[weight][used], kept[used]), weight


@pytest.mark.parametrize("name", [f"{family}ForMaskedLM" for family in FAMILIES])
def test_their_tokenizer_of_an_export_gives_our_ids(name: str, tmp_path: Path) -> None:
    publish(name, tmp_path / "in")
    heed.import_model(tmp_path / "in", tmp_path / "run")
    heed.export_model(tmp_path / "run", "hf", tmp_path / "out")
    tokenizer = load_base(tmp_path / "run").tokenizer
    first, last = (transformers.AutoTokenizer.from_pretrained(tmp_path / folder) for folder in ("in", "out"))
    for text in TEXTS:
        assert last(text, add_special_tokens=False)["input_ids"] == tokenizer.ids_of([text])[0]
        assert last(text)["input_ids"] == first(text)["input_ids"]
        assert last(text, TEXTS[0])["input_ids"] == first(text, TEXTS[0])["input_ids"]
    roles = ("pad_token", "unk_token", "cls_token", "sep_token", "mask_token")
    assert [getattr(last, role) for role in roles] == [getattr(first, role) for role in roles]
    assert (tmp_path / "out" / "vocab.txt").is_file() is (name != "RobertaForMaskedLM")


@pytest.mark.parametrize("family", FAMILIES)
def test_an_imported_classifier_gives_their_probabilities(family: str, tmp_path: Path) -> None:
    labels = {"0": "good", "1": "bad", "2": "odd"}
    theirs = publish(f"{family}ForSequenceClassification", tmp_path / "in", id2label=labels)
    made = heed.import_model(tmp_path / "in", tmp_path / "run")
    assert made.task == "classify"
    predictor = heed.load(tmp_path / "run")
    assert isinstance(predictor, Classifier)
    for text, said in zip(TEXTS, predictor.predict(TEXTS), strict=True):
        (logits,) = outputs(theirs, inputs(tmp_path / "in", text))
        expected = dict(zip(labels.values(), logits[0].softmax(dim=0).tolist(), strict=True))
        assert said.probabilities == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize("family", FAMILIES)
def test_an_imported_classifier_of_pairs_gives_their_probabilities(family: str, tmp_path: Path) -> None:
    theirs = publish(f"{family}ForSequenceClassification", tmp_path / "in")
    assert heed.import_model(tmp_path / "in", tmp_path / "run", task="pair").task == "pair"
    predictor = heed.load(tmp_path / "run")
    assert isinstance(predictor, Classifier)
    (said,) = predictor.predict([(TEXTS[0], TEXTS[2])])
    (logits,) = outputs(theirs, inputs(tmp_path / "in", TEXTS[0], TEXTS[2]))
    assert list(said.probabilities.values()) == pytest.approx(logits[0].softmax(dim=0).tolist(), abs=1e-5)


def test_one_output_is_a_number_and_only_of_pairs(tmp_path: Path) -> None:
    theirs = publish("BertForSequenceClassification", tmp_path / "in", num_labels=1)
    with pytest.raises(RunError, match=r"has one output, 'LABEL_0'.*--task pair"):
        heed.import_model(tmp_path / "in", tmp_path / "run")
    heed.import_model(tmp_path / "in", tmp_path / "run", task="pair")
    predictor = heed.load(tmp_path / "run")
    assert isinstance(predictor, Classifier)
    (logits,) = outputs(theirs, inputs(tmp_path / "in", TEXTS[0], TEXTS[2]))
    assert predictor.predict([(TEXTS[0], TEXTS[2])])[0].number == pytest.approx(logits.item(), abs=1e-5)


@pytest.mark.parametrize("family", FAMILIES)
def test_an_imported_tagger_says_of_each_word_what_theirs_says_of_its_first_piece(family: str, tmp_path: Path) -> None:
    labels = {"0": "B-PER", "1": "O", "2": "I-PER"}
    theirs = publish(f"{family}ForTokenClassification", tmp_path / "in", id2label=labels)
    heed.import_model(tmp_path / "in", tmp_path / "run")
    predictor = heed.load(tmp_path / "run")
    assert isinstance(predictor, WordTagger)
    assert predictor.known.names == ("O", "B-PER", "I-PER")
    tokenizer = transformers.AutoTokenizer.from_pretrained(tmp_path / "in")
    for text in TEXTS[:3]:
        (said,) = predictor.predict([text])
        given = tokenizer(text, return_tensors="pt", return_offsets_mapping=True)
        starts = [start for start, _ in given.pop("offset_mapping")[0].tolist()]
        (logits,) = outputs(theirs, dict(given))
        for word in said.words:
            # The first piece is at 0 too, before the text begins.
            place = starts.index(word.start, 1)
            best = logits[0, place].softmax(dim=0)
            assert (word.tag, word.probability) == (labels[str(int(best.argmax()))], pytest.approx(float(best.max())))


@pytest.mark.parametrize("family", FAMILIES)
def test_an_imported_answerer_gives_their_numbers(family: str, tmp_path: Path) -> None:
    theirs = publish(f"{family}ForQuestionAnswering", tmp_path / "in")
    heed.import_model(tmp_path / "in", tmp_path / "run")
    predictor = heed.load(tmp_path / "run")
    assert isinstance(predictor, Answerer)
    given = inputs(tmp_path / "in", TEXTS[0], TEXTS[1])
    keep = given["attention_mask"].bool()
    found_BT2 = predictor.model(TextInput(given["input_ids"], keep, given.get("token_type_ids")))
    expected = torch.stack(outputs(theirs, given), dim=-1)
    torch.testing.assert_close(found_BT2, expected, rtol=0, atol=1e-5)
    assert predictor.predict(TEXTS[0], TEXTS[1]).text in TEXTS[1]


@pytest.mark.parametrize("family", FAMILIES)
def test_gaps_are_filled_with_their_probabilities(family: str, tmp_path: Path) -> None:
    theirs = publish(f"{family}ForMaskedLM", tmp_path / "in")
    heed.import_model(tmp_path / "in", tmp_path / "run")
    predictor = heed.load(tmp_path / "run")
    assert isinstance(predictor, WordFiller)
    tokenizer = transformers.AutoTokenizer.from_pretrained(tmp_path / "in")
    given = tokenizer(f"the {tokenizer.mask_token} is small", return_tensors="pt")
    place = given["input_ids"][0].tolist().index(tokenizer.mask_token_id)
    (logits,) = outputs(theirs, dict(given))
    expected = logits[0, place, : len(tokenizer)].softmax(dim=0)
    (found,) = predictor.predict(["the [MASK] is small"], count=7)
    for candidate in found.gaps[0]:
        id = predictor.tokenizer.id_of(candidate.piece)
        assert candidate.probability == pytest.approx(float(expected[id]), abs=1e-5)


@pytest.mark.parametrize("family", FAMILIES)
def test_an_encoder_without_a_head_starts_other_runs_and_never_predicts(family: str, tmp_path: Path) -> None:
    theirs = publish(f"{family}Model", tmp_path / "in")
    made = heed.import_model(tmp_path / "in", tmp_path / "run")
    assert made.notes == ("it has no head: start a run from it with --from; it cannot predict",)
    with pytest.raises(UsageError, match=r"run is an encoder without a head, imported from .*in: it cannot predict"):
        heed.load(tmp_path / "run")
    base = load_base(tmp_path / "run")
    mine = Bert(base.settings, base.tokenizer.size)
    load_weights(mine, base.weights, "run")
    given = inputs(tmp_path / "in", TEXTS[0])
    text = TextInput(given["input_ids"], given["attention_mask"].bool())
    torch.testing.assert_close(mine.eval().hidden(text), outputs(theirs, given)[0], rtol=0, atol=1e-5)


def test_a_run_says_where_it_came_from_and_is_finished(tmp_path: Path) -> None:
    publish("BertForMaskedLM", tmp_path / "in")
    heed.import_model(tmp_path / "in", tmp_path / "run")
    predictor = heed.load(tmp_path / "run")
    assert isinstance(predictor, WordFiller)
    assert predictor.settings.base == str(tmp_path / "in")
    data = (tmp_path / "run" / "data.json").read_text()
    assert all(name in data for name in ("config.json", "model.safetensors", "tokenizer.json", "tokenizer_config.json"))
    assert (tmp_path / "run" / "finished.json").is_file()
    assert predictor.model.settings.longest == LONGEST


@pytest.mark.parametrize(
    ("name", "changes", "message"),
    [
        ("BertForMaskedLM", {"model_type": "llama"}, "model_type is 'llama', which is not read"),
        ("BertForMaskedLM", {"hidden_act": "relu"}, "hidden_act is 'relu', with which the head"),
        ("RobertaForMaskedLM", {"hidden_act": "gelu_new"}, "hidden_act is 'gelu_new', with which the head"),
        ("BertForMaskedLM", {"tie_word_embeddings": False}, "tie_word_embeddings is false"),
        ("RobertaModel", {"pad_token_id": 3}, "pad_token_id is 3, and positions are counted from it"),
        ("RobertaModel", {"pad_token_id": -1}, "pad_token_id is '-1', but must be the id of a piece"),
        ("BertModel", {"num_hidden_layers": 1001}, "num_hidden_layers is '1001', but must be .* 1 to 1,000"),
        ("BertModel", {"num_hidden_layers": 3}, r"encoder\.layer\.2\..* is missing"),
        ("BertModel", {"num_hidden_layers": 1}, r"encoder\.layer\.1\..* is not known"),
        ("BertModel", {"intermediate_size": 21}, r"feedforward\.widen\.weight is \(20, 12\), not \(21, 12\)"),
        ("BertForSequenceClassification", {"id2label": {"0": "a", "1": "a"}}, "in which no name stands twice"),
        ("BertForSequenceClassification", {"id2label": {"0": "a", "1": "b"}}, r"head\.weight is \(3, 12\), the model"),
        (
            "BertForSequenceClassification",
            {"problem_type": "multi_label_classification"},
            "problem_type is multi_label",
        ),
        ("BertForTokenClassification", {"id2label": {"0": "a"}}, "knows one tag, 'a'"),
        ("BertForQuestionAnswering", {"architectures": ["BertForMultipleChoice"]}, "'BertForMultipleChoice'"),
    ],
)
def test_what_does_not_fit_is_refused_and_leaves_nothing(
    name: str, changes: dict[str, object], message: str, tmp_path: Path
) -> None:
    publish(name, tmp_path / "in")
    edit_json(tmp_path / "in" / "config.json", **changes)
    with pytest.raises(HeedError, match=message):
        heed.import_model(tmp_path / "in", tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_weights_that_are_no_numbers_are_refused(tmp_path: Path) -> None:
    model = publish("BertModel", tmp_path / "in")
    model.embeddings.LayerNorm.weight.data[3] = float("nan")  # type: ignore[union-attr]
    model.save_pretrained(tmp_path / "in")  # type: ignore[operator]
    with pytest.raises(RunError, match=r"numbers that are not finite: bert\.embedding_norm\.norm\.weight"):
        heed.import_model(tmp_path / "in", tmp_path / "run")


@pytest.mark.parametrize(
    ("family", "missing", "meaning"), [("Bert", "[MASK]", "a hidden word"), ("Bert", "[CLS]", "the start of a text")]
)
def test_a_tokenizer_without_what_the_model_needs_is_refused(
    family: str, missing: str, meaning: str, tmp_path: Path
) -> None:
    publish(f"{family}ForMaskedLM", tmp_path / "in")
    path = tmp_path / "in" / "tokenizer.json"
    path.write_text(path.read_text().replace(missing, "[OTHER]"))
    with pytest.raises(RunError, match=f"none of them stands for {meaning}"):
        heed.import_model(tmp_path / "in", tmp_path / "run")


def test_a_task_that_the_head_is_not_for_is_refused_with_the_way_to_it(tmp_path: Path) -> None:
    publish("BertForMaskedLM", tmp_path / "in")
    with pytest.raises(UsageError, match=r"--task is tag, .* run of pretrain.*heed train tag --from"):
        heed.import_model(tmp_path / "in", tmp_path / "run", task="tag")
    with pytest.raises(UsageError, match="There is no task 'taggen'"):
        heed.import_model(tmp_path / "in", tmp_path / "run", task="taggen")


def test_a_run_that_is_there_is_replaced_by_force_alone(tmp_path: Path) -> None:
    publish("BertForMaskedLM", tmp_path / "in")
    heed.import_model(tmp_path / "in", tmp_path / "run")
    with pytest.raises(RunError, match="run already holds a run"):
        heed.import_model(tmp_path / "in", tmp_path / "run")
    publish("BertForQuestionAnswering", tmp_path / "other")
    assert heed.import_model(tmp_path / "other", tmp_path / "run", force=True).task == "answer"
    assert isinstance(heed.load(tmp_path / "run"), Answerer)
    with pytest.raises(UsageError, match="run is a run already"):
        heed.import_model(tmp_path / "run", tmp_path / "twice")
    with pytest.raises(UsageError, match="nowhere is not there"):
        heed.import_model(tmp_path / "nowhere", tmp_path / "twice")


@pytest.mark.parametrize("name", ["BertForMaskedLM", "GPT2LMHeadModel"])
def test_a_table_of_far_more_rows_than_there_are_pieces_is_refused(name: str, tmp_path: Path) -> None:
    publish(name, tmp_path / "in")
    build(name, 2000).save_pretrained(tmp_path / "in")  # type: ignore[operator]
    with pytest.raises(RunError, match=r"has \d+ pieces, the model 2,000. They belong to different models"):
        heed.import_model(tmp_path / "in", tmp_path / "run")


def test_a_tokenizer_that_cuts_at_random_is_refused(tmp_path: Path) -> None:
    publish("RobertaForMaskedLM", tmp_path / "in")
    path = tmp_path / "in" / "tokenizer.json"
    path.write_text(path.read_text().replace('"dropout": null', '"dropout": 0.1'))
    with pytest.raises(RunError, match=r"dropout is 0\.1: it would cut a text differently each time"):
        heed.import_model(tmp_path / "in", tmp_path / "run")
