"""Tagged words as batches: which pieces belong to which word, what is cut, counted and hidden, and what the loss is."""

from dataclasses import replace

import pytest
import torch

from heed.data.records import TaggedText
from heed.errors import RunError
from heed.models.bert import BertSettings
from heed.models.tagger import Tagger, TaggerSettings, TokenEncoderSettings
from heed.models.text_rnn import TextRnnSettings
from heed.tasks.known_tags import KnownTags, find_tags, tags_from_facts, tags_to_facts
from heed.tasks.tag import EncodedWords, TagBatch, TagObjective, encode_words, words_of
from heed.tasks.tag_reading import read_tags
from heed.tasks.tag_training import TagTraining, shown_tags
from heed.tokens.settings import TokenizerKind, TokenizerSettings
from heed.tokens.tokenizer import Tokenizer
from heed.tokens.training import train_tokenizer

WORDS = ["It", "'s", "New York", "cafe\u0301", "Việt", "don't", "(", "U.S.", ")", "ﬁn", "\u200d", "🙂"]
RNN = TextRnnSettings(embedding=6, width=8, dropout=0.0, word_dropout=0.0, longest=50)
BERT = BertSettings(width=8, heads=2, layers=1, feedforward=12, longest=50)
KNOWN = KnownTags(("O", "B-a", "I-a"), plain=False)


def tokenizer_of(kind: TokenizerKind, *texts: str) -> Tokenizer:
    return train_tokenizer([*texts, " ".join(WORDS)], TokenizerSettings(kind=kind, size=90))


def pieces_of(encoded: EncodedWords, row: int, tokenizer: Tokenizer) -> list[list[str]]:
    ids = encoded.tokens[row].tolist()
    places = zip(encoded.starts[row], encoded.stops[row], strict=True)
    return [[tokenizer.piece(id) for id in ids[start:stop]] for start, stop in places]


def model_of(encoder: TokenEncoderSettings = RNN, **changes: object) -> Tagger:
    torch.manual_seed(3)
    return Tagger(TaggerSettings(encoder=encoder, **changes), 90, 3).eval()


@pytest.mark.parametrize("kind", ["bpe", "wordpiece", "words", "characters"])
def test_every_word_has_its_own_pieces_in_every_tokenizer(kind: TokenizerKind) -> None:
    tokenizer = tokenizer_of(kind)
    encoded = encode_words([WORDS], tokenizer, RNN)
    found = pieces_of(encoded, 0, tokenizer)
    assert len(found) == len(WORDS) == encoded.words[0]
    for word, pieces in zip(WORDS, found, strict=True):
        alone = tokenizer.decode([tokenizer.id_of(piece) for piece in pieces])
        assert alone.replace(" ", "").strip("￭") == tokenizer.decode(tokenizer.encode(word).ids).replace(" ", "")
    stops, starts = encoded.stops[0].tolist(), encoded.starts[0].tolist()
    assert all(stop <= start for stop, start in zip(stops[:-1], starts[1:], strict=True))


@pytest.mark.parametrize("kind", ["bpe", "wordpiece", "words", "characters"])
def test_the_ids_are_those_of_the_text_that_the_words_make(kind: TokenizerKind) -> None:
    tokenizer = tokenizer_of(kind)
    encoded = encode_words([WORDS], tokenizer, RNN)
    assert encoded.tokens[0].tolist() == tokenizer.ids_of([" ".join(WORDS)])[0]


def test_a_mark_before_the_first_word_is_not_taken_for_its_first_piece() -> None:
    tokenizer = train_tokenizer(["ab cd dc"], TokenizerSettings(kind="bpe", size=9, minimum_count=1))
    (first, second) = pieces_of(encode_words([["ab", "ba"]], tokenizer, RNN), 0, tokenizer)
    assert first[0] != "▁" and second[0] != "▁"


def test_a_word_of_which_nothing_is_left_is_one_unknown_piece() -> None:
    tokenizer = tokenizer_of("words", "a b")
    encoded = encode_words([["a", "\u00a0", "b"], ["\u3000"]], tokenizer, RNN)
    a, b = (tokenizer.id_of(piece) for piece in "ab")
    assert encoded.tokens[0].tolist() == [a, tokenizer.unknown, b]
    assert encoded.tokens[1].tolist() == [tokenizer.unknown]
    assert [counts.unknown for counts in encoded.counts] == [1, 1]


