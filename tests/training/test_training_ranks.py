"""Several processes on one run, started by torchrun: the same weights as one process, and only the first writes."""

import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch
from torch import Tensor

from heed import api
from heed.machine import Ranks
from heed.runs.folder import open_run
from heed.training.ranks import from_first_rank, share_of, sum_over_ranks

PROGRAM = Path(__file__).with_name("several_ranks.py")
MODEL = {"width": 16, "heads": 2, "encoder_layers": 1, "decoder_layers": 1, "feedforward": 24}
SETTINGS: dict[str, dict[str, object]] = {
    "tokens": {"kind": "words"},
    "model": MODEL,  # with the dropout that it has by default
    "training": {"steps": 6, "tokens_per_batch": 90, "accumulate": 2, "validations": 2, "threads": 1, "average": 0.9},
}


@pytest.fixture
def data(tmp_path: Path) -> Path:
    numbers = ["one", "two", "three", "four", "five", "six", "seven"]
    rows = [[numbers[(7 * row + 3 * at) % 7] for at in range(1 + row % 5)] for row in range(120)]
    lines = [f"{' '.join(words)} {row}\t{' '.join(reversed(words))}\n" for row, words in enumerate(rows)]
    (tmp_path / "pairs.tsv").write_text("source\ttarget\n" + "".join(lines))
    return tmp_path / "pairs.tsv"


@pytest.fixture(autouse=True)
def in_double_precision() -> Iterator[None]:
    """As in `several_ranks.py`."""
    torch.set_default_dtype(torch.float64)
    yield
    torch.set_default_dtype(torch.float32)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def on_ranks(count: int, folder: Path, *command: str) -> list[list[str]]:
    """Run the command on so many ranks, which leave no thread of theirs behind; return the files that each changed."""
    torchrun = ["-m", "torch.distributed.run", "--nproc-per-node", str(count), "--master-addr", "127.0.0.1"]
    child = subprocess.run(
        [sys.executable, *torchrun, "--master-port", str(free_port()), PROGRAM, folder / "notes.x", *command],
        cwd=folder,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert child.returncode == 0, child.stderr[-3000:]
    notes = [json.loads((folder / f"notes.{rank}").read_text()) for rank in range(count)]
    # A thread that outlives its group meets an interpreter that is being taken down: the process aborts, now and then.
    assert [name for rank in notes for name in rank["threads"] if "gloo" in name] == []
    return [rank["changed"] for rank in notes]


def weights(run: Path) -> dict[str, Tensor]:
    return dict(open_run(run).newest_checkpoint().checkpoint.tensors["weights"])


def largest_difference(left: dict[str, Tensor], right: dict[str, Tensor]) -> float:
    assert left.keys() == right.keys()
    return max(float((left[name] - right[name]).abs().max()) for name in left)


def below(changed: list[str], run: Path) -> list[str]:
    return [path for path in changed if run.name in path]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("count", "norm", "tokens_per_batch"), [(2, "layer", 90), (4, "layer", 90), (3, "batch", 90), (3, "batch", 12)]
)
def test_ranks_train_to_the_weights_of_one_process_and_only_the_first_writes(
    count: int, norm: str, tokens_per_batch: int, data: Path, tmp_path: Path
) -> None:
    """With 12 tokens a batch is one or two pairs: some of three ranks have none, and the others must not wait."""
    settings = {
        **SETTINGS,
        "model": {**MODEL, "norm": norm},
        "training": {
            **SETTINGS["training"],
            "tokens_per_batch": tokens_per_batch,
            "accumulate": 2 if norm == "layer" else 1,
        },
    }
    api.train("translate", str(data), settings=settings, out=tmp_path / "alone")
    (tmp_path / "settings.json").write_text(json.dumps(settings))
    command = ["train", "translate", str(data), "--settings", "settings.json", "--out", str(tmp_path / "shared")]
    first, *others = on_ranks(count, tmp_path, *command)
    assert open_run(tmp_path / "shared").is_finished
    assert largest_difference(weights(tmp_path / "alone"), weights(tmp_path / "shared")) < 1e-6
    for mine, other in zip(metrics(tmp_path / "alone"), metrics(tmp_path / "shared"), strict=True):
        assert mine == pytest.approx(other, abs=1e-6)
    assert below(first, tmp_path / "shared")
    assert [below(other, tmp_path / "shared") for other in others] == [[]] * len(others)


@pytest.mark.slow
def test_two_ranks_go_on_with_what_one_process_began(data: Path, tmp_path: Path) -> None:
    for name, stop in (("alone", 6), ("shared", 3)):
        api.train("translate", str(data), settings=SETTINGS, out=tmp_path / name, watch=lambda at: at.step < stop)  # noqa: B023
    _, second = on_ranks(2, tmp_path, "resume", str(tmp_path / "shared"))
    assert open_run(tmp_path / "shared").is_finished
    assert largest_difference(weights(tmp_path / "alone"), weights(tmp_path / "shared")) < 1e-6
    assert below(second, tmp_path / "shared") == []


def metrics(run: Path) -> list[dict[str, object]]:
    lines = open_run(run).read_metrics()
    return [{name: value for name, value in line.items() if name != "seconds"} for line in lines]


def test_rows_are_dealt_in_turn_and_a_rank_may_get_none() -> None:
    assert share_of([5, 6, 7], Ranks(0, 2, 0)) == [5, 7]
    assert share_of([5, 6, 7], Ranks(1, 2, 1)) == [6]
    assert share_of([5], Ranks(1, 2, 1)) == []


def test_alone_sums_and_decisions_are_ones_own() -> None:
    assert sum_over_ranks([1.5, 2.0], Ranks()) == from_first_rank([1.5, 2.0], Ranks()) == [1.5, 2.0]
