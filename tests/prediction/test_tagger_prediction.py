"""A trained tagger in use: entities at their places in the text as given, nothing silently cut, scores that agree."""

from pathlib import Path

import pytest
import torch

from heed.data.records import TaggedText
from heed.data.tagged import read_tagged
from heed.errors import DataError, UsageError
from heed.machine import Ranks
from heed.models.tagger import Tagger
from heed.models.weights import load_weights
from heed.prediction.tagger import WordTagger
from heed.runs import tag_run
from heed.runs.assembling import read_tokenizer
from heed.runs.folder import create
from heed.runs.tag_settings import TagSettings
from heed.settings import from_dict
from heed.tasks.entity_scores import EntityScores, WordScores
from heed.tasks.known_tags import KnownTags

NAMES, PLACES = ("Ada", "Bob", "Zoe"), ("Rome", "Oslo")


def write_sentences(path: Path) -> Path:
    rows = []
    for number in range(240):
        name, place = NAMES[number % 3], PLACES[number % 2]
        filler = f"word{number % 11}"
        rows.append(f"{name} B-person\nSmith I-person\nflew O\nfrom O\n{place} B-place\nto O\n{filler} O\n. O\n")
    path.write_text("\n".join(f"{row}again{number} O\n" for number, row in enumerate(rows)))
    return path


def trained(folder: Path, data: Path, crf: bool, longest: int = 30) -> WordTagger:
    values = {
        "data": {"train": [str(data)]},
        "crf": crf,
        "tokens": {"kind": "words"},
        "model": {"kind": "rnn", "width": 24, "embedding": 16, "dropout": 0.1, "word_dropout": 0.0, "longest": longest},
        "training": {"steps": 60, "tokens_per_batch": 300, "learning_rate": 1e-2, "validations": 1, "threads": 1,
                     "average": 0.9},
    }  # fmt: skip
    settings = from_dict(TagSettings, values, "settings")
    run = tag_run.begin(create(folder), tag_run.prepare(settings), Ranks(0, 1, 0))
    for _ in run.reports():
        pass
    tokenizer, known = read_tokenizer(run.folder), tag_run.read_tags(run.folder)
    model: Tagger = tag_run.build_model(settings, tokenizer, known)
    load_weights(model, run.folder.read_best().tensors, str(folder))
    return WordTagger(model, tokenizer, known)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_sentences(tmp_path_factory.mktemp("data") / "flights.conll")


@pytest.fixture(scope="module")
def tagger(tmp_path_factory: pytest.TempPathFactory, data: Path) -> WordTagger:
    return trained(tmp_path_factory.mktemp("runs") / "tagger", data, crf=False)


@pytest.fixture(scope="module")
def field(tmp_path_factory: pytest.TempPathFactory, data: Path) -> WordTagger:
    return trained(tmp_path_factory.mktemp("runs") / "field", data, crf=True)


def test_entities_stand_where_they_say_in_the_text_as_it_was_given(tagger: WordTagger) -> None:
    text = "  Zoe  Smith flew from Oslo, to word3."
    (found,) = tagger.predict([text])
    assert found.text == text
    assert [(each.text, each.kind) for each in found.entities] == [("Zoe  Smith", "person"), ("Oslo", "place")]
    for each in (*found.entities, *found.words):
        assert text[each.start : each.end] == each.text
    assert [word.text for word in found.words] == ["Zoe", "Smith", "flew", "from", "Oslo", ",", "to", "word3", "."]


def test_the_words_of_a_text_may_be_given_as_a_list(tagger: WordTagger) -> None:
    words = ["Ada", "Smith", "flew", "from", "Rome", "to", "word3", "."]
    (found,) = tagger.predict([words])
    assert found.text == " ".join(words)
    assert [(each.text, each.start, each.end) for each in found.entities] == [("Ada Smith", 0, 9), ("Rome", 20, 24)]
    assert found.words == tagger.predict([found.text])[0].words


def test_the_probability_of_an_entity_is_that_of_all_its_words(tagger: WordTagger) -> None:
    (found,) = tagger.predict(["Zoe Smith flew from Oslo to word3."])
    first, second = (word.probability for word in found.words[:2])
    assert first is not None and second is not None
    assert found.entities[0].probability == pytest.approx(first * second)
    assert 0 < found.entities[0].probability < 1