def test_a_model_that_wants_a_frame_gets_one_and_words_move_by_one() -> None:
    tokenizer = tokenizer_of("words", "a b")
    framed, bare = (encode_words([["a", "b"]], tokenizer, model) for model in (BERT, RNN))
    assert framed.tokens[0].tolist() == [tokenizer.start, *bare.tokens[0].tolist(), tokenizer.end]
    assert framed.starts[0].tolist() == [1, 2]
    assert framed.stops[0].tolist() == [2, 3]
    assert framed.counts == bare.counts


@pytest.mark.parametrize(("model", "read"), [(RNN, 4), (BERT, 2)])
def test_what_is_longer_than_a_model_reads_is_cut_and_counted(model: TokenEncoderSettings, read: int) -> None:
    tokenizer = tokenizer_of("characters")
    encoded = encode_words([["I", "New", "It"], ["I"]], tokenizer, replace(model, longest=4))
    assert encoded.tokens.lengths.tolist() == [4, 3 if model is BERT else 1]
    # The pieces are I ▁ N e w ▁ I t: the second word is read in part, or not at all.
    assert encoded.cut_words() == [1 if read == 4 else 2, 0]
    assert [counts.cut for counts in encoded.counts] == [8 - read, 0]
    last = int(encoded.stops[0][-1])
    assert last == (4 if model is RNN else 2)


def test_a_sentence_without_words_is_read_and_has_no_tags() -> None:
    tokenizer = tokenizer_of("words")
    encoded = encode_words([[], ["It"]], tokenizer, RNN)
    found = read_tags(model_of(), encoded, KNOWN)
    assert [len(each.tags) for each in found] == [0, 1]
    assert encoded.cut_words() == [0, 0]


def test_the_loss_is_cross_entropy_summed_over_real_words() -> None:
    tokenizer = tokenizer_of("characters")
    words = words_of(encode_words([["It", "is"], ["I"]], tokenizer, RNN), [0, 1])
    batch = TagBatch(words, torch.tensor([[0, 2], [1, 0]]))
    model = model_of(crf=False)
    log_probs = model(words).log_softmax(dim=2)
    expected = -(log_probs[0, 0, 0] + log_probs[0, 1, 2] + log_probs[1, 0, 1])
    torch.testing.assert_close(TagObjective(model, 0.0, tokenizer.unknown)(batch), expected)
    assert (batch.targets, batch.tokens) == (3, 6)


def test_the_loss_of_a_field_is_what_it_says_of_all_tags_of_a_sentence() -> None:
    tokenizer = tokenizer_of("characters")
    words = words_of(encode_words([["It", "is"], ["I"]], tokenizer, RNN), [0, 1])
    batch, model = TagBatch(words, torch.tensor([[0, 2], [1, 0]])), model_of(crf=True)
    assert model.crf is not None
    expected = -model.crf.log_likelihood(model(words), batch.expected, words.keep).sum()
    torch.testing.assert_close(TagObjective(model, 0.1, tokenizer.unknown)(batch), expected)


def test_whole_words_are_hidden_in_training_and_never_the_frame() -> None:
    tokenizer = tokenizer_of("characters")
    words = words_of(encode_words([["New", "It"], ["fin"]] * 60, tokenizer, BERT), list(range(120)))
    objective = TagObjective(model_of(replace(BERT, word_dropout=0.4)), 0.0, tokenizer.unknown)
    hidden = objective._with_words_dropped(words).text.token_ids == tokenizer.unknown
    covered = words.covered()
    assert not (hidden & ~covered.any(dim=1)).any()
    of_words = (hidden[:, None, :] & covered).sum(dim=2)[words.keep]
    sizes = covered.sum(dim=2)[words.keep]
    assert ((of_words == 0) | (of_words == sizes)).all()
    assert 0.25 < float((of_words > 0).float().mean()) < 0.55
    batch = TagBatch(words, torch.zeros_like(words.starts))
    objective.eval()
    assert torch.equal(objective(batch), objective(batch))


