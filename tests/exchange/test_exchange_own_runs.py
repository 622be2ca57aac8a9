"""Runs that were trained here open in the `transformers` library, and say there what they say here."""

from collections.abc import Mapping
from pathlib import Path

import pytest
import torch
from foreign import TEXTS, opened, transformers
from torch import Tensor, nn

import heed
from heed.errors import HeedError, RunError, UsageError
from heed.models.text_input import TextInput
from heed.prediction.answerer import Answerer
from heed.prediction.classifier import Classifier
from heed.prediction.filler import WordFiller
from heed.prediction.tagger import WordTagger
from heed.prediction.word_vectors import read_word_vectors
from heed.prediction.writer import Writer
from heed.runs.base import load_base
from heed.runs.pretraining_run import sequencer_of
from heed.tasks.pretrain import PretrainingObjective, batch_of

BERT = {"kind": "bert", "width": 8, "heads": 2, "layers": 2, "feedforward": 12, "longest": 90}
QUICK = {"steps": 2, "tokens_per_batch": 400, "validations": 1, "threads": 1}


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("own")


def trained(runs: Path, name: str, task: str, data: str, settings: Mapping[str, object]) -> Path:
    """Return a run of two steps, trained once for all tests of this file."""
    if not (runs / name).exists():
        heed.train(task, data, settings={"training": QUICK, **settings}, out=runs / name)
    return runs / name


def sent(run: Path, folder: Path) -> tuple[nn.Module, object]:
    """Return the run's model as their library opens it, and its tokenizer."""
    made = heed.export_model(run, "hf", folder)
    return opened(folder, made.kind), transformers.AutoTokenizer.from_pretrained(folder)


@torch.no_grad()
def outputs(model: nn.Module, given: Mapping[str, Tensor]) -> list[Tensor]:
    return [value for value in model(**given).values() if isinstance(value, Tensor)]


@pytest.mark.parametrize("segments", [2, 1, 0])
def test_a_pre_trained_bert_goes_out(runs: Path, segments: int, tmp_path: Path) -> None:
    settings = {
        "model": {**BERT, "segments": segments},
        "objective": "mlm,nsp" if segments == 2 else "mlm",
        "length": 24,
    }
    run = trained(runs, f"pretrain{segments}", "pretrain", "demo:reviews", settings)
    model, tokenizer = sent(run, tmp_path / "out")
    kinds = {2: "BertForPreTraining", 1: "BertForMaskedLM", 0: "DistilBertForMaskedLM"}
    assert type(model).__name__ == kinds[segments]
    filler = heed.load(run)
    assert isinstance(filler, WordFiller)
    given = tokenizer("the soup was good .", return_tensors="pt")  # type: ignore[operator]
    text = TextInput(given["input_ids"], given["attention_mask"].bool())
    said = filler.model(text, text.keep)
    logits, *rest = outputs(model, given)
    torch.testing.assert_close(filler.model.masked.vocabulary(said.features_ND), logits[0], rtol=0, atol=1e-5)
    if segments == 2:
        torch.testing.assert_close(said.next_B2, rest[0], rtol=0, atol=1e-5)


def test_the_loss_of_pre_training_is_theirs_with_label_0_for_a_text_that_goes_on(runs: Path, tmp_path: Path) -> None:
    run = trained(runs, "pretrain2", "pretrain", "demo:reviews", {"model": BERT, "length": 24})
    model, _ = sent(run, tmp_path / "out")
    filler = heed.load(run)
    assert isinstance(filler, WordFiller)
    sequencer = sequencer_of(run / "corpus" / "valid", filler.settings, filler.tokenizer)
    whole = f" {' '.join(map(str, sequencer.stretches.store.tokens))} "
    examples = [sequencer.example(number, 0) for number in range(12)]
    batch = batch_of(examples, pairs=True)
    texts = [[*each.original[1 : each.second - 1], *each.original[each.second : -1]] for each in examples]
    goes_on = [f" {' '.join(map(str, each))} " in whole for each in texts]
    assert len(set(goes_on)) == 2
    labels = torch.full_like(batch.text.token_ids, -100).masked_scatter(batch.hidden, batch.answers)
    with torch.no_grad():
        theirs = model(
            input_ids=batch.text.token_ids,
            attention_mask=batch.text.keep,
            token_type_ids=batch.text.segments,
            labels=labels,
            next_sentence_label=torch.tensor([0 if each else 1 for each in goes_on]),
        )
        ours = PretrainingObjective(filler.model, next_weight=batch.targets / len(examples))(batch) / batch.targets
    torch.testing.assert_close(ours, theirs.loss, rtol=0, atol=1e-5)


def test_their_tokenizer_gives_the_ids_of_a_vocabulary_of_ours(runs: Path, tmp_path: Path) -> None:
    settings = {"model": BERT, "length": 24}
    run = trained(runs, "pretrain2", "pretrain", "demo:reviews", settings)
    _, theirs = sent(run, tmp_path / "out")
    ours = load_base(run).tokenizer
    for text in TEXTS:
        ids = ours.ids_of([text])[0]
        assert theirs(text, add_special_tokens=False)["input_ids"] == ids  # type: ignore[operator]
        assert theirs(text)["input_ids"] == [ours.start, *ids, ours.end]  # type: ignore[operator]
    # Their own class would read such a list by rules of its own.
    assert not (tmp_path / "out" / "vocab.txt").exists()


