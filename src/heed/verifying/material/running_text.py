"""What models of running text are tried on: a stretch for a language model, sequences of a corpus for a BERT."""

import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from heed.data.documents import Document, read_documents
from heed.data.text_stream import load_text, read_text
from heed.data.token_store import write_store
from heed.errors import RunError
from heed.models.language_rnn import LanguageRnn
from heed.models.language_transformer import LanguageTransformer
from heed.prediction.filler import WordFiller
from heed.prediction.writer import Writer
from heed.runs import pretraining_run, write_run
from heed.runs.data_settings import DataSettings
from heed.runs.folder import RunFolder
from heed.runs.pretraining_settings import PretrainingSettings
from heed.runs.settings import RunSettings
from heed.runs.write_settings import WriteSettings
from heed.tasks.pretrain import Sequencer
from heed.tasks.pretraining import PretrainingTraining
from heed.tasks.text_ids import encode_text
from heed.tasks.write_training import LaneTraining, WindowTraining
from heed.verifying.material.found import Material, files_of, find_records
from heed.verifying.material.made_up import invent_text

CHARACTERS = 20_000  # of a text that are read: some hundred windows


def text_material(settings: WriteSettings, writer: Writer, given: Sequence[str]) -> Material:
    """Return the beginning of a text for a language model."""
    tokenizer = writer.tokenizer

    def read(data: DataSettings) -> Sequence[str]:
        text = read_text(given) if files_of(given) else load_text(data.train, data.valid, data.test).train
        return (text[:CHARACTERS],)

    def build(own: RunSettings) -> WindowTraining | LaneTraining:
        assert isinstance(own, WriteSettings)
        model, smoothing = write_run.build_model(own, tokenizer), own.training.label_smoothing
        match model:
            case LanguageTransformer():
                return WindowTraining(model, tokenizer, encoded, encoded, smoothing)
            case LanguageRnn():
                return LaneTraining(model, tokenizer, encoded, encoded, smoothing, own.training.tokens_per_batch)

    parts, origin = find_records(settings.data, given, read, lambda: invent_text(tokenizer), "the beginning")
    text = "\n".join(parts)
    encoded = encode_text(text, tokenizer)
    return Material(origin, [(line,) for line in text.split("\n") if line.strip()], build)


def corpus_material(
    folder: RunFolder, settings: PretrainingSettings, filler: WordFiller, given: Sequence[str]
) -> Material:
    """Return sequences for a BERT: of the corpus in the run's folder, of files, or made up."""
    sequencer, origin = _sequencer(folder, settings, filler, given)

    def build(own: RunSettings) -> PretrainingTraining:
        assert isinstance(own, PretrainingSettings)
        model = pretraining_run.build_model(own, filler.tokenizer)
        return PretrainingTraining(model, sequencer, sequencer, range(1), own.training.label_smoothing)

    stretches = sequencer.stretches
    shown = range(min(len(stretches), 8))
    texts = [(filler.tokenizer.decode(stretches.tokens(index).tolist()),) for index in shown]
    return Material(origin, texts, build)


def _sequencer(
    folder: RunFolder, settings: PretrainingSettings, filler: WordFiller, given: Sequence[str]
) -> tuple[Sequencer, str]:
    tokenizer = filler.tokenizer
    if not given:
        try:
            own = pretraining_run.sequencer_of(folder.corpus / pretraining_run.VALID, settings, tokenizer)
        except (RunError, OSError) as problem:
            return _stored(_invented(filler), settings, filler), f"made-up documents (its corpus is gone: {problem})"
        return own, "the validation documents in its folder"
    column = settings.data.columns[0] if settings.data.columns else None
    return _stored(read_documents(given, column), settings, filler), f"documents of {', '.join(given)}"


def _stored(documents: Iterator[Document], settings: PretrainingSettings, filler: WordFiller) -> Sequencer:
    """Return sequences of documents; the files are mapped into memory, and may go before they are read."""
    with tempfile.TemporaryDirectory() as folder:
        write_store(Path(folder), documents, filler.tokenizer)
        return pretraining_run.sequencer_of(Path(folder), settings, filler.tokenizer)


def _invented(filler: WordFiller) -> Iterator[Document]:
    lines = invent_text(filler.tokenizer)
    for first in range(0, len(lines), 4):
        yield Document(tuple(lines[first : first + 4]), "made up")
