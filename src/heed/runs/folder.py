"""A run is a folder, and only this package knows the names in it.

    settings.json            the settings, resolved
    tokenizer.json           text to ids; tokenizer.target.json too when the two sides have their own
    labels.json              what a classifier can say
    words.json               the words that have a vector, in order
    data.json                fingerprints, counts, what was cut
    examples.digests         8 bytes for the input of every training, validation and test example
    corpus/                  of pre-training: the texts as numbers, verified by digests of its own
    pictures/                of images and captions: the pictures as squares; built again where they are missing
    metrics.jsonl            the numbers of training
    samples.jsonl            one validation example at each validation, as the model did it then
    checkpoints/             to go on from
    model.safetensors        the best weights and their facts
    finished.json            there once training has come to its end
    report.html              all of this for a person; can be made again at any time
    digests.json             SHA-256 of the small files; its presence makes the folder a run
    .lock                    held by the process that trains

Everything but metrics, samples and report is verified by SHA-256 before it is used.
"""

import difflib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

from torch import Tensor

from heed.errors import RunError
from heed.files.atomic import write_text
from heed.runs import best, checkpoint, documents, durable, lock, metrics, strict_json
from heed.runs.strict_json import JSON

_SETTINGS = "settings.json"
_TOKENIZER = "tokenizer.json"
_TARGET_TOKENIZER = "tokenizer.target.json"
_LABELS = "labels.json"
_WORDS = "words.json"
_DATA = "data.json"
_EXAMPLES = "examples.digests"
_CORPUS = "corpus"
_PICTURES = "pictures"
_METRICS = "metrics.jsonl"
_SAMPLES = "samples.jsonl"
_CHECKPOINTS = "checkpoints"
_BEST = "model.safetensors"
_FINISHED = "finished.json"
_REPORT = "report.html"
_LOCK = ".lock"
# Settings first: without them the folder is no longer a run that can be opened, so a kill while it is being
# emptied leaves something that `create` takes for a beginning.
_OURS = (
    *(_SETTINGS, _FINISHED, _TOKENIZER, _TARGET_TOKENIZER, _LABELS, _WORDS),
    *(_DATA, _EXAMPLES, _METRICS, _SAMPLES, _BEST, _REPORT, _CORPUS, _PICTURES, _CHECKPOINTS),
)


LARGEST_SMALL = 1 << 26  # bytes of the settings, of what is known of the data, of the digests


@dataclass(frozen=True)
class TokenizerTexts:
    """The tokenizers as JSON text; `target` is None when both sides share one."""

    source: str
    target: str | None = None