def test_a_classifier_goes_out_with_its_labels(runs: Path, tmp_path: Path) -> None:
    run = trained(runs, "classify", "classify", "demo:reviews", {"model": BERT})
    model, tokenizer = sent(run, tmp_path / "out")
    classifier = heed.load(run)
    assert isinstance(classifier, Classifier)
    (said,) = classifier.predict(["the soup was good ."])
    (logits,) = outputs(model, tokenizer("the soup was good .", return_tensors="pt"))  # type: ignore[operator]
    labels = [model.config.id2label[number] for number in range(logits.shape[1])]  # type: ignore[union-attr,index]
    assert dict(zip(labels, logits[0].softmax(dim=0).tolist(), strict=True)) == pytest.approx(
        said.probabilities, abs=1e-5
    )
    heed.import_model(tmp_path / "out", tmp_path / "again")
    back = heed.load(tmp_path / "again")
    assert isinstance(back, Classifier)
    assert back.predict(["the soup was good ."])[0] == said


def test_a_model_of_numbers_gives_the_numbers_themselves(runs: Path, tmp_path: Path) -> None:
    rows = "".join(f"the soup {n}\tsoup the {n * n}\t{n / 7}\n" for n in range(60))
    (tmp_path / "pairs.tsv").write_text(f"first\tsecond\tlabel\n{rows}")
    run = trained(runs, "number", "pair", str(tmp_path / "pairs.tsv"), {"model": BERT})
    model, tokenizer = sent(run, tmp_path / "out")
    classifier = heed.load(run)
    assert isinstance(classifier, Classifier)
    (said,) = classifier.predict([("the soup 3", "soup the 9")])
    (logits,) = outputs(model, tokenizer("the soup 3", "soup the 9", return_tensors="pt"))  # type: ignore[operator]
    assert logits.item() == pytest.approx(said.number, abs=1e-5)


def test_a_tagger_goes_out(runs: Path, tmp_path: Path) -> None:
    run = trained(runs, "tag", "tag", "demo:entities", {"model": BERT})
    model, tokenizer = sent(run, tmp_path / "out")
    tagger = heed.load(run)
    assert isinstance(tagger, WordTagger)
    given = tokenizer("Ada lives in Paris", return_tensors="pt")  # type: ignore[operator]
    states_BTD = tagger.model.encoder.hidden(TextInput(given["input_ids"], given["attention_mask"].bool()))
    (logits,) = outputs(model, given)
    torch.testing.assert_close(tagger.model.head(states_BTD), logits, rtol=0, atol=1e-5)
    assert tuple(model.config.id2label.values()) == tagger.known.names  # type: ignore[union-attr,operator]


def test_an_answerer_goes_out(runs: Path, tmp_path: Path) -> None:
    run = trained(runs, "answer", "answer", "demo:questions", {"model": BERT})
    model, tokenizer = sent(run, tmp_path / "out")
    answerer = heed.load(run)
    assert isinstance(answerer, Answerer)
    given = tokenizer("who is there ?", "Ada is there .", return_tensors="pt")  # type: ignore[operator]
    found = answerer.model(TextInput(given["input_ids"], given["attention_mask"].bool(), given["token_type_ids"]))
    torch.testing.assert_close(found, torch.stack(outputs(model, given), dim=-1), rtol=0, atol=1e-5)


GPT2 = {
    "width": 8, "heads": 2, "layers": 2, "feedforward": 12, "longest": 40, "positions": "learned",
    "activation": "gelu-tanh", "output_bias": False, "scale_embedding": False,
}  # fmt: skip


def test_a_language_model_with_the_parts_of_gpt2_goes_out(runs: Path, tmp_path: Path) -> None:
    run = trained(runs, "write", "write", "demo:hello", {"model": GPT2})
    model, tokenizer = sent(run, tmp_path / "out")
    writer = heed.load(run)
    assert isinstance(writer, Writer)
    given = tokenizer("hello", return_tensors="pt")  # type: ignore[operator]
    assert given["input_ids"][0, 0] == writer.tokenizer.end
    with torch.no_grad():
        found = writer.model(given["input_ids"])
    torch.testing.assert_close(found, outputs(model, given)[0], rtol=0, atol=1e-5)


