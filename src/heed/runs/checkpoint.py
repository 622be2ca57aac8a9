"""Checkpoints: a folder a step, `safetensors` and JSON inside, never fewer than one good once there was one.

    checkpoints/
      step-00000120/             a whole checkpoint
        weights.safetensors …    one file for each group of tensors
        facts.json               everything small
        manifest.json            written last: size and SHA-256 of every file
      step-00000130-again/       step 130 saved a second time, about to take the place of step-00000130
      .saving-step-00000140/     being written, or left by a kill: never read
      .deleting-step-00000110/   being removed, or left by a kill: never read

A folder gets its `step-` name in one rename after all of it is on the disk, and loses it in one rename before any of
it is removed. One process at a time may save; see `heed.runs.lock`.
"""

import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from torch import Tensor

from heed.errors import MachineError, RunError, UsageError
from heed.runs import durable, manifest, strict_json, tensor_bytes
from heed.runs.strict_json import JSON

_NAME = re.compile(r"step-(\d{8,18})(-again)?")
_AGAIN = "-again"
_SAVING = ".saving-"
_DELETING = ".deleting-"
_STEM = re.compile(r"[a-z][a-z0-9_]*")
_FACTS = "facts.json"
_TENSORS = ".safetensors"


@dataclass(frozen=True, eq=False)
class Checkpoint:
    """All that training needs to go on as if it had never stopped."""

    step: int
    tensors: Mapping[str, Mapping[str, Tensor]]  # file stem -> name -> tensor, such as "weights", "optimizer"
    facts: Mapping[str, JSON]  # everything small: position, epoch, best score, thread count, torch version


@dataclass(frozen=True)
class PassedOver:
    """A newer checkpoint that could not be used, and why."""

    path: Path
    reason: str


@dataclass(frozen=True)
class Loaded:
    """The newest good checkpoint, where it was, and the newer ones that were not good, newest first."""

    checkpoint: Checkpoint
    path: Path
    passed_over: tuple[PassedOver, ...]


def save_checkpoint(folder: Path, checkpoint: Checkpoint, keep: int = 2) -> Path:
    """Write the checkpoint below `folder`, verify it from disk, then remove all but the newest `keep`.

    What was saved last is the newest: checkpoints of later steps, left from before a fallback, are removed too.
    """
    if keep < 1:
        raise UsageError(f"keep is {keep}, and at least one checkpoint must stay. Give 1 or more.")
    _check_names(checkpoint)
    needed = sum(tensor_bytes.size_of(group) for group in checkpoint.tensors.values()) + (1 << 20)
    with durable.reported(folder, needed):
        durable.make_folder(folder)
        _settle(folder)
        path = _put(folder, checkpoint)
        _prune(folder, checkpoint.step, keep)
    return path


def load_checkpoint(path: Path) -> Checkpoint:
    """Return the checkpoint in the folder, or raise RunError that names the damaged file; verifies, then parses."""
    try:
        files = manifest.read_manifest(path)
        checkpoint = _parse(path, files)
    except OSError as error:
        where = error.filename or path
        raise RunError(f"{where} cannot be read: {error.strerror}. Go on from another checkpoint.") from error
    named = _NAME.fullmatch(path.name)
    if named and int(named[1]) != checkpoint.step:
        raise RunError(f"{path} holds step {checkpoint.step}. Give the folder its own name back, or remove it.")
    return checkpoint


def newest_checkpoint(folder: Path) -> Loaded:
    """Return the newest good checkpoint below `folder`, and what was passed over to reach it."""
    passed_over: list[PassedOver] = []
    try:
        names = _checkpoint_names(folder)
    except OSError as error:
        raise RunError(f"{folder} cannot be read: {error.strerror}. Give the folder of a run.") from error
    for name in reversed(names):
        try:
            return Loaded(load_checkpoint(folder / name), folder / name, tuple(passed_over))
        except RunError as error:
            passed_over.append(PassedOver(folder / name, str(error)))
    if not names:
        raise RunError(f"{folder} holds no checkpoint: training stopped before it saved one. Train from the start.")
    reasons = " ".join(one.reason for one in passed_over)
    raise RunError(f"{folder} holds no good checkpoint. {reasons} Without a copy, train from the start.")


def newest_facts(folder: Path) -> Mapping[str, JSON]:
    """Return the facts of the newest checkpoint, verified, without its tensors; nothing where there is none."""
    try:
        names = _checkpoint_names(folder)
        if not names:
            return {}
        path = folder / names[-1]
        files = manifest.read_manifest(path)
        return _parse(path, {name: entry for name, entry in files.items() if name == _FACTS}).facts
    except FileNotFoundError:
        return {}
    except OSError as error:
        where = error.filename or folder
        raise RunError(f"{where} cannot be read: {error.strerror}. Restore it from a copy.") from error


def verify_checkpoint(path: Path) -> None:
    """Raise RunError that names the damaged file unless every byte on disk is as it was saved."""
    manifest.check_folder(path)


