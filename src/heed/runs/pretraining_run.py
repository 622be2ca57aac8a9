"""A run of `heed pretrain` from settings to a trainer: vocabulary, corpus as numbers in the run's folder, model.

The corpus is encoded once, when the run begins; going on reads what was written then, not the files.
"""

import math
from collections.abc import Callable, Iterator, Sequence
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
from heed.tasks.pair_audit import PairAudit
from heed.tasks.pretrain import Sequencer, frame_size
from heed.tasks.pretraining import PretrainingTraining
from heed.tasks.sentence_pairs import build_pairs
from heed.tasks.sequences import cut_stretches
from heed.tasks.validation import sampled, spread
from heed.tokens.tokenizer import Tokenizer
from heed.tokens.training import train_tokenizer
from heed.training.ranks import from_first_rank
from heed.training.trainer import Trainer

TRAIN, VALID = "train", "valid"
# A vocabulary is learnt from so much text, spread over the corpus: more changes nothing but the time and memory.
VOCABULARY_CHARACTERS = 100_000_000
TOLD_EVERY = 1_000  # documents
PAIRS = "pairs"  # of data.json; runs of heed 0.5 and before do not have it, and cut their pairs by another rule


@dataclass(frozen=True)
class Audits:
    """What was counted in the sequences of a run."""

    masking: MaskingAudit
    pairs: PairAudit | None  # None: no pair has a label


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
    characters = _counted_characters(corpus, settings.pairs)
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
    task = _task(folder, settings, tokenizer, spread)
    taken = _start(task.model, prepared.base) if prepared.base is not None else ()
    run = assemble(folder, settings, task, tokenizer, ranks)
    _refuse_unlabelled(task.train, prepared.corpus)
    audits = Audits(task.train.audit(), task.train.audit_pairs())
    if ranks.is_first:
        folder.write_tokenizers(TokenizerTexts(tokenizer.to_json()))
        folder.write_data_facts({"origin": prepared.corpus.origin, **_data_facts(task, audits)})
        training, validation = prepared.corpus.training(), prepared.corpus.validation()
        write_examples(folder, map(document_key, training), map(document_key, validation), ())
        folder.write_settings(to_dict(settings))
        save(folder, run.trainer)
    notes = (*_data_notes(prepared.corpus, task, audits), *_label_notes(task))
    return replace(run, notes=(*notes, *taken, *run.notes))


def resume(folder: RunFolder, settings: PretrainingSettings, ranks: Ranks) -> TrainerRun:
    """Return a run as its newest good checkpoint left it."""
    set_up(settings.training)
    tokenizer = read_tokenizer(folder)
    # Runs of version 0.5 scored the first sequences: they go on with the same ones, or scores could not be compared.
    # Those with pairs begin to choose anew in any case.
    choose = spread if settings.pairs or "validated" in folder.read_data_facts() else _first
    task = _task(folder, settings, tokenizer, choose)
    run = assemble(folder, settings, task, tokenizer, ranks)
    notes = go_back(folder, run.trainer)
    return replace(run, notes=(*notes, *_with_pairs_cut_alike(folder, task, run.trainer), *run.notes))


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
    pairs = build_pairs(stretches) if settings.pairs else None
    masking = build_masking(tokenizer, settings.mask_share, settings.whole_words)
    kept = stretches if pairs is None else pairs.stretches
    return Sequencer(kept, masking, tokenizer, pairs, settings.training.seed)


def _task(
    folder: RunFolder, settings: PretrainingSettings, tokenizer: Tokenizer, choose: Callable[[int, int], Sequence[int]]
) -> PretrainingTraining:
    train, valid = (sequencer_of(folder.corpus / part, settings, tokenizer) for part in (TRAIN, VALID))
    torch.manual_seed(settings.training.seed)
    model = build_model(settings, tokenizer)
    validated = choose(len(valid), settings.training.validation_texts)
    return PretrainingTraining(model, train, valid, validated, settings.training.label_smoothing)


def _first(count: int, most: int) -> Sequence[int]:
    return range(min(count, most))


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


def _counted_characters(corpus: Corpus, pairs: bool) -> int:
    """Return the characters of the training documents; refuse those of which no pairs can be made."""
    documents, totals, largest = 0, [0, 0], [0, 0]  # of documents with several sentences, and with one
    for document in corpus.training():
        documents, kind, size = documents + 1, int(len(document.sentences) == 1), _characters(document)
        totals[kind] += size
        largest[kind] = max(largest[kind], size)
    if pairs and documents:
        labelled = sum(total for total, most in zip(totals, largest, strict=True) if 2 * most <= total)
        _refuse_few(corpus, documents, labelled / sum(totals), max(largest) / sum(totals))
    return sum(totals)


