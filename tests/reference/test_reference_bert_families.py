"""BERT, RoBERTa and DistilBERT of the `transformers` library, read from the folders that it writes: equal outputs."""

import os
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest
import torch
from torch import Tensor, nn
from torch.nn import functional

from heed.files.published import PublishedFolder, read_published
from heed.layers.masks import keep_from_lengths
from heed.layers.trace import Trace
from heed.models.bert import Bert
from heed.models.bert_pretraining import BertPretraining, MaskedHead
from heed.models.published.bert import PublishedBert, read_bert
from heed.models.published.config import Config
from heed.models.text_input import TextInput

os.environ["HF_HUB_OFFLINE"] = "1"
transformers: ModuleType = pytest.importorskip("transformers")

VOCABULARY = 23
SIZES = {
    "vocab_size": VOCABULARY, "hidden_size": 12, "num_hidden_layers": 3, "num_attention_heads": 3,
    "intermediate_size": 20, "max_position_embeddings": 11, "attn_implementation": "eager",
}  # fmt: skip
DISTILLED = {
    "vocab_size": VOCABULARY, "dim": 12, "n_layers": 2, "n_heads": 3, "hidden_dim": 20, "max_position_embeddings": 9,
    "attn_implementation": "eager",
}  # fmt: skip
CONFIGS: dict[str, Callable[[], object]] = {
    "Bert": lambda: transformers.BertConfig(**SIZES),
    "Roberta": lambda: transformers.RobertaConfig(**SIZES, type_vocab_size=1, layer_norm_eps=1e-5),
    "DistilBert": lambda: transformers.DistilBertConfig(**DISTILLED),
}
HEADS = ("Model", "ForMaskedLM", "ForSequenceClassification", "ForTokenClassification", "ForQuestionAnswering")
NAMES = ["BertForPreTraining", *(family + head for family in CONFIGS for head in HEADS)]


def theirs(name: str) -> nn.Module:
    """Return a tiny model of theirs with random weights, none of them at a special value."""
    family = next(family for family in CONFIGS if name.startswith(family))
    torch.manual_seed(len(name))
    config = CONFIGS[family]()
    config.num_labels = 2 if name.endswith("QuestionAnswering") else 3  # type: ignore[attr-defined]
    model: nn.Module = getattr(transformers, name)(config).eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(0.3 * torch.randn_like(parameter))
    return model


def ours(model: nn.Module, folder: Path) -> PublishedBert:
    """Return what we read from the folder that their model is saved in."""
    model.save_pretrained(folder)  # type: ignore[operator]
    found: PublishedFolder = read_published(folder)
    return read_bert(Config(found.config, "config.json"), found.tensors, str(folder))


def trunk(found: PublishedBert) -> Bert:
    model = Bert(found.settings, VOCABULARY)
    model.load_state_dict(dict(found.trunk))
    return model.eval()


def batch(name: str) -> TextInput:
    lengths, width = torch.tensor([7, 2, 4, 9]), 9
    ids = torch.randint(4, VOCABULARY, (4, width), generator=torch.Generator().manual_seed(8))
    keep = keep_from_lengths(lengths, width)
    # RoBERTa finds its positions by the id of its padding, which is 1.
    return TextInput(ids.masked_fill(~keep, 1), keep)


def said(model: nn.Module, text: TextInput, **more: object) -> object:
    return model(input_ids=text.token_ids, attention_mask=text.keep.long(), **more)


@pytest.mark.parametrize("name", NAMES)
@torch.no_grad()
def test_hidden_vectors_and_weights_are_equal(name: str, tmp_path: Path) -> None:
    model, text = theirs(name), batch(name)
    base = getattr(model, model.base_model_prefix, model)  # type: ignore[arg-type]
    expected = said(base, text, output_attentions=True)
    mine, trace = trunk(ours(model, tmp_path)), Trace()
    states_BTD = mine.hidden(text, trace)
    torch.testing.assert_close(states_BTD[text.keep], expected.last_hidden_state[text.keep], rtol=0, atol=1e-5)  # type: ignore[attr-defined]
    for layer, weights_BHTS in enumerate(expected.attentions):  # type: ignore[attr-defined]
        found_BHTS = trace.weights[f"encoder.{layer}.self"]
        real = text.keep[:, None, :, None].expand_as(found_BHTS)
        torch.testing.assert_close(found_BHTS[real], weights_BHTS[real], rtol=0, atol=1e-5)


