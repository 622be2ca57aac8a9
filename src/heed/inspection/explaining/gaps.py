"""What is to be seen in a BERT that says which words could stand in the gaps of a text."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from heed.inspection.explaining.asked import Asked
from heed.inspection.explaining.decision import leads
from heed.inspection.explaining.describing import attention_notes, model_line, unseen_notes
from heed.inspection.explaining.gradients import Read, caught
from heed.inspection.explaining.head_off import Said, places_in, rank_heads
from heed.inspection.explaining.looking import looked_at, numbers_of, trace_of
from heed.inspection.explaining.pieces import label_of, labels_of, one_piece, told_apart
from heed.inspection.explaining.rollout import layers_in, rolled_out
from heed.inspection.explaining.shares import shares_of, words_on
from heed.inspection.explanation import Axis, Choice, Explanation, HeadOff, Looked, Share
from heed.layers.trace import Trace, sites_of
from heed.models.text_input import TextInput
from heed.prediction.filler import CANDIDATES, WordFiller
from heed.tokens.encoded import TokenCounts

TEXT = "text"


@dataclass(frozen=True, eq=False)
class _Seen:
    """A text with its gaps, and what could stand in each of them."""

    text: TextInput
    trace: Trace
    read: Read  # said: (N, V) of N gaps
    chances_NV: Tensor  # without the special pieces, which stand in no text
    best: list[int]  # the piece in each gap
    told: list[int]  # those that are explained: the best, but in the first gap the one that was asked for


def explain_gaps(model: WordFiller, text: str, asked: Asked) -> Explanation:
    """Return what is to be seen while the model fills the gaps of a text."""
    gaps = model.read_gaps(text)
    seen, sites = _look(model, gaps.ids, asked), sites_of(model.model)
    looked = looked_at(seen.trace, sites, lambda _: (TEXT, TEXT))
    answer = ", ".join(labels_of(seen.best, model.tokenizer))
    told = ", ".join(labels_of(seen.told, model.tokenizer))
    layers = layers_in(seen.trace, sites, ".self")
    rolled = () if layers is None else tuple(_rollouts(model, seen, rolled_out(layers)))
    moved = shares_of(
        lambda scale, trace: _read(model, seen.text, scale, trace),
        seen.read,
        lambda said_NV: leads(said_NV, seen.told).sum(),
        told,
        [words_on(TEXT)],
        asked.steps,
    )
    return Explanation(
        task="pretrain",
        model=model_line(model.model.settings),
        given=(text,),
        answer=answer,
        probability=_together(seen.chances_NV, seen.best),
        axes=(Axis(TEXT, labels_of(gaps.ids, model.tokenizer)),),
        looked=looked,
        shares=(*moved, *rolled),
        heads=_heads(model, seen, looked, answer) if asked.heads else (),
        choices=tuple(_choices(model, seen)),
        notes=(
            *unseen_notes(TokenCounts(len(gaps.ids) - 2 + gaps.cut, gaps.unknown, gaps.cut)),
            *attention_notes(sites, bool(rolled)),
        ),
    )


def _look(model: WordFiller, ids: Sequence[int], asked: Asked) -> _Seen:
    token_ids = torch.tensor([list(ids)])
    text = TextInput(token_ids, torch.ones_like(token_ids, dtype=torch.bool))
    trace = trace_of(asked.sites, sites_of(model.model))
    read = _read(model, text, 1.0, trace)
    chances_NV = model.chances(read.said.detach().double())
    best = chances_NV.argmax(dim=1).tolist()
    told = best if asked.answer is None else [one_piece(asked.answer, model.tokenizer), *best[1:]]
    return _Seen(text, trace, read, chances_NV, best, told)


def _read(model: WordFiller, text: TextInput, scale: float, trace: Trace | None) -> Read:
    network = model.model
    with caught([network.bert.embedding], scale) as vectors:
        said = network(text, text.token_ids == model.mask, trace)
    return Read(network.masked.vocabulary(said.features_ND), tuple(vectors))


def _together(chances_NV: Tensor, pieces: Sequence[int]) -> float:
    """Return how probable it is that each gap holds its piece."""
    return float(chances_NV[torch.arange(len(pieces)), torch.tensor(pieces)].prod())


def _rollouts(model: WordFiller, seen: _Seen, rolled_TT: Tensor) -> Iterator[Share]:
    """Yield what of the text is in each gap."""
    places = (seen.text.token_ids[0] == model.mask).nonzero().flatten().tolist()
    for name, place in zip(told_apart(labels_of(seen.told, model.tokenizer)), places, strict=True):
        yield Share(name, "rollout", TEXT, numbers_of(rolled_TT[place]))


def _choices(model: WordFiller, seen: _Seen) -> Iterator[Choice]:
    count = min(CANDIDATES, seen.chances_NV.shape[1])
    for number, chances_V in enumerate(seen.chances_NV, start=1):
        place = f"gap {number}" if len(seen.best) > 1 else ""
        for chance, piece in zip(*(each.tolist() for each in chances_V.topk(count)), strict=True):
            yield Choice(label_of(piece, model.tokenizer), chance, place)


def _heads(model: WordFiller, seen: _Seen, looked: tuple[Looked, ...], answer: str) -> tuple[HeadOff, ...]:
    def say() -> Said:
        said = model.model(seen.text, seen.text.token_ids == model.mask)
        chances_NV = model.chances(model.model.masked.vocabulary(said.features_ND).double())
        now = chances_NV.argmax(dim=1).tolist()
        return Said(_together(chances_NV, seen.best), ", ".join(labels_of(now, model.tokenizer)))

    return rank_heads(places_in(model.model), looked, Said(_together(seen.chances_NV, seen.best), answer), say)