def _put(folder: Path, checkpoint: Checkpoint) -> Path:
    """Write the checkpoint and give it its name; an equal one of that step stays as it is."""
    path = folder / f"step-{checkpoint.step:08d}"
    saving = folder / f"{_SAVING}{path.name}"
    try:
        saved = _write(saving, checkpoint)
    except OSError:
        with suppress(OSError):  # the space is wanted back; the first error is the one to report
            durable.remove_tree(saving)
        raise
    taken = path.name in durable.list_names(folder)
    if taken and _files_if_good(path) == saved:
        durable.remove_tree(saving)
        durable.sync_folder(folder)  # a kill may have come between its rename and the sync
        return path
    # A folder cannot replace another in one step, so the second of a step is a checkpoint of its own first.
    landing = folder / f"{path.name}{_AGAIN}" if taken else path
    durable.rename(saving, landing)
    durable.sync_folder(folder)
    _read_back(landing, saved)
    if taken:
        _take_place(landing, path)
    return path


def _write(folder: Path, checkpoint: Checkpoint) -> dict[str, manifest.Listed]:
    """Write every file, the manifest last, and return once the disk has them all."""
    durable.make_folder(folder)
    files: dict[str, manifest.Listed] = {}
    for stem in sorted(checkpoint.tensors):
        # One group in memory at a time: the optimizer alone is twice the model.
        data = tensor_bytes.to_bytes(checkpoint.tensors[stem])
        durable.write_file(folder / f"{stem}{_TENSORS}", data)
        files[f"{stem}{_TENSORS}"] = manifest.listed(data)
    facts = strict_json.encode({"facts": dict(checkpoint.facts), "step": checkpoint.step})
    durable.write_file(folder / _FACTS, facts)
    files[_FACTS] = manifest.listed(facts)
    durable.write_file(folder / manifest.NAME, manifest.to_bytes(files))
    durable.sync_folder(folder)
    return files


def _read_back(path: Path, saved: Mapping[str, manifest.Listed]) -> None:
    try:
        found: Mapping[str, manifest.Listed] | str = manifest.check_folder(path)
    except RunError as error:
        found = str(error)
    if found != saved:
        raise MachineError(f"{path} does not read back as it was written. {found} Save to another disk.")


def _files_if_good(path: Path) -> dict[str, manifest.Listed] | None:
    try:
        return manifest.check_folder(path)
    except RunError:
        return None


def _take_place(landing: Path, path: Path) -> None:
    """Let `landing`, which is good, have the name `path`; one of the two is there at every moment."""
    if path.name in durable.list_names(path.parent):
        _discard(path)
    durable.rename(landing, path)
    durable.sync_folder(path.parent)


def _settle(folder: Path) -> None:
    """Finish or undo what a kill interrupted, so that each step has one folder and the names for work are free."""
    for name in durable.list_names(folder):
        if name.startswith((_SAVING, _DELETING)):
            durable.remove_tree(folder / name)
    for name in _checkpoint_names(folder):
        if not name.endswith(_AGAIN):
            continue
        if _files_if_good(folder / name) is None:
            _discard(folder / name)
        else:
            _take_place(folder / name, folder / name.removesuffix(_AGAIN))


def _prune(folder: Path, step: int, keep: int) -> None:
    names = _checkpoint_names(folder)
    later = [name for name in names if _step_of(name) > step]
    upto = [name for name in names if _step_of(name) <= step]
    for name in later + upto[:-keep]:
        _discard(folder / name)


def _discard(path: Path) -> None:
    """Remove a checkpoint; half removed, it no longer has a checkpoint's name."""
    deleting = path.with_name(f"{_DELETING}{path.name}")
    durable.rename(path, deleting)
    durable.sync_folder(path.parent)
    durable.remove_tree(deleting)


def _parse(path: Path, files: Mapping[str, manifest.Listed]) -> Checkpoint:
    tensors: dict[str, Mapping[str, Tensor]] = {}
    document: Mapping[str, JSON] = {}
    for name, entry in files.items():
        data = manifest.read_listed(path, name, entry)
        try:
            if name.endswith(_TENSORS):
                tensors[name.removesuffix(_TENSORS)] = tensor_bytes.from_bytes(data)
            elif name == _FACTS:
                document = strict_json.decode_object(data)
        except ValueError as error:
            raise RunError(f"{path / name} cannot be used: {error}. Go on from another checkpoint.") from error
    step, facts = document.get("step"), document.get("facts")
    if type(step) is not int or not isinstance(facts, Mapping):
        raise RunError(f"{path / _FACTS} says no step or no facts. Go on from another checkpoint.")
    return Checkpoint(step, tensors, facts)


def _checkpoint_names(folder: Path) -> list[str]:
    """Return the names of checkpoints, oldest first; of one step the second saved is the newer."""
    names = [name for name in durable.list_names(folder) if _NAME.fullmatch(name)]
    return sorted(names, key=lambda name: (_step_of(name), name.endswith(_AGAIN)))


def _step_of(name: str) -> int:
    return int(name.removeprefix("step-").removesuffix(_AGAIN))


def _check_names(checkpoint: Checkpoint) -> None:
    if not 0 <= checkpoint.step < 10**18:
        raise UsageError(f"The step of a checkpoint is {checkpoint.step}. Give a count of steps.")
    for stem in checkpoint.tensors:
        if not _STEM.fullmatch(stem):
            raise UsageError(f"A group of tensors is named {stem!r}. Use small letters, digits and underscores.")
