"""Whatever happens to the bytes of a checkpoint is seen before any of them is parsed."""

import json
import os
import random
import struct
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from faulty_disk import same, sample

from heed.errors import RunError
from heed.runs import manifest, seal
from heed.runs.checkpoint import load_checkpoint, newest_checkpoint, save_checkpoint, verify_checkpoint


def _detected(path: Path) -> bool:
    try:
        load_checkpoint(path)
    except RunError:
        return True
    return False


def _files(path: Path) -> list[Path]:
    return sorted(file for file in path.iterdir())


def test_two_thousand_flipped_bits_are_all_detected(memory_path: Path) -> None:
    path = save_checkpoint(memory_path, sample(10))
    draw = random.Random(1)
    for number in range(2000):
        file = _files(path)[number % len(_files(path))]
        bit = draw.randrange(8 * file.stat().st_size)
        _flip(file, bit)
        assert _detected(path), f"bit {bit} of {file.name}"
        _flip(file, bit)
    assert same(load_checkpoint(path), sample(10))


def test_every_bit_of_the_manifest_is_detected(memory_path: Path) -> None:
    path = save_checkpoint(memory_path, sample(10))
    file = path / "manifest.json"
    for bit in range(8 * file.stat().st_size):
        _flip(file, bit)
        with pytest.raises(RunError, match=r"manifest\.json is damaged: .* its own SHA-256"):
            load_checkpoint(path)
        _flip(file, bit)
    assert not _detected(path)


