"""Spoilt folders: each is imported or refused with one sentence; no code in it runs, nothing connects, memory stays."""

import io
import json
import os
import pickle
import random
import resource
import shutil
import socket
import zipfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import safetensors.torch
import torch
from foreign import byte_pairs, publish
from foreign_marian import publish as publish_marian
from mutations import MUTATIONS, cut, flip, insert, malformed, noise

import heed
from heed.errors import HeedError

NAMES = ("BertForTokenClassification", "RobertaForMaskedLM", "DistilBertForSequenceClassification", "GPT2LMHeadModel")
MEMORY = 512_000_000  # bytes more than before
CANARY = "canary"  # a file that hostile code would make

Files = dict[str, bytes]


class Hostile:
    """What a pickle can hold: a call that is made when it is read."""

    def __init__(self, function: Callable[..., object], *arguments: object) -> None:
        self.call = (function, arguments)

    def __reduce__(self) -> tuple[Callable[..., object], tuple[object, ...]]:
        return self.call


def good_folders(base: Path) -> list[Files]:
    """Return the files of good folders: of each family, with pickled weights, and in the forms of older ones."""
    found = []
    for name in NAMES:
        publish(name, base / name)
        found.append({path.name: path.read_bytes() for path in (base / name).iterdir()})
    bert, gpt2 = found[0], found[3]
    tensors = safetensors.torch.load(bert["model.safetensors"])
    pickled = {**bert, "pytorch_model.bin": saved(tensors), "vocab.txt": lines_of(bert["tokenizer.json"])}
    halves = {**gpt2, "merges.txt": b"#version: 0.2\nh o\n", "vocab.json": json.dumps(byte_vocabulary()).encode()}
    parts = safetensors.torch.load(gpt2["model.safetensors"])
    names = {name: f"model-{number % 2}.safetensors" for number, name in enumerate(parts)}
    for file in set(names.values()):
        halves[file] = safetensors.torch.save({name: each for name, each in parts.items() if names[name] == file})
    halves["model.safetensors.index.json"] = json.dumps({"weight_map": names}).encode()
    for files in (pickled, halves):
        del files["model.safetensors"], files["tokenizer.json"]
    publish_marian(base / "marian")
    return [*found, pickled, halves, {path.name: path.read_bytes() for path in (base / "marian").iterdir()}]


def lines_of(tokenizer: bytes) -> bytes:
    vocabulary = json.loads(tokenizer)["model"]["vocab"]
    return "".join(f"{piece}\n" for piece in sorted(vocabulary, key=vocabulary.__getitem__)).encode()


def byte_vocabulary() -> dict[str, int]:
    return byte_pairs(("<|endoftext|>",)).get_vocab()


def saved(value: object, zipped: bool = True) -> bytes:
    stream = io.BytesIO()
    torch.save(value, stream, _use_new_zipfile_serialization=zipped)
    return stream.getvalue()


# Any: a JSON value of whatever kind.
def odd_values(value: Any) -> list[Any]:
    alike = (
        [-1, 0, 2**31, 10**9, 10**400, 1.5, 1e308]
        if isinstance(value, int | float)
        else ["", "x" * 999, "\ud800", "\0"]
    )
    return [
        *alike,
        None,
        True,
        False,
        float("nan"),
        [],
        {},
        [[]],
        {"type": "Sequence"},
        "bert",
        7,
        [value],
        {"a": value},
    ]


def spoil_json(files: Files, dice: random.Random) -> None:
    """Put an odd value somewhere into a JSON file, or take one away, or call it something else."""
    name = dice.choice([name for name in sorted(files) if name.endswith(".json")])
    whole = json.loads(files[name])
    at: Any = whole
    while True:
        keys = list(at) if isinstance(at, dict) else list(range(len(at)))
        key = dice.choice(keys)
        if not isinstance(at[key], dict | list) or not at[key] or dice.random() < 0.2:
            break
        at = at[key]
    action = dice.randrange(4)
    if action == 0:
        del at[key]
    elif action == 1 and isinstance(at, dict):
        at[f"{key}x"] = at.pop(key)
    else:
        at[key] = dice.choice(odd_values(at[key]))
    files[name] = json.dumps(whole).encode()


def spoil_header(files: Files, dice: random.Random) -> None:
    """Let the header of a safetensors file lie about a tensor, or about its own length."""
    name = dice.choice([name for name in sorted(files) if name.endswith(".safetensors")] or [""])
    if not name:
        return spoil_bytes(files, dice)
    data = files[name]
    length = int.from_bytes(data[:8], "little")
    header, rest = json.loads(data[8 : 8 + length]), data[8 + length :]
    tensor = header[dice.choice([key for key in header if key != "__metadata__"])]
    match dice.randrange(5):
        case 0:
            tensor["dtype"] = dice.choice(["F16", "F64", "I64", "BF16", "U8", "BOOL", "F8_E4M3", "C64", "X", 3, None])
        case 1:
            place = dice.randrange(len(tensor["shape"]) or 1)
            tensor["shape"][place : place + 1] = dice.choice([[0], [2**62], [-1], [], [1, 1], [1.5], ["a"], [10**400]])
        case 2:
            tensor["data_offsets"] = dice.choice([[0, 2**63], [-4, 0], [0], [8, 4], "x", [0, 0], None, [10**400, 1]])
        case 3:
            header[dice.choice(["", "x" * 999, "\ud800", "position_ids", "lm_head.weight"])] = tensor
        case _:
            header["__metadata__"] = dice.choice([None, 3, [], {"a": 3}, {"format": "x" * 99}])
    new = json.dumps(header).encode()
    size = dice.choice([len(new)] * 6 + [2**63, 2**64 - 1, 0, len(new) - 1, len(new) + 1])
    files[name] = size.to_bytes(8, "little") + new + rest


