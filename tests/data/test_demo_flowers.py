"""`demo:flowers`: what its splits and its captions promise to those who learn from them."""

import hashlib
import re
from collections import Counter, defaultdict
from itertools import pairwise, product

import pytest

from heed.data.demos.flowers import FlowerDrawing, captioned_flowers, labelled_flowers
from heed.data.demos.flowers_parameters import BACKGROUNDS, COLOURS, KINDS, RADII, FlowerScene
from heed.data.records import CaptionedImage, Drawing, ImageSource

LABELLED = labelled_flowers()
CAPTIONED = captioned_flowers()
EVERY = [record for part in CAPTIONED for record in part]

COLOUR = rf"(?P<colour>{'|'.join(COLOURS)})"
NOUN = rf"(?P<noun>daisies|dandelions|roses|sunflowers|tulips|{'|'.join(KINDS)})"
ON = rf"on a (?P<background>{'|'.join(BACKGROUNDS)}) background"
BEFORE = ON.replace("on a", "in front of a")
CANONICAL = rf"(?P<count>a|an|two) {COLOUR} {NOUN} {ON}"
FORMS = [
    CANONICAL,
    rf"(?P<count>a|two) (?P<size>small|large) {COLOUR} {NOUN} {ON}",
    rf"(?P<count>one|two) {COLOUR} {NOUN} {BEFORE}",
    rf"there (?:is|are) {CANONICAL}",
    rf"{BEFORE} (?:stands|stand) (?P<count>a|an|two) {COLOUR} {NOUN}",
    rf"(?P<count>a|two) {NOUN} with {COLOUR} petals {ON}",
]


def scene_of(source: ImageSource) -> FlowerScene:
    assert isinstance(source, FlowerDrawing)
    return source.scene


def combination(record: CaptionedImage) -> tuple[str, str, str]:
    scene = scene_of(record.source)
    return scene.kind, scene.colour, scene.background


def read(caption: str, form: str) -> dict[str, str] | None:
    """Return what a caption of that form says, with the noun in the singular."""
    found = re.fullmatch(form, caption)
    if not found:
        return None
    said = found.groupdict()
    said["count"] = said["count"].replace("one", "a").replace("an", "a")
    said["noun"] = next(kind for kind in KINDS if said["noun"].startswith(kind[:4]))
    return said


def truth(scene: FlowerScene) -> dict[str, str]:
    count = "a" if len(scene.blossoms) == 1 else "two"
    return {"count": count, "colour": scene.colour, "noun": scene.kind, "background": scene.background}


def most_said(captions: list[list[str]]) -> str:
    """Return what is said by one who always takes the commonest next word."""
    said: list[str] = []
    while captions:
        following = Counter(words[len(said)] if len(words) > len(said) else "" for words in captions)
        word, times = following.most_common(1)[0]
        assert list(following.values()).count(times) == 1, (said, following)
        if not word:
            break
        said.append(word)
        captions = [words for words in captions if words[: len(said)] == said]
    return " ".join(said)