@pytest.mark.parametrize("crf", [True, False])
def test_tags_of_many_sentences_are_those_of_each_alone_in_order(crf: bool) -> None:
    tokenizer = tokenizer_of("characters")
    sentences = [WORDS[: 1 + row % 7] for row in range(23)]
    model = model_of(crf=crf)
    together = read_tags(model, encode_words(sentences, tokenizer, RNN), KNOWN)
    for sentence, found in zip(sentences, together, strict=True):
        (alone,) = read_tags(model, encode_words([sentence], tokenizer, RNN), KNOWN)
        assert alone.tags == found.tags
        assert len(found.tags) == len(sentence)
        if found.probabilities is None:
            assert crf
        else:
            assert alone.probabilities == pytest.approx(found.probabilities, abs=1e-6)
            assert min(found.probabilities) >= 1 / 3 - 1e-6


def test_words_beyond_the_longest_length_are_outside_and_surely_unseen() -> None:
    tokenizer, short = tokenizer_of("characters"), replace(RNN, longest=3)
    (found,) = read_tags(model_of(short, crf=False), encode_words([["It", "New", "I"]], tokenizer, short), KNOWN)
    assert found.tags[1:] == ("O", "O")
    assert found.probabilities is not None
    assert found.probabilities[1:] == (0.0, 0.0)


def test_training_gives_batches_of_tags_and_validation_scores_entities() -> None:
    tokenizer = tokenizer_of("words", "a b")
    records = [TaggedText(("a", "b", "a"), ("O", "B-a", "I-a")), TaggedText(("b",), ("B-a",))]
    task = TagTraining(model_of(), tokenizer, KNOWN, records, records, 0.0)
    batch = task.batch([0, 1], 0)
    assert batch.expected.tolist() == [[0, 1, 2], [1, 0, 0]]
    assert sorted(row for rows in task.order(1, 0, 100, 8) for row in rows) == [0, 1]
    validation = task.validate()
    assert set(validation.values) == {"f1", "precision", "recall", "accuracy"}
    assert validation.score == validation.values["f1"]
    assert validation.sample.expected == "b (a)"


def test_plain_labels_are_scored_by_accuracy() -> None:
    tokenizer, records = tokenizer_of("words", "a b"), [TaggedText(("a", "b"), ("DT", "NN"))]
    known = find_tags([*records, TaggedText(("a",), ("VB",))], None)
    validation = TagTraining(model_of(), tokenizer, known, records, records, 0.0).validate()
    assert set(validation.values) == {"accuracy"}
    assert validation.sample.expected == "a/DT b/NN"


def test_tags_beyond_the_cut_are_not_learnt_from() -> None:
    tokenizer, short = tokenizer_of("words", "a b"), replace(RNN, longest=2)
    record = TaggedText(("a", "b", "a"), ("O", "B-a", "I-a"))
    task = TagTraining(model_of(short), tokenizer, KNOWN, [record], [record], 0.0)
    assert task.batch([0], 0).expected.tolist() == [[0, 1]]
    assert task.validate().values["accuracy"] < 1  # the last word counts as said to be outside


def test_every_kind_has_both_tags_and_they_come_back_from_what_was_written() -> None:
    known = find_tags([TaggedText(("x", "y"), ("B-b", "O")), TaggedText(("z",), ("B-a",))], "IOB2")
    assert known.names == ("O", "B-a", "I-a", "B-b", "I-b")
    for each in (known, KnownTags(("DT", "NN"), plain=True)):
        assert tags_from_facts(tags_to_facts(each), "labels.json") == each
    assert known.decode(known.encode(["B-b", "O"])) == ("B-b", "O")


@pytest.mark.parametrize(
    "facts",
    [
        {},
        {"outcome": "label", "names": ["a", "b"]},
        {"outcome": "tag", "plain": False, "names": ["O"]},
        {"outcome": "tag", "plain": False, "names": ["B-a", "O"]},
        {"outcome": "tag", "plain": True, "names": ["a", 1]},
        {"outcome": "tag", "plain": True, "names": ["a", "a"]},
    ],
)
def test_damaged_tags_are_refused(facts: dict[str, object]) -> None:
    with pytest.raises(RunError, match=r"labels\.json holds no tags of words"):
        tags_from_facts(facts, "labels.json")


def test_tags_are_shown_as_entities_or_beside_words() -> None:
    assert shown_tags(["New", "York", "is"], ["B-LOC", "I-LOC", "O"]) == "New York (LOC)"
    assert shown_tags(["a"], ["O"]) == "–"
    assert shown_tags(["a", "b"], ["DT", "O"]) == "a/DT b/O"
