"""The best weights and their facts are one file: they agree, or the file is refused."""

import errno
import json
import random
import struct
from pathlib import Path

import pytest
import torch
from faulty_disk import FaultyOs, failing_with, same_tensors, standing_in
from safetensors.torch import load_file

from heed.errors import MachineError, RunError
from heed.runs import seal
from heed.runs.folder import RunFolder, create
from heed.runs.strict_json import JSON

FACTS: dict[str, JSON] = {"step": 3, "score": 0.5, "vocabulary": f"sha256:{'0' * 64}", "words": 'a "quoted" phở \\ 水'}
TENSORS = {"b": torch.rand(2, 3), "a": torch.arange(4), "empty": torch.zeros(0)}


@pytest.fixture
def run(tmp_path: Path) -> RunFolder:
    made = create(tmp_path / "run")
    made.write_best(TENSORS, FACTS)
    return made


def _file(run: RunFolder) -> Path:
    return run.path / "model.safetensors"


def test_weights_and_facts_come_back(run: RunFolder) -> None:
    best = run.read_best()
    assert same_tensors(best.tensors, TENSORS)
    assert best.facts == FACTS
    assert len(best.sha256) == 64


def test_a_fact_that_is_not_a_finite_number_becomes_null(run: RunFolder) -> None:
    run.write_best(TENSORS, {"score": float("nan"), "step": 3})
    assert run.read_best().facts == {"score": None, "step": 3}


def test_any_reader_of_safetensors_opens_the_file(run: RunFolder) -> None:
    assert same_tensors(load_file(_file(run)), TENSORS)


def test_a_matrix_of_16_bit_floats_takes_half_the_room_and_comes_back_as_it_was(run: RunFolder) -> None:
    wide, vector = torch.rand(64, 64), torch.ones(8)
    sizes = []
    for matrix in (wide, wide.half().float()):
        run.write_best({"matrix": matrix, "vector": vector}, FACTS)
        assert same_tensors(run.read_best().tensors, {"matrix": matrix, "vector": vector})
        sizes.append(_file(run).stat().st_size)
    assert sizes[1] < 0.55 * sizes[0]


def test_equal_weights_and_facts_are_equal_bytes_and_others_have_another_digest(run: RunFolder) -> None:
    before, digest = _file(run).read_bytes(), run.read_best().sha256
    run.write_best(dict(reversed(TENSORS.items())), dict(reversed(FACTS.items())))
    assert _file(run).read_bytes() == before
    run.write_best(TENSORS, {**FACTS, "step": 4})
    assert run.read_best().sha256 != digest


def test_flipped_bits_and_truncations_are_detected(run: RunFolder) -> None:
    data = _file(run).read_bytes()
    draw = random.Random(4)
    for number in range(500):
        changed = bytearray(data)
        if number % 5 == 0:
            del changed[draw.randrange(len(data)) :]
        else:
            changed[draw.randrange(len(data))] ^= 1 << draw.randrange(8)
        assert seal.seal_of(bytes(changed)) is None
    _file(run).write_bytes(changed)
    with pytest.raises(
        RunError,
        match=rf"model\.safetensors is damaged: its {len(data)} bytes.*if it is not finished, or train again",
    ):
        run.read_best()


def test_weights_of_one_save_with_the_facts_of_another_are_detected(run: RunFolder) -> None:
    """What two files would allow after a kill between them."""
    old = _file(run).read_bytes()
    run.write_best({**TENSORS, "b": TENSORS["b"] + 1}, FACTS)
    new = _file(run).read_bytes()
    assert len(old) == len(new)
    header = 8 + struct.unpack("<Q", old[:8])[0]
    _file(run).write_bytes(old[:header] + new[header:])
    with pytest.raises(RunError, match="damaged"):
        run.read_best()


def test_an_error_at_any_operation_leaves_the_old_model_or_the_new(run: RunFolder) -> None:
    seen = set()
    for number in range(1, 100):
        run.write_best(TENSORS, {"step": 1})
        faulty = FaultyOs(number, failing_with(errno.ENOSPC), lasting=True)
        with standing_in(faulty):
            try:
                run.write_best({"b": TENSORS["b"] * 2}, {"step": 2})
            except MachineError as error:
                assert "Free 1 MB" in str(error)
        best = run.read_best()
        assert same_tensors(best.tensors, TENSORS if best.facts["step"] == 1 else {"b": TENSORS["b"] * 2})
        seen.add(best.facts["step"])
        if faulty.count < number:
            break
    assert seen == {1, 2}
    assert number > 8


def test_a_run_without_best_weights_is_told(tmp_path: Path) -> None:
    with pytest.raises(RunError, match=r"model\.safetensors is missing.*Train it further"):
        create(tmp_path / "run").read_best()


def _sealed(document: object, data: bytes = b"") -> bytes:
    text = json.dumps(document).encode()
    return seal.close_seal(struct.pack("<Q", len(text)) + text + data)


@pytest.mark.parametrize(
    ("reason", "data"),
    [
        ("header claims", seal.close_seal(struct.pack("<Q", 2**63) + seal.OPEN.encode())),
        ("no note of ours", _sealed({"__metadata__": {"other": seal.OPEN}})),
        ("no note of ours", _sealed({"__metadata__": [seal.OPEN]})),
        ("no facts", _sealed({"__metadata__": {"heed": json.dumps({"digest": seal.OPEN})}})),
        ("Expecting value", _sealed({"__metadata__": {"heed": seal.OPEN}})),
        ("not a safetensors", _sealed({"__metadata__": {"heed": json.dumps({"d": seal.OPEN, "facts": {}})}}, b"x")),
    ],
)
def test_a_hostile_file_with_a_true_seal_is_one_error_of_ours(reason: str, data: bytes, run: RunFolder) -> None:
    _file(run).write_bytes(data)
    with pytest.raises(RunError, match=rf"model\.safetensors cannot be used: .*{reason}"):
        run.read_best()
