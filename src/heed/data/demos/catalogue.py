"""The list of built-in corpora, and how one is loaded by name."""

import difflib
from functools import cache
from typing import Literal, assert_never, get_args

from heed.data.caption_splits import CaptionSplits
from heed.data.demos import (
    english_vietnamese,
    entities,
    flowers,
    flowers_scenes,
    french_english,
    hello,
    paraphrase,
    questions,
    reviews,
    tasks,
)
from heed.data.demos.grammar import Corpus, Derivation
from heed.data.image_splits import ImageSplits
from heed.data.labelled_splits import LabelledSplits
from heed.data.question_splits import QuestionSplits
from heed.data.records import LabelledText, TaggedText, TextPair
from heed.data.splits import PairSplits
from heed.data.tagged_splits import TaggedSplits
from heed.data.text_splits import TextSplits
from heed.errors import DataError

DemoName = Literal["fr-en", "en-vi", "tasks"]
LabelledDemoName = Literal["reviews", "reviews-vi", "paraphrase"]
TaggedDemoName = Literal["entities"]
DEMOS: tuple[str, ...] = get_args(DemoName)
TAGGED_DEMOS: tuple[str, ...] = get_args(TaggedDemoName)
TEXT_DEMOS = ("hello",)
QUESTION_DEMOS = ("questions",)
IMAGE_DEMOS = ("flowers",)
CAPTION_DEMOS = ("flowers",)

# For which task each is made.
TASKS = {
    **dict.fromkeys(DEMOS, "translate"),
    "reviews": "classify",
    "reviews-vi": "classify",
    "paraphrase": "pair",
    "entities": "tag",
    "questions": "answer",
    "hello": "write",
    "flowers": "image or caption",
    "royals": "vectors",
}

_UNSEEN = {
    "fr-en": "no (subject, verb, complement) of valid or test occurs in train",
    "en-vi": "no (subject, verb, complement) of valid or test occurs in train",
    "tasks": "no (subject, verb, complement), (thing, opinion) or (fact, phrasing) of valid or test occurs in train",
    "reviews": "no (thing, judgement) that decides a review of valid or test decides one of train",
    "reviews-vi": "no (thing, judgement) that decides a review of valid or test decides one of train",
    "paraphrase": "no (who, does what, to whom) of valid or test occurs in train",
    "entities": "no name of valid or test occurs in train",
    "flowers": "no (kind, colour, background) of test occurs in train or valid",
}


def load_demo(name: str) -> PairSplits:
    """Return the built-in corpus of that name, made on first use and kept."""
    for known in get_args(DemoName):
        if name == known:
            return _load(known)
    raise DataError(_no_corpus(name, DEMOS))


def load_labelled_demo(name: str) -> LabelledSplits:
    """Return the built-in corpus of labelled texts of that name, made on first use and kept."""
    for known in get_args(LabelledDemoName):
        if name == known:
            return _load_labelled(known)
    raise DataError(_no_corpus(name, get_args(LabelledDemoName)))


def load_tagged_demo(name: str) -> TaggedSplits:
    """Return the built-in corpus of tagged sentences of that name, made on first use and kept."""
    for known in get_args(TaggedDemoName):
        if name == known:
            return _load_tagged(known)
    raise DataError(_no_corpus(name, TAGGED_DEMOS))


def load_text_demo(name: str) -> TextSplits:
    """Return the built-in text of that name, made on first use and kept."""
    if name not in TEXT_DEMOS:
        raise DataError(_no_corpus(name, TEXT_DEMOS))
    return hello.corpus()


def load_question_demo(name: str) -> QuestionSplits:
    """Return the built-in questions on paragraphs of that name, made on first use and kept."""
    if name not in QUESTION_DEMOS:
        raise DataError(_no_corpus(name, QUESTION_DEMOS))
    return questions.splits()


def load_image_demo(name: str) -> ImageSplits:
    """Return the built-in labelled pictures of that name; they are drawn when they are wanted."""
    if name not in IMAGE_DEMOS:
        raise DataError(_no_corpus(name, IMAGE_DEMOS))
    train, valid, test = flowers.labelled_flowers()
    return ImageSplits(train, valid, test, "demo:flowers", _flowers_note(len(train), len(valid), len(test)))


