"""Drawn flowers: the picture follows from the parameters, all of them show, and what captions tell can be seen."""

import pickle
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from heed.data.demos import flowers_colours as colours
from heed.data.demos.flowers import FlowerDrawing, labelled_flowers
from heed.data.demos.flowers_parameters import BACKGROUNDS, COLOURS, KINDS, Blossom, Clutter, FlowerScene, Kind
from heed.data.demos.flowers_picture import SIDE, draw_scene

PETALS: dict[Kind, int] = {"daisy": 14, "dandelion": 120, "rose": 12, "sunflower": 16, "tulip": 4}
LEAF = Clutter("leaf", "red", radius=0.15, x=0.15, y=0.2, turn=0.5)


def blossom(kind: Kind = "daisy", **changed: Any) -> Blossom:  # any of the fields, whatever its type
    plain = Blossom(kind, "red", PETALS[kind], 0.26, 0.45, 0.4, turn=0.1, stem=True, leaves=1, seed=5)
    return replace(plain, **changed)


def scene(*blossoms: Blossom, **changed: Any) -> FlowerScene:  # any of the fields, whatever its type
    return replace(FlowerScene("blue", blossoms, clutter=(LEAF,), light=1.0, grading=0.7, noise=4, seed=11), **changed)


def pixels(drawn: FlowerScene) -> np.ndarray:
    return np.asarray(draw_scene(drawn), dtype=np.int64)


def where_drawn(drawn: FlowerScene) -> np.ndarray:
    """Return which pixels the flowers change."""
    return np.abs(pixels(drawn) - pixels(replace(drawn, blossoms=()))).max(axis=2) > 25


def in_the_middle(kind: Kind) -> FlowerScene:
    """Return one large white flower on blue and nothing else."""
    shown = blossom(kind, colour="white", radius=0.4, x=0.5, y=0.5, turn=0.0, stem=False)
    return scene(shown, clutter=(), noise=0)


def from_the_middle() -> np.ndarray:
    """Return for each pixel how far it is from the middle of such a flower, in its radii."""
    steps = (np.arange(SIDE) + 0.5) / SIDE - 0.5
    return np.hypot(steps[:, None], steps) / 0.4


def nearest(colours_N3: np.ndarray, names: list[tuple[int, int, int]]) -> np.ndarray:
    """Return for each colour the number of the one that is nearest to it."""
    return np.abs(colours_N3[:, None] - np.array(names)).sum(axis=2).argmin(axis=1)


def samples(step: int) -> list[FlowerDrawing]:
    return [record.source for record in labelled_flowers()[1][::step] if isinstance(record.source, FlowerDrawing)]


def test_a_picture_is_a_square_in_colour_of_the_side_that_is_asked_for() -> None:
    assert (draw_scene(scene(blossom())).mode, draw_scene(scene(blossom())).size) == ("RGB", (SIDE, SIDE))
    assert draw_scene(scene(blossom()), side=50).size == (50, 50)


def test_equal_parameters_give_equal_bytes_also_after_a_journey_to_another_process() -> None:
    for drawing in samples(25):
        copied = pickle.loads(pickle.dumps(drawing))
        assert copied == drawing and hash(copied) == hash(drawing)
        assert drawing.draw().tobytes() == drawing.draw().tobytes() == copied.draw().tobytes()


def test_a_picture_does_not_depend_on_what_was_drawn_before() -> None:
    one, other = samples(125)
    first = one.draw().tobytes()
    other.draw()
    assert one.draw().tobytes() == first


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "changed",
    [
        {"colour": "pink"},
        {"petals": 5},
        {"radius": 0.29},
        {"x": 0.5},
        {"y": 0.45},
        {"turn": 0.25},
        {"stem": False},
        {"leaves": 2},
        {"seed": 7},
    ],
)
def test_every_parameter_of_a_blossom_shows(kind: Kind, changed: dict[str, Any]) -> None:
    before, after = pixels(scene(blossom(kind))), pixels(scene(blossom(kind, **changed)))
    assert (np.abs(before - after).max(axis=2) > 25).sum() > 3


@pytest.mark.parametrize(
    "changed",
    [{"background": "brown"}, {"clutter": ()}, {"light": 1.1}, {"grading": 3.0}, {"noise": 15}],
)
def test_every_parameter_of_a_scene_shows(changed: dict[str, Any]) -> None:
    before, after = pixels(scene(blossom())), pixels(scene(blossom(), **changed))
    assert (np.abs(before - after).max(axis=2) > 7).sum() > 200


def test_the_seed_of_a_scene_changes_its_noise_and_nothing_else() -> None:
    difference = np.abs(pixels(scene(blossom())) - pixels(scene(blossom(), seed=12)))
    assert 1 <= difference.max() <= 2 * 4
    assert (difference > 0).mean() > 0.5


