"""Marian comes in and goes out: ids, logits, translations and the bytes of the weights stay the same."""

import json
from pathlib import Path

import pytest
import spm
import torch
from foreign import edit_json, opened, transformers
from foreign_marian import CHARACTERS, NAME, SOURCE, TARGET, ids_of, publish, save_pieces
from safetensors.torch import load_file

import heed
from heed.decoding.beam import BeamSettings
from heed.errors import HeedError, RunError, UsageError
from heed.prediction.translator import Translator
from heed.tasks.translating import GreedySettings
from heed.tokens.marian import read_marian_tokenizers
from heed.tokens.tokenizer import Tokenizer

TEXTS = ("the house", "houses  the\ttheＳ", "  the  ", "ngôi nhà", "h🙂🙂o", "</s> the <pad>", "\ue000▁nhà", "the </s>")


def cut_text(text: str, scores: dict[str, float], ids: dict[str, int]) -> list[int]:
    """Return the ids of the best way to cut a text, by trying the best way to each of its places (Kudo 2018)."""
    for source, target in CHARACTERS.items():
        text = text.replace(source, target)
    text = "▁" + "▁".join(text.split())
    unknown = min(scores.values()) - 10
    best: list[tuple[float, list[str]]] = [(0.0, [])]
    for end in range(1, len(text) + 1):
        ways = [(best[begin][0] + scores[text[begin:end]], [*best[begin][1], text[begin:end]])
                for begin in range(end) if text[begin:end] in scores]  # fmt: skip
        if text[end - 1] not in scores:
            ways.append((best[end - 1][0] + unknown, [*best[end - 1][1], ""]))
        best.append(max(ways))
    pieces = [piece for n, piece in enumerate(best[-1][1]) if piece or n == 0 or best[-1][1][n - 1]]
    return [ids[piece] if piece else ids["<unk>"] for piece in pieces]


def translator_at(run: Path) -> Translator:
    translator = heed.load(run)
    assert isinstance(translator, Translator)
    return translator


@pytest.mark.parametrize("text", TEXTS[:5])
def test_a_text_becomes_the_ids_of_its_best_pieces(text: str, tmp_path: Path) -> None:
    ids = ids_of(SOURCE, TARGET)
    save_pieces(tmp_path, ids)
    found = read_marian_tokenizers(tmp_path)
    assert found.source.ids_of([text])[0] == cut_text(text, SOURCE, ids)
    assert found.target.ids_of([text])[0] == cut_text(text, TARGET, ids)
    assert found.notes == ()


@pytest.mark.parametrize("text", TEXTS)
def test_no_text_becomes_a_special_piece_or_one_of_the_other_language(text: str, tmp_path: Path) -> None:
    ids = ids_of(SOURCE, TARGET)
    save_pieces(tmp_path, ids)
    found = read_marian_tokenizers(tmp_path)
    for tokenizer, scores in ((found.source, SOURCE), (found.target, TARGET)):
        allowed = {ids[piece] for piece in scores} | {ids["<unk>"]}
        assert set(tokenizer.ids_of([text])[0]) <= allowed
    assert (found.source.end, found.source.unknown, found.source.pad) == (0, 1, len(ids) - 1)
    assert found.source.start == found.source.pad


def test_a_tokenizer_of_unigrams_is_kept_and_read_again(tmp_path: Path) -> None:
    save_pieces(tmp_path, ids_of(SOURCE, TARGET))
    target = read_marian_tokenizers(tmp_path).target
    again = Tokenizer.from_json(target.to_json())
    assert again.fingerprint == target.fingerprint
    ids = target.ids_of(["ngôi nhà"])[0]
    assert again.decode(ids) == "ngôi nhà"
    # A model may say a piece of the other language, too.
    assert again.decode([*ids, ids_of(SOURCE, TARGET)["▁house"]]) == "ngôi nhà house"


def test_the_wish_for_a_language_is_one_piece(tmp_path: Path) -> None:
    ids = ids_of(SOURCE, TARGET, languages=(">>fra<<", ">>vie<<"))
    save_pieces(tmp_path, ids)
    source = read_marian_tokenizers(tmp_path).source
    assert source.ids_of([">>vie<< the house"])[0] == [ids[">>vie<<"], *source.ids_of(["the house"])[0]]


