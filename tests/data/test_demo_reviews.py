"""`demo:reviews`, `demo:reviews-vi`, `demo:paraphrase`: labels judged by reading, unseen combinations, order counts."""

import hashlib
import os
import re
import subprocess
import sys
import time
import unicodedata
from collections import Counter
from collections.abc import Sequence

import pytest
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression

from heed.data.demos import labelled_demos, load_labelled_demo, paraphrase, reviews
from heed.data.demos.grammar import Corpus, Draws
from heed.data.demos.paraphrase import Event, changed, word
from heed.data.demos.paraphrase_words import ACTS
from heed.data.labelled_checks import check_labelled
from heed.data.labelled_splits import LabelledSplits
from heed.data.records import LabelledText
from heed.errors import DataError

CORPORA = {"reviews": reviews.english, "reviews-vi": reviews.vietnamese, "paraphrase": paraphrase.corpus}
FINGERPRINT = """
import hashlib
from heed.data.demos import load_labelled_demo
for name in ("reviews", "reviews-vi", "paraphrase"):
    splits = load_labelled_demo(name)
    print(hashlib.sha256(repr([splits.train, splits.valid, splits.test]).encode()).hexdigest())
"""

# Written by the grammar, judged by reading.
ENGLISH = [
    ("At first I thought that the bed was soft, but it was uncomfortable.", "negative"),
    ("Last year the noodles were ordinary, this time they were simply wonderful.", "positive"),
    ("The pudding was neither good nor dry.", "neutral"),
    ("The people at the desk were not attentive, but not lazy either.", "neutral"),
    ("We had booked for twelve people. Was the waitress rude? Not in the least.", "positive"),
    ("The pancakes were not as bland as people say.", "positive"),
    ("At first I thought that the wine was excellent, but it was ordinary.", "neutral"),
    ("The pizza was bland; in the end, however, the corridor was average.", "neutral"),
    ("Although the delivery was careless, the atmosphere was relaxing.", "positive"),
    ("Were the pancakes greasy? Oh yes. There is a grey sign above the door.", "negative"),
    ("People write that the pillows were lovely; well, they were worn.", "negative"),
    ("The house stands near the university. The walls are green and there are six tables.", "neutral"),
    ("The porter was not kind at all.", "negative"),
    ("No one would call the manager slow.", "positive"),
    ("Were the fees reasonable? No, quite the opposite.", "negative"),
    ("The pancakes were not as tasty as people say.", "negative"),
    ("The check-in was rather fast, but the atmosphere was ordinary.", "neutral"),
]
VIETNAMESE = [
    ("Mặc dù ban công gọn gàng nhưng ánh sáng chẳng có gì đáng nói.", "neutral"),
    ("Bộ phim chúng tôi xem trước đó rất tệ. Sảnh cũng được.", "neutral"),
    ("Lần trước sinh tố ngon tuyệt, lần này thì khá nhạt.", "negative"),
    ("Sinh tố ngon, còn bún bò thì ngấy. Nhìn chung chúng tôi hài lòng.", "positive"),
    ("Sếp tôi bảo sân thượng dễ chịu nhưng tôi thấy không có gì đặc biệt.", "neutral"),
    ("Sinh tố có đậm đà không? Không hề.", "negative"),
    ("Kem không hề ngon.", "negative"),
    ("Bánh xèo ngon và kem ngấy. Nói chung tôi sẽ không quay lại.", "negative"),
    ("Canh chua ngon tuyệt.", "positive"),
    ("Tôi đi cùng hai người bạn. Không khí có buồn tẻ không? Chẳng chút nào.", "positive"),
    ("Vịt quay dở, còn âm nhạc thì tuyệt vời. Có nên đến không? Tùy bạn.", "neutral"),
    ("Hôm đó thời tiết dễ chịu. Phòng khách có bụi bặm không? Có chứ.", "negative"),
    ("Anh đầu bếp kiêu căng, nhưng quan trọng hơn là ban công đâu có hôi.", "positive"),
    ("Hôm đó thời tiết rất xấu. Bún bò không đậm đà như người ta nói.", "negative"),
    ("Gà nướng khó nuốt, nhưng quan trọng hơn là nước mía quá tuyệt vời.", "positive"),
]
PAIRS = [
    ("On Sunday the singer phoned the farmer.", "The farmer was not called by the singer on Sunday.", "different"),
    ("The engineer selected eight chairs on Monday.", "The engineer chose eight chairs on Monday.", "same"),
    ("Three mirrors were stolen by the driver in May.", "In May the driver stole three mirrors.", "same"),
    (
        "The author thanked the butcher in May.",
        "In May it was the butcher by whom the writer was thanked.",
        "different",
    ),
    (
        "Two chairs were not chosen by the engineer in October.",
        "In October the engineer did not choose two chairs.",
        "same",
    ),
    (
        "In July the engineer did not deliver nine fences.",
        "Seven fences were not delivered by the engineer in July.",
        "different",
    ),
    (
        "On Tuesday the attorney was employed by the painter.",
        "It was the painter by whom the attorney was hired on Tuesday.",
        "same",
    ),
    (
        "The chauffeur was employed by the judge in October.",
        "It was the chauffeur by whom the judge was employed in October.",
        "different",
    ),
]


