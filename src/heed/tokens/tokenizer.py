"""`Tokenizer`: text to ids and back, over the `tokenizers` library and in its own `tokenizer.json` format.

`pad`, `unknown`, `start`, `end` and `mask` are ids with a meaning of their own (see `roles`). Encoding adds none of
them: that is the task's business. Text that happens to contain "[END]" is text, never the special piece. What the
vocabulary does not hold becomes the unknown id and is counted; vocabularies that we train have no byte pieces, because
those would cut characters in two and could not be shown.

    bpe, characters    one unknown for each character never seen in training
    words              one unknown for each word outside the vocabulary
    wordpiece          one unknown for each word with a character never seen, or longer than 100 characters
"""

import hashlib
import json
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property

import tokenizers
from tokenizers import normalizers

from heed.errors import DataError, RunError
from heed.tokens.composing import Composed, compose
from heed.tokens.encoded import Encoded
from heed.tokens.roles import find_roles
from heed.tokens.settings import TokenizerSettings, VocabularyKind

_WAY_OUT = "Train again or restore tokenizer.json."
UNKNOWN_SIGN = "⁇"  # how decoded text shows an unknown piece, so that it is never lost unseen


class Tokenizer:
    """A trained vocabulary with its rules for cutting text and joining it again."""

    def __init__(self, library: tokenizers.Tokenizer) -> None:
        """Wrap a tokenizer of the library; use `train_tokenizer` or `Tokenizer.from_json` to get one."""
        self._library = library
        # Without this, "[END]" typed by a user would become the end of the text. The file format cannot say it.
        self._library.encode_special_tokens = True
        # A file may ask for cutting and padding, which would happen unseen: both are the task's business, and counted.
        self._library.no_truncation()
        self._library.no_padding()
        self._pieces = _pieces_in_order(library)
        added = library.get_added_tokens_decoder()
        self._specials = frozenset(id for id, token in added.items() if token.special)
        roles = find_roles({self._pieces[id]: id for id in sorted(self._specials)})
        self.pad, self.unknown, self.start, self.end = roles.pad, roles.unknown, roles.start, roles.end
        self.mask = roles.mask
        # RoBERTa's mask stands for the space before a word, too.
        self.mask_takes_space = roles.mask is not None and added[roles.mask].lstrip
        self.has_words = library.pre_tokenizer is not None
        # Only ours compose first, and know marks between words; those that others made may leave accents apart.
        self.is_ours = _composes_first(library.normalizer)
        self._joined = isinstance(library.model, tokenizers.models.WordLevel | tokenizers.models.WordPiece)

    @property
    def size(self) -> int:
        """Return the number of pieces, special ones included."""
        return len(self._pieces)

    @property
    def settings(self) -> TokenizerSettings:
        """Return the settings that describe this vocabulary; the minimum count it was trained with cannot be known."""
        return TokenizerSettings(
            kind=_kind(self._library.model),
            size=self.size,
            lowercase=_folds(self._library.normalizer, "A", "a"),
            strip_accents=_folds(self._library.normalizer, "\u00e9", "e"),
        )

    @property
    def specials(self) -> tuple[str, ...]:
        """Return the special pieces in the order of their ids."""
        return tuple(self._pieces[id] for id in sorted(self._specials))

    def piece(self, id: int) -> str:
        """Return the piece with this id."""
        if not 0 <= id < self.size:
            raise DataError(f"There is no piece with id {id}. Ids of this tokenizer go from 0 to {self.size - 1}.")
        return self._pieces[id]

    def id_of(self, piece: str) -> int:
        """Return the id of a piece, such as an extra special one."""
        id = self._library.token_to_id(piece)
        if id is None:
            raise DataError(f"This tokenizer has no piece {piece!r}. Its special pieces are {' '.join(self.specials)}.")
        return id

    def encode(self, text: str) -> Encoded:
        """Return the pieces of a text with their places in it; no special piece is added."""
        return self.encode_many([text])[0]

    def encode_many(self, texts: Sequence[str]) -> list[Encoded]:
        """Return the pieces of each text, the texts spread over the processor's cores."""
        composed = [
            None if not self.is_ours or unicodedata.is_normalized("NFC", text) else compose(text) for text in texts
        ]
        ready = [text if done is None else done.text for text, done in zip(texts, composed, strict=True)]
        encodings = _run(self._library.encode_batch, ready)
        return [self._to_encoded(encoding, done) for encoding, done in zip(encodings, composed, strict=True)]

    def ids_of(self, texts: Sequence[str]) -> list[list[int]]:
        """Return only the ids of each text: the same as `encode_many`, without the price of places."""
        return [encoding.ids for encoding in _run(self._library.encode_batch_fast, list(texts))]

    def decode(self, ids: Iterable[int]) -> str:
        """Return the text of the ids, without special pieces; an unknown one is shown as "⁇"."""
        pieces = [
            UNKNOWN_SIGN if id == self.unknown else self.piece(id)
            for id in ids
            if id == self.unknown or id not in self._specials
        ]
        with _panics_told():
            return self._library.decoder.decode(pieces)

    def to_json(self) -> str:
        """Return the whole tokenizer in the library's `tokenizer.json` format."""
        return self._library.to_str()

    @classmethod
    def from_json(cls, text: str) -> "Tokenizer":
        """Return the tokenizer that `to_json` wrote."""
        _check_json(text)
        try:
            with _panics_told():
                library = tokenizers.Tokenizer.from_str(text)
        except RunError:
            raise
        except Exception as problem:  # noqa: BLE001  the library raises bare Exception for all that it finds wrong
            raise RunError(f"The tokenizer is damaged ({problem!s:.200}). {_WAY_OUT}") from None
        return cls(library)

    @cached_property
    def fingerprint(self) -> str:
        """Return a digest that is equal for tokenizers that do the same."""
        canonical = json.dumps(json.loads(self.to_json()), sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(canonical.encode()).hexdigest()

    def __reduce__(self) -> tuple[Callable[[str], "Tokenizer"], tuple[str]]:
        return Tokenizer.from_json, (self.to_json(),)

    def _to_encoded(self, encoding: tokenizers.Encoding, composed: Composed | None) -> Encoded:
        ids, pieces, offsets = encoding.ids, encoding.tokens, encoding.offsets
        if self._joined:
            offsets = _without_overlap(offsets)
        if composed is not None:
            offsets = [composed.original_span(start, end) for start, end in offsets]
        return Encoded(tuple(ids), tuple(pieces), tuple(offsets), ids.count(self.unknown))


def _kind(model: tokenizers.models.Model) -> VocabularyKind:
    match model:
        case tokenizers.models.WordPiece():
            return "wordpiece"
        case tokenizers.models.WordLevel():
            return "words"
        case tokenizers.models.Unigram():
            return "unigram"
        case _:  # byte pairs; without any merge, single characters
            return "bpe" if json.loads(model.__getstate__())["merges"] else "characters"


def _folds(normalizer: normalizers.Normalizer | None, character: str, into: str) -> bool:
    """Tell whether a character becomes another one before it is looked up."""
    if normalizer is None:
        return False
    with _panics_told():
        shown = normalizer.normalize_str(character)
    return character not in shown and shown.endswith(into)


def _composes_first(normalizer: normalizers.Normalizer | None) -> bool:
    if not isinstance(normalizer, normalizers.Sequence):
        return False
    return len(normalizer) > 0 and isinstance(normalizer[0], normalizers.NFC)


def _without_overlap(offsets: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Let no piece start before the one before it ends: a joiner was set down on the character to its left."""
    result: list[tuple[int, int]] = []
    reached = 0
    for start, end in offsets:
        start, reached = max(start, reached), max(end, reached)
        result.append((start, reached))
    return result


def _run(encode: Callable[..., list[tokenizers.Encoding]], texts: list[str]) -> list[tokenizers.Encoding]:
    try:
        with _panics_told():
            return encode(texts, add_special_tokens=False)
    except (TypeError, UnicodeEncodeError):
        raise DataError(describe_bad_text(texts)) from None


@contextmanager
def _panics_told() -> Iterator[None]:
    """Turn a panic of the library, which is written in another language, into a sentence."""
    try:
        yield
    except BaseException as problem:
        if type(problem).__name__ != "PanicException":  # it is of no class that could be imported
            raise
        raise RunError(f"The tokenizer is damaged: it broke down ({problem!s:.120}). {_WAY_OUT}") from None


def describe_bad_text(texts: Sequence[object]) -> str:
    """Return a sentence about the first of the texts that the library cannot take."""
    for number, text in enumerate(texts):
        if not isinstance(text, str):
            return f"Text {number} is not text but {type(text).__name__}: {text!r:.80}. Give a string."
        if any("\ud800" <= character <= "\udfff" for character in text):
            return f"Text {number} holds half of a surrogate pair: {text!r:.80}. Decode the file as UTF-8 first."
    return f"The {len(texts)} texts cannot be encoded. Give a sequence of strings."


def _pieces_in_order(library: tokenizers.Tokenizer) -> list[str]:
    vocabulary = library.get_vocab(with_added_tokens=True)
    pieces = sorted(vocabulary, key=vocabulary.__getitem__)
    if [vocabulary[piece] for piece in pieces] != list(range(len(pieces))):
        raise RunError(
            f"The {len(pieces)} pieces of the tokenizer do not have the ids 0 to {len(pieces) - 1}. {_WAY_OUT}"
        )
    return pieces


def _check_json(text: str) -> None:
    """Refuse what is no tokenizer before the library sees it, which notices some damage only when encoding."""
    try:
        values = json.loads(text)
    except (ValueError, RecursionError) as problem:
        raise RunError(f"The tokenizer is not readable JSON ({problem}; {len(text)} characters). {_WAY_OUT}") from None
    model = values.get("model") if isinstance(values, dict) else None
    vocabulary = model.get("vocab") if isinstance(model, dict) else None
    if not isinstance(model, dict) or not isinstance(vocabulary, dict | list) or not values.get("decoder"):
        raise RunError(f"The tokenizer has no vocabulary or no decoder in it: {text!r:.80}. {_WAY_OUT}")
    if model.get("dropout"):
        raise RunError(
            f"The tokenizer's dropout is {model['dropout']!r:.40}: it would cut a text differently each time. "
            f"Set it to null."
        )
    unknown = model.get("unk_token")
    if unknown is not None and (not isinstance(unknown, str) or unknown not in vocabulary):
        raise RunError(
            f"The tokenizer's unknown piece is {unknown!r:.80}, which its vocabulary does not hold. {_WAY_OUT}"
        )