def _refuse_unlabelled(train: Sequencer, corpus: Corpus) -> None:
    if train.drawn is not None:
        documents, pairs = len(train.stretches.store.document_ends), train.drawn
        largest = max(pairs.several.largest, pairs.single.largest)
        _refuse_few(corpus, documents, pairs.labelled / len(train), largest / len(train))


def _refuse_few(corpus: Corpus, documents: int, labelled: float, largest: float) -> None:
    """Refuse a corpus where most texts have no partner in another document (`sentence_pairs.Partners`)."""
    if labelled < 0.5:
        raise DataError(
            f"Next-sentence prediction cannot be learnt from {corpus.origin}: half of its second texts are drawn from "
            f"other documents, but it has {documents:,} document{'s' * (documents > 1)}, the largest with "
            f"{largest:.0%} of the text. Put a blank line between documents, give each a file, or use --objective mlm."
        )


def _with_pairs_cut_alike(folder: RunFolder, task: PretrainingTraining, trainer: Trainer) -> tuple[str, ...]:
    """Take up a run whose pairs were cut by the rule of heed 0.5 and before; return what a person should know.

    Its validation was scored on other sequences, too, so that the best score so far cannot be compared with new ones.
    """
    if not task.train.pairs or trainer.finished:
        return ()
    facts = folder.read_data_facts()
    # All ranks go by what the first one finds: it writes the facts anew.
    (old,) = from_first_rank([float(PAIRS not in facts)], trainer.ranks)
    if not old:
        return ()
    trainer.best_score, trainer.validations_since_best = -math.inf, 0
    audits = Audits(task.train.audit(), task.train.audit_pairs())
    if trainer.ranks.is_first:
        save(folder, trainer)
        folder.write_data_facts({**facts, **_data_facts(task, audits)})
    return (
        "the pairs of this run were cut so that their last token told the label (heed 0.5 and before). From here on "
        "both kinds are cut alike: next-sentence accuracy drops, and the best weights are chosen anew",
        *_label_notes(task),
    )


def _data_facts(task: PretrainingTraining, audits: Audits) -> dict[str, JSON]:
    parts = {TRAIN: task.train, VALID: task.valid}
    follows = None if audits.pairs is None else audits.pairs.follows
    labelled: dict[str, JSON] = {} if task.train.drawn is None else {"labelled": task.train.drawn.labelled}
    counted = {} if audits.pairs is None else asdict(audits.pairs)
    return {
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
        "validated": len(task.validated),  # sequences, evenly spread over the validation documents
        "masking": {**asdict(audits.masking), "follows": follows},
        **({PAIRS: {**labelled, **counted}} if labelled else {}),
    }


def _data_notes(corpus: Corpus, task: PretrainingTraining, audits: Audits) -> Iterator[str]:
    facts, stretches = task.train.stretches.store.facts, task.train.stretches
    yield (
        f"{facts.documents:,} training documents from {corpus.origin}: {facts.tokens:,} tokens in {len(stretches):,} "
        f"sequences, {facts.unknown:,} unknown, {stretches.cut:,} cut"
    )
    yield from sampled(len(task.validated), len(task.valid), "sequences")
    masking, pairs = audits.masking, audits.pairs
    yield (
        f"masking, seen in {masking.sequences:,} sequences: {masking.chosen:.1%} of the tokens chosen; of these "
        f"{masking.masked:.1%} hidden, {masking.replaced:.1%} replaced, {masking.kept:.1%} kept"
    )
    if pairs is not None:
        yield (
            f"pairs, seen in {pairs.pairs:,}: the second text follows in {pairs.follows:.1%}; accuracy of rules that do"
            f" not read: {pairs.by_length:.1%} by length, {pairs.by_first_token:.1%} by first token, "
            f"{pairs.by_last_token:.1%} by last token"
        )


def _label_notes(task: PretrainingTraining) -> Iterator[str]:
    """Yield where pairs have no label, because no other document can stand for what follows."""
    for part, each in (("training", task.train), ("validation", task.valid)):
        missing = 0 if each.drawn is None else len(each) - each.drawn.labelled
        if missing:
            yield (
                f"{missing:,} of {len(each):,} {part} pairs are used for hidden words only: next-sentence prediction "
                f"needs texts of other documents, and there are too few"
            )
