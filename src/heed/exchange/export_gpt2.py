"""Runs of `write` whose parts are those of GPT-2 as `transformers` names them."""

from heed.exchange.export_tokenizer import Dress, tokenizer_files
from heed.exchange.exported import Exported, cannot
from heed.exchange.published_folder import GENERATION, json_text
from heed.models.language_transformer import LanguageTransformerSettings
from heed.models.published.gpt2 import SWITCHES, activation_of, write_gpt2
from heed.models.published.parts import WrittenModel
from heed.runs.assembling import read_tokenizer
from heed.runs.folder import RunFolder
from heed.tasks.framing import Frame
from heed.tasks.text_ids import has_line_ends
from heed.tokens.tokenizer import Tokenizer


def export_gpt2(folder: RunFolder, model: LanguageTransformerSettings) -> Exported:
    """Return the run as a folder of theirs, or refuse with the switch that is in the way."""
    origin = str(folder.path)
    for name, wanted in SWITCHES.items():
        value = getattr(model, name)
        if value != wanted:
            raise cannot(origin, f"model.{name}", value, f"GPT-2 has {wanted}: train with model.{name}={wanted}.")
    if activation_of(model) is None:
        cure = "Train with model.activation=gelu-tanh, gelu or relu."
        raise cannot(origin, "model.activation", model.activation, cure)
    tokenizer = read_tokenizer(folder)
    written = write_gpt2(model, folder.read_best().tensors)
    # Where the end stands for the end of a line, writing goes on behind it.
    end = tokenizer.end if has_line_ends(tokenizer) else None
    ids = {"bos_token_id": tokenizer.end, "eos_token_id": end, "pad_token_id": tokenizer.pad}
    # Every text of ours begins after an end, so that its first token has something to follow.
    frame = Frame(before=(tokenizer.end,), between=(tokenizer.end,), after=())
    dress = Dress(frame, _specials(tokenizer), ("input_ids", "attention_mask"), model.longest)
    texts = tokenizer_files(tokenizer, dress) | {GENERATION: json_text(ids)}
    return Exported(WrittenModel({**written.config, **ids, "dtype": "float32"}, written.tensors), texts)


def _specials(tokenizer: Tokenizer) -> dict[str, int]:
    return {
        "pad_token": tokenizer.pad,
        "unk_token": tokenizer.unknown,
        "bos_token": tokenizer.end,
        "eos_token": tokenizer.end,
    }
