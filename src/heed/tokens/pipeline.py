"""The stages around a vocabulary: what is folded together, where text is cut, and how pieces become text again.

Two schemes of marks make decoding exact:

    bpe, characters     "▁" stands for a space:              ▁Is ▁he ▁here ?        ▁l'Afrique
    words, wordpiece    "￭" stands for "no space here":       Is he here ￭?          l ￭'￭ Afrique

The second leaves words bare, so that "Afrique" is one word whether or not an apostrophe stands before it; only
punctuation carries the mark. Wordpiece adds its "##" for going on inside a word. Text that itself holds the mark of its
scheme is changed to the look-alike "_" or "■". Words and wordpiece give any run of white space back as one space.
A word never runs past a punctuation mark, so no piece of text can ever be spelt like a special piece such as "[END]".
"""

from tokenizers import Regex, decoders, normalizers, pre_tokenizers

from heed.tokens.settings import TokenizerKind, TokenizerSettings

SPACE = "▁"
JOINER = "￭"
CONTINUING = "##"

# An apostrophe between letters belongs to its word in bpe ("d'un" is worth a piece of its own); "..." may become one.
_BPE_PUNCTUATION = rf"{SPACE}?(?!(?<=\w)['’](?=\w))([^\w\s{SPACE}])\1*"
# Bpe sets a mark before a text unless it begins with one, and takes the first mark away when it decodes: a space that a
# line begins with would be lost. With a mark of its own before it, it is not.
_LEADING_SPACE = r"\A "
# "_" counts as a letter: it joins the syllables of a word in segmented Vietnamese.
_GLUED = r"(?<=\S)(?=[^\w\s])|(?<=[^\w\s])(?=\w)"
_JOINED_PUNCTUATION = rf"{JOINER}?[^\w\s{JOINER}](?:{JOINER}(?=\w))?"


def build_normalizer(settings: TokenizerSettings, leading_space: bool = False) -> normalizers.Sequence:
    """Return the stage that composes, folds as asked, and sets the marks that must be there before cutting.

    `leading_space`: a space that a text begins with is a part of it, and comes back when it is decoded. Bpe loses it
    otherwise, which suits texts that stand for themselves: " Hello" means what "Hello" means.
    """
    stages: list[normalizers.Normalizer] = [normalizers.NFC()]
    if settings.lowercase:
        stages.append(normalizers.Lowercase())
    if settings.strip_accents:
        # The last NFC puts Korean syllables together again, which NFD takes apart.
        stages += [normalizers.NFD(), normalizers.StripAccents(), normalizers.NFC()]
    if leading_space and settings.trained_kind == "bpe":
        return normalizers.Sequence([*stages, *_mark("bpe"), normalizers.Replace(Regex(_LEADING_SPACE), f"{SPACE} ")])
    return normalizers.Sequence([*stages, *_mark(settings.trained_kind)])


def _mark(kind: TokenizerKind) -> list[normalizers.Normalizer]:
    match kind:
        case "bpe":
            return [normalizers.Replace(SPACE, "_")]
        case "characters":
            return [normalizers.Replace(SPACE, "_"), normalizers.Replace(" ", SPACE)]
        case "words" | "wordpiece":
            return [normalizers.Replace(JOINER, "■"), normalizers.Replace(Regex(_GLUED), JOINER)]


def build_pre_tokenizer(kind: TokenizerKind) -> pre_tokenizers.PreTokenizer | None:
    """Return the stage that cuts text into words; characters need none."""
    match kind:
        case "bpe":
            marks = pre_tokenizers.Metaspace(SPACE, prepend_scheme="always", split=True)
            return pre_tokenizers.Sequence([marks, pre_tokenizers.Split(Regex(_BPE_PUNCTUATION), "isolated")])
        case "words" | "wordpiece":
            cut = pre_tokenizers.Split(Regex(_JOINED_PUNCTUATION), "isolated")
            return pre_tokenizers.Sequence([pre_tokenizers.WhitespaceSplit(), cut])
        case "characters":
            return None


def build_decoder(kind: TokenizerKind) -> decoders.Decoder:
    """Return the stage that turns pieces into text."""
    match kind:
        case "bpe":
            return decoders.Metaspace(SPACE, prepend_scheme="always", split=True)
        case "characters":
            return decoders.Sequence([decoders.Replace(SPACE, " "), decoders.Fuse()])
        case "words" | "wordpiece":
            spaced = decoders.WordPiece(prefix=CONTINUING, cleanup=False)
            return decoders.Sequence([spaced, decoders.Fuse(), decoders.Replace(Regex(f" ?{JOINER} ?"), "")])
