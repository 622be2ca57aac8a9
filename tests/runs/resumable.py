"""A run small enough to be stopped at every step, and all of it that a resumed run must have in common with it."""

import json
import random
from pathlib import Path

from heed.runs.folder import open_run
from heed.training.progress import CLOCKS

WORDS = ("one", "two", "three", "four", "five", "six", "seven")
SETTINGS: dict[str, dict[str, object]] = {
    "tokens": {"kind": "words"},
    "model": {"width": 16, "heads": 2, "encoder_layers": 1, "decoder_layers": 1, "feedforward": 24, "dropout": 0.3},
    "training": {
        "epochs": 3,
        "tokens_per_batch": 250,
        "validations": 5,
        "validation_texts": 3,
        "average": 0.9,
        "checkpoint_every": 1,
        "keep_checkpoints": 1000,
        "threads": 1,
    },
}


def write_pairs(path: Path, count: int = 90) -> Path:
    """Write made-up pairs to a table and return its path."""
    draw = random.Random(4)
    texts = [draw.choices(WORDS, k=draw.randint(1, 6)) for _ in range(count)]
    path.write_text("".join(f"{' '.join(words)}\t{' '.join(reversed(words))}\n" for words in texts))
    return path


def outcome(run: Path) -> dict[str, object]:
    """Return everything that a run has come to, by bytes; clocks alone are left out, for they never repeat."""
    newest = open_run(run).newest_checkpoint().path
    found: dict[str, object] = {path.name: path.read_bytes() for path in sorted(newest.glob("*.safetensors"))}
    facts = json.loads((newest / "facts.json").read_text())
    for clock in CLOCKS:
        facts["facts"].pop(clock)
    lines = [json.loads(line) for line in (run / "metrics.jsonl").read_text().splitlines()]
    return {
        **found,
        "facts.json": facts,
        "metrics.jsonl": [{name: value for name, value in line.items() if name != "seconds"} for line in lines],
        "model.safetensors": (run / "model.safetensors").read_bytes(),
        "finished.json": (run / "finished.json").read_bytes(),
    }


def differences(run: Path, other: Path) -> list[str]:
    """Return the names of what two runs do not have in common."""
    mine, its = outcome(run), outcome(other)
    return [name for name in sorted(mine | its) if mine.get(name) != its.get(name)]