@pytest.mark.parametrize("name", ["BertModel", "RobertaModel"])
@torch.no_grad()
def test_the_pooled_vector_is_equal(name: str, tmp_path: Path) -> None:
    model, text = theirs(name), batch(name)
    torch.testing.assert_close(trunk(ours(model, tmp_path))(text), said(model, text).pooler_output, rtol=0, atol=1e-5)  # type: ignore[attr-defined]


@pytest.mark.parametrize("family", CONFIGS)
@torch.no_grad()
def test_the_logits_of_hidden_words_are_equal(family: str, tmp_path: Path) -> None:
    model, text = theirs(f"{family}ForMaskedLM"), batch(family)
    found = ours(model, tmp_path)
    mine = trunk(found)
    head = MaskedHead(found.settings, mine.embedding)
    head.load_state_dict(dict(found.masked))
    logits_NV = head(mine.hidden(text)[text.keep])
    torch.testing.assert_close(logits_NV, said(model, text).logits[text.keep], rtol=0, atol=1e-5)  # type: ignore[attr-defined]


@pytest.mark.parametrize(("name", "labels"), [(f"{family}ForSequenceClassification", 3) for family in CONFIGS])
@torch.no_grad()
def test_the_logits_of_labels_are_equal(name: str, labels: int, tmp_path: Path) -> None:
    model, text = theirs(name), batch(name)
    found = ours(model, tmp_path)
    logits_BC = functional.linear(trunk(found)(text), found.last["last.weight"], found.last["last.bias"])
    torch.testing.assert_close(logits_BC, said(model, text).logits, rtol=0, atol=1e-5)  # type: ignore[attr-defined]
    assert found.labels == ("LABEL_0", "LABEL_1", "LABEL_2")


@pytest.mark.parametrize("family", CONFIGS)
@torch.no_grad()
def test_the_logits_of_tags_and_of_spans_are_equal(family: str, tmp_path: Path) -> None:
    text = batch(family)
    for number, name in enumerate((f"{family}ForTokenClassification", f"{family}ForQuestionAnswering")):
        model = theirs(name)
        found = ours(model, tmp_path / str(number))
        states_BTD = trunk(found).hidden(text)
        logits_BTC = functional.linear(states_BTD, found.last["last.weight"], found.last["last.bias"])
        outcome = said(model, text)
        expected_BTC = (
            outcome.logits  # type: ignore[attr-defined]
            if number == 0
            else torch.stack([outcome.start_logits, outcome.end_logits], dim=-1)  # type: ignore[attr-defined]
        )
        torch.testing.assert_close(logits_BTC[text.keep], expected_BTC[text.keep], rtol=0, atol=1e-5)


@torch.no_grad()
def test_the_loss_of_pre_training_is_equal(tmp_path: Path) -> None:
    model, text = theirs("BertForPreTraining"), batch("Bert")
    found = ours(model, tmp_path)
    mine = BertPretraining(found.settings, VOCABULARY, next_sentence=True).eval()
    mine.bert.load_state_dict(dict(found.trunk))
    mine.masked.load_state_dict(dict(found.masked))
    assert mine.next is not None
    mine.next.load_state_dict({name.removeprefix("last."): each for name, each in found.last.items()})
    hidden = text.keep & (torch.arange(9) % 3 == 1)
    labels: Tensor = text.token_ids.masked_fill(~hidden, -100)
    order_B = torch.tensor([0, 1, 1, 0])
    expected = said(model, text, labels=labels, next_sentence_label=order_B).loss  # type: ignore[attr-defined]
    readings = mine(text, hidden)
    masked = functional.cross_entropy(mine.masked.vocabulary(readings.features_ND), text.token_ids[hidden])
    assert readings.next_B2 is not None
    loss = masked + functional.cross_entropy(readings.next_B2, order_B)
    torch.testing.assert_close(loss, expected, rtol=0, atol=1e-5)
