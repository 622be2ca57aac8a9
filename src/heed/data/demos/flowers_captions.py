"""`captions`: what can be said of a picture of flowers, from the parameters by which it is drawn.

    a red tulip on a blue background
    one red tulip in front of a blue background
    a tulip with red petals on a blue background

The first is canonical: it tells what anyone sees (how many, colour, kind, background), always in this order. Two more
are drawn from other ways to say it, some of which tell the size. Each way is so much rarer than the canonical one that
whoever says, word after word, what is said most often of such a picture says the canonical caption.
"""

from heed.data.demos.flowers_parameters import FlowerScene
from heed.data.demos.grammar import Draws, joined

OTHERS = 2  # ways besides the canonical one, of four or five

_PLURALS = {"daisy": "daisies"}


def captions(scene: FlowerScene) -> tuple[str, ...]:
    """Return the canonical caption, then others."""
    draws = Draws(f"captions {scene.seed}")
    others = _other_ways(scene)
    while len(others) > OTHERS:
        others.remove(draws.pick(others))
    return (f"{_flowers(scene, scene.colour)} {_on(scene)}", *others)


def _other_ways(scene: FlowerScene) -> list[str]:
    one, there_is, stands = ("one", "there is", "stands") if _alone(scene) else ("two", "there are", "stand")
    before, red_flowers = f"in front of a {scene.background} background", _flowers(scene, scene.colour)
    ways = [
        f"{one} {scene.colour} {_noun(scene)} {before}",
        f"{there_is} {red_flowers} {_on(scene)}",
        f"{before} {stands} {red_flowers}",
        f"{_flowers(scene)} with {scene.colour} petals {_on(scene)}",
    ]
    size = scene.blossoms[0].size
    if size != "medium":
        ways.append(f"{_flowers(scene, size, scene.colour)} {_on(scene)}")
    return ways


def _flowers(scene: FlowerScene, *adjectives: str) -> str:
    said = joined(*adjectives, _noun(scene))
    if not _alone(scene):
        return f"two {said}"
    return f"an {said}" if said[0] in "aeiou" else f"a {said}"


def _noun(scene: FlowerScene) -> str:
    return scene.kind if _alone(scene) else _PLURALS.get(scene.kind, f"{scene.kind}s")


def _alone(scene: FlowerScene) -> bool:
    return len(scene.blossoms) == 1


def _on(scene: FlowerScene) -> str:
    return f"on a {scene.background} background"