def test_each_split_has_its_size_and_every_kind_equally_often() -> None:
    assert [len(part) for part in LABELLED] == [4000, 250, 250]
    for part in LABELLED:
        assert Counter(record.label for record in part) == dict.fromkeys(KINDS, len(part) // 5)


def test_the_label_is_the_kind_that_is_drawn() -> None:
    assert all(record.label == scene_of(record.source).kind for part in LABELLED for record in part)


def test_labels_and_captions_are_of_the_same_pictures_at_the_same_places() -> None:
    for labelled, captioned in zip(LABELLED, CAPTIONED, strict=True):
        assert [(record.source, record.place) for record in labelled] == [(r.source, r.place) for r in captioned]


def test_every_picture_has_a_name_of_its_own_and_a_place() -> None:
    drawings: list[Drawing] = [record.source for record in EVERY if isinstance(record.source, FlowerDrawing)]
    assert [drawing.name for drawing in drawings] == [f"demo:flowers/{number:05d}" for number in range(4500)]
    assert [part[1].place for part in LABELLED] == [f"demo:flowers:{split}:2" for split in ("train", "valid", "test")]


def test_no_two_pictures_have_the_same_parameters_or_the_same_noise() -> None:
    scenes = [scene_of(record.source) for record in EVERY]
    assert len(set(scenes)) == len({scene.seed for scene in scenes}) == 4500


def test_the_combinations_of_test_occur_nowhere_else_and_those_of_valid_all_in_train() -> None:
    train, valid, test = (set(map(combination, part)) for part in CAPTIONED)
    assert test.isdisjoint(train | valid)
    assert valid <= train
    assert len(train) == 5 * 33 and len(test) == 5 * 2
    assert len({(colour, background) for _, colour, background in test}) == 10


def test_train_knows_every_pair_of_parts_of_a_combination() -> None:
    train = set(map(combination, CAPTIONED[0]))
    assert {(kind, colour) for kind, colour, _ in train} == set(product(KINDS, COLOURS))
    assert {(kind, background) for kind, _, background in train} == set(product(KINDS, BACKGROUNDS))
    visible = set(product(COLOURS, BACKGROUNDS)) - {("white", "white")}
    assert {(colour, background) for _, colour, background in train} == visible


def test_no_white_flower_stands_on_white() -> None:
    assert not any(combination(record)[1:] == ("white", "white") for record in EVERY)


@pytest.mark.parametrize("part", [0, 1])
def test_neither_colour_nor_background_gives_the_kind_away_to_who_learns_and_chooses(part: int) -> None:
    counts = Counter((fact, kind) for kind, *facts in map(combination, CAPTIONED[part]) for fact in enumerate(facts))
    for fact in {fact for fact, _ in counts}:
        of_each_kind = [counts[fact, kind] for kind in KINDS]
        assert max(of_each_kind) - min(of_each_kind) <= 4 + 0.05 * sum(of_each_kind), fact


def test_any_stretch_of_a_split_shows_all_kinds_colours_and_backgrounds() -> None:
    for part in CAPTIONED:
        for start in range(0, 250, 50):
            shown = [combination(record) for record in part[start : start + 50]]
            assert [set(names) for names in zip(*shown, strict=True)] == [set(KINDS), set(COLOURS), set(BACKGROUNDS)]


def test_small_and_large_pictures_with_two_flowers_and_with_clutter_are_common() -> None:
    for part in CAPTIONED:
        scenes = [scene_of(record.source) for record in part]
        sizes = Counter(scene.blossoms[0].size for scene in scenes)
        assert set(sizes) == set(RADII) and min(sizes.values()) > len(part) / 6
        assert 0.15 < sum(len(scene.blossoms) == 2 for scene in scenes) / len(part) < 0.35
        assert {clutter.kind for scene in scenes for clutter in scene.clutter} == {"leaf", "blossom"}


def test_sizes_lie_so_far_apart_that_anyone_can_tell_them() -> None:
    for record in EVERY:
        for blossom in scene_of(record.source).blossoms:
            shortest, longest = RADII[blossom.size]
            assert shortest <= blossom.radius <= longest
    bounds = list(RADII.values())
    assert all(shortest > 1.2 * longest for (_, longest), (shortest, _) in pairwise(bounds))


def test_two_flowers_in_a_picture_are_of_one_kind_colour_and_size() -> None:
    for record in EVERY:
        alike = {(blossom.kind, blossom.colour, blossom.size) for blossom in scene_of(record.source).blossoms}
        assert len(alike) == 1


def test_the_first_caption_says_how_many_colour_kind_and_background_as_drawn() -> None:
    for record in EVERY:
        assert read(record.captions[0], CANONICAL) == truth(scene_of(record.source)), record


def test_every_other_caption_says_the_same_in_another_way_and_the_size_where_it_says_one() -> None:
    for record in EVERY:
        scene = scene_of(record.source)
        for caption in record.captions:
            (said,) = [said for form in FORMS if (said := read(caption, form))]
            size = said.pop("size", None)
            assert said == truth(scene), record
            assert size in (None, scene.blossoms[0].size), record


def test_number_and_article_agree_with_the_noun() -> None:
    for caption in {caption for record in EVERY for caption in record.captions}:
        many = bool(re.search(r"\b(daisies|dandelions|roses|sunflowers|tulips)\b", caption))
        assert many == ("two" in caption.split())
        assert not re.search(r"\b(is|stands)\b" if many else r"\b(are|stand)\b", caption)
        assert not re.search(r"\ba [aeiou]|\ban [^aeiou]", caption)


def test_each_picture_has_three_captions_all_different() -> None:
    assert all(len(record.captions) == len(set(record.captions)) == 3 for record in EVERY)


def test_the_words_are_few_and_train_has_them_all() -> None:
    words = [{word for record in part for caption in record.captions for word in caption.split()} for part in CAPTIONED]
    assert words[1] | words[2] <= words[0]
    assert len(words[0]) < 60


def test_who_says_the_commonest_word_after_word_says_the_canonical_caption() -> None:
    groups: dict[tuple[str, ...], list[list[str]]] = defaultdict(list)
    for record in CAPTIONED[0]:
        scene = scene_of(record.source)
        colour = "orange" if scene.colour == "orange" else "COLOUR"  # for "an" stands before it
        facts = (truth(scene)["count"], scene.blossoms[0].size, colour)
        for caption in record.captions:
            parts = re.sub(rf"{scene.background}(?= background)", "BACKGROUND", caption)
            parts = re.sub(scene.colour, colour, parts)
            groups[facts].append(re.sub(NOUN, "KIND", parts).split())
    assert len(groups) == 2 * (3 + 2)
    for (count, _, colour), captions in groups.items():
        article = "an" if (count, colour) == ("a", "orange") else count
        assert most_said(captions) == f"{article} {colour} KIND on a BACKGROUND background"


def test_the_corpus_is_the_same_on_every_machine() -> None:
    digest = hashlib.sha256(repr(CAPTIONED).encode()).hexdigest()
    assert digest.startswith("3e67d0e3ef7669eb")
