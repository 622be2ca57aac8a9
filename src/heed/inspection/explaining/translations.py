"""What is to be seen in a translator: its translation piece by piece, and every way that the beam tried."""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from heed.decoding.beam import BeamSettings
from heed.decoding.tree import render
from heed.errors import UsageError
from heed.inspection.explaining.asked import Asked
from heed.inspection.explaining.describing import attention_notes, model_line, unseen_notes
from heed.inspection.explaining.gradients import Read, caught
from heed.inspection.explaining.head_off import Said, places_in, rank_heads
from heed.inspection.explaining.looking import looked_at, trace_of
from heed.inspection.explaining.pieces import axis_of_texts
from heed.inspection.explaining.said import (
    WRITTEN,
    Sentence,
    choices_of,
    probability_of,
    rollouts_of,
    sentence_of,
    sides_of,
    with_beams,
)
from heed.inspection.explaining.shares import shares_of, words_on
from heed.inspection.explanation import Explanation, HeadOff, Looked
from heed.layers.trace import Trace, sites_of
from heed.models.seq2seq import Seq2Seq
from heed.prediction.translator import Translator
from heed.tasks.rows import Rows
from heed.tasks.translate import encode_sources
from heed.tasks.translating import decode_rows, decode_with_tree

SOURCE = "source"


@dataclass(frozen=True, eq=False)
class _Seen:
    """A text, its translation, and what the model says while it says that."""

    source_ids: Tensor  # (1, S)
    sentence: Sentence
    trace: Trace
    read: Read  # said: (T, V)


def explain_translation(model: Translator, text: str, asked: Asked) -> Explanation:
    """Return what is to be seen while the model translates a text."""
    rows, (counts,) = encode_sources([text], model.tokenizers.source, model.model.settings.longest)
    if not counts.tokens:
        raise UsageError(f"There is nothing to translate in {text!r:.60}. Give a text.")
    search, sites = with_beams(model.search, asked.beams), sites_of(model.model)
    hypotheses, tree = decode_with_tree(model.model, rows, model.tokenizers.target, search)
    seen = _look(model, rows, sentence_of(hypotheses[0], model.tokenizers.target, asked.answer), asked)
    sentence, source_ids = seen.sentence, seen.source_ids[0].tolist()
    looked = looked_at(seen.trace, sites, sides_of(SOURCE))
    rolled = tuple(rollouts_of(sentence, seen.trace, sites, SOURCE))
    moved = shares_of(
        lambda scale, trace: _read(model.model, seen.source_ids, sentence, scale, trace),
        seen.read,
        sentence.score,
        sentence.told,
        [words_on(SOURCE), words_on(WRITTEN)],
        asked.steps,
    )
    return Explanation(
        task="translate",
        model=model_line(model.model.settings),
        given=(text,),
        answer=sentence.text,
        probability=sentence.probability,
        axes=(axis_of_texts(SOURCE, source_ids, model.tokenizers.source, [text], [0]), *sentence.axes()),
        looked=looked,
        shares=(*moved, *rolled),
        heads=_heads(model, rows, seen, looked, search) if asked.heads else (),
        choices=tuple(choices_of(sentence, seen.read.said)),
        tree=tuple(render(tree, model.tokenizers.target.piece)),
        notes=(*unseen_notes(counts), *attention_notes(sites, bool(rolled))),
    )


def _look(model: Translator, rows: Rows, sentence: Sentence, asked: Asked) -> _Seen:
    source_ids = torch.from_numpy(rows[0].copy()).long()[None]
    trace = trace_of(asked.sites, sites_of(model.model))
    return _Seen(source_ids, sentence, trace, _read(model.model, source_ids, sentence, 1.0, trace))


def _read(network: Seq2Seq, source_ids: Tensor, sentence: Sentence, scale: float, trace: Trace | None) -> Read:
    with caught([network.source_embedding, network.target_embedding], scale) as vectors:
        return Read(_said(network, source_ids, sentence, trace), tuple(vectors))


def _said(network: Seq2Seq, source_ids: Tensor, sentence: Sentence, trace: Trace | None = None) -> Tensor:
    """Return logits (T, V) for each piece of the sentence."""
    written = sentence.written
    source_keep, target_keep = (torch.ones_like(ids, dtype=torch.bool) for ids in (source_ids, written))
    logits_TV: Tensor = network(source_ids, source_keep, written, target_keep, trace)[0]
    return logits_TV


def _heads(
    model: Translator, rows: Rows, seen: _Seen, looked: Sequence[Looked], search: BeamSettings
) -> tuple[HeadOff, ...]:
    target = model.tokenizers.target

    def say() -> Said:
        probability = probability_of(seen.sentence, _said(model.model, seen.source_ids, seen.sentence))
        return Said(probability, target.decode(decode_rows(model.model, rows, target, search)[0][0].ids))

    whole = Said(probability_of(seen.sentence, seen.read.said.detach()), seen.sentence.text)
    return rank_heads(places_in(model.model), looked, whole, say)
