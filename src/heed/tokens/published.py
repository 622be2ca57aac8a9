"""`read_tokenizer`: the tokenizer in a published model's folder.

`tokenizer.json` says everything. Older folders have `vocab.txt` (BERT's pieces, one a line) or `vocab.json` with
`merges.txt` (the byte pairs of GPT-2 and RoBERTa), and the rules are those of the family.
"""

import json
from collections.abc import Mapping
from pathlib import Path

import tokenizers
from tokenizers import AddedToken, decoders, models, normalizers, pre_tokenizers

from heed.errors import RunError, UsageError
from heed.tokens.tokenizer import Tokenizer

WHOLE = "tokenizer.json"
PIECES = "vocab.txt"
NUMBERED = "vocab.json"
MERGES = "merges.txt"
TOKENIZER_FILES = (WHOLE, PIECES, NUMBERED, MERGES, "tokenizer_config.json")
LARGEST_FILE = 50_000_000  # bytes
ROUND = 1024  # the largest number that tables are padded to a multiple of
_BYTE_SPECIALS = ("<s>", "<pad>", "</s>", "<unk>", "<mask>", "<|endoftext|>")
_PIECE_SPECIALS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")


def read_tokenizer(folder: Path, lowercase: bool, whole: str = WHOLE) -> Tokenizer:
    """Return the tokenizer; `lowercase` is what an old BERT folder says elsewhere (`do_lower_case`)."""
    if (folder / whole).is_file():
        return Tokenizer.from_json(_text(folder / whole))
    if (folder / PIECES).is_file():
        return _from_pieces(folder / PIECES, lowercase)
    if (folder / NUMBERED).is_file() and (folder / MERGES).is_file():
        return _from_merges(folder)
    raise UsageError(
        f"{folder} holds no tokenizer: neither {WHOLE}, nor {PIECES}, nor {NUMBERED} with {MERGES}. "
        f"Give the whole folder of a model."
    )


def check_rows(tokenizer: Tokenizer, rows: int, folder: Path) -> None:
    """Refuse a tokenizer whose pieces are not those of a table with so many rows.

    Some tables are padded to a round number: rows without a piece are never looked up.
    """
    if not tokenizer.size <= rows < tokenizer.size + ROUND:
        raise RunError(
            f"The tokenizer of {folder} has {tokenizer.size:,} pieces, the model {rows:,}. "
            f"They belong to different models: fetch the folder again."
        )


def read_vocabulary(path: Path) -> dict[str, int]:
    """Return the pieces of a `vocab.json` with their ids."""
    try:
        values = json.loads(_text(path))
    except (ValueError, RecursionError) as error:
        raise RunError(f"{path} is not readable JSON ({str(error)[:100]}). Fetch it again.") from None
    if not isinstance(values, dict) or not all(type(id) is int and 0 <= id < 2**31 for id in values.values()):
        raise RunError(f"{path} is no list of pieces with their ids: {str(values)[:60]!r}. Fetch it again.")
    return values


def _from_pieces(path: Path, lowercase: bool) -> Tokenizer:
    pieces = _text(path).removesuffix("\n").split("\n")
    vocabulary = {piece.removesuffix("\r"): id for id, piece in enumerate(pieces)}
    if len(vocabulary) < len(pieces) or "[UNK]" not in vocabulary:
        raise RunError(
            f"{path}: {len(pieces):,} lines hold {len(vocabulary):,} different pieces"
            f"{'' if '[UNK]' in vocabulary else ', and none is [UNK]'}. Fetch the file again."
        )
    library = tokenizers.Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]", max_input_chars_per_word=100))
    library.normalizer = normalizers.BertNormalizer(lowercase=lowercase)
    library.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    library.decoder = decoders.WordPiece()
    return _finished(library, _PIECE_SPECIALS, vocabulary)


def _from_merges(folder: Path) -> Tokenizer:
    vocabulary = read_vocabulary(folder / NUMBERED)
    lines = [line for line in _text(folder / MERGES).split("\n") if line.strip() and not line.startswith("#version")]
    merges = [tuple(line.removesuffix("\r").split(" ")) for line in lines]
    if any(len(merge) != 2 for merge in merges):
        odd = next(line for line, merge in zip(lines, merges, strict=True) if len(merge) != 2)
        raise RunError(f"{folder / MERGES}: {odd[:60]!r} is not a pair of pieces. Fetch the file again.")
    try:
        model = models.BPE(vocabulary, [(left, right) for left, right in merges])
    except Exception as problem:  # noqa: BLE001  the library raises bare Exception for all that it finds wrong
        raise RunError(f"{folder / MERGES} does not fit {NUMBERED}: {str(problem)[:120]}. Fetch both again.") from None
    library = tokenizers.Tokenizer(model)
    library.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    library.decoder = decoders.ByteLevel()
    return _finished(library, _BYTE_SPECIALS, vocabulary)


def _finished(library: tokenizers.Tokenizer, specials: tuple[str, ...], vocabulary: Mapping[str, int]) -> Tokenizer:
    found = [AddedToken(name, normalized=False, special=True) for name in specials if name in vocabulary]
    library.add_special_tokens(found)
    return Tokenizer(library)


def _text(path: Path) -> str:
    try:
        size = path.stat().st_size
        if size > LARGEST_FILE:
            raise RunError(f"{path} has {size:,} bytes; at most {LARGEST_FILE:,} are read. This is no tokenizer.")
        return path.read_bytes().decode("utf-8")
    except OSError as error:
        raise RunError(f"{path} cannot be read: {error.strerror}. Give the whole folder of a model.") from None
    except UnicodeDecodeError as error:
        raise RunError(f"{path} is not UTF-8 text: byte {error.start} is in the way. Fetch it again.") from None