def test_noise_of_so_many_levels_is_spread_evenly_round_the_picture_without_it() -> None:
    difference = pixels(scene(noise=4)) - pixels(scene(noise=0))
    counts = np.unique(difference[..., 0], return_counts=True)
    assert list(counts[0]) == list(range(-4, 5))
    assert counts[1].min() > 0.8 * counts[1].max()


@pytest.mark.parametrize("background", BACKGROUNDS)
def test_the_border_has_the_named_background_in_any_light(background: str) -> None:
    for light in (0.9, 1.1):
        drawn = pixels(scene(blossom(stem=False), background=background, light=light))
        border_N3 = np.concatenate([drawn[0], drawn[-1], drawn[:, 0], drawn[:, -1]])
        found = nearest(border_N3, list(colours.BACKGROUNDS.values()))
        assert (found == BACKGROUNDS.index(background)).mean() > 0.75


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("colour", COLOURS)
def test_most_of_a_flower_has_the_named_colour(kind: Kind, colour: str) -> None:
    drawn = scene(blossom(kind, colour=colour, stem=False), background="black", clutter=())
    # Each colour at five depths of shade, and what is no petal.
    tones = [colours.mixed(full, deep, step / 4) for full, deep in colours.PETALS.values() for step in range(5)]
    found = nearest(pixels(drawn)[where_drawn(drawn)], [*tones, colours.GREEN, colours.GOLD, colours.BARK])
    petals = found[found < len(tones)] // 5
    assert (petals == COLOURS.index(colour)).mean() > 0.8


@pytest.mark.parametrize("kind", KINDS)
def test_a_kind_is_told_from_every_other_in_black_and_white(kind: Kind) -> None:
    def grey(shown: Kind, seed: int) -> np.ndarray:
        drawn = scene(blossom(shown, radius=0.4, x=0.5, y=0.5, stem=False, seed=seed), clutter=())
        return np.asarray(draw_scene(drawn).convert("L"), dtype=np.int64)

    within = np.abs(grey(kind, 5) - grey(kind, 6)).mean()
    for other in KINDS:
        if other != kind:
            assert np.abs(grey(kind, 5) - grey(other, 5)).mean() > 1.5 * within, other


def test_a_daisy_has_gaps_between_its_petals_where_a_rose_and_a_sunflower_have_none() -> None:
    gaps = {}
    for kind in KINDS:
        covered, radii = where_drawn(in_the_middle(kind)), from_the_middle()
        gaps[kind] = 1 - covered[(radii > 0.6) & (radii < 0.75)].mean()
    assert gaps["daisy"] > 0.05
    assert gaps["rose"] < 0.01 and gaps["sunflower"] < 0.01


def test_a_sunflower_has_a_large_dark_disc_and_a_daisy_a_small_one() -> None:
    dark = {kind: pixels(in_the_middle(kind)).max(axis=2) < 150 for kind in KINDS}
    within = from_the_middle() < 0.5
    assert dark["sunflower"][within].mean() > 0.95
    assert max(dark[kind][within].mean() for kind in ("daisy", "rose", "tulip")) < 0.3


@pytest.mark.parametrize("kind", KINDS)
def test_a_larger_radius_covers_more_of_the_picture(kind: Kind) -> None:
    covered = [where_drawn(scene(blossom(kind, radius=radius, stem=False))).sum() for radius in (0.17, 0.26, 0.4)]
    assert covered[0] * 1.5 < covered[1] < covered[2] / 1.5


@pytest.mark.parametrize("kind", KINDS)
def test_a_blossom_stands_at_its_place(kind: Kind) -> None:
    drawn = blossom(kind, x=0.35, y=0.6, stem=False, turn=0.0)
    rows, columns = np.nonzero(where_drawn(scene(drawn, clutter=())))
    assert columns.mean() / SIDE == pytest.approx(0.35, abs=0.02)
    assert rows.mean() / SIDE == pytest.approx(0.6, abs=0.04)


def test_clutter_is_out_of_focus_and_the_flower_is_not() -> None:
    def steepest(drawn: FlowerScene) -> int:
        return int(np.abs(np.diff(pixels(drawn), axis=1)).max())

    seen = Clutter("blossom", "white", radius=0.09, x=0.15, y=0.2, turn=0.5)
    assert 3 * steepest(scene(clutter=(seen,), background="black")) < steepest(
        scene(blossom(colour="white"), clutter=(), background="black")
    )


def test_no_two_pictures_have_equal_bytes() -> None:
    drawings = samples(5)
    assert len({drawing.draw().tobytes() for drawing in drawings}) == len(drawings) == 50
