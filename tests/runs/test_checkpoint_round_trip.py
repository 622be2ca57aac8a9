"""What is saved is what is loaded, and equal contents are equal bytes."""

from collections.abc import Mapping
from pathlib import Path
from typing import TypeVar

import pytest
import torch
from faulty_disk import same, same_tensors, sample

from heed.errors import UsageError
from heed.runs import manifest
from heed.runs.checkpoint import Checkpoint, load_checkpoint, newest_checkpoint, save_checkpoint, verify_checkpoint

Value = TypeVar("Value")


def _names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_every_kind_of_tensor_comes_back_bit_for_bit(tmp_path: Path) -> None:
    tensors = {
        "bool": torch.tensor([[True, False, True]]),
        "int64": torch.tensor([-(2**63), 2**63 - 1]),
        "float32": torch.tensor([1e-45, -0.0, float("inf"), 0.1]),
        "uint8": torch.get_rng_state(),
        "empty": torch.zeros(0, 3),
        "scalar": torch.tensor(7.5, dtype=torch.float64),
        "half": torch.rand(2).bfloat16(),
        "transposed": torch.rand(2, 3).mT,
        "một từ / 水": torch.tensor([1], dtype=torch.int32),
    }
    saved = Checkpoint(3, {"weights": tensors, "average": {}}, {"epoch": 1, "score": 0.1, "none": None, "list": [1]})
    assert same(load_checkpoint(save_checkpoint(tmp_path, saved)), saved)


def test_not_a_number_comes_back_with_its_bits(tmp_path: Path) -> None:
    bits = torch.tensor([0x7FC00001, -1], dtype=torch.int32)
    path = save_checkpoint(tmp_path, Checkpoint(1, {"weights": {"nan": bits.view(torch.float32)}}, {}))
    assert torch.equal(load_checkpoint(path).tensors["weights"]["nan"].view(torch.int32), bits)


def test_tensors_that_share_memory_come_back_under_both_names(tmp_path: Path) -> None:
    table = torch.nn.Parameter(torch.rand(4, 3))
    tied = {"embedding": table, "output": table, "part": table[1:3], "turned": table.mT}
    loaded = load_checkpoint(save_checkpoint(tmp_path, Checkpoint(1, {"weights": tied}, {}))).tensors["weights"]
    assert same_tensors(loaded, {name: tensor.detach() for name, tensor in tied.items()})


def test_a_loaded_tensor_can_be_changed_in_place(tmp_path: Path) -> None:
    loaded = load_checkpoint(save_checkpoint(tmp_path, sample(1))).tensors["weights"]["first"]
    before = loaded.clone()
    loaded.add_(1)
    assert torch.equal(loaded, before + 1)


def test_equal_contents_in_another_order_give_equal_bytes(tmp_path: Path) -> None:
    one = sample(5)
    turned = {stem: _turned(group) for stem, group in _turned(one.tensors).items()}
    other = Checkpoint(5, turned, _turned(one.facts))
    assert list(one.tensors) != list(other.tensors)
    first, second = save_checkpoint(tmp_path / "a", one), save_checkpoint(tmp_path / "b", other)
    assert _names(first) == _names(second)
    assert all((first / name).read_bytes() == (second / name).read_bytes() for name in _names(first))


def _turned(mapping: Mapping[str, Value]) -> dict[str, Value]:
    return dict(reversed(list(mapping.items())))


def test_the_manifest_lists_every_other_file_with_its_size(tmp_path: Path) -> None:
    path = save_checkpoint(tmp_path, sample(10))
    files = manifest.check_folder(path)
    assert sorted([*files, "manifest.json"]) == _names(path)
    assert all((path / name).stat().st_size == entry.size for name, entry in files.items())


def test_the_newest_two_stay(tmp_path: Path) -> None:
    for step in (1, 2, 3, 100_000_000):
        save_checkpoint(tmp_path, sample(step))
    assert _names(tmp_path) == ["step-00000003", "step-100000000"]
    assert newest_checkpoint(tmp_path).checkpoint.step == 100_000_000


def test_an_equal_checkpoint_of_the_same_step_stays_as_it_is(tmp_path: Path) -> None:
    path = save_checkpoint(tmp_path, sample(7))
    before = (path.stat().st_ino, (path / "weights.safetensors").stat().st_ino)
    assert save_checkpoint(tmp_path, sample(7)) == path
    assert (path.stat().st_ino, (path / "weights.safetensors").stat().st_ino) == before
    assert _names(tmp_path) == ["step-00000007"]


def test_another_checkpoint_of_the_same_step_takes_its_place(tmp_path: Path) -> None:
    save_checkpoint(tmp_path, sample(7))
    path = save_checkpoint(tmp_path, sample(7, tag=3.0))
    assert same(load_checkpoint(path), sample(7, tag=3.0))
    assert _names(tmp_path) == ["step-00000007"]


def test_a_damaged_checkpoint_of_the_same_step_is_replaced(tmp_path: Path) -> None:
    path = save_checkpoint(tmp_path, sample(7))
    (path / "facts.json").unlink()
    save_checkpoint(tmp_path, sample(7))
    verify_checkpoint(path)


def test_what_was_saved_last_is_the_newest_even_after_a_later_step(tmp_path: Path) -> None:
    save_checkpoint(tmp_path, sample(10))
    save_checkpoint(tmp_path, sample(20))
    save_checkpoint(tmp_path, sample(15))
    assert newest_checkpoint(tmp_path).checkpoint.step == 15
    assert _names(tmp_path) == ["step-00000010", "step-00000015"]


@pytest.mark.parametrize("stem", ["../weights", "Weights", "", "a.b"])
def test_a_group_that_could_not_be_a_file_name_is_refused(stem: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=f"named {stem!r}"):
        save_checkpoint(tmp_path, Checkpoint(1, {stem: {}}, {}))


def test_a_negative_step_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="-1"):
        save_checkpoint(tmp_path, Checkpoint(-1, {}, {}))


def test_other_names_in_the_folder_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    (tmp_path / "step-five").mkdir()
    for step in (1, 2, 3):
        save_checkpoint(tmp_path, sample(step), keep=1)
    assert _names(tmp_path) == ["notes.txt", "step-00000003", "step-five"]