@dataclass(frozen=True)
class RunFolder:
    """A run on disk; made by `create` or `open_run`."""

    path: Path

    @property
    def corpus(self) -> Path:
        """Return where the texts of pre-training are kept as numbers."""
        return self.path / _CORPUS

    @property
    def pictures(self) -> Path:
        """Return where pictures are kept as squares."""
        return self.path / _PICTURES

    @property
    def metrics(self) -> Path:
        """Return where the numbers of training are, a line a step."""
        return self.path / _METRICS

    @property
    def samples(self) -> Path:
        """Return where the examples of the validations are, a line each."""
        return self.path / _SAMPLES

    @property
    def report(self) -> Path:
        """Return where the page about the run is."""
        return self.path / _REPORT

    def lock(self) -> AbstractContextManager[None]:
        """Hold the run for this process while the block runs; raise RunError when another has it."""
        return lock.locked(self.path / _LOCK)

    @property
    def is_held(self) -> bool:
        """Tell whether a process is at work on the run."""
        return lock.is_held(self.path / _LOCK)

    def write_settings(self, values: Mapping[str, object]) -> None:
        """Write the resolved settings."""
        self._write(_SETTINGS, strict_json.encode(values))

    def read_settings(self) -> dict[str, JSON]:
        """Return the resolved settings as they were written."""
        return documents.read_object(self.path, _SETTINGS)

    def write_tokenizers(self, texts: TokenizerTexts) -> None:
        """Write one tokenizer, or one for each side."""
        self._write(_TOKENIZER, texts.source.encode())
        if texts.target is not None:
            self._write(_TARGET_TOKENIZER, texts.target.encode())
        else:
            with durable.reported(self.path):
                documents.forget(self.path, _TARGET_TOKENIZER)

    def read_tokenizers(self) -> TokenizerTexts:
        """Return the tokenizers as they were written."""
        source = documents.read_text(self.path, _TOKENIZER)
        if not documents.has(self.path, _TARGET_TOKENIZER):
            return TokenizerTexts(source)
        return TokenizerTexts(source, documents.read_text(self.path, _TARGET_TOKENIZER))

    def write_labels(self, facts: Mapping[str, JSON]) -> None:
        """Write what a classifier can say: its labels, or the scale of its numbers."""
        self._write(_LABELS, strict_json.encode(facts))

    def read_labels(self) -> dict[str, JSON]:
        """Return what a classifier can say."""
        return documents.read_object(self.path, _LABELS)

    def write_words(self, words: Sequence[str]) -> None:
        """Write the words that have a vector, in the order of the vectors."""
        self._write(_WORDS, strict_json.encode({"words": list(words)}))

    def read_words(self) -> list[str]:
        """Return the words that have a vector, in the order of the vectors."""
        words = documents.read_object(self.path, _WORDS).get("words")
        if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
            raise RunError(
                f"{self.path / _WORDS} holds no list of words. Restore the folder from a copy, or train again."
            )
        return words

    def write_data_facts(self, facts: Mapping[str, JSON]) -> None:
        """Write what is known of the data: fingerprints, counts, what was cut."""
        self._write(_DATA, strict_json.encode(facts))

    def read_data_facts(self) -> dict[str, JSON]:
        """Return what is known of the data."""
        return documents.read_object(self.path, _DATA)

    def write_examples(self, digests: bytes) -> None:
        """Write the digests of the examples."""
        self._write(_EXAMPLES, digests)

    def read_examples(self) -> bytes | None:
        """Return the digests of the examples; None where the run kept none."""
        return documents.read(self.path, _EXAMPLES) if documents.has(self.path, _EXAMPLES) else None

    def append_metrics(self, values: Mapping[str, JSON]) -> None:
        """Add one line of numbers; give `step` among them, by which `rewind_metrics` sorts."""
        with durable.reported(self.path):
            metrics.append(self.path / _METRICS, values)

    def read_metrics(self) -> list[dict[str, JSON]]:
        """Return all lines of numbers in order; one that a kill cut short at the end is left out."""
        with durable.reported(self.path):
            return metrics.read(self.path / _METRICS)

    def rewind_metrics(self, step: int) -> None:
        """Drop the lines of later steps, so that a resumed run logs each number once."""
        with durable.reported(self.path):
            metrics.rewind(self.path / _METRICS, step)

    def append_sample(self, values: Mapping[str, JSON]) -> None:
        """Add one line with an example of a validation; give `step` among its values."""
        with durable.reported(self.path):
            metrics.append(self.path / _SAMPLES, values)

    def rewind_samples(self, step: int) -> None:
        """Drop the examples of later steps, so that a resumed run shows each validation once."""
        with durable.reported(self.path):
            metrics.rewind(self.path / _SAMPLES, step)

    def write_report(self, page: str) -> None:
        """Replace the page about the run; others than the process that trains may do so, at the same time too."""
        write_text(self.path / _REPORT, page)

    def save_checkpoint(self, state: checkpoint.Checkpoint, keep: int = 2) -> Path:
        """Save a checkpoint; the metrics up to it are on the disk first."""
        with durable.reported(self.path):
            metrics.sync(self.path / _METRICS)
        return checkpoint.save_checkpoint(self.path / _CHECKPOINTS, state, keep)

    def newest_checkpoint(self) -> checkpoint.Loaded:
        """Return the newest good checkpoint and what was passed over to reach it."""
        return checkpoint.newest_checkpoint(self.path / _CHECKPOINTS)

    def newest_facts(self) -> Mapping[str, JSON]:
        """Return everything small of the newest checkpoint, without its tensors; nothing where there is none."""
        return checkpoint.newest_facts(self.path / _CHECKPOINTS)

    def write_best(self, tensors: Mapping[str, Tensor], facts: Mapping[str, JSON]) -> None:
        """Replace the best weights and their facts in one step."""
        best.write(self.path / _BEST, tensors, facts)

    def read_best(self) -> best.BestModel:
        """Return the best weights and their facts, verified."""
        return best.read(self.path / _BEST)

    def read_best_facts(self) -> Mapping[str, JSON]:
        """Return the facts of the best weights without reading these; nothing where none are kept."""
        return best.read_facts(self.path / _BEST)

    @property
    def began(self) -> float | None:
        """Return when the run was begun, in seconds since 1970, by the date of a file that is written once."""
        return _date_of(self.path / _DATA)

    @property
    def ended(self) -> float | None:
        """Return when training came to its end, or else took its last step, by the dates of the files."""
        return _date_of(self.path / _FINISHED) or _date_of(self.path / _METRICS)

    def check_small_files(self) -> None:
        """Refuse a run whose small files are larger than any run writes them, before one is read."""
        for name in (documents.DIGESTS, _SETTINGS, _DATA, _FINISHED):
            path = self.path / name
            size = path.stat().st_size if path.is_file() else 0
            if size > LARGEST_SMALL:
                raise RunError(
                    f"{path} has {size:,} bytes, and no run writes more than {LARGEST_SMALL:,} there. "
                    f"Restore the folder from a copy."
                )

    def bytes_to_predict(self) -> int:
        """Return the size of all that prediction needs: weights, tokenizers, labels, words and settings."""
        needed = (_BEST, _TOKENIZER, _TARGET_TOKENIZER, _LABELS, _WORDS, _SETTINGS)
        with durable.reported(self.path):
            return sum((self.path / name).stat().st_size for name in needed if (self.path / name).is_file())

    @property
    def is_finished(self) -> bool:
        """Whether training has come to its end."""
        return documents.has(self.path, _FINISHED)

    def mark_finished(self, facts: Mapping[str, JSON]) -> None:
        """Record that training has come to its end, and how; a number that is not finite becomes null."""
        self._write(_FINISHED, strict_json.encode({name: strict_json.finite(fact) for name, fact in facts.items()}))

    def read_finished(self) -> dict[str, JSON]:
        """Return how training came to its end."""
        return documents.read_object(self.path, _FINISHED)

    def _write(self, name: str, data: bytes) -> None:
        with durable.reported(self.path, len(data)):
            documents.write(self.path, name, data)