def test_pieces_without_an_id_are_counted_and_cut_further(tmp_path: Path) -> None:
    ids = ids_of({piece: score for piece, score in SOURCE.items() if piece != "▁house"}, TARGET)
    save_pieces(tmp_path, ids)
    found = read_marian_tokenizers(tmp_path)
    assert [note.partition(" of ")[0] for note in found.notes] == ["1"]
    assert found.source.unknown not in found.source.ids_of(["the house"])[0]


@pytest.mark.parametrize("own", [False, True], ids=["one list", "two lists"])
@pytest.mark.parametrize("activation", ["swish", "relu", "gelu"])
@torch.no_grad()
def test_what_goes_out_again_opens_there_with_equal_outputs_and_equal_bytes(
    own: bool, activation: str, tmp_path: Path
) -> None:
    theirs = publish(tmp_path / "in", own, activation_function=activation)
    assert heed.import_model(tmp_path / "in", tmp_path / "run").task == "translate"
    assert heed.export_model(tmp_path / "run", "hf", tmp_path / "out").kind == NAME
    again, translator = opened(tmp_path / "out", NAME), translator_at(tmp_path / "run")
    tokenizer = transformers.AutoTokenizer.from_pretrained(tmp_path / "out")
    target_ids = torch.tensor([[translator.tokenizers.target.start, 3, 5, 4]])
    for text in TEXTS[:5]:
        ids = tokenizer(text)["input_ids"]
        assert ids == [*translator.tokenizers.source.ids_of([text])[0], translator.tokenizers.source.end]
        source_ids = torch.tensor([ids])
        expected = theirs(input_ids=source_ids, decoder_input_ids=target_ids, use_cache=False).logits
        found = translator.model(source_ids, source_ids >= 0, target_ids)
        torch.testing.assert_close(found, expected, rtol=0, atol=1e-5)
        after = again(input_ids=source_ids, decoder_input_ids=target_ids, use_cache=False).logits
        torch.testing.assert_close(after, expected, rtol=0, atol=1e-5)
    before, after = (load_file(tmp_path / folder / "model.safetensors") for folder in ("in", "out"))
    assert before.keys() == after.keys()
    assert all(torch.equal(tensor, after[name]) for name, tensor in before.items())


def test_one_vocabulary_for_both_sides_stays_one(tmp_path: Path) -> None:
    publish(tmp_path / "in", target=SOURCE)
    heed.import_model(tmp_path / "in", tmp_path / "run")
    translator = translator_at(tmp_path / "run")
    assert translator.tokenizers.shared
    assert translator.model.source_embedding is translator.model.target_embedding
    heed.export_model(tmp_path / "run", "hf", tmp_path / "out")
    heed.import_model(tmp_path / "out", tmp_path / "again")
    before, after = translator.predict(TEXTS[:3]), translator_at(tmp_path / "again").predict(TEXTS[:3])
    assert before == after


@pytest.mark.parametrize("own", [False, True], ids=["one list", "two lists"])
@pytest.mark.parametrize("beams", [1, 4], ids=["greedy", "beam"])
@torch.no_grad()
def test_an_imported_model_translates_as_theirs_does(beams: int, own: bool, tmp_path: Path) -> None:
    theirs = publish(tmp_path / "in", own)
    heed.import_model(tmp_path / "in", tmp_path / "run")
    translator = translator_at(tmp_path / "run")
    source, target = translator.tokenizers.source, translator.tokenizers.target
    # By probability alone: the two searches weigh finished translations of different lengths in ways of their own.
    search = GreedySettings() if beams == 1 else BeamSettings(beams=beams, normalisation="none")
    said = set()
    for text in TEXTS[:5]:
        ids = [*source.ids_of([text])[0], source.end]
        longest = min(translator.model.settings.longest, 2 * len(ids) + 10)
        found = theirs.generate(  # type: ignore[operator]
            torch.tensor([ids]), attention_mask=torch.ones(1, len(ids)), num_beams=beams, max_new_tokens=longest,
            do_sample=False, early_stopping="never", length_penalty=0.0, bad_words_ids=[[target.pad], [target.unknown]],
        )  # fmt: skip
        expected = target.decode(found[0].tolist())
        assert translator.predict([text], search)[0].text == expected
        said.add(expected)
    assert len(said) > 1, "or else the equality would say little"


