"""GPT-2 comes in and goes out: logits, what is written, and the bytes of the weights stay the same."""

from pathlib import Path

import pytest
import torch
from foreign import LONGEST, TEXTS, edit_json, opened, publish, transformers
from safetensors.torch import load_file

import heed
from heed.decoding.beam import BeamSettings
from heed.errors import RunError, UsageError
from heed.prediction.writer import Writer
from heed.tasks.translating import GreedySettings
from heed.tasks.writing import Extent

NAME = "GPT2LMHeadModel"


def writer_at(run: Path) -> Writer:
    writer = heed.load(run)
    assert isinstance(writer, Writer)
    return writer


@pytest.mark.parametrize("tie", [True, False], ids=["tied", "untied"])
@torch.no_grad()
def test_what_goes_out_again_opens_there_with_equal_outputs_and_equal_bytes(tie: bool, tmp_path: Path) -> None:
    theirs = publish(NAME, tmp_path / "in", tie_word_embeddings=tie)
    assert heed.import_model(tmp_path / "in", tmp_path / "run").task == "write"
    assert heed.export_model(tmp_path / "run", "hf", tmp_path / "out").kind == NAME
    again, tokenizer = opened(tmp_path / "out", NAME), transformers.AutoTokenizer.from_pretrained(tmp_path / "out")
    writer = writer_at(tmp_path / "run")
    for text in TEXTS:
        ids = tokenizer(text, add_special_tokens=False)["input_ids"]
        assert ids == writer.tokenizer.ids_of([text])[0]
        token_ids = torch.tensor([ids])
        expected = theirs(token_ids).logits[..., : writer.tokenizer.size]
        torch.testing.assert_close(writer.model(token_ids), expected, rtol=0, atol=1e-5)
        torch.testing.assert_close(again(token_ids).logits, expected, rtol=0, atol=1e-5)
    before, after = (load_file(tmp_path / folder / "model.safetensors") for folder in ("in", "out"))
    assert before.keys() == after.keys()
    assert all(torch.equal(tensor[: len(after[name])], after[name]) for name, tensor in before.items())


@torch.no_grad()
def test_an_imported_model_foretells_a_text_as_theirs_does(tmp_path: Path) -> None:
    theirs = publish(NAME, tmp_path / "in", n_positions=24)
    heed.import_model(tmp_path / "in", tmp_path / "run")
    writer = writer_at(tmp_path / "run")
    ids = torch.tensor([[writer.tokenizer.end, *writer.tokenizer.ids_of([TEXTS[0]])[0]]])
    logits = theirs(ids).logits[:, :-1, : writer.tokenizer.size]
    expected = torch.nn.functional.cross_entropy(logits[0], ids[0, 1:])
    assert writer.evaluate(TEXTS[0]).loss == pytest.approx(float(expected), abs=1e-5)


@pytest.mark.parametrize("beams", [1, 4], ids=["greedy", "beam"])
@torch.no_grad()
def test_an_imported_model_writes_what_theirs_writes(beams: int, tmp_path: Path) -> None:
    theirs = publish(NAME, tmp_path / "in")
    heed.import_model(tmp_path / "in", tmp_path / "run")
    writer = writer_at(tmp_path / "run")
    search = GreedySettings() if beams == 1 else BeamSettings(beams=beams, normalisation="mean")
    said = set()
    for text in TEXTS:
        ids = [writer.tokenizer.end, *writer.tokenizer.ids_of([text])[0]]
        # Rows that pad their table to a round number are no pieces: nothing of them can be said.
        unused = [[id] for id in range(writer.tokenizer.size, theirs.config.vocab_size)]  # type: ignore[union-attr]
        found = theirs.generate(  # type: ignore[operator]
            torch.tensor([ids]), max_new_tokens=8, do_sample=False, num_beams=beams, bad_words_ids=unused,
            attention_mask=torch.ones(1, len(ids)), early_stopping=False,
        )  # fmt: skip
        expected = writer.tokenizer.decode(found[0, len(ids) :].tolist())
        assert writer.write(text, Extent(length=8), search).text == expected
        said.add(expected)
    assert len(said) > 1, "or else the equality would say little"


def test_a_task_that_gpt2_is_not_for_is_refused(tmp_path: Path) -> None:
    publish(NAME, tmp_path / "in")
    with pytest.raises(UsageError, match=r"--task is classify, but the GPT-2 .* only become a run of write"):
        heed.import_model(tmp_path / "in", tmp_path / "run", task="classify")


def test_weights_of_other_shapes_are_refused_by_name(tmp_path: Path) -> None:
    publish(NAME, tmp_path / "in")
    edit_json(tmp_path / "in" / "config.json", n_inner=47, n_positions=LONGEST + 1)
    message = r"positions\.table is \(90, 12\), the model has \(91, 12\).*widen\.weight is \(48, 12\)"
    with pytest.raises(RunError, match=message):
        heed.import_model(tmp_path / "in", tmp_path / "run")
