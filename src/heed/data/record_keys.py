"""By what records are the same: one normal form of a text, and the keys of each kind of record.

`composed` (NFC) makes two spellings of the same characters one; `same_text` also ignores case and white space. The
`*_key` of two records are equal where they are the same record; `input_texts` are the texts that a model reads: two
records that share one of them must not stand on two sides of a split.
"""

import unicodedata

from heed.data.records import LabelledText, Question, TaggedText, TextPair


def composed(text: str) -> str:
    """Return the text in NFC, in which two spellings of the same characters are one."""
    return unicodedata.normalize("NFC", text)


def same_text(text: str) -> str:
    """Return the text in NFC without differences of case and white space."""
    return " ".join(composed(text).casefold().split())


def pair_key(pair: TextPair) -> tuple[str, str]:
    """Return the source and the target."""
    return composed(pair.source), composed(pair.target)


def labelled_key(record: LabelledText) -> tuple[str, ...]:
    """Return the text, or both texts in their order."""
    return tuple(map(composed, record.texts))


def question_key(question: Question) -> tuple[str, str]:
    """Return the paragraph, and the question without differences of case and white space."""
    return composed(question.context), same_text(question.question)


def tagged_key(record: TaggedText) -> tuple[str, ...]:
    """Return the words."""
    return tuple(map(composed, record.words))


def input_texts(record: TextPair | LabelledText | Question | TaggedText) -> tuple[str, ...]:
    """Return the texts of a record by which a model could recognise it: source, text or both, paragraph, sentence."""
    match record:
        case TextPair(source):
            return (same_text(source),)
        case LabelledText(texts):
            return tuple(map(same_text, texts))
        case Question():
            return (same_text(record.context),)
        case TaggedText():
            return (same_text(record.text),)