def test_a_field_finds_entities_too_and_claims_no_probability_of_one_word(field: WordTagger) -> None:
    (found,) = field.predict(["Zoe Smith flew from Oslo to word3."])
    assert [(each.text, each.kind, each.probability) for each in found.entities] == [
        ("Zoe Smith", "person", None),
        ("Oslo", "place", None),
    ]
    assert all(word.probability is None for word in found.words)


def test_what_is_unknown_or_cut_is_counted(tmp_path: Path, data: Path) -> None:
    short = trained(tmp_path / "short", data, crf=False, longest=5)
    (found,) = short.predict(["Ada zebra flew from Rome to Oslo ."])
    assert (found.unknown, found.cut, found.cut_words) == (1, 3, 3)
    assert [word.tag for word in found.words[5:]] == ["O", "O", "O"]
    scores = short.evaluate(read_tagged([data]).records[:3])
    assert scores.cut_words == 3 * 4


@pytest.mark.parametrize("kind", ["tagger", "field"])
def test_a_result_does_not_depend_on_its_companions(kind: str, request: pytest.FixtureRequest) -> None:
    model: WordTagger = request.getfixturevalue(kind)
    texts = ["Ada", "", "Zoe Smith flew from Oslo to word3.", "Rome Rome", " \n"]
    together = model.predict(texts)
    for text, found in zip(texts, together, strict=True):
        (alone,) = model.predict([text])
        assert [word.tag for word in alone.words] == [word.tag for word in found.words]
        assert [(each.text, each.kind) for each in alone.entities] == [
            (each.text, each.kind) for each in found.entities
        ]
    assert together[1].words == together[4].words == ()


def test_evaluation_gives_scores_and_the_tags_of_each_sentence(tagger: WordTagger, data: Path) -> None:
    records = list(read_tagged([data]).records[:20])
    records[0] = TaggedText(records[0].words, ("B-animal", *records[0].tags[1:]))
    found = tagger.evaluate(records)
    assert isinstance(found.scores, EntityScores)
    assert found.predictions[1] == records[1].tags
    # One of 40 entities has become two: an animal, which the model cannot know, and a shorter person.
    assert found.scores.recall == pytest.approx(39 / 41)
    assert found.scores.kinds[0].name == "animal"
    assert found.scores.kinds[0].recall == 0


def test_texts_come_as_they_are_asked_for(tagger: WordTagger, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("heed.prediction.tagger.CHUNK", 2)
    taken: list[int] = []
    texts = (taken.append(number) or f"Ada {number}" for number in range(5))
    stream = tagger.stream(texts)
    assert next(stream).text == "Ada 0"
    assert taken == [0, 1]


def plain_tagger(tagger: WordTagger) -> WordTagger:
    torch.manual_seed(1)
    model = Tagger(tagger.model.settings, tagger.tokenizer.size, 2)
    return WordTagger(model, tagger.tokenizer, KnownTags(("DT", "NN"), plain=True))


def test_plain_labels_have_no_entities_and_are_scored_by_accuracy(tagger: WordTagger) -> None:
    plain = plain_tagger(tagger)
    (found,) = plain.predict(["Ada flew"])
    assert found.entities == ()
    assert {word.tag for word in found.words} <= {"DT", "NN"}
    scores = plain.evaluate([TaggedText(("Ada", "flew"), tuple(word.tag for word in found.words))]).scores
    assert isinstance(scores, WordScores)
    assert scores.accuracy == 1


def test_data_of_another_kind_is_refused_not_scored_with_zero(tagger: WordTagger) -> None:
    with pytest.raises(DataError, match=r'a\.conll:3: "NN" is a plain label, but this model finds entities'):
        tagger.evaluate([TaggedText(("Ada",), ("O",), "a.conll:1"), TaggedText(("Ada",), ("NN",), "a.conll:3")])
    with pytest.raises(DataError, match=r'a\.conll:1: the first tag is "B-x"; neither it nor another is known'):
        plain_tagger(tagger).evaluate([TaggedText(("Ada",), ("B-x",), "a.conll:1")])
    with pytest.raises(DataError, match="There are no sentences"):
        tagger.evaluate([])


def test_one_text_by_itself_is_not_taken_for_a_list_of_letters(tagger: WordTagger) -> None:
    with pytest.raises(UsageError, match=r"Give a list of texts, not one text by itself: \['Ada flew'"):
        tagger.predict("Ada flew")


def test_words_that_are_no_strings_are_refused(tagger: WordTagger) -> None:
    with pytest.raises(UsageError, match="A word is given as 7"):
        tagger.predict([["Ada", 7]])