def create(path: Path, force: bool = False) -> RunFolder:
    """Make an empty run; `force` empties a run that is there, and never touches a folder that is not a run."""
    check_free(path, force)
    with durable.reported(path):
        durable.make_folder(path)
        with lock.locked(path / _LOCK):
            _empty(path)
            documents.begin(path)
            durable.make_folder(path / _CHECKPOINTS)
    return RunFolder(path)


def check_free(path: Path, force: bool = False) -> None:
    """Raise RunError if `create` would; it costs nothing to ask before the work that comes first."""
    with durable.reported(path):
        if path.exists():
            _check_replaceable(path, force)


def open_run(path: Path) -> RunFolder:
    """Return the run in the folder, or raise RunError that names the nearest ones."""
    with durable.reported(path):
        if is_run(path):
            return RunFolder(path)
        fault = f"{path} is not a run" if path.exists() else f"There is no run at {path}"
        near = [str(run) for run in _nearest_runs(path)]
    hint = f"Did you mean {' or '.join(near)}?" if near else "Give the folder that `heed train … --out` wrote."
    raise RunError(f"{fault}. {hint}")


def is_run(path: Path) -> bool:
    """Tell whether the folder holds a run."""
    return (path / documents.DIGESTS).is_file() and (path / _SETTINGS).is_file()


def was_begun(path: Path) -> bool:
    """Tell whether the folder was made for a run, whatever became of it."""
    return (path / documents.DIGESTS).is_file()


def _date_of(path: Path) -> float | None:
    return path.stat().st_mtime if path.is_file() else None


def _holds_work(path: Path) -> bool:
    """Whether something would be lost; a run whose settings are gone may still have its checkpoints."""
    if not (path / documents.DIGESTS).is_file():
        return False
    checkpoints = path / _CHECKPOINTS
    return any((path / name).exists() for name in (_SETTINGS, _BEST, _METRICS)) or (
        checkpoints.is_dir() and len(durable.list_names(checkpoints)) > 0
    )


def _check_replaceable(path: Path, force: bool) -> None:
    if not path.is_dir():
        raise RunError(f"{path} is a file. Choose another --out.")
    if _holds_work(path) and not force:
        raise RunError(
            f"{path} already holds a run. Continue it with `heed resume {path}`, replace it with --force, "
            f"or choose another --out."
        )
    strangers = [name for name in durable.list_names(path) if name not in _left_by_a_kill()]
    if strangers and not (path / documents.DIGESTS).is_file():
        raise RunError(f"{path} is not a run and not empty: it holds {', '.join(strangers[:3])}. Choose another --out.")


def _left_by_a_kill() -> tuple[str, ...]:
    """Return what can be in a folder whose `create` was killed before it became a run's."""
    return (_LOCK, f".{documents.DIGESTS}.new")


def _empty(path: Path) -> None:
    """Remove the files of a run and nothing else that somebody may have put beside them."""
    names = durable.list_names(path)
    for name in _OURS:
        for one in (name, f".{name}.new"):
            if one in names:
                durable.remove_tree(path / one)


def _nearest_runs(path: Path) -> Iterator[Path]:
    if path.is_dir():
        inside = [child for child in sorted(path.iterdir()) if is_run(child)]
        if inside:
            yield from inside[:3]
            return
    if path.parent.is_dir():
        names = [child.name for child in sorted(path.parent.iterdir()) if is_run(child)]
        for name in difflib.get_close_matches(path.name, names, n=3, cutoff=0.5):
            yield path.parent / name