def all_records(splits: LabelledSplits) -> list[LabelledText]:
    return [*splits.train, *splits.valid, *splits.test]


def joined(records: Sequence[LabelledText]) -> list[str]:
    return [" / ".join(record.texts) for record in records]


def words(text: str) -> list[str]:
    return re.findall(r"\w+", text)


def accuracy(splits: LabelledSplits, longest: int) -> float:
    """Return how often a linear model of words and of runs of up to so many words is right on test."""
    counter = CountVectorizer(token_pattern=r"\w+|[^\w\s]", ngram_range=(1, longest))
    model = LogisticRegression(max_iter=60, tol=1e-2)
    model.fit(counter.fit_transform(joined(splits.train)), [record.label for record in splits.train])
    return float(model.score(counter.transform(joined(splits.test)), [record.label for record in splits.test]))


@pytest.fixture(params=CORPORA)
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def splits(name: str) -> LabelledSplits:
    return load_labelled_demo(name)


@pytest.fixture
def corpus(name: str) -> Corpus:
    return CORPORA[name]()


@pytest.mark.parametrize(("name", "judged"), [("reviews", ENGLISH), ("reviews-vi", VIETNAMESE)])
def test_reviews_have_the_label_that_a_reader_gives_them(name: str, judged: list[tuple[str, str]]) -> None:
    labels = {record.texts[0]: record.label for record in all_records(load_labelled_demo(name))}
    assert {text: labels.get(text) for text, _ in judged} == dict(judged)


def test_pairs_have_the_label_that_a_reader_gives_them() -> None:
    labels = {record.texts: record.label for record in all_records(load_labelled_demo("paraphrase"))}
    assert [labels.get((first, second)) for first, second, _ in PAIRS] == [label for *_, label in PAIRS]


def test_the_splits_hold_eight_thousand_and_twice_a_thousand_different_texts(splits: LabelledSplits) -> None:
    assert (len(splits.train), len(splits.valid), len(splits.test)) == (8_000, 1_000, 1_000)
    assert len({record.texts for record in all_records(splits)}) == 10_000


def test_every_split_has_all_labels_in_good_number(name: str, splits: LabelledSplits) -> None:
    labels = {"same", "different"} if name == "paraphrase" else {"negative", "neutral", "positive"}
    for part in (splits.train, splits.valid, splits.test):
        counts = Counter(record.label for record in part)
        assert set(counts) == labels
        assert min(counts.values()) > 0.75 * len(part) / len(labels)


def test_no_combination_of_valid_or_test_occurs_in_another_split(corpus: Corpus) -> None:
    train, valid, test = ({made.combination for made in part} for part in (corpus.train, corpus.valid, corpus.test))
    assert train.isdisjoint(test) and train.isdisjoint(valid) and valid.isdisjoint(test)
    assert min(len(valid), len(test)) > 150


def test_every_word_of_valid_and_test_occurs_in_train(splits: LabelledSplits) -> None:
    known = {each for text in joined(splits.train) for each in words(text)}
    assert {each for text in joined([*splits.valid, *splits.test]) for each in words(text)} - known == set()


def test_texts_are_composed_sentences_with_single_spaces(splits: LabelledSplits) -> None:
    for text in (text for record in all_records(splits) for text in record.texts):
        assert text == unicodedata.normalize("NFC", " ".join(text.split()))
        assert text[0].isupper() and text[-1] in ".?" and "{" not in text
        assert not re.search(r"\ba [aeiou]", text.replace("a university", "")), text


