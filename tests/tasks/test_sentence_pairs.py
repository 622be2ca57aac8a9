"""Pairs for next-sentence prediction: true ones go on, false ones are of another document, and both are cut alike."""

from collections.abc import Sequence
from pathlib import Path

import numpy
import pytest

from heed.data.documents import Document, read_documents
from heed.data.token_store import open_store, write_store
from heed.errors import DataError
from heed.tasks.masking import build_masking
from heed.tasks.pretrain import UNLABELLED, Sequencer, batch_of
from heed.tasks.sentence_pairs import Pair, Partners, SentencePairs, build_pairs
from heed.tasks.sequences import cut_stretches
from heed.tokens.settings import TokenizerSettings
from heed.tokens.tokenizer import Tokenizer
from heed.tokens.training import train_tokenizer

WIKITEXT = Path(__file__).resolve().parents[3] / "shared/data/wikitext2/valid.txt"
WORDS = [f"w{number:02}" for number in range(60)]
ROOM = 20


class Coin(numpy.random.Generator):
    """Draws like any generator, but the coin that says whether a text goes on falls as it is told."""

    falls = 0.0

    def random(self, *_: object) -> float:  # type: ignore[override]
        return self.falls


def coin(seed: int, falls: float) -> Coin:
    made = Coin(numpy.random.PCG64(seed))
    made.falls = falls
    return made


@pytest.fixture(scope="module")
def tokenizer() -> Tokenizer:
    return train_tokenizer([" ".join(WORDS)], TokenizerSettings(kind="words"), "bert")


def pairs_of(folder: Path, documents: Sequence[Sequence[str]], tokenizer: Tokenizer, room: int = ROOM) -> SentencePairs:
    write_store(folder, [Document(tuple(each), f"a:{number}") for number, each in enumerate(documents)], tokenizer)
    return build_pairs(cut_stretches(open_store(folder), room))


@pytest.fixture(scope="module")
def pairs(tmp_path_factory: pytest.TempPathFactory, tokenizer: Tokenizer) -> SentencePairs:
    """Return pairs of 20 documents, each of words of its own: document d has w(3d) to w(3d + 2)."""
    draw, documents = numpy.random.default_rng(3), []
    for number in range(20):
        own = WORDS[3 * number : 3 * number + 3]
        lengths = draw.integers(1, 9, size=draw.integers(1, 12))
        documents.append([" ".join(draw.choice(own, size=length)) for length in lengths])
    return pairs_of(tmp_path_factory.mktemp("store"), documents, tokenizer)


