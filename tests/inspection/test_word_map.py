"""The picture of words: points as PCA gives them, labels that keep apart, and what cannot be drawn."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from sklearn.decomposition import PCA

from heed.errors import DataError, MachineError, UsageError
from heed.inspection.label_places import boxes_along, place_labels
from heed.inspection.word_map import MOST_WORDS, draw_word_map, map_words
from heed.models.word_space import WordSpace


def space_of(words: int, width: int = 6) -> WordSpace:
    table_VD = np.random.default_rng(7).normal(size=(words, width)).astype(np.float32)
    return WordSpace([f"word{number}" for number in range(words)], table_VD)


def test_points_are_the_principal_components_of_the_unit_vectors_up_to_a_sign() -> None:
    space = space_of(12)
    made = map_words(space, space.words[:9])
    reference = PCA(2)
    points_N2 = reference.fit_transform(space.unit_VD[:9].astype(np.float64))
    np.testing.assert_allclose(np.abs(made.points), np.abs(points_N2), atol=1e-6)
    assert made.shares == pytest.approx(tuple(reference.explained_variance_ratio_), abs=1e-6)


def test_a_word_given_twice_is_one_point() -> None:
    space = space_of(5)
    assert map_words(space, ["word3", "word1", "word3", "word2"]).words == ("word3", "word1", "word2")


def test_vectors_of_one_number_are_drawn_on_a_line() -> None:
    made = map_words(space_of(4, width=1), ["word0", "word1", "word2"])
    assert made.points[:, 1].tolist() == [0, 0, 0]
    assert made.shares[1] == 0


@pytest.mark.parametrize("count", [0, 2, MOST_WORDS + 1])
def test_too_few_or_too_many_words_are_refused(count: int) -> None:
    space = space_of(MOST_WORDS + 1)
    with pytest.raises(UsageError, match=rf"A picture of {count} word\(s\)"):
        map_words(space, space.words[:count])


def test_a_word_without_a_vector_is_named() -> None:
    with pytest.raises(DataError, match="'queen' is none of the 5 words"):
        map_words(space_of(5), ["word0", "word1", "queen"])


@pytest.mark.parametrize(("name", "first"), [("a.png", b"\x89PNG"), ("a.svg", b"<?xml"), ("A.PDF", b"%PDF")])
def test_the_ending_chooses_the_format(name: str, first: bytes, tmp_path: Path) -> None:
    space = space_of(8)
    draw_word_map(space, space.words[:3], tmp_path / "new" / name, [("word4", "word5"), ("word6", "word7")])
    assert (tmp_path / "new" / name).read_bytes().startswith(first)


def test_another_ending_is_refused_before_anything_is_drawn(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"a\.jpg ends with '\.jpg'"):
        draw_word_map(space_of(5), ["word0"], tmp_path / "a.jpg")


def test_words_that_mean_something_to_the_drawing_library_are_only_text(tmp_path: Path) -> None:
    words = ["$x_", "$$", "\\frac{", "_^{}", "<b>&", "né"]
    space = WordSpace(words, np.random.default_rng(1).normal(size=(6, 3)).astype(np.float32))
    draw_word_map(space, words, tmp_path / "odd.svg")
    assert (tmp_path / "odd.svg").stat().st_size > 1000


def test_words_that_all_stand_at_one_point_are_drawn(tmp_path: Path) -> None:
    draw_word_map(WordSpace(["a", "b", "c"], np.ones((3, 4), np.float32)), ["a", "b", "c"], tmp_path / "one.png")
    assert Image.open(tmp_path / "one.png").size == (1200, 960)


def test_a_place_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(MachineError, match=r"a\.png cannot be written: .*Choose another place"):
        draw_word_map(space_of(3), ["word0", "word1", "word2"], tmp_path / "file" / "a.png")


INSIDE = np.array([0.0, 0.0, 400.0, 300.0])
NONE = np.zeros((0, 4))


def shared(one: np.ndarray, other: np.ndarray) -> float:
    return float(np.clip(np.minimum(one[2:], other[2:]) - np.maximum(one[:2], other[:2]), 0, None).prod())


def placed(points: list[tuple[float, float]], obstacles: np.ndarray = NONE) -> list[np.ndarray]:
    points_N2, sizes_N2 = np.array(points, float), np.full((len(points), 2), (50.0, 14.0))
    corners_N2 = place_labels(points_N2, sizes_N2, obstacles, INSIDE)
    return [np.concatenate([corner, corner + size]) for corner, size in zip(corners_N2, sizes_N2, strict=True)]


def test_a_label_alone_stands_at_the_right_of_its_point() -> None:
    assert placed([(100, 100)])[0].tolist() == [110, 93, 160, 107]


def test_labels_of_near_points_hide_next_to_nothing_of_each_other_and_no_point() -> None:
    points = [(100.0 + 9 * n, 100.0 + 7 * (n % 3)) for n in range(8)]
    boxes = placed(points)
    for number, box in enumerate(boxes):
        assert sum(shared(box, other) for other in boxes[:number]) < 0.1 * 50 * 14
        assert not any(box[0] < x < box[2] and box[1] < y < box[3] for x, y in points)


def test_a_label_at_the_edge_turns_to_the_inside() -> None:
    (box,) = placed([(395, 150)])
    assert box[2] <= 400


def test_a_label_gets_out_of_the_way_of_a_line() -> None:
    line_M4 = boxes_along(np.array([100.0, 100.0]), np.array([300.0, 100.0]))
    (box,) = placed([(100, 100)], line_M4)
    assert sum(shared(box, square) for square in line_M4) == 0