MARIAN = {
    "width": 8, "heads": 2, "encoder_layers": 1, "decoder_layers": 1, "feedforward": 12, "longest": 40,
    "positions": "sinusoid-concat", "norm_place": "after",
}  # fmt: skip
QUICK = {"steps": 2, "tokens_per_batch": 400, "validations": 1, "validation_texts": 2, "threads": 1}


@pytest.mark.parametrize("tie", ["all", "output", "none"])
@pytest.mark.parametrize("shared", [True, False], ids=["one vocabulary", "two vocabularies"])
def test_a_translator_trained_here_goes_out(tie: str, shared: bool, tmp_path: Path) -> None:
    # The default is all; where there are two vocabularies it cannot be asked for, and the default becomes output.
    model = MARIAN if tie == "all" else {**MARIAN, "tie": tie}
    settings = {"model": model, "training": QUICK, "shared_tokens": shared, "tokens": {"size": 300}}
    heed.train("translate", "demo:fr-en", settings=settings, out=tmp_path / "run")
    heed.export_model(tmp_path / "run", "hf", tmp_path / "out")
    theirs, translator = opened(tmp_path / "out", NAME), translator_at(tmp_path / "run")
    text = "elle est là ."
    source_ids = transformers.AutoTokenizer.from_pretrained(tmp_path / "out")(text, return_tensors="pt")["input_ids"]
    target = translator.tokenizers.target
    target_ids = torch.tensor([[target.start, 5, 9]])
    with torch.no_grad():
        expected = translator.model(source_ids, source_ids >= 0, target_ids)
        found = theirs(input_ids=source_ids, decoder_input_ids=target_ids, use_cache=False).logits
        said = theirs.generate(source_ids, num_beams=1, max_new_tokens=9)  # type: ignore[operator]
    torch.testing.assert_close(found, expected, rtol=0, atol=1e-5)
    ours = translator.predict([text], GreedySettings())[0].text
    assert ours.startswith(target.decode(said[0].tolist()))
    heed.import_model(tmp_path / "out", tmp_path / "again")
    assert translator_at(tmp_path / "again").predict([text])[0].text == translator.predict([text])[0].text


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"positions": "sinusoid"}, "model.positions is sinusoid. Marian has sinusoid-concat"),
        ({"norm_place": "before"}, "model.norm_place is before. Marian has after"),
        ({"norm": "rms"}, "model.norm is rms. Marian has layer"),
        ({"score": "additive"}, "model.score is additive. Marian has scaled"),
        ({"activation": "swiglu"}, "model.activation is swiglu. Train with model.activation=swish"),
        ({"kind": "rnn"}, "model.kind is rnn"),
    ],
)
def test_what_marian_has_no_words_for_is_refused(changes: dict[str, object], message: str, tmp_path: Path) -> None:
    model = {"kind": "rnn", "width": 8} if "kind" in changes else {**MARIAN, **changes}
    heed.train("translate", "demo:fr-en", settings={"model": model, "training": QUICK}, out=tmp_path / "run")
    with pytest.raises(UsageError, match=message):
        heed.export_model(tmp_path / "run", "hf", tmp_path / "out")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"scale_embedding": False}, "scale_embedding is false"),
        ({"normalize_before": True}, "normalize_before is true"),
        ({"decoder_ffn_dim": 21}, "encoder_ffn_dim is 20 and decoder_ffn_dim 21"),
        ({"tie_word_embeddings": False}, "tie_word_embeddings is false and share_encoder_decoder_embeddings true"),
        ({"decoder_start_token_id": 3}, "decoder_start_token_id is 3, but the tokenizer has '<pad>'"),
        ({"eos_token_id": 2}, "eos_token_id is 2, but the tokenizer has '</s>', which is 0"),
        ({"max_position_embeddings": 20_000}, "max_position_embeddings is '20000'"),
        ({"encoder_layers": 2}, r"model\.encoder\.layers\.1\..* is missing"),
        ({"architectures": ["MarianModel"]}, "architectures is 'MarianModel'"),
        ({"d_model": 15}, "do not fit"),
    ],
)
def test_what_does_not_fit_is_refused(changes: dict[str, object], message: str, tmp_path: Path) -> None:
    publish(tmp_path / "in")
    edit_json(tmp_path / "in" / "config.json", **changes)
    with pytest.raises(HeedError, match=message):
        heed.import_model(tmp_path / "in", tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_a_task_that_marian_is_not_for_and_a_folder_without_pieces_are_refused(tmp_path: Path) -> None:
    publish(tmp_path / "in")
    with pytest.raises(UsageError, match="--task is write, but the Marian"):
        heed.import_model(tmp_path / "in", tmp_path / "run", task="write")
    (tmp_path / "in" / "target.spm").unlink()
    with pytest.raises(UsageError, match=r"target\.spm not there"):
        heed.import_model(tmp_path / "in", tmp_path / "run")


def test_more_pieces_than_rows_are_refused(tmp_path: Path) -> None:
    publish(tmp_path / "in")
    ids = ids_of(SOURCE, TARGET, {"x": 0.0})
    (tmp_path / "in" / "vocab.json").write_text(json.dumps(ids))
    edit_json(tmp_path / "in" / "config.json", decoder_start_token_id=len(ids) - 1)
    with pytest.raises(RunError, match=f"has {len(ids)} pieces, the model {len(ids) - 1}"):
        heed.import_model(tmp_path / "in", tmp_path / "run")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (spm.vocabulary(SOURCE, trainer={3: 2}), "model_type is 2; only 1"),
        (spm.vocabulary(SOURCE, trainer={35: 1}), "byte_fallback is 1"),
        (spm.vocabulary(SOURCE, normalizer={5: 0}), "escape_whitespaces is 0"),
        (spm.vocabulary({}), "3 pieces, of a kind that is not read"),
        (spm.vocabulary(SOURCE) + spm.piece("x", 0.0, spm.USER_DEFINED), r"kind that is not read: \['x'\]"),
        (spm.vocabulary(SOURCE) + spm.piece("x", 0.0, 9), r"the piece b'x' has kind 9"),
        (spm.vocabulary(SOURCE) + spm.piece("x", float("nan")), "score nan"),
        (spm.vocabulary(SOURCE) + spm.number(1, 7), "field 1 is 7, not a message"),
        (spm.vocabulary(SOURCE) + b"\x0a\xff\x7f", "a field of 16,383 bytes at byte"),
        (spm.vocabulary(SOURCE) + b"\xff" * 11, "a number without end"),
        (spm.vocabulary(SOURCE) + b"\x80", "it ends within a number"),
        (spm.vocabulary(SOURCE) + b"\x0b", "a field of kind 3"),
        (spm.vocabulary(SOURCE) + spm.block(1, spm.number(1, 4)), "a piece is {1: 4}"),
        (spm.vocabulary(SOURCE) + spm.block(3, spm.number(2, 4)), "precompiled_charsmap is 4"),
        (spm.vocabulary(SOURCE, charsmap=b"abc"), "cannot be used"),
    ],
)
def test_a_vocabulary_that_is_none_is_refused(data: bytes, message: str, tmp_path: Path) -> None:
    save_pieces(tmp_path, ids_of(SOURCE, TARGET))
    (tmp_path / "source.spm").write_bytes(data)
    with pytest.raises(RunError, match=message):
        read_marian_tokenizers(tmp_path)


@pytest.mark.parametrize("ids", [{"a": 0}, {"</s>": 0, "<unk>": 1, "<pad>": 3}])
def test_a_list_of_ids_with_holes_is_refused(ids: dict[str, int], tmp_path: Path) -> None:
    save_pieces(tmp_path, ids)
    with pytest.raises(RunError, match=r"</s> is missing|ids are not 0 to 2"):
        read_marian_tokenizers(tmp_path)


def test_a_map_of_characters_that_leads_astray_is_refused(tmp_path: Path) -> None:
    publish(tmp_path / "in")
    damaged = bytearray(spm.charsmap({"ﬁ": "fi"}))
    damaged[5:8] = b"\xff\xff\x7f"  # where the trie goes on from its root: far beyond its end
    (tmp_path / "in" / "source.spm").write_bytes(spm.vocabulary(SOURCE, charsmap=bytes(damaged)))
    with pytest.raises(RunError, match="The tokenizer is damaged: it broke down"):
        heed.import_model(tmp_path / "in", tmp_path / "run")
    assert not (tmp_path / "run").exists()
