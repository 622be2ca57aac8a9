"""Runs to start others from: a BERT, a language model of each kind and a ViT, each trained for one step."""

from pathlib import Path

from pictured import write_pictures

from heed.reporting.following import follow
from heed.runs.session import new_run

BERT = {"kind": "bert", "width": 8, "heads": 2, "layers": 3, "feedforward": 12, "longest": 64}
VIT = {
    "image": 24,
    "patch": 6,
    "width": 12,
    "heads": 2,
    "layers": 3,
    "feedforward": 20,
    "stem": "patches",
    "pooling": "first",
}
WRITER = {"width": 12, "heads": 2, "layers": 3, "feedforward": 20, "longest": 40}
ONE_STEP = {"steps": 1, "tokens_per_batch": 200, "validations": 1, "threads": 1}
RNN = {"kind": "rnn", "cell": "gru", "embedding": 6, "width": 8, "longest": 12}


def train_bases(folder: Path) -> Path:
    """Write pictures, and train the bases; return the folder of all."""
    pictures = str(write_pictures(folder / "pictures"))
    for name, task, data, settings in (
        ("classify", "classify", (), {"model": BERT}),
        ("write", "write", (), {"model": WRITER}),
        ("gru", "write", (), {"model": RNN}),
        (
            "image",
            "image",
            (pictures,),
            {"model": VIT, "colours": {"mean": [0.4, 0.5, 0.6]}, "pictures": {"fit": "crop"}},
        ),
    ):
        with new_run(task, *data, settings={**settings, "training": ONE_STEP}, out=folder / name) as run:
            follow(run, None)
    return folder