def document_of(tokens: numpy.ndarray) -> set[int]:
    return set(((tokens - 5) // 3).tolist())  # five special pieces come first, then three words a document


def test_a_second_text_goes_on_or_comes_from_another_document(pairs: SentencePairs) -> None:
    whole = f" {' '.join(map(str, pairs.stretches.store.tokens))} "
    for index in list(range(len(pairs))) * 20:
        pair = pairs.draw(index, numpy.random.default_rng(index))
        assert len(document_of(pair.first)) == len(document_of(pair.second)) == 1
        goes_on = f" {' '.join(map(str, [*pair.first, *pair.second]))} " in whole
        same = document_of(pair.first) == document_of(pair.second)
        assert (goes_on, same) == ((True, True) if pair.follows else (False, False))


def test_half_of_the_second_texts_go_on(pairs: SentencePairs) -> None:
    drawn = [pairs.draw(index, numpy.random.default_rng(seed)) for seed in range(100) for index in range(len(pairs))]
    assert 0.47 < numpy.mean([bool(pair.follows) for pair in drawn]) < 0.53


def test_neither_the_first_text_nor_any_length_depends_on_the_label(pairs: SentencePairs) -> None:
    for seed in range(30):
        for index in range(len(pairs)):
            true, false = (pairs.draw(index, coin(seed, falls)) for falls in (0.0, 0.9))
            assert (true.follows, false.follows) == (True, False)
            assert true.first.tolist() == false.first.tolist()
            assert len(true.second) == len(false.second)
            assert true.second.tolist() != false.second.tolist()


def test_neither_text_is_empty_and_both_fit_the_room(pairs: SentencePairs) -> None:
    longest = pairs.lengths()
    for seed in range(30):
        for index in range(len(pairs)):
            pair = pairs.draw(index, numpy.random.default_rng(seed))
            assert min(len(pair.first), len(pair.second)) >= 1
            assert len(pair.first) + len(pair.second) <= longest[index] <= ROOM


def test_both_texts_of_documents_with_several_sentences_meet_between_sentences(pairs: SentencePairs) -> None:
    store = pairs.stretches.store
    starts = {0, *store.sentence_ends.tolist()}
    first_of_document = {0, *store.sentence_ends[store.document_ends - 1].tolist()}
    tokens = store.tokens.tolist()
    for index in pairs.several.stretches.tolist():
        pair = pairs.draw(index, coin(index, 0.9))
        found = [at for at in starts if tokens[at : at + len(pair.second)] == pair.second.tolist()]
        assert any(at not in first_of_document for at in found)  # what a document begins with never goes on


def test_a_pair_of_a_long_document_fills_the_room(tmp_path: Path, tokenizer: Tokenizer) -> None:
    documents = [["w01 w02 w03 w04 w05"] * 100, ["w06 w07 w08 w09 w10"] * 100]
    pairs = pairs_of(tmp_path, documents, tokenizer)
    drawn = [pairs.draw(index, numpy.random.default_rng(index)) for index in range(len(pairs))]
    sizes = [len(pair.first) + len(pair.second) for pair in drawn]
    assert numpy.mean(numpy.asarray(sizes) == ROOM) > 0.8


def test_near_the_end_of_a_document_both_second_texts_end_with_a_sentence_or_neither(
    tmp_path: Path, tokenizer: Tokenizer
) -> None:
    draw, end = numpy.random.default_rng(4), "w59"  # stands at the end of each sentence alone
    sentences = [" ".join([*draw.choice(WORDS[:59], size=size), end]) for size in draw.integers(2, 7, size=120)]
    pairs = pairs_of(tmp_path, list(zip(sentences[::2], sentences[1::2], strict=True)), tokenizer)
    ends = []
    for seed in range(20):
        for index in range(len(pairs)):
            drawn = (pairs.draw(index, coin(seed, falls)) for falls in (0.0, 0.9))
            ends.append([bool(pair.second[-1] == tokenizer.id_of(end)) for pair in drawn])
    true, false = numpy.asarray(ends).T
    assert numpy.mean(true == false) > 0.98
    assert 0.01 < true.mean() < 0.5


def test_every_stretch_is_a_partner_equally_often_and_never_within_its_document() -> None:
    partners = Partners(numpy.asarray([3, 4, 5, 8, 9, 11, 12, 15]), largest=3)
    counts = {int(stretch): 0 for stretch in partners.stretches}
    generator = numpy.random.default_rng(5)
    for _ in range(1000):
        for place, stretch in enumerate(partners.stretches.tolist()):
            found = partners.draw(stretch, generator)
            distance = abs(partners.stretches.tolist().index(found) - place)
            assert 3 <= distance <= 5
            counts[found] += 1
    assert min(counts.values()) > 900
    assert max(counts.values()) < 1100


def test_documents_of_one_sentence_are_cut_within_it_and_paired_with_each_other(
    tmp_path: Path, tokenizer: Tokenizer
) -> None:
    single = [[f"w0{number} w1{number} w2{number} w3{number}"] for number in range(6)]
    several = [[f"w4{number} w4{number}", f"w5{number} w5{number}"] for number in range(6)]
    pairs = pairs_of(tmp_path, [each for both in zip(single, several, strict=True) for each in both], tokenizer)
    boundary = tokenizer.id_of("w39")
    for index in range(12):
        pair = pairs.draw(index, coin(index, 0.9))
        assert (pair.first <= boundary).all() == (pair.second <= boundary).all() == (index % 2 == 0)


def test_a_document_of_one_token_is_left_out_and_counted(tmp_path: Path, tokenizer: Tokenizer) -> None:
    documents = [["w01"], ["w02 w03"], ["w04"], ["w05 w06"]]
    pairs = pairs_of(tmp_path, documents, tokenizer)
    assert len(pairs) == 2
    assert pairs.stretches.cut == 2
    drawn = [pairs.draw(index, numpy.random.default_rng(seed)) for index in range(2) for seed in range(9)]
    assert {len(pair.second) for pair in drawn} == {1}


def test_documents_of_one_token_alone_are_refused(tmp_path: Path, tokenizer: Tokenizer) -> None:
    with pytest.raises(DataError, match=r"None of the 2 documents has two tokens.*--objective mlm"):
        pairs_of(tmp_path, [["w01"], ["w02"]], tokenizer)


def test_tokens_that_no_pair_reaches_are_counted(tmp_path: Path, tokenizer: Tokenizer) -> None:
    long = " ".join(["w01"] * 50)
    pairs = pairs_of(tmp_path, [["w02 w03", long, "w04"], [long, "w05"], [long]], tokenizer)
    assert pairs.stretches.cut == (50 - 2 * (ROOM - 1)) + (50 - (ROOM - 1)) + 0


@pytest.mark.parametrize("sizes", [[40], [40, 10], [25, 24]], ids=str)
def test_without_enough_other_documents_no_pair_has_a_label(
    tmp_path: Path, tokenizer: Tokenizer, sizes: list[int]
) -> None:
    documents = [[f"w{number}{number} w{number}{number} w{number}{number}"] * size for number, size in enumerate(sizes)]
    pairs = pairs_of(tmp_path, documents, tokenizer)
    sequencer = Sequencer(pairs.stretches, build_masking(tokenizer, 0.15, False), tokenizer, pairs, seed=1)
    assert pairs.labelled == 0
    batch = batch_of([sequencer.example(index, 0) for index in range(len(pairs))], pairs=True)
    assert batch.order is not None
    assert set(batch.order.tolist()) == {UNLABELLED}
    assert sequencer.audit_pairs() is None


def test_two_equal_documents_are_enough(tmp_path: Path, tokenizer: Tokenizer) -> None:
    pairs = pairs_of(tmp_path, [["w01 w02"] * 20, ["w03 w04"] * 20], tokenizer)
    assert pairs.labelled == len(pairs)


def corpus_sequencer(folder: Path, documents: Sequence[Document]) -> Sequencer:
    sentences = (sentence for document in documents for sentence in document.sentences)
    tokenizer = train_tokenizer(sentences, TokenizerSettings(kind="words", size=8000, lowercase=True), "bert")
    write_store(folder, documents, tokenizer)
    pairs = build_pairs(cut_stretches(open_store(folder), 125))
    return Sequencer(pairs.stretches, build_masking(tokenizer, 0.15, False), tokenizer, pairs, seed=3)


@pytest.fixture(
    scope="module",
    params=[
        "demo:reviews",
        pytest.param(
            str(WIKITEXT), marks=pytest.mark.skipif(not WIKITEXT.exists(), reason="WikiText-2 is not at ../shared/data")
        ),
    ],
    ids=["demo", "wikitext"],
)
def real(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Sequencer:
    return corpus_sequencer(tmp_path_factory.mktemp("real"), list(read_documents([request.param])))


def test_lengths_and_outer_tokens_of_real_text_do_not_tell_the_label(real: Sequencer) -> None:
    audit = real.audit_pairs()
    assert audit is not None
    assert audit.pairs >= 4000
    assert 0.46 < audit.follows < 0.54
    assert audit.by_length <= 0.55
    assert audit.by_first_token <= 0.55
    assert audit.by_last_token <= 0.55


def sentence_marks(tokenizer: Tokenizer) -> numpy.ndarray:
    """Return of each id whether it ends a sentence."""
    return numpy.asarray([tokenizer.piece(id).strip("￭") in (".", "!", "?") for id in range(tokenizer.size)])


def drawn_from(real: Sequencer) -> list[Pair]:
    assert real.drawn is not None
    return [real.drawn.draw(number % len(real), numpy.random.default_rng(number)) for number in range(6000)]


def test_the_end_of_a_sentence_at_the_end_of_real_text_does_not_tell_the_label(real: Sequencer) -> None:
    marks = sentence_marks(real.tokenizer)
    right = [bool(marks[pair.second[-1]]) == pair.follows for pair in drawn_from(real)]
    assert 0.45 <= numpy.mean(right) <= 0.55


def test_a_whole_sentence_in_the_second_text_does_not_tell_the_label(real: Sequencer) -> None:
    marks = sentence_marks(real.tokenizer)
    right = [bool(marks[pair.second].any()) == pair.follows for pair in drawn_from(real)]
    assert 0.45 <= numpy.mean(right) <= 0.55