DISTILLED = {**BERT, "segments": 0, "pooler": "relu"}
REFUSED = [
    ("classify", "demo:reviews", {"model": {**BERT, "pooling": "mean"}}, "model.pooling is mean.*model.pooling=first"),
    ("classify", "demo:reviews", {"model": {**BERT, "pooler": "relu"}}, "model.pooler is relu.*model.pooler=tanh"),
    ("classify", "demo:reviews", {"model": {**DISTILLED, "epsilon": 1e-5}}, "model.epsilon is 1e-05.*1e-12"),
    ("classify", "demo:reviews", {"model": {**DISTILLED, "pooler": "tanh"}}, "model.pooler is tanh.*model.pooler=relu"),
    ("classify", "demo:reviews", {"model": {"kind": "textcnn"}}, "model.kind is textcnn"),
    ("pair", "demo:paraphrase", {"model": BERT, "reading": "towers"}, "reading is towers.*reading=joined"),
    ("tag", "demo:entities", {"model": BERT, "crf": True}, "crf is true.*crf=false"),
    ("tag", "demo:entities", {"model": BERT, "pieces": "all"}, "pieces is all.*pieces=first"),
    (
        "pretrain", "demo:reviews", {"model": {**BERT, "activation": "relu"}, "length": 24},
        "model.activation is relu.*model.activation=gelu",
    ),
    ("write", "demo:hello", {"model": {**GPT2, "positions": "rotary"}}, "model.positions is rotary. GPT-2 has learned"),
    ("write", "demo:hello", {"model": {**GPT2, "output_bias": True}}, "model.output_bias is True. GPT-2 has False"),
    ("write", "demo:hello", {"model": {**GPT2, "activation": "elu"}}, "model.activation is elu.*gelu-tanh"),
    ("write", "demo:hello", {"model": {"kind": "rnn", "width": 8}}, "model.kind is rnn.*gpt2"),
]  # fmt: skip


@pytest.mark.parametrize(("task", "data", "settings", "message"), REFUSED, ids=[each[3][:24] for each in REFUSED])
def test_what_they_have_no_words_for_is_refused_with_what_would_work(
    task: str, data: str, settings: dict[str, object], message: str, tmp_path: Path
) -> None:
    run = trained(tmp_path, "run", task, data, settings)
    with pytest.raises(UsageError, match=message):
        heed.export_model(run, "hf", tmp_path / "out")
    assert [path.name for path in tmp_path.iterdir()] == ["run"]


def test_nothing_is_replaced_without_force_and_nothing_strange_ever(runs: Path, tmp_path: Path) -> None:
    run = trained(runs, "tag", "tag", "demo:entities", {"model": BERT})
    heed.export_model(run, "hf", tmp_path / "out")
    with pytest.raises(RunError, match="out holds an export already"):
        heed.export_model(run, "hf", tmp_path / "out")
    before = (tmp_path / "out" / "model.safetensors").read_bytes()
    heed.export_model(run, "hf", tmp_path / "out", force=True)
    assert (tmp_path / "out" / "model.safetensors").read_bytes() == before
    (tmp_path / "out" / "diary.txt").write_text("dear diary")
    with pytest.raises(RunError, match=r"out is no export: it holds diary.txt"):
        heed.export_model(run, "hf", tmp_path / "out", force=True)
    with pytest.raises(RunError, match=r"diary.txt is a file"):
        heed.export_model(run, "hf", tmp_path / "out" / "diary.txt", force=True)
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_a_disk_that_fails_leaves_the_export_that_was_there(
    runs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = trained(runs, "tag", "tag", "demo:entities", {"model": BERT})
    heed.export_model(run, "hf", tmp_path / "out")
    before = {path.name: path.read_bytes() for path in (tmp_path / "out").iterdir()}

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("heed.exchange.published_folder.durable.sync_file", fail)
    with pytest.raises(HeedError, match="No space left on device"):
        heed.export_model(run, "hf", tmp_path / "out", force=True)
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
    assert {path.name: path.read_bytes() for path in (tmp_path / "out").iterdir()} == before


def test_word_vectors_go_to_text_files_and_come_back(runs: Path, tmp_path: Path) -> None:
    settings = {"model": {"kind": "glove", "width": 5, "epochs": 1}, "training": {}}
    run = trained(runs, "vectors", "vectors", "demo:royals", settings)
    found = heed.load(run)
    for to in ("word2vec", "glove"):
        made = heed.export_model(run, to, tmp_path / to)
        assert made.kind == f"{len(found.space.words)} vectors"  # type: ignore[union-attr]
        from_file = read_word_vectors(tmp_path / to)
        assert from_file.space.words == found.space.words  # type: ignore[union-attr]
        assert (from_file.space.table == found.space.table).all()  # type: ignore[union-attr]
        with pytest.raises(RunError, match=f"{to} is there already.*--force"):
            heed.export_model(run, to, tmp_path / to)
        heed.export_model(run, to, tmp_path / to, force=True)
    with pytest.raises(RunError, match="is a folder"):
        heed.export_model(run, "glove", tmp_path)
    with pytest.raises(UsageError, match=r"task is vectors. Word vectors go to a text file"):
        heed.export_model(run, "hf", tmp_path / "out")


def test_a_format_that_is_none_and_a_run_without_vectors_are_refused(runs: Path, tmp_path: Path) -> None:
    run = trained(runs, "tag", "tag", "demo:entities", {"model": BERT})
    with pytest.raises(UsageError, match=r"--to is 'onnxx'. Choose one of: hf, word2vec, glove"):
        heed.export_model(run, "onnxx", tmp_path / "out")
    with pytest.raises(UsageError, match=r"task is tag. Only runs of vectors go to glove"):
        heed.export_model(run, "glove", tmp_path / "out")
