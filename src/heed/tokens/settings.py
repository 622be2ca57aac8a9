"""What a tokenizer is to be: the kind of piece, how many, and what is folded together before counting."""

from typing import Literal, get_args

from heed.errors import SettingsError
from heed.settings import settings

TokenizerKind = Literal["bpe", "wordpiece", "words", "characters"]  # that can be trained here
VocabularyKind = TokenizerKind | Literal["unigram"]  # and what some published models have

# A vocabulary larger than this is a typing error: the embedding alone would take gigabytes.
LARGEST_SIZE = 1_000_000


@settings
class TokenizerSettings:
    """The settings of `train_tokenizer`."""

    # bpe: for generating text; wordpiece: for BERT; words and characters: for showing how models work. Some published
    # models have unigrams, of which none are trained here.
    kind: VocabularyKind = "bpe"
    # Pieces, special ones included: an upper limit, a small corpus gives fewer. 8,000 suits ten thousands of sentences.
    size: int = 8000
    # "The" and "the" become one. Off, because text that is generated would lose its capitals.
    lowercase: bool = False
    # "été" and "ete" become one. Never tied to `lowercase`: in Vietnamese it would make one word of six.
    strip_accents: bool = False
    # Words, characters and merged pairs seen less often are left out; what is left out becomes unknown and is counted.
    minimum_count: int = 1

    def __post_init__(self) -> None:
        if self.kind not in (*get_args(TokenizerKind), "unigram"):
            raise SettingsError(
                f"Tokenizer kind is {self.kind!r}. Choose one of: {', '.join(get_args(TokenizerKind))}."
            )
        if not 5 <= self.size <= LARGEST_SIZE:
            raise SettingsError(
                f"Tokenizer size is {self.size}. Give a number from 5 (four are special) to {LARGEST_SIZE}."
            )
        if self.minimum_count < 1:
            raise SettingsError(f"Tokenizer minimum_count is {self.minimum_count}. Give 1 or more; 1 keeps everything.")

    @property
    def trained_kind(self) -> TokenizerKind:
        """Return the kind of a vocabulary that is to be trained."""
        if self.kind == "unigram":
            raise SettingsError(
                f"tokens.kind is unigram, which only published models have. To train a vocabulary, choose one of: "
                f"{', '.join(get_args(TokenizerKind))}."
            )
        return self.kind
