"""Sequences for BERT: filled with whole sentences, framed, hidden in part, drawn anew each epoch."""

from pathlib import Path

import numpy
import pytest
import torch

from heed.data.documents import Document
from heed.data.token_store import open_store, write_store
from heed.errors import SettingsError
from heed.tasks.masking import Masked, Masking, audit, build_masking
from heed.tasks.pretrain import Sequencer, batch_of
from heed.tasks.sentence_pairs import build_pairs
from heed.tasks.sequences import Stretches, cut_stretches
from heed.tokens.settings import TokenizerKind, TokenizerSettings
from heed.tokens.tokenizer import Tokenizer
from heed.tokens.training import train_tokenizer

WORDS = [f"w{number:02}" for number in range(60)]  # their ids follow their order


@pytest.fixture(scope="module")
def tokenizer() -> Tokenizer:
    return train_tokenizer([" ".join(WORDS)], TokenizerSettings(kind="words"), "bert")


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory, tokenizer: Tokenizer) -> Path:
    """Return a store of documents, each of words of its own: document d has w(3d) to w(3d + 2)."""
    folder = tmp_path_factory.mktemp("store")
    draw = numpy.random.default_rng(3)
    documents = []
    for number in range(20):
        own = WORDS[3 * number : 3 * number + 3]
        lengths = draw.integers(1, 9, size=draw.integers(1, 12))
        documents.append(Document(tuple(" ".join(draw.choice(own, size=length)) for length in lengths), f"a:{number}"))
    write_store(folder, documents, tokenizer)
    return folder


@pytest.fixture
def stretches(corpus: Path) -> Stretches:
    return cut_stretches(open_store(corpus), room=20)


@pytest.fixture
def sequencer(stretches: Stretches, tokenizer: Tokenizer) -> Sequencer:
    pairs = build_pairs(stretches)
    return Sequencer(pairs.stretches, build_masking(tokenizer, 0.15, whole_words=False), tokenizer, pairs, seed=7)


def test_stretches_are_the_corpus_in_order_without_a_gap(stretches: Stretches) -> None:
    together = numpy.concatenate([stretches.tokens(index) for index in range(len(stretches))])
    assert together.tolist() == stretches.store.tokens.tolist()
    assert stretches.lengths.tolist() == [len(stretches.tokens(index)) for index in range(len(stretches))]
    assert stretches.lengths.max() <= 20
    assert stretches.cut == 0


def test_no_stretch_has_room_for_the_next_sentence_of_its_document(stretches: Stretches) -> None:
    store = stretches.store
    sizes = numpy.diff(store.sentence_ends, prepend=0)
    ends = set(store.document_ends.tolist())
    for index in range(len(stretches)):
        following = int(stretches.ends[index])
        if following not in ends:
            assert stretches.lengths[index] + sizes[following] > 20