@pytest.mark.parametrize("name", ["reviews", "reviews-vi"])
def test_a_few_in_a_hundred_reviews_are_long(name: str) -> None:
    lengths = [len(record.texts[0].split()) for record in load_labelled_demo(name).train]
    assert 0.01 < sum(length > 50 for length in lengths) / len(lengths) < 0.06
    assert sorted(lengths)[len(lengths) // 2] < 20


@pytest.mark.parametrize("name", ["reviews", "reviews-vi"])
def test_words_without_their_order_do_not_suffice_for_reviews(name: str) -> None:
    splits = load_labelled_demo(name)
    alone = accuracy(splits, longest=1)
    assert alone < 0.7
    assert accuracy(splits, longest=2) > alone + 0.1


def test_words_without_their_order_say_nothing_about_paraphrases() -> None:
    splits = load_labelled_demo("paraphrase")
    assert accuracy(splits, longest=1) < 0.6
    both = {"same": [0, 0], "different": [0, 0]}
    for record in splits.test:
        first, second = (Counter(words(text.lower())) for text in record.texts)
        both[record.label][0] += (first & second).total()
        both[record.label][1] += (first | second).total()
    shares = {label: common / union for label, (common, union) in both.items()}
    assert abs(shares["same"] - shares["different"]) < 0.06  # neither kind has more words in common


def test_one_thing_is_changed_in_a_different_event_and_an_event_is_told_in_many_ways() -> None:
    hire = next(act for act in ACTS if act.verbs[0].base == "hire")
    event = Event(("doctor", "physician"), hire, ("baker",), "", "on Monday", "", False)
    draws = Draws("x")
    for _ in range(50):
        other = changed(event, draws)
        fields = Event.__dataclass_fields__
        differing = {field for field in fields if getattr(event, field) != getattr(other, field)}
        assert differing in ({"agent", "patient"}, {"is_denied"}, {"time"}, {"act"})
    told = {word(event, draws) for _ in range(1000)}
    assert "The doctor hired the baker on Monday." in told
    assert "On Monday the baker was employed by the physician." in told
    assert "It was the doctor by whom the baker was hired on Monday." in told
    assert "On Monday it was the physician who employed the baker." in told
    assert len(told) == 4 * 2 * 2 * 2  # voices, names of the doctor, verbs, places of the time


def test_the_note_tells_that_it_was_generated(name: str, splits: LabelledSplits) -> None:
    assert splits.origin == f"demo:{name}"
    assert splits.note.startswith(
        f"generated by a grammar, seed {CORPORA[name]().seed!r}: 8000 train, 1000 valid, 1000 t"
    )
    assert splits.test[6].place == f"demo:{name}:test:7"


def test_the_check_finds_nothing_wrong_with_it(splits: LabelledSplits) -> None:
    assert [finding for finding in check_labelled(splits).findings if finding.level != "note"] == []


def test_loading_again_gives_the_very_same_object(name: str) -> None:
    assert load_labelled_demo(name) is load_labelled_demo(name)


def test_making_a_corpus_takes_less_than_a_second_and_a_half(name: str) -> None:
    before = time.process_time()  # not the clock on the wall: other work on the machine must not count
    CORPORA[name].__wrapped__()  # type: ignore[attr-defined]
    assert time.process_time() - before < 1.5


@pytest.mark.slow
def test_another_process_with_another_hash_seed_makes_the_same_corpora() -> None:
    environment = {**os.environ, "PYTHONHASHSEED": "4711", "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", FINGERPRINT]
    child = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    parts = [load_labelled_demo(name) for name in CORPORA]
    assert child.stdout.split() == [
        hashlib.sha256(repr([part.train, part.valid, part.test]).encode()).hexdigest() for part in parts
    ]


def test_the_demos_of_each_task_are_listed_and_others_refused() -> None:
    assert (labelled_demos(1), labelled_demos(2)) == (("reviews", "reviews-vi"), ("paraphrase",))
    with pytest.raises(DataError, match=r"no built-in corpus 'review'\. The nearest is 'demo:reviews'"):
        load_labelled_demo("review")
