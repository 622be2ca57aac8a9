"""A run of `heed pretrain` from settings to a trainer: vocabulary, corpus as numbers in the run's folder, model.

The corpus is encoded once, when the run begins; going on reads what was written then, not the files.
"""

from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import torch

from heed.data.documents import Corpus, Document
from heed.data.example_keys import document_key
from heed.data.token_store import open_store, write_store
from heed.errors import DataError, SettingsError
from heed.machine import Ranks
from heed.models.bert_pretraining import BertPretraining
from heed.models.weights import copy_weights, weights_of
from heed.runs import durable
from heed.runs.assembling import assemble, read_tokenizer
from heed.runs.base import Base, load_base, start_from
from heed.runs.based import going_on
from heed.runs.examples import write_examples
from heed.runs.folder import RunFolder, TokenizerTexts
from heed.runs.preparing import made_whole, set_up
from heed.runs.pretraining_settings import PretrainingSettings
from heed.runs.recording import go_back, save
from heed.runs.run import TrainerRun
from heed.runs.strict_json import JSON
from heed.runs.telling import Tell, silent
from heed.settings import to_dict
from heed.tasks.masking import MaskingAudit, build_masking
from heed.tasks.pretrain import Sequencer, frame_size
from heed.tasks.pretraining import PretrainingTraining
from heed.tasks.sequences import cut_stretches
from heed.tokens.tokenizer import Tokenizer
from heed.tokens.training import train_tokenizer
from heed.training.ranks import from_first_rank

TRAIN, VALID = "train", "valid"
# A vocabulary is learnt from so much text, spread over the corpus: more changes nothing but the time and memory.
VOCABULARY_CHARACTERS = 100_000_000
TOLD_EVERY = 1_000  # documents


@dataclass(frozen=True)
class PreparedPretraining:
    """Settings made whole, and the vocabulary; the corpus is encoded once there is a folder for it."""

    settings: PretrainingSettings
    corpus: Corpus
    characters: int  # of the training documents
    tokenizer: Tokenizer
    base: Base | None


def prepare(settings: PretrainingSettings, tell: Tell = silent) -> PreparedPretraining:
    """Return what a new run is made of: settings made whole, vocabulary trained or taken over."""
    settings = made_whole(settings)
    corpus = corpus_of(settings)
    tell("reading the corpus", None)
    if next(corpus.validation(), None) is None:
        raise DataError(
            f"No document of {corpus.origin} fell to validation. Give more documents, or a file for it (--valid)."
        )
    characters = sum(map(_characters, corpus.training()))
    if settings.base is not None:
        base = load_base(Path(settings.base))
        return PreparedPretraining(going_on(settings, base), corpus, characters, base.tokenizer, base)
    tell("learning the vocabulary", None)
    tokenizer = train_tokenizer(_vocabulary_texts(corpus, characters), settings.tokens, "bert")
    return PreparedPretraining(settings, corpus, characters, tokenizer, None)


def begin(folder: RunFolder, prepared: PreparedPretraining, ranks: Ranks, tell: Tell = silent) -> TrainerRun:
    """Return a new run in an empty folder; its first checkpoint is there before the first step."""
    settings, tokenizer = prepared.settings, prepared.tokenizer
    if ranks.is_first:
        _write_corpus(folder, prepared, tell)
    from_first_rank([1.0], ranks)  # the others wait until it is there
    task = _task(folder, settings, tokenizer)
    taken = _start(task.model, prepared.base) if prepared.base is not None else ()
    run = assemble(folder, settings, task, tokenizer, ranks)
    audit = task.train.audit()
    if ranks.is_first:
        folder.write_tokenizers(TokenizerTexts(tokenizer.to_json()))
        folder.write_data_facts(_data_facts(prepared.corpus, task, audit))
        training, validation = prepared.corpus.training(), prepared.corpus.validation()
        write_examples(folder, map(document_key, training), map(document_key, validation), ())
        folder.write_settings(to_dict(settings))
        save(folder, run.trainer)
    return replace(run, notes=(*_data_notes(prepared.corpus, task, audit), *taken, *run.notes))


def resume(folder: RunFolder, settings: PretrainingSettings, ranks: Ranks) -> TrainerRun:
    """Return a run as its newest good checkpoint left it."""
    set_up(settings.training)
    tokenizer = read_tokenizer(folder)
    run = assemble(folder, settings, _task(folder, settings, tokenizer), tokenizer, ranks)
    return replace(run, notes=(*go_back(folder, run.trainer), *run.notes))


