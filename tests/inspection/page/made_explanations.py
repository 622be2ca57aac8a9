"""Made-up explanations, one of each kind, with sizes that differ on every axis."""

from dataclasses import replace
from io import BytesIO

import numpy
from PIL import Image

from heed.inspection.explanation import Axis, Choice, Curve, Explanation, HeadOff, Looked, Numbers, Share


def rows_that_sum_to_one(heads: int, rows: int, columns: int, seed: int = 0, causal: bool = False) -> Numbers:
    """Return made-up weights; each row is sharp somewhere, as attention is."""
    generator = numpy.random.default_rng(seed)
    scores_HTS = generator.normal(size=(heads, rows, columns)) * 2
    scores_HTS += 2.5 * (numpy.arange(columns)[None, None, :] == (numpy.arange(rows)[:, None] * columns // rows)[None])
    if causal:
        scores_HTS = numpy.where(numpy.tri(rows, columns, dtype=bool)[None], scores_HTS, -numpy.inf)
    weights_HTS = numpy.exp(scores_HTS - scores_HTS.max(axis=-1, keepdims=True))
    return (weights_HTS / weights_HTS.sum(axis=-1, keepdims=True)).astype(numpy.float32)


def numbers(*values: float) -> Numbers:
    return numpy.array(values, dtype=numpy.float32)


def classified() -> Explanation:
    words = ("[CLS]", "a", "film", "of", "un", "forget", "table", "warmth", ",", "never", "dull", "[SEP]")
    text = "a film of unforgettable warmth, never dull"
    spans = (
        (0, 0),
        (0, 1),
        (2, 6),
        (7, 9),
        (10, 12),
        (12, 18),
        (18, 23),
        (24, 30),
        (30, 31),
        (32, 37),
        (38, 42),
        (0, 0),
    )
    generator = numpy.random.default_rng(3)
    values = [0, 0.01, 0.03, 0, 0.21, 0.38, 0.3, 0.55, 0.01, 0.33, -0.27, 0]
    looked = tuple(
        Looked(f"encoder.{layer}.self", "text", "text", rows_that_sum_to_one(4, 12, 12, layer)) for layer in range(2)
    )
    return Explanation(
        task="classify",
        model="encoder, 2 layers, 4 heads, width 64",
        given=(text,),
        answer="positive",
        probability=0.931,
        axes=(Axis("text", words, spans=spans),),
        looked=looked,
        shares=(
            Share("positive", "integrated gradients", "text", numbers(*values)),
            Share("positive", "gradient x input", "text", generator.normal(size=12).astype(numpy.float32)),
            Share("positive", "rollout", "text", generator.dirichlet(numpy.ones(12)).astype(numpy.float32)),
        ),
        heads=(
            HeadOff("encoder.1.self", 2, 0.412, "negative"),
            HeadOff("encoder.0.self", 3, 0.871, "positive"),
            HeadOff("encoder.0.self", 1, 0.944, "positive"),
        ),
        choices=(Choice("positive", 0.931), Choice("neutral", 0.0587), Choice("negative", 0.0103)),
        notes=("2 pieces were unknown to the vocabulary.",),
    )


def translated() -> Explanation:
    source = ("je", "ne", "mange", "pas", "de", "viande", "</s>")
    target = ("I", "do", "not", "eat", "meat", "</s>")
    tree = (
        "<s>",
        "├─ I                −0.21",
        "│  ├─ do            −0.48",
        "│  │  └─ not        −0.55",
        "│  └─ am            −2.90   ended here: 3 better",
        "└─ me               −3.31",
    )
    shares = tuple(
        Share(word, method, "source", rows_that_sum_to_one(1, 1, 7, place)[0, 0] - 0.05)
        for place, word in enumerate(target[:-1])
        for method in ("gradient x input", "integrated gradients")
    )
    return Explanation(
        task="translate",
        model="transformer, 3 layers, 3 heads",
        given=("je ne mange pas de viande",),
        answer="I do not eat meat",
        probability=0.42,
        axes=(Axis("source", source), Axis("target", target)),
        looked=(
            Looked("encoder.0.self", "source", "source", rows_that_sum_to_one(3, 7, 7, 1)),
            Looked("decoder.0.self", "target", "target", rows_that_sum_to_one(3, 6, 6, 2, causal=True)),
            Looked("decoder.0.cross", "target", "source", rows_that_sum_to_one(3, 6, 7, 3)),
        ),
        shares=shares,
        heads=(HeadOff("decoder.0.cross", 1, 0.11, "I eat meat"),),
        choices=(Choice("I do not eat meat", 0.42), Choice("I don't eat meat", 0.31)),
        tree=tree,
    )


def answered() -> Explanation:
    words = ("[CLS]", "where", "is", "it", "?", "[SEP]", "the", "tower", "stands", "in", "old", "Paris", ".", "[SEP]")
    start = numbers(0, 0, 0, 0, 0, 0, 0.02, 0.03, 0, 0.09, 0.22, 0.61, 0, 0)
    end = numbers(0, 0, 0, 0, 0, 0, 0, 0.05, 0, 0, 0.04, 0.88, 0.02, 0)
    return Explanation(
        task="answer",
        model="bert, 2 layers, 2 heads",
        given=("where is it?", "the tower stands in old Paris."),
        answer="Paris",
        probability=0.54,
        axes=(Axis("text", words),),
        looked=(Looked("encoder.1.self", "text", "text", rows_that_sum_to_one(2, 14, 14, 8)),),
        curves=(Curve("start", "text", start), Curve("end", "text", end)),
        choices=(Choice("Paris", 0.54), Choice("old Paris", 0.19)),
    )


def filled_in() -> Explanation:
    words = ("[CLS]", "the", "cat", "[MASK]", "on", "the", "[MASK]", "[SEP]")
    return Explanation(
        task="fill",
        model="bert, 2 layers, 2 heads",
        given=("the cat [MASK] on the [MASK]",),
        answer="the cat sat on the mat",
        probability=None,
        axes=(Axis("text", words),),
        looked=(Looked("encoder.0.self", "text", "text", rows_that_sum_to_one(2, 8, 8, 9)),),
        choices=(
            Choice("sat", 0.61, "word 3"),
            Choice("slept", 0.2, "word 3"),
            Choice("mat", 0.41, "word 6"),
            Choice("sofa", 0.3, "word 6"),
            Choice("roof", 0.0002, "word 6"),
        ),
    )


def square_picture(side: int = 64) -> bytes:
    """Return the PNG of a bright flower on a dark meadow."""
    down, across = numpy.mgrid[0:side, 0:side] / side - 0.5
    pixels = numpy.zeros((side, side, 3), dtype=numpy.uint8)
    pixels[..., 1] = (110 + 80 * down).astype(numpy.uint8)
    angle = numpy.arctan2(down, across)
    petals = numpy.hypot(down, across) < 0.25 + 0.12 * numpy.cos(6 * angle)
    pixels[petals] = (235, 120, 170)
    pixels[numpy.hypot(down, across) < 0.1] = (250, 210, 60)
    stored = BytesIO()
    Image.fromarray(pixels).save(stored, format="PNG")
    return stored.getvalue()


def patch_axis(rows: int, columns: int) -> Axis:
    patches = tuple(f"row {row + 1}, column {column + 1}" for row in range(rows) for column in range(columns))
    return Axis("picture", ("[CLS]", *patches), grid=(rows, columns))


def pictured() -> Explanation:
    axis = patch_axis(7, 7)
    values_S = rows_that_sum_to_one(1, 1, 50, 4)[0, 0] - 0.01
    return Explanation(
        task="image",
        model="vit, 2 layers, 3 heads, patches of 8 pixels",
        given=("flowers/rose-12.jpg",),
        answer="rose",
        probability=0.9997,
        axes=(axis,),
        looked=tuple(
            Looked(f"encoder.{layer}.self", "picture", "picture", rows_that_sum_to_one(3, 50, 50, layer))
            for layer in range(2)
        ),
        shares=(
            Share("rose", "rollout", "picture", numpy.abs(values_S)),
            Share("rose", "gradient x input", "picture", values_S),
        ),
        choices=(Choice("rose", 0.9997), Choice("tulip", 0.0003)),
        picture=square_picture(),
    )


def captioned() -> Explanation:
    words = ("a", "pink", "flower", "in", "the", "grass", "</s>")
    axis = replace(patch_axis(5, 5), labels=patch_axis(5, 5).labels[1:])
    return Explanation(
        task="caption",
        model="captioner, 1 layer, 2 heads",
        given=("meadow.jpg",),
        answer="a pink flower in the grass",
        probability=0.2,
        axes=(axis, Axis("target", words)),
        looked=(
            Looked("encoder.0.self", "picture", "picture", rows_that_sum_to_one(2, 25, 25, 5)),
            Looked("decoder.0.cross", "target", "picture", rows_that_sum_to_one(2, 7, 25, 6)),
        ),
        shares=(Share("pink", "gradient x input", "picture", rows_that_sum_to_one(1, 1, 25, 7)[0, 0]),),
        tree=("<s>", "└─ a"),
        picture=square_picture(),
    )


def written(words: int = 10_000) -> Explanation:
    """Return an explanation of a long text that three words were made of."""
    labels = tuple(f"word{number}" for number in range(words))
    generator = numpy.random.default_rng(0)
    weights_HTS = generator.dirichlet(numpy.full(words, 0.05), size=(2, 3)).astype(numpy.float32)
    return Explanation(
        task="translate",
        model="gru, attention",
        given=(" ".join(labels),),
        answer="quite long indeed",
        probability=0.3,
        axes=(Axis("source", labels), Axis("target", ("quite", "long", "indeed"))),
        looked=(Looked("decoder.cross", "target", "source", weights_HTS),),
        shares=(Share("quite", "gradient x input", "source", generator.normal(size=words).astype(numpy.float32)),),
        curves=(Curve("start", "source", weights_HTS[0, 0]),),
    )


EVERY = {
    "classify": classified,
    "translate": translated,
    "answer": answered,
    "fill": filled_in,
    "image": pictured,
    "caption": captioned,
}
