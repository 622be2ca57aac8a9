"""What is loaded only predicts, and what loading refuses.

A run that is not there, weights of another vocabulary, a file with one changed bit.
"""

import shutil
from pathlib import Path

import pytest

from heed import api
from heed.data.records import TextPair
from heed.errors import RunError
from heed.prediction.translator import Translator
from heed.runs.folder import TokenizerTexts, open_run
from heed.tasks.translate import train_tokenizers
from heed.tokens.settings import TokenizerSettings


@pytest.fixture
def copy(run: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(run, tmp_path / "reversing"))


def test_what_only_predicts_learns_nothing(copy: Path) -> None:
    translator = api.load(copy)
    assert isinstance(translator, Translator)
    assert not [name for name, each in translator.model.named_parameters() if each.requires_grad]


def test_a_run_that_is_not_there_is_answered_with_the_nearest(copy: Path) -> None:
    with pytest.raises(RunError, match=rf"There is no run at .*reversign\. Did you mean {copy}\?"):
        api.load(copy.with_name("reversign"))


def test_a_tokenizer_of_another_vocabulary_is_refused_even_if_it_is_of_the_same_size(copy: Path) -> None:
    words = [TextPair(word, word[::-1]) for word in ("eins", "zwei", "drei", "vier", "fünf", "sechs", "sieben")]
    other = train_tokenizers(words, TokenizerSettings(kind="words"), shared=True)
    open_run(copy).write_tokenizers(TokenizerTexts(other.source.to_json()))
    with pytest.raises(RunError, match=r"reversing were trained with another vocabulary than its tokenizer\.json"):
        api.load(copy)


def test_a_tokenizer_that_was_edited_is_refused(copy: Path) -> None:
    text = (copy / "tokenizer.json").read_text()
    (copy / "tokenizer.json").write_text(text.replace('"one"', '"uno"'))
    with pytest.raises(RunError, match=r"tokenizer\.json is not as this run wrote it"):
        api.load(copy)


def test_weights_with_one_changed_bit_are_refused(copy: Path) -> None:
    data = bytearray((copy / "model.safetensors").read_bytes())
    data[-100] ^= 4
    (copy / "model.safetensors").write_bytes(data)
    with pytest.raises(RunError, match=r"model\.safetensors is damaged"):
        api.load(copy)


def test_weights_that_are_missing_are_told(copy: Path) -> None:
    (copy / "model.safetensors").unlink()
    with pytest.raises(RunError, match=r"model\.safetensors is missing: the run has kept no best weights yet"):
        api.load(copy)


def test_settings_of_a_larger_model_are_refused_with_the_names(copy: Path) -> None:
    folder = open_run(copy)
    settings = folder.read_settings()
    folder.write_settings({**settings, "model": {**settings["model"], "decoder_layers": 2}})
    with pytest.raises(RunError, match=r"do not fit the model: decoder\.1\.\S+ is missing"):
        api.load(copy)


def test_loading_twice_gives_the_same_translations(copy: Path, run: Path) -> None:
    texts = ["one two three", "seven"]
    assert api.load(copy).predict(texts) == api.load(run).predict(texts)