def spoil_bytes(files: Files, dice: random.Random) -> None:
    """Flip, cut, insert or replace bytes of any file."""
    name = dice.choice(sorted(files))
    is_text = name.endswith((".json", ".txt"))
    files[name] = malformed(files[name], dice, MUTATIONS if is_text else [flip, flip, cut, insert, noise])


def spoil_pickle(files: Files, dice: random.Random) -> None:
    """Put pickled weights into the folder that would run code, unpack to much more, or be no weights at all."""
    files.pop("model.safetensors", None)
    files.pop("model.safetensors.index.json", None)
    command = f"touch {CANARY}"
    calls = [
        Hostile(os.system, command), Hostile(eval, f"open({CANARY!r}, 'w')"), Hostile(exec, f"open({CANARY!r}, 'w')"),
        Hostile(open, CANARY, "w"), Hostile(getattr, "x", "upper"), Hostile(torch.load, CANARY),
        Hostile(os.mkdir, CANARY), Hostile(bytearray, 10**10), Hostile(torch.zeros, 10**11),
    ]  # fmt: skip
    call = dice.choice(calls)
    value = dice.choice(
        [call, {"weight": call}, [call], (call, call), {"weight": torch.zeros(2), "x": call}, 3, [], {}]
    )
    data = dice.choice([pickle.dumps(value), saved(value), saved(value, zipped=False), packed(dice)])
    files["pytorch_model.bin"] = malformed(data, dice, [flip, cut, insert]) if dice.random() < 0.3 else data


def packed(dice: random.Random) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("archive/data.pkl", b"\0" * dice.choice([9, 10**6]))
        archive.writestr("archive/../../canary", b"x")
    return stream.getvalue()


def spoil_names(files: Files, dice: random.Random) -> None:
    """Take a file away, or give it the name of another."""
    name = dice.choice(sorted(files))
    data = files.pop(name)
    if dice.random() < 0.5:
        files[dice.choice(["config.json", "tokenizer.json", "vocab.txt", "model.safetensors", "pytorch_model.bin"])] = (
            data
        )


ATTACKS = (spoil_json, spoil_json, spoil_json, spoil_header, spoil_bytes, spoil_pickle, spoil_names)


def attack(base: Path, count: int, seed: int) -> Counter[str]:
    """Import so many spoilt folders; return how often each attack was read or refused."""
    good, dice, seen = good_folders(base / "good"), random.Random(seed), Counter[str]()
    for files in good:
        assert outcome(base, files) == "read"
    before = most_memory()
    for _ in range(count):
        files, way = dict(dice.choice(good)), dice.choice(ATTACKS)
        way(files, dice)
        seen[f"{way.__name__} {outcome(base, files)}"] += 1
    assert most_memory() - before < MEMORY
    assert not list(base.rglob(CANARY))
    return seen


def outcome(base: Path, files: Files) -> str:
    """Tell whether a folder of these files is imported, or refused in one sentence."""
    folder, run = base / "in", base / "run"
    folder.mkdir()
    for name, data in files.items():
        (folder / name).write_bytes(data)
    try:
        heed.import_model(folder, run)
    except HeedError as error:
        assert "\n" not in str(error), str(error)
        assert len(str(error)) < 2000, str(error)
        assert not run.exists()
        return "refused"
    finally:
        shutil.rmtree(folder)
        shutil.rmtree(run, ignore_errors=True)
    return "read"


@pytest.fixture(autouse=True)
def alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work where a canary would be seen, and without a network."""

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a folder asked for the network")

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(socket, "socket", refuse)
    monkeypatch.setattr(socket, "create_connection", refuse)


def most_memory() -> int:
    return 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def test_a_canary_would_be_seen(tmp_path: Path) -> None:
    pickle.loads(pickle.dumps(Hostile(os.system, f"touch {CANARY}")))
    assert list(tmp_path.rglob(CANARY))


def test_spoilt_folders_are_read_or_refused_with_a_sentence(tmp_path: Path) -> None:
    seen = attack(tmp_path, 60, seed=1)
    assert {name.split()[1] for name in seen} == {"read", "refused"}


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10))
def test_ten_thousand_spoilt_folders_are_read_or_refused_with_a_sentence(seed: int, tmp_path: Path) -> None:
    seen = attack(tmp_path, 1000, seed=100 + seed)
    both = {f"{way.__name__} {how}" for way in ATTACKS for how in ("read", "refused")} - {"spoil_pickle read"}
    assert both <= set(seen)
