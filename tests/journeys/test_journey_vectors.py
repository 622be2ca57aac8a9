"""`heed train --vectors`: a model that starts from word vectors, and every file that it cannot start from."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch

from heed.runs.folder import open_run
from heed.tokens.tokenizer import Tokenizer

# What `conftest.py` makes; its answers have `code`, `out` and `err`.
Heed = Callable[..., Any]
VECTORS = {"soup": (1.0, -2.0, 3.0), "tasty": (0.5, 4.0, -1.0), "zebra": (9.0, 9.0, 9.0)}
# So slow that the weights at the end are those at the start.
STILL = ("--steps", "2", "--set", "training.learning_rate=1e-9", "--set", "training.validations=1")
TRAIN = ("train", "classify", "texts.csv", *STILL, "--set", "training.threads=1", "--set", "tokens.kind=words")


@pytest.fixture
def vectors(texts: Path) -> str:
    """Write vectors of two words of the texts and of one that is not there, as word2vec does."""
    lines = [f"{word} {' '.join(map(str, numbers))} \n" for word, numbers in VECTORS.items()]
    (texts / "vectors.txt").write_text(f"{len(VECTORS)} 3\n{''.join(lines)}")
    return "vectors.txt"


def embedding_rows(run: Path, words: list[str]) -> torch.Tensor:
    """Return the rows of a run's embedding that belong to the words."""
    tokenizer = Tokenizer.from_json((run / "tokenizer.json").read_text())
    pieces = [tokenizer.piece(id) for id in range(tokenizer.size)]
    table = open_run(run).read_best().tensors["encoder.embedding.weight"].float()
    return table[[pieces.index(word) for word in words]]


@pytest.mark.parametrize(
    ("model", "width"),
    [("textcnn", "model.embedding=3"), ("gru", "model.embedding=3"), ("transformer", "model.width=3")],
)
def test_the_embedding_starts_from_the_vectors(heed: Heed, texts: Path, vectors: str, model: str, width: str) -> None:
    heads = ("--set", "model.heads=1", "--set", "model.positions=learned") if model == "transformer" else ()
    options = ("--model", model, "--set", width, *heads, "--vectors", vectors)
    answer = heed(*TRAIN, *options, "--out", "run")
    assert answer.code == 0, answer.err
    assert "2 of 23 pieces start from the vectors of vectors.txt" in answer.err
    found = embedding_rows(Path("run"), ["soup", "tasty"])
    given = torch.tensor([VECTORS["soup"], VECTORS["tasty"]])
    # One factor for all of them; 16-bit floats on disk.
    torch.testing.assert_close(found / found.norm(), given / given.norm(), atol=1e-3, rtol=0.0)
    assert heed("predict", "run", "the soup was tasty").code == 0


FILES = {
    "missing": (None, "vectors.txt does not exist."),
    "empty": (b"", "vectors.txt holds no vectors."),
    "cut": (b"3 3\nsoup 1 2 3\n", "vectors.txt promises 3 words in line 1 and holds 1."),
    "uneven": (b"2 3\nsoup 1 2 3\ntasty 1 2\n", "vectors.txt:3: 2 number(s) after the word"),
    "no number": (b"1 3\nsoup 1 two 3\n", 'vectors.txt:2: number 2 of 3 is "two", which is no finite number.'),
    "other width": (b"1 4\nsoup 1 2 3 4\n", "The word vectors have 4 numbers each, the model's have 3."),
}


@pytest.mark.parametrize("fault", FILES)
def test_a_file_of_vectors_that_cannot_be_used_is_one_sentence(heed: Heed, texts: Path, fault: str) -> None:
    data, said = FILES[fault]
    if data is not None:
        Path("vectors.txt").write_bytes(data)
    before = sorted(texts.rglob("*"))
    answer = heed(
        *TRAIN, "--model", "textcnn", "--set", "model.embedding=3", "--vectors", "vectors.txt", "--out", "run"
    )
    assert answer.code == 1
    assert answer.err.startswith("heed: ")
    assert said in answer.err
    assert len(answer.err.splitlines()) == 1
    assert answer.out == ""
    assert sorted(texts.rglob("*")) == before


def test_vectors_are_refused_for_a_model_that_has_no_embedding(heed: Heed, texts: Path, vectors: str) -> None:
    answer = heed("train", "classify", "texts.csv", "--model", "tfidf", "--vectors", vectors, "--out", "run")
    assert answer.code == 1
    assert answer.err == (
        f"heed: vectors is {vectors}, but model tfidf has no embedding and reads no sequences: it counts the n-grams "
        f"of each text. Leave it out, or use another --model.\n"
    )
    assert not Path("run").exists()
