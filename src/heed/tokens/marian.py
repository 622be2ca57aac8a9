"""`read_marian_tokenizers`: both tokenizers of a Marian model: two SentencePiece vocabularies over one list of ids.

`vocab.json` gives the ids; `source.spm` and `target.spm` say which of its pieces each language is cut into. A piece of
the other language keeps its id, but is spelt with a mark before it that no text can hold, so that text is never cut
into it; decoding takes the mark away. A piece that an `.spm` has and `vocab.json` has not would be unknown to Marian;
here the text is cut into smaller pieces instead, and how many such pieces there are is said.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import tokenizers
from tokenizers import AddedToken, Regex, decoders, models, normalizers, pre_tokenizers

from heed.errors import RunError, UsageError
from heed.tokens.published import NUMBERED, WHOLE, read_tokenizer, read_vocabulary
from heed.tokens.sentencepiece import SentencePieces, read_sentencepiece
from heed.tokens.tokenizer import Tokenizer

SOURCE, TARGET = "source.spm", "target.spm"
TARGET_NUMBERED = "target_vocab.json"  # where the languages have ids of their own
TARGET_WHOLE = "tokenizer.target.json"
MARIAN_FILES = (SOURCE, TARGET, TARGET_NUMBERED, TARGET_WHOLE)
END, UNKNOWN, PAD = SPECIALS = ("</s>", "<unk>", "<pad>")
MARK, LOOK_ALIKE = "\ue000", "\ue001"  # for private use: what a text has of the first becomes the second
SPACE = "▁"
_LANGUAGE = re.compile(r">>[^<>\s]+<<")  # the wish for a language, written before a text
_SPELT = r"<(?=(?:/s|unk|pad)>)"  # where a text is spelt like a special piece


@dataclass(frozen=True)
class MarianTokenizers:
    """The tokenizers of both sides; one and the same object when they cut text alike."""

    source: Tokenizer
    target: Tokenizer
    notes: tuple[str, ...] = ()


def read_marian_tokenizers(folder: Path) -> MarianTokenizers:
    """Return the tokenizers; those in `tokenizer.json` come first."""
    if (folder / WHOLE).is_file():
        source = read_tokenizer(folder, lowercase=False)
        if not (folder / TARGET_WHOLE).is_file():
            return MarianTokenizers(source, source)
        return MarianTokenizers(source, read_tokenizer(folder, lowercase=False, whole=TARGET_WHOLE))
    missing = [name for name in (NUMBERED, SOURCE, TARGET) if not (folder / name).is_file()]
    if missing:
        raise UsageError(
            f"{folder} holds no tokenizer: neither {WHOLE}, nor {NUMBERED} with {SOURCE} and {TARGET} "
            f"({', '.join(missing)} not there). Give the whole folder of a model."
        )
    return _from_pieces(folder)


def _from_pieces(folder: Path) -> MarianTokenizers:
    ids = read_vocabulary(folder / NUMBERED)
    own = (folder / TARGET_NUMBERED).is_file()
    target_ids = read_vocabulary(folder / TARGET_NUMBERED) if own else ids
    pieces = [read_sentencepiece(folder / name) for name in (SOURCE, TARGET)]
    notes = tuple(_notes(folder, pieces, (ids, target_ids)))
    source = _tokenizer(pieces[0], ids, folder)
    if pieces[0] == pieces[1] and not own:
        return MarianTokenizers(source, source, notes)
    return MarianTokenizers(source, _tokenizer(pieces[1], target_ids, folder), notes)


def _tokenizer(given: SentencePieces, ids: Mapping[str, int], folder: Path) -> Tokenizer:
    _check_ids(ids, folder)
    scores = {piece.text: piece.score for piece in given.pieces if piece.kind == "normal"}
    lowest = min(scores.values())
    rows = [(_spelt(piece, scores), scores.get(piece, lowest)) for piece in sorted(ids, key=ids.__getitem__)]
    try:
        library = tokenizers.Tokenizer(models.Unigram(rows, unk_id=ids[UNKNOWN]))
        library.normalizer = normalizers.Sequence(list(_normalizers(given)))
    except Exception as problem:  # noqa: BLE001  the library raises bare Exception for all that it finds wrong
        raise RunError(f"The vocabulary of {folder} cannot be used: {str(problem)[:120]}. Fetch it again.") from None
    marks = pre_tokenizers.Metaspace(SPACE, prepend_scheme="always" if given.prefix else "never", split=False)
    # A special piece that somebody typed is text: it is cut in two, and so never found in the vocabulary.
    library.pre_tokenizer = pre_tokenizers.Sequence([marks, pre_tokenizers.Split(Regex(_SPELT), "isolated")])
    spaces = decoders.Metaspace(SPACE, prepend_scheme="always" if given.prefix else "never", split=False)
    library.decoder = decoders.Sequence([decoders.Replace(MARK, ""), spaces])
    library.add_special_tokens([AddedToken(name, normalized=False, special=True) for name in SPECIALS])
    library.add_tokens([AddedToken(name, normalized=False) for name in ids if _LANGUAGE.fullmatch(name)])
    return Tokenizer(library)


def _spelt(piece: str, scores: Mapping[str, float]) -> str:
    """Return how a piece of the common list is spelt on this side."""
    return piece if piece in scores or piece in SPECIALS or _LANGUAGE.fullmatch(piece) else MARK + piece


def _normalizers(given: SentencePieces) -> Iterator[normalizers.Normalizer]:
    if given.charsmap:
        yield normalizers.Precompiled(given.charsmap)
    if given.squeeze:
        yield normalizers.Strip()
        yield normalizers.Replace(Regex(" {2,}"), " ")
    yield normalizers.Replace(MARK, LOOK_ALIKE)


def _check_ids(ids: Mapping[str, int], folder: Path) -> None:
    missing = [name for name in SPECIALS if name not in ids]
    if missing or sorted(ids.values()) != list(range(len(ids))):
        fault = f"{missing[0]} is missing" if missing else f"the ids are not 0 to {len(ids) - 1}"
        raise RunError(f"The {len(ids):,} pieces of {folder / NUMBERED} cannot be used: {fault}. Fetch it again.")


def _notes(folder: Path, pieces: list[SentencePieces], ids: tuple[Mapping[str, int], ...]) -> Iterator[str]:
    for name, given, known in zip((SOURCE, TARGET), pieces, ids, strict=True):
        strange = sum(piece.kind == "normal" and piece.text not in known for piece in given.pieces)
        if strange:
            yield f"{strange:,} of {len(given.pieces):,} pieces of {folder / name} have no id: they are cut further"
