"""What the trials of a comparison are made from and tested on, recognised by content and never by the names of files.

A comparison compares only what was trained and tested on the same records. Each split is known by the fingerprint that
`data.json` of a run has too; the weights that a model starts from are known by a digest of theirs.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from heed.comparing.results import TestExample
from heed.comparing.trials import Plan
from heed.data.records import LabelledText, TextPair
from heed.errors import RunError, UsageError
from heed.runs.folder import is_run, open_run
from heed.runs.labelled_data import labelled_fingerprint, load_data
from heed.runs.preparing import Fingerprint
from heed.runs.settings import ClassificationSettings, RunSettings, TranslationSettings
from heed.runs.translation_run import load_splits, pairs_fingerprint

Inputs = Mapping[str, Fingerprint]  # of train, valid and test, and of the base or vectors that a model starts from

SPLITS = {"train": "training", "valid": "validation", "test": "test"}
STARTS = ("base", "vectors")  # settings that name weights to start from
MODEL_FILES = (".json", ".txt", ".safetensors", ".bin", ".model")  # what a published model's folder is read from
SHOWN_DIGITS = 10  # of a digest in a message


@dataclass(frozen=True)
class TestData:
    """What all contenders are scored on, and the inputs of each contender by its name."""

    origin: str
    labelled: Sequence[LabelledText] = ()
    pairs: Sequence[TextPair] = ()
    inputs: Mapping[str, Inputs] = field(default_factory=dict)

    def examples(self) -> list[TestExample]:
        """Return the examples as a report shows them."""
        return [
            *(TestExample(record.texts, record.label, record.place) for record in self.labelled),
            *(TestExample((pair.source,), pair.target, pair.place) for pair in self.pairs),
        ]


def load_test(plan: Plan) -> TestData:
    """Return the test set of a plan; refuse contenders that would be tested on different ones."""
    loaded: dict[tuple[object, ...], tuple[TestData, Inputs]] = {}
    inputs: dict[str, Inputs] = {}
    for contender in plan.contenders:
        key = (contender.settings.data, getattr(contender.settings, "outcome", None))
        if key not in loaded:
            loaded[key] = _load(contender.settings)
        inputs[contender.name] = {**loaded[key][1], **_starts(contender.settings)}
    _refuse_other_tests(inputs)
    test, _ = next(iter(loaded.values()))
    if not test.labelled and not test.pairs:
        raise UsageError("There is no test data to compare on: --valid was given without --test. Give both or neither.")
    return replace(test, inputs=inputs)


def check_same_inputs(known: Inputs, now: Inputs, path: Path) -> None:
    """Refuse results in the folder at the path that were made from other data, or from other weights."""
    for part in {**known, **now}:
        if known.get(part) != now.get(part):
            what = f"{SPLITS[part]} data" if part in SPLITS else f"weights to start from ({part})"
            before, after = (_shown(each.get(part), "records" if part in SPLITS else "files") for each in (known, now))
            raise RunError(
                f"The {what} of {path} changed: {before} before, {after} now. "
                f"A comparison never mixes data: restore the old files, or choose another --out, where every model is "
                f"trained and tested on the new ones."
            )


def inputs_facts(inputs: Inputs) -> dict[str, dict[str, object]]:
    """Return the inputs as JSON can hold them."""
    return {part: dict(found.facts()) for part, found in inputs.items()}


def inputs_from(facts: object) -> Inputs:
    """Return the inputs that JSON holds; raise ValueError where it holds none."""
    if not isinstance(facts, Mapping):
        raise ValueError(f"inputs are {facts!r}")
    found = {}
    for part, each in facts.items():
        records, digest = (each.get("records"), each.get("fingerprint")) if isinstance(each, Mapping) else (None, None)
        if not isinstance(records, int) or not isinstance(digest, str):
            raise ValueError(f"{part} is {each!r}")
        found[str(part)] = Fingerprint(records, digest)
    return found


def _load(settings: RunSettings) -> tuple[TestData, Inputs]:
    """Return the test set that the settings name, and the fingerprints of all splits."""
    if isinstance(settings, TranslationSettings):
        pairs = load_splits(settings.data)
        inputs = {split: pairs_fingerprint(getattr(pairs, split)) for split in SPLITS}
        return TestData(pairs.origin, pairs=pairs.test), inputs
    if isinstance(settings, ClassificationSettings):
        labelled = load_data(settings).splits
        inputs = {split: labelled_fingerprint(getattr(labelled, split)) for split in SPLITS}
        return TestData(labelled.origin, labelled=labelled.test), inputs
    raise UsageError(f"Task {settings.task} cannot be compared yet. Compare translate, classify or pair.")


def _starts(settings: RunSettings) -> Inputs:
    """Return the fingerprints of the weights that a model starts from."""
    paths = {part: getattr(settings, part, None) for part in STARTS}
    # A path that leads nowhere is refused where the weights are read.
    return {part: _weights(Path(path)) for part, path in paths.items() if path is not None and Path(path).exists()}


def _weights(path: Path) -> Fingerprint:
    """Return the fingerprint of a run's best weights, of a published model's folder, or of a file."""
    if is_run(path):
        return Fingerprint(1, open_run(path).read_best().sha256)
    files = [path] if path.is_file() else sorted(each for each in path.iterdir() if each.suffix in MODEL_FILES)
    digest = hashlib.sha256()
    for file in files:
        with file.open("rb") as opened:
            digest.update(f"{file.name} {hashlib.file_digest(opened, 'sha256').hexdigest()}\n".encode())
    return Fingerprint(len(files), digest.hexdigest())


def _refuse_other_tests(inputs: Mapping[str, Inputs]) -> None:
    (first, known), *others = inputs.items()
    for name, own in others:
        if own["test"] != known["test"]:
            raise UsageError(
                f"{name} would be tested on other data than {first}: {_shown(own['test'])} instead of "
                f"{_shown(known['test'])}. Give --test, so that all models are tested on the same records."
            )


def _shown(found: Fingerprint | None, counted: str = "records") -> str:
    return "none" if found is None else f"{found.digest[:SHOWN_DIGITS]} ({found.records:,} {counted})"