def load_caption_demo(name: str) -> CaptionSplits:
    """Return the built-in captioned pictures of that name; they are drawn when they are wanted."""
    if name not in CAPTION_DEMOS:
        raise DataError(_no_corpus(name, CAPTION_DEMOS))
    train, valid, test = flowers.captioned_flowers()
    return CaptionSplits(train, valid, test, "demo:flowers", _flowers_note(len(train), len(valid), len(test)))


def labelled_demos(texts: int) -> tuple[str, ...]:
    """Return the names of the corpora with one labelled text a record, or with two."""
    task = "pair" if texts == 2 else "classify"
    return tuple(name for name in get_args(LabelledDemoName) if TASKS[name] == task)


@cache
def _load(name: DemoName) -> PairSplits:
    corpus = _corpus(name)
    return PairSplits(
        train=_pairs(name, "train", corpus.train),
        valid=_pairs(name, "valid", corpus.valid),
        test=_pairs(name, "test", corpus.test),
        origin=f"demo:{name}",
        note=_note(name, corpus),
    )


@cache
def _load_labelled(name: LabelledDemoName) -> LabelledSplits:
    corpus = _corpus(name)
    return LabelledSplits(
        train=_labelled(name, "train", corpus.train),
        valid=_labelled(name, "valid", corpus.valid),
        test=_labelled(name, "test", corpus.test),
        origin=f"demo:{name}",
        note=_note(name, corpus),
    )


@cache
def _load_tagged(name: TaggedDemoName) -> TaggedSplits:
    corpus = _corpus(name)
    return TaggedSplits(
        train=_tagged(name, "train", corpus.train),
        valid=_tagged(name, "valid", corpus.valid),
        test=_tagged(name, "test", corpus.test),
        scheme="IOB2",
        origin=f"demo:{name}",
        note=_note(name, corpus),
    )


def _corpus(name: DemoName | LabelledDemoName | TaggedDemoName) -> Corpus:
    match name:
        case "fr-en":
            return french_english.corpus()
        case "en-vi":
            return english_vietnamese.corpus()
        case "tasks":
            return tasks.corpus()
        case "reviews":
            return reviews.english()
        case "reviews-vi":
            return reviews.vietnamese()
        case "paraphrase":
            return paraphrase.corpus()
        case "entities":
            return entities.corpus()
        case _:
            assert_never(name)


def _note(name: str, corpus: Corpus) -> str:
    counts = f"{len(corpus.train)} train, {len(corpus.valid)} valid, {len(corpus.test)} test"
    return f"generated by a grammar, seed {corpus.seed!r}: {counts}; {_UNSEEN[name]}"


def _flowers_note(train: int, valid: int, test: int) -> str:
    counts = f"{train} train, {valid} valid, {test} test"
    return f"drawn by lot, seed {flowers_scenes.SEED!r}: {counts}; {_UNSEEN['flowers']}"


def _pairs(name: str, split: str, derivations: tuple[Derivation, ...]) -> tuple[TextPair, ...]:
    return tuple(
        TextPair(source=made.source, target=made.target, place=f"demo:{name}:{split}:{number}")
        for number, made in enumerate(derivations, start=1)
    )


def _labelled(name: str, split: str, derivations: tuple[Derivation, ...]) -> tuple[LabelledText, ...]:
    # The source of a derivation is one text; the two of `paraphrase` stand on two lines of it.
    return tuple(
        LabelledText(texts=tuple(made.source.split("\n")), label=made.target, place=f"demo:{name}:{split}:{number}")
        for number, made in enumerate(derivations, start=1)
    )


def _tagged(name: str, split: str, derivations: tuple[Derivation, ...]) -> tuple[TaggedText, ...]:
    return tuple(
        TaggedText(tuple(made.source.split()), tuple(made.target.split()), place=f"demo:{name}:{split}:{number}")
        for number, made in enumerate(derivations, start=1)
    )


def _no_corpus(name: str, known: tuple[str, ...]) -> str:
    nearest = difflib.get_close_matches(name, known, n=1, cutoff=0.0)[0]
    return (
        f"There is no built-in corpus {name!r}. The nearest is 'demo:{nearest}'; "
        f"choose one of: {', '.join(f'demo:{demo}' for demo in known)}."
    )