def test_reading_in_blocks_changes_nothing(corpus: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = cut_stretches(open_store(corpus), room=20)
    monkeypatch.setattr("heed.tasks.sequences.BLOCK", 3)
    blocks = cut_stretches(open_store(corpus), room=20)
    assert (whole.begins.tolist(), whole.ends.tolist()) == (blocks.begins.tolist(), blocks.ends.tolist())


def test_a_sentence_longer_than_the_room_is_cut_and_counted(tmp_path: Path, tokenizer: Tokenizer) -> None:
    write_store(tmp_path, [Document((" ".join(WORDS[:30]), "w01 w02"), "a:1")], tokenizer)
    stretches = cut_stretches(open_store(tmp_path), room=20)
    assert stretches.lengths.tolist() == [20, 2]
    assert stretches.cut == 10


def test_an_example_is_a_pure_function_of_seed_epoch_and_number(sequencer: Sequencer) -> None:
    again = Sequencer(sequencer.stretches, sequencer.masking, sequencer.tokenizer, sequencer.drawn, seed=7)
    other = Sequencer(sequencer.stretches, sequencer.masking, sequencer.tokenizer, sequencer.drawn, seed=8)
    numbers = range(len(sequencer))
    first = [sequencer.example(number, 0).shown.tolist() for number in numbers]
    assert first == [again.example(number, 0).shown.tolist() for number in numbers]
    assert first != [sequencer.example(number, 1).shown.tolist() for number in numbers]
    assert first != [other.example(number, 0).shown.tolist() for number in numbers]


def test_special_pieces_frame_the_texts_and_are_never_chosen(sequencer: Sequencer, tokenizer: Tokenizer) -> None:
    for number in range(len(sequencer)):
        example = sequencer.example(number, 0)
        marks = [place for place, id in enumerate(example.original) if id in (tokenizer.start, tokenizer.end)]
        assert marks == [0, example.second - 1, len(example.original) - 1]
        assert not example.chosen[marks].any()
        assert example.shown[marks].tolist() == example.original[marks].tolist()
        assert example.chosen.any()
        assert (example.shown == example.original)[~example.chosen].all()


def test_a_batch_says_where_words_are_hidden_and_what_they_were(sequencer: Sequencer) -> None:
    examples = [sequencer.example(number, 0) for number in (3, 0, 5)]
    batch = batch_of(examples, pairs=True)
    assert batch.answers.tolist() == [int(id) for each in examples for id in each.original[each.chosen]]
    assert batch.hidden.sum() == len(batch.answers) == batch.targets
    assert batch.tokens == sum(len(each.original) for each in examples)
    assert batch.text.segments is not None
    for row, each in enumerate(examples):
        assert batch.text.token_ids[row, : len(each.shown)].tolist() == each.shown.tolist()
        segments = [0] * each.second + [1] * (len(each.shown) - each.second)
        assert batch.text.segments[row, : len(each.shown)].tolist() == segments
    assert batch.order is not None
    assert len(batch.order) == 3


def test_without_pairs_a_sequence_is_one_text(stretches: Stretches, tokenizer: Tokenizer) -> None:
    alone = Sequencer(stretches, build_masking(tokenizer, 0.15, whole_words=False), tokenizer, None, seed=7)
    example = alone.example(2, 0)
    assert example.original.tolist() == [tokenizer.start, *stretches.tokens(2).tolist(), tokenizer.end]
    batch = batch_of([example], pairs=False)
    assert batch.order is None
    assert batch.text.segments is None
    assert alone.lengths()[2].tolist() == [len(example.original), 0]


def masking(whole_words: bool = False) -> Masking:
    begins = numpy.asarray([True] * 10 + [False, True] * 45)
    return Masking(4, numpy.arange(5, 100), begins if whole_words else None, 0.15)


def test_shares_of_the_paper_are_kept_over_many_draws() -> None:
    ids = numpy.arange(5, 100).repeat(2)
    counts = numpy.zeros(3)
    chosen = 0
    for seed in range(300):
        masked = masking().draw(ids, numpy.random.default_rng(seed))
        places = masked.chosen
        chosen += places.sum()
        hidden = masked.token_ids[places] == 4
        same = masked.token_ids[places] == ids[places]
        counts += [hidden.sum(), (~hidden & ~same).sum(), same.sum()]
    assert chosen == 300 * round(0.15 * len(ids))
    assert numpy.allclose(counts / chosen, [0.8, 0.1 * 94 / 95, 0.1 + 0.1 / 95], atol=0.015)


def test_whole_words_are_hidden_together() -> None:
    ids = numpy.asarray([11, 10, 12, 13, 12, 14, 15, 16, 17, 18, 19])  # even ids from 10 on go on a word
    words = numpy.cumsum([id % 2 == 1 for id in ids])
    for seed in range(200):
        chosen = masking(whole_words=True).draw(ids, numpy.random.default_rng(seed)).chosen
        for word in set(words.tolist()):
            assert len(set(chosen[words == word].tolist())) == 1
        assert 1 <= len(set(words[chosen].tolist())) <= 2


@pytest.mark.parametrize("kind", ["wordpiece", "bpe"])
def test_pieces_of_a_word_of_a_trained_vocabulary_are_hidden_together(kind: TokenizerKind) -> None:
    text = "unbelievable houses were standing unbelievably near"
    vocabulary = train_tokenizer([text] * 3, TokenizerSettings(kind=kind, size=45), "bert")
    ids, spans = vocabulary.ids_of([text])[0], vocabulary.encode(text).offsets
    assert len(ids) > 12
    words = numpy.asarray([len(text[: end + 1].split()) for _, end in spans])
    hiding, apart = (build_masking(vocabulary, 0.3, whole_words=each) for each in (True, False))
    split = 0
    for seed in range(60):
        together, alone = (each.draw(numpy.asarray(ids), numpy.random.default_rng(seed)) for each in (hiding, apart))
        for word in set(words.tolist()):
            assert len(set(together.chosen[words == word].tolist())) == 1
            split += len(set(alone.chosen[words == word].tolist())) == 2
    assert split > 60


def test_no_special_piece_ever_takes_the_place_of_a_token(tokenizer: Tokenizer) -> None:
    special = {tokenizer.id_of(piece) for piece in tokenizer.specials}
    ordinary = build_masking(tokenizer, 0.15, whole_words=False).ordinary.tolist()
    assert sorted({*ordinary, *special}) == list(range(tokenizer.size))
    assert special.isdisjoint(ordinary)


def test_hidden_words_alone_are_drawn_from_seed_epoch_and_number_and_nothing_else(
    stretches: Stretches, tokenizer: Tokenizer
) -> None:
    hiding = build_masking(tokenizer, 0.15, whole_words=False)
    example = Sequencer(stretches, hiding, tokenizer, None, seed=7).example(2, 5)
    expected = hiding.draw(stretches.tokens(2), numpy.random.Generator(numpy.random.PCG64([7, 5, 2])))
    assert example.shown[1:-1].tolist() == expected.token_ids.tolist()
    assert example.chosen[1:-1].tolist() == expected.chosen.tolist()


def test_at_least_one_token_is_always_hidden() -> None:
    for seed in range(50):
        assert masking().draw(numpy.asarray([7]), numpy.random.default_rng(seed)).chosen.sum() == 1


def test_the_audit_tells_what_masking_did(sequencer: Sequencer) -> None:
    counted = sequencer.audit()
    assert counted.sequences == len(sequencer)
    assert counted.tokens == sum(len(sequencer.example(number, 0).original) - 3 for number in range(len(sequencer)))
    assert 0.1 < counted.chosen < 0.3  # short sequences: at least one each
    assert counted.masked + counted.replaced + counted.kept == pytest.approx(1.0)


def test_shares_of_the_audit_are_counted_by_hand() -> None:
    originals = [numpy.asarray([10, 11, 12, 13, 14]), numpy.asarray([15, 16, 17])]
    shown = [
        Masked(numpy.asarray([4, 4, 12, 20, 14]), numpy.asarray([True, True, True, True, False])),
        Masked(numpy.asarray([4, 16, 17]), numpy.asarray([True, False, False])),
    ]
    counted = audit(shown, originals, mask=4)
    assert (counted.sequences, counted.tokens, counted.chosen) == (2, 8, 5 / 8)
    assert (counted.masked, counted.replaced, counted.kept) == (3 / 5, 1 / 5, 1 / 5)


def test_a_vocabulary_without_a_mask_is_refused() -> None:
    ours = train_tokenizer(["a b"], TokenizerSettings(kind="words"))
    with pytest.raises(SettingsError, match=r"no piece that hides a word; .* \[PAD\] \[UNK\] \[START\] \[END\]"):
        build_masking(ours, 0.15, whole_words=False)


def test_batches_are_the_same_whatever_they_are_drawn_with(sequencer: Sequencer) -> None:
    together = batch_of([sequencer.example(number, 4) for number in (1, 2)], pairs=True)
    alone = batch_of([sequencer.example(2, 4)], pairs=True)
    width = alone.text.token_ids.shape[1]
    assert torch.equal(together.text.token_ids[1, :width], alone.text.token_ids[0])