def _flip(file: Path, bit: int) -> None:
    """Change one bit in its place; to write the whole file anew would make the disk wait each time."""
    with file.open("r+b") as stream:
        stream.seek(bit // 8)
        byte = stream.read(1)[0]
        stream.seek(bit // 8)
        stream.write(bytes([byte ^ 1 << bit % 8]))


def test_two_hundred_truncations_are_all_detected(memory_path: Path) -> None:
    path = save_checkpoint(memory_path, sample(10))
    draw = random.Random(2)
    for number in range(200):
        file = _files(path)[number % len(_files(path))]
        data = file.read_bytes()
        file.write_bytes(data[: draw.randrange(len(data))])
        assert _detected(path), file.name
        file.write_bytes(data)


@pytest.mark.parametrize("name", ["manifest.json", "facts.json", "weights.safetensors"])
def test_a_missing_file_is_named(name: str, tmp_path: Path) -> None:
    path = save_checkpoint(tmp_path, sample(10))
    (path / name).unlink()
    with pytest.raises(RunError, match=rf"{name} is damaged: it is missing"):
        load_checkpoint(path)


def test_a_changed_size_and_a_changed_byte_are_told_apart(tmp_path: Path) -> None:
    path = save_checkpoint(tmp_path, sample(10))
    data = (path / "facts.json").read_bytes()
    (path / "facts.json").write_bytes(data + b"\n")
    with pytest.raises(RunError, match=rf"facts\.json.*{len(data) + 1} bytes and the manifest lists {len(data)}"):
        load_checkpoint(path)
    (path / "facts.json").write_bytes(data)
    _flip(path / "facts.json", 9)
    with pytest.raises(RunError, match=r"facts\.json.*SHA-256 in the manifest"):
        load_checkpoint(path)
    with pytest.raises(RunError, match=r"facts\.json.*SHA-256 in the manifest"):
        verify_checkpoint(path)


def _without_the_optimizer(path: Path) -> None:
    document = json.loads((path / "manifest.json").read_text())
    del document["files"]["optimizer.safetensors"]
    (path / "manifest.json").write_text(json.dumps(document))


def test_a_group_struck_from_the_manifest_is_detected(tmp_path: Path) -> None:
    path = save_checkpoint(tmp_path, sample(10))
    _without_the_optimizer(path)
    with pytest.raises(RunError, match="its own SHA-256"):
        load_checkpoint(path)


def test_without_its_own_digest_a_struck_group_would_be_lost_in_silence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The broken variant: the manifest's seal is not looked at."""
    path = save_checkpoint(tmp_path, sample(10))
    _without_the_optimizer(path)
    monkeypatch.setattr(seal, "seal_of", lambda data: "unchecked")
    assert "optimizer" not in load_checkpoint(path).tensors


def test_without_the_hashes_a_flipped_weight_would_be_loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The broken variant: files are compared with the manifest by size alone."""
    path = save_checkpoint(tmp_path, sample(10))
    file = path / "weights.safetensors"
    _flip(file, 8 * file.stat().st_size - 1)
    entry = manifest.read_manifest(path)[file.name]
    assert _detected(path)
    monkeypatch.setattr(manifest, "listed", lambda data: entry)
    flipped = manifest.read_listed(path, file.name, entry)
    assert flipped == file.read_bytes()


def test_a_folder_under_the_name_of_another_step_is_refused(tmp_path: Path) -> None:
    path = save_checkpoint(tmp_path, sample(10))
    with pytest.raises(RunError, match="holds step 10"):
        load_checkpoint(path.rename(tmp_path / "step-00000090"))
    assert load_checkpoint((tmp_path / "step-00000090").rename(tmp_path / "my-copy")).step == 10


def test_the_one_before_is_loaded_and_the_reason_is_told(tmp_path: Path) -> None:
    for step in (10, 20, 30):
        save_checkpoint(tmp_path, sample(step), keep=3)
    (tmp_path / "step-00000030" / "weights.safetensors").write_bytes(b"")
    (tmp_path / "step-00000020" / "manifest.json").unlink()
    (tmp_path / "step-00000040").write_text("a file, not a folder")
    loaded = newest_checkpoint(tmp_path)
    assert same(loaded.checkpoint, sample(10))
    assert loaded.path == tmp_path / "step-00000010"
    assert [one.path.name for one in loaded.passed_over] == ["step-00000040", "step-00000030", "step-00000020"]
    assert "weights.safetensors is damaged: it has 0 bytes" in loaded.passed_over[1].reason


def test_the_second_of_a_step_is_newer_than_the_first(tmp_path: Path) -> None:
    save_checkpoint(tmp_path, sample(10, tag=1.0)).rename(tmp_path / "step-00000010-again")
    save_checkpoint(tmp_path / "aside", sample(10)).rename(tmp_path / "step-00000010")
    assert same(newest_checkpoint(tmp_path).checkpoint, sample(10, tag=1.0))


def test_no_good_checkpoint_is_told_with_every_reason(tmp_path: Path) -> None:
    with pytest.raises(RunError, match=r"holds no checkpoint: .* Train from the start"):
        newest_checkpoint(tmp_path)
    (save_checkpoint(tmp_path, sample(10)) / "facts.json").unlink()
    with pytest.raises(RunError, match=r"no good checkpoint.*facts\.json is damaged: it is missing.*from the start"):
        newest_checkpoint(tmp_path)
    with pytest.raises(RunError, match="elsewhere cannot be read: No such file"):
        newest_checkpoint(tmp_path / "elsewhere")


def _header(document: object, data: bytes = b"") -> bytes:
    text = json.dumps(document).encode()
    return struct.pack("<Q", len(text)) + text + data


_FLOATS = {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}
HOSTILE = {
    "nothing": b"",
    "header length 2^63": struct.pack("<Q", 2**63) + b"{}",
    "header length past the end": struct.pack("<Q", 500) + b"{}",
    "overlapping offsets": _header({"a": _FLOATS, "b": {**_FLOATS, "data_offsets": [4, 12]}}, bytes(12)),
    "offsets past the end": _header({"a": {**_FLOATS, "shape": [2**38], "data_offsets": [0, 2**40]}}, bytes(8)),
    "negative offsets": _header({"a": {**_FLOATS, "data_offsets": [8, 0]}}, bytes(8)),
    "shape product overflows": _header({"a": {**_FLOATS, "shape": [2**33, 2**33]}}, bytes(8)),
    "shape larger than the data": _header({"a": {**_FLOATS, "shape": [2**40]}}, bytes(8)),
    "an endless empty tensor": _header({"a": {**_FLOATS, "shape": [0, 2**62, 2**62], "data_offsets": [0, 0]}}),
    "unknown kind": _header({"a": {**_FLOATS, "dtype": "PICKLE"}}, bytes(8)),
    "kind torch has not": _header({"a": {"dtype": "F8_E8M0", "shape": [8], "data_offsets": [0, 8]}}, bytes(8)),
    "deep nesting": struct.pack("<Q", 200_000) + b'{"a":' + b"[" * 199_995,
    "not an object": _header([1, 2]),
    "bytes after the end": _header({"a": _FLOATS}, bytes(9)),
    "a pickle": b"\x80\x04\x95\x0b\x00\x00\x00\x00\x00\x00\x00\x8c\x02os\x94.",
}


def _replace_and_list(path: Path, name: str, data: bytes) -> None:
    """Do as an enemy would: put the file in and make the manifest agree with it."""
    files = manifest.read_manifest(path)
    (path / name).write_bytes(data)
    files[name] = manifest.listed(data)
    (path / "manifest.json").write_bytes(manifest.to_bytes(files))


@pytest.mark.parametrize("kind", HOSTILE)
def test_a_hostile_tensor_file_with_a_true_manifest_is_one_error_of_ours(kind: str, tmp_path: Path) -> None:
    path = save_checkpoint(tmp_path, sample(10))
    _replace_and_list(path, "weights.safetensors", HOSTILE[kind])
    with pytest.raises(RunError, match=r"weights\.safetensors cannot be used"):
        load_checkpoint(path)


HOSTILE_FACTS = {
    "nested too deeply": b'{"facts":' + b"[" * 100_000,
    "Exceeds the limit": b'{"facts": {}, "step": ' + b"9" * 5000 + b"}",
    "NaN is not": b'{"facts": {"a": NaN}, "step": 1}',
    "too large": b'{"facts": {"a": 1e999}, "step": 1}',
    "'step' stands twice": b'{"facts": {}, "step": 1, "step": 2}',
    "UTF-8": b'{"facts": {"a": "\\ud800"}, "step": 1}',
    "utf-8|UTF-8": b'{"facts": {"a": "\xff"}, "step": 1}',
    "a list, not an object": b"[]",
    "no step": b'{"facts": {}, "step": true}',
    "no facts": b'{"facts": 3, "step": 10}',
}


@pytest.mark.parametrize("reason", HOSTILE_FACTS)
def test_hostile_facts_with_a_true_manifest_are_one_error_of_ours(reason: str, tmp_path: Path) -> None:
    path = save_checkpoint(tmp_path, sample(10))
    _replace_and_list(path, "facts.json", HOSTILE_FACTS[reason])
    with pytest.raises(RunError, match=rf"facts\.json.*({reason})"):
        load_checkpoint(path)


def _sealed(files: object, format: object = 1) -> bytes:
    return seal.close_seal(json.dumps({"digest": seal.OPEN, "files": files, "format": format}).encode())


_ZERO = "0" * 64
HOSTILE_MANIFESTS = {
    "name '../facts.json'": _sealed({"../facts.json": {"bytes": 1, "sha256": _ZERO}}),
    "name '/etc/passwd'": _sealed({"/etc/passwd": {"bytes": 1, "sha256": _ZERO}}),
    "name 'manifest.json'": _sealed({"manifest.json": {"bytes": 1, "sha256": _ZERO}}),
    "facts.json without a size": _sealed({"facts.json": {"bytes": -1, "sha256": _ZERO}}),
    "facts.json without": _sealed({"facts.json": {"bytes": True, "sha256": _ZERO}}),
    "weights.safetensors without": _sealed({"weights.safetensors": {"bytes": 1, "sha256": "x"}}),
    "lists no files": _sealed([]),
    "format is 2": _sealed({}, format=2),
    "its own SHA-256": b"{}",
    "1048576 are the most": b"[" * 1_048_577,
}


@pytest.mark.parametrize("reason", HOSTILE_MANIFESTS)
def test_a_hostile_manifest_is_one_error_of_ours(reason: str, tmp_path: Path) -> None:
    path = save_checkpoint(tmp_path, sample(10))
    (path / "manifest.json").write_bytes(HOSTILE_MANIFESTS[reason])
    with pytest.raises(RunError, match=reason):
        load_checkpoint(path)


def _as_pipe(file: Path) -> None:
    os.mkfifo(file)


def _as_folder(file: Path) -> None:
    file.mkdir()


def _as_endless_device(file: Path) -> None:
    file.symlink_to("/dev/zero")


@pytest.mark.parametrize("make", [_as_pipe, _as_folder, _as_endless_device])
@pytest.mark.parametrize("name", ["manifest.json", "weights.safetensors"])
def test_something_that_is_not_a_file_neither_blocks_nor_ends_the_program(
    name: str, make: Callable[[Path], None], tmp_path: Path
) -> None:
    path = save_checkpoint(tmp_path, sample(10))
    (path / name).unlink()
    make(path / name)
    with pytest.raises(RunError, match=name):
        load_checkpoint(path)
    save_checkpoint(tmp_path, sample(10))
    assert torch.equal(load_checkpoint(path).tensors["weights"]["second"], torch.arange(5))