def corpus_of(settings: PretrainingSettings) -> Corpus:
    """Return where the documents of a run come from."""
    data = settings.data
    if data.test:
        raise SettingsError(f"data.test is {list(data.test)}; pre-training scores on nothing. Leave --test out.")
    return Corpus(data.train, data.valid, data.columns[0] if data.columns else None, data.rule.group)


def build_model(settings: PretrainingSettings, tokenizer: Tokenizer) -> BertPretraining:
    """Return the run's model with fresh weights."""
    return BertPretraining(settings.model, tokenizer.size, next_sentence=settings.pairs)


def sequencer_of(store: Path, settings: PretrainingSettings, tokenizer: Tokenizer) -> Sequencer:
    """Return what draws sequences from a corpus that is kept as numbers."""
    stretches = cut_stretches(open_store(store), settings.length - frame_size(settings.pairs))
    masking = build_masking(tokenizer, settings.mask_share, settings.whole_words)
    return Sequencer(stretches, masking, tokenizer, settings.pairs, settings.training.seed)


def _task(folder: RunFolder, settings: PretrainingSettings, tokenizer: Tokenizer) -> PretrainingTraining:
    train, valid = (sequencer_of(folder.corpus / part, settings, tokenizer) for part in (TRAIN, VALID))
    torch.manual_seed(settings.training.seed)
    model = build_model(settings, tokenizer)
    return PretrainingTraining(model, train, valid, settings.training.validation_texts)


def _start(model: BertPretraining, base: Base) -> tuple[str, ...]:
    """Copy the encoder of the base, and its heads where it has them; a head that is new is said so."""
    (taken,) = start_from(model.bert, base)
    notes = [taken.partition(";")[0]]
    own = weights_of(model)
    for head, meaning in (("masked", "names hidden words"), ("next", "says what follows")):
        # The table of the first head is the embedding, which has been copied already.
        mine = {name: each for name, each in own.items() if name.startswith(f"{head}.")}
        found = {name: each for name, each in base.heads.items() if name in mine}
        if found:
            copy_weights(mine, found, base.origin)
        elif mine:
            notes.append(f"the head that {meaning} is new: {base.origin} has none")
    return tuple(notes)


def _write_corpus(folder: RunFolder, prepared: PreparedPretraining, tell: Tell) -> None:
    corpus = prepared.corpus
    training = _told(corpus.training(), prepared.characters, tell)
    for part, documents in ((TRAIN, training), (VALID, corpus.validation())):
        path = folder.corpus / part
        with durable.reported(path):
            path.mkdir(parents=True, exist_ok=True)
            write_store(path, documents, prepared.tokenizer)


def _told(documents: Iterator[Document], characters: int, tell: Tell) -> Iterator[Document]:
    """Yield the documents, and tell now and then how far it is."""
    done = 0
    for number, document in enumerate(documents):
        if number % TOLD_EVERY == 0:
            tell("encoding the corpus", done / max(1, characters))
        done += _characters(document)
        yield document


def _vocabulary_texts(corpus: Corpus, characters: int) -> Iterator[str]:
    """Yield sentences to learn a vocabulary from: all of a small corpus, every n-th document of a large one."""
    every = 1 + characters // VOCABULARY_CHARACTERS
    for number, document in enumerate(corpus.training()):
        if number % every == 0:
            yield from document.sentences


def _characters(document: Document) -> int:
    return sum(map(len, document.sentences))


def _data_facts(corpus: Corpus, task: PretrainingTraining, audit: MaskingAudit) -> dict[str, JSON]:
    parts = {TRAIN: task.train, VALID: task.valid}
    return {
        "origin": corpus.origin,
        **{
            part: {
                "documents": each.stretches.store.facts.documents,
                "sentences": each.stretches.store.facts.sentences,
                "tokens": each.stretches.store.facts.tokens,
                "unknown": each.stretches.store.facts.unknown,
                "sequences": len(each),
                "cut": each.stretches.cut,
            }
            for part, each in parts.items()
        },
        "masking": asdict(audit),
    }


def _data_notes(corpus: Corpus, task: PretrainingTraining, audit: MaskingAudit) -> Iterator[str]:
    facts, stretches = task.train.stretches.store.facts, task.train.stretches
    yield (
        f"{facts.documents:,} training documents from {corpus.origin}: {facts.tokens:,} tokens in {len(stretches):,} "
        f"sequences, {facts.unknown:,} unknown, {stretches.cut:,} cut"
    )
    pairs = "" if audit.follows is None else f"; the second text follows in {audit.follows:.1%} of the pairs"
    yield (
        f"masking, seen in {audit.sequences:,} sequences: {audit.chosen:.1%} of the tokens chosen; of these "
        f"{audit.masked:.1%} hidden, {audit.replaced:.1%} replaced, {audit.kept:.1%} kept{pairs}"
    )
