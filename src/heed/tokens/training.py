"""`train_tokenizer`: a vocabulary from texts, the same bytes every time.

The library's trainers count in hash maps. Bpe and words come out equal all the same, since ties are broken by spelling;
wordpiece does not: its "##" characters get their ids in the order in which a hash map happens to give the words. So the
alphabet is counted and sorted here, and handed to the trainer before it sees a word.
"""

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

import tokenizers
from tokenizers import AddedToken, models, normalizers, trainers

from heed.errors import DataError, SettingsError
from heed.tokens.pipeline import CONTINUING, SPACE, build_decoder, build_normalizer, build_pre_tokenizer
from heed.tokens.roles import BERT, OURS
from heed.tokens.settings import TokenizerSettings
from heed.tokens.tokenizer import Tokenizer, describe_bad_text

UNKNOWN = "[UNK]"  # in every vocabulary that is trained here
# A piece longer than this is a web address or a row of dashes, not a part of language.
LONGEST_PIECE = 40
# WordPiece tries every end of every piece, so its time grows with the square of a word: longer words are unknown.
LONGEST_WORDPIECE_WORD = 100


@dataclass(frozen=True)
class _Corpus:
    """What the trainers are given: normalised texts, the characters worth keeping, and the special pieces."""

    texts: list[str]
    alphabet: list[str]  # most frequent first, then by code point
    specials: list[str]


def train_tokenizer(
    texts: Iterable[str],
    settings: TokenizerSettings,
    specials: Literal["ours", "bert"] = "ours",
    leading_space: bool = False,
) -> Tokenizer:
    """Return a tokenizer whose vocabulary was learnt from the texts; special pieces take the first ids.

    `leading_space`: texts are lines of running text, of which a space at the beginning is a part (`build_normalizer`).
    """
    normalizer = build_normalizer(settings, leading_space)
    corpus = _read(texts, settings, normalizer, list(BERT if specials == "bert" else OURS))
    library = tokenizers.Tokenizer(_train_model(corpus, settings))
    library.normalizer = normalizer
    pre_tokenizer = build_pre_tokenizer(settings.trained_kind)
    if pre_tokenizer is not None:
        library.pre_tokenizer = pre_tokenizer
    library.decoder = build_decoder(settings.trained_kind)
    library.add_special_tokens([AddedToken(special, normalized=False, special=True) for special in corpus.specials])
    return Tokenizer(library)


def _read(
    texts: Iterable[str], settings: TokenizerSettings, normalizer: normalizers.Normalizer, specials: list[str]
) -> _Corpus:
    given = list(texts)
    try:
        normalised = [normalizer.normalize_str(text) for text in given]
    except (TypeError, UnicodeEncodeError):
        raise DataError(describe_bad_text(given)) from None
    counts: Counter[str] = Counter()
    for text in normalised:
        counts.update(text)
    if all(character.isspace() or character == SPACE for character in counts):
        raise DataError(
            f"There is nothing to learn a vocabulary from: {len(normalised)} texts, all of them empty. Give texts."
        )
    kept = [character for character, count in counts.items() if count >= settings.minimum_count]
    return _Corpus(normalised, sorted(kept, key=lambda character: (-counts[character], character)), specials)


def _train_model(corpus: _Corpus, settings: TokenizerSettings) -> models.Model:
    match settings.trained_kind:
        case "bpe":
            return _train_bpe(corpus, settings)
        case "wordpiece":
            return _train_wordpiece(corpus, settings)
        case "words":
            return _train_words(corpus, settings)
        case "characters":
            return _take_characters(corpus, settings)


def _train_bpe(corpus: _Corpus, settings: TokenizerSettings) -> models.Model:
    # The trainer sees spaces as the mark, and sets one before each text.
    alphabet = [SPACE, *(character for character in corpus.alphabet if character not in (" ", SPACE))]
    _check_room([*corpus.specials, *alphabet], settings)
    trainer = trainers.BpeTrainer(
        vocab_size=settings.size,
        min_frequency=settings.minimum_count,
        special_tokens=corpus.specials,
        initial_alphabet=alphabet,
        limit_alphabet=len(alphabet),
        max_token_length=LONGEST_PIECE,
        show_progress=False,
    )
    trained = _run_trainer(models.BPE(unk_token=UNKNOWN), trainer, corpus, settings)
    merges = [(left, right) for left, right in trained["merges"]]
    return models.BPE(trained["vocab"], merges, unk_token=UNKNOWN, fuse_unk=False)


def _train_wordpiece(corpus: _Corpus, settings: TokenizerSettings) -> models.Model:
    alphabet = sorted(character for character in corpus.alphabet if not character.isspace())
    # Every character in both forms: a known character is then never unknown because of where it stands.
    first = [*corpus.specials, *(CONTINUING + character for character in alphabet)]
    _check_room([*first, *alphabet], settings)
    trainer = trainers.WordPieceTrainer(
        vocab_size=settings.size,
        min_frequency=settings.minimum_count,
        special_tokens=first,
        initial_alphabet=alphabet,
        limit_alphabet=len(alphabet),
        continuing_subword_prefix=CONTINUING,
        show_progress=False,
    )
    trained = _run_trainer(models.WordPiece(unk_token=UNKNOWN), trainer, corpus, settings)
    return models.WordPiece(
        trained["vocab"],
        unk_token=UNKNOWN,
        max_input_chars_per_word=LONGEST_WORDPIECE_WORD,
        continuing_subword_prefix=CONTINUING,
    )


def _train_words(corpus: _Corpus, settings: TokenizerSettings) -> models.Model:
    trainer = trainers.WordLevelTrainer(
        vocab_size=settings.size,
        min_frequency=settings.minimum_count,
        special_tokens=corpus.specials,
        show_progress=False,
    )
    trained = _run_trainer(models.WordLevel(unk_token=UNKNOWN), trainer, corpus, settings)
    return models.WordLevel(trained["vocab"], unk_token=UNKNOWN)


def _take_characters(corpus: _Corpus, settings: TokenizerSettings) -> models.Model:
    pieces = [*corpus.specials, *corpus.alphabet][: settings.size]
    # Bpe without merges gives single characters, much faster than cutting the text into words of one.
    return models.BPE({piece: id for id, piece in enumerate(pieces)}, [], unk_token=UNKNOWN, fuse_unk=False)


# Any: the library's own description of a model, read from its JSON.
def _run_trainer(
    model: models.Model, trainer: trainers.Trainer, corpus: _Corpus, settings: TokenizerSettings
) -> dict[str, Any]:
    """Return the trained model as the library describes it; the trainer's tokenizer itself is thrown away."""
    workshop = tokenizers.Tokenizer(model)
    pre_tokenizer = build_pre_tokenizer(settings.trained_kind)
    if pre_tokenizer is not None:
        workshop.pre_tokenizer = pre_tokenizer
    workshop.train_from_iterator(corpus.texts, trainer, length=len(corpus.texts))
    return json.loads(workshop.to_str())["model"]


def _check_room(needed: list[str], settings: TokenizerSettings) -> None:
    if len(needed) > settings.size:
        raise SettingsError(
            f"Tokenizer size {settings.size} has no room for the alphabet: {len(needed)} pieces are needed before "
            f"the first is merged. Set size above {len(needed)}, or raise minimum_count to drop rare characters."
        )
