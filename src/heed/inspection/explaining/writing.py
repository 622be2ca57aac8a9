"""What is to be seen in a language model that reads a prompt: what it would write next, and what surprised it.

The curve tells of each piece how many bits it takes to say it, given those before: 0 was certain, 10 as rare as one
draw in a thousand.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from heed.inspection.explaining.asked import Asked
from heed.inspection.explaining.decision import leads
from heed.inspection.explaining.describing import attention_notes, model_line, unseen_notes
from heed.inspection.explaining.gradients import Read, caught
from heed.inspection.explaining.head_off import Said, places_in, rank_heads
from heed.inspection.explaining.looking import looked_at, numbers_of, trace_of
from heed.inspection.explaining.pieces import label_of, labels_of, one_piece
from heed.inspection.explaining.rollout import layers_in, rolled_out
from heed.inspection.explaining.shares import shares_of, words_on
from heed.inspection.explanation import Axis, Choice, Curve, Explanation, HeadOff, Looked, Share
from heed.layers.trace import Trace, sites_of
from heed.models.language import LanguageModel
from heed.models.language_transformer import LanguageTransformer
from heed.prediction.writer import Writer
from heed.tasks.text_ids import encode_text
from heed.tasks.translating import never_said
from heed.tokens.encoded import TokenCounts

TEXT = "text"
CHOICES = 10
MOST_PIECES = 10_000  # of a prompt that a recurrent network reads, the last ones; a Transformer reads fewer anyway
ROWS = 64  # positions that go through the vocabulary at once: with all of them, a large one would fill the memory


@dataclass(frozen=True, eq=False)
class _Seen:
    """A prompt, and what is said of the piece after it."""

    token_ids: Tensor  # (1, T)
    counts: TokenCounts
    trace: Trace
    read: Read  # said: the last vectors (T, D), of what comes after each piece
    chances_V: Tensor
    best: int
    told: int


def explain_writing(model: Writer, text: str, asked: Asked) -> Explanation:
    """Return what is to be seen while the model reads a prompt and says what comes next."""
    seen, sites = _look(model, text, asked), sites_of(model.model)
    looked = looked_at(seen.trace, sites, lambda _: (TEXT, TEXT))
    told = label_of(seen.told, model.tokenizer)
    layers = layers_in(seen.trace, sites, ".self")
    rolled = () if layers is None else (Share(told, "rollout", TEXT, numbers_of(rolled_out(layers)[-1])),)
    moved = shares_of(
        lambda scale, trace: _read(model.model, seen.token_ids, scale, trace),
        seen.read,
        lambda hidden_TD: leads(model.model.vocabulary(hidden_TD[-1:]), [seen.told])[0],
        told,
        [words_on(TEXT)],
        asked.steps,
    )
    return Explanation(
        task="write",
        model=model_line(model.model.settings),
        given=(text,),
        answer=label_of(seen.best, model.tokenizer),
        probability=float(seen.chances_V[seen.best]),
        axes=(Axis(TEXT, labels_of(seen.token_ids[0].tolist(), model.tokenizer)),),
        looked=looked,
        shares=(*moved, *rolled),
        heads=_heads(model, seen, looked) if asked.heads else (),
        curves=(Curve("bits", TEXT, numbers_of(_bits(model.model, seen))),),
        choices=_choices(model, seen),
        notes=(*unseen_notes(seen.counts), *attention_notes(sites, bool(rolled))),
    )


def _look(model: Writer, text: str, asked: Asked) -> _Seen:
    encoded = encode_text(text, model.tokenizer)
    longest = model.model.settings.longest if isinstance(model.model, LanguageTransformer) else MOST_PIECES
    token_ids = torch.from_numpy(encoded.ids[-longest:]).long()[None]
    trace = trace_of(asked.sites, sites_of(model.model))
    read = _read(model.model, token_ids, 1.0, trace)
    chances_V = _chances(model, read.said[-1])
    best = int(chances_V.argmax())
    told = best if asked.answer is None else one_piece(asked.answer, model.tokenizer)
    counts = TokenCounts(len(encoded), encoded.unknown, max(0, len(encoded.ids) - longest))
    return _Seen(token_ids, counts, trace, read, chances_V, best, told)


def _read(network: LanguageModel, token_ids: Tensor, scale: float, trace: Trace | None) -> Read:
    with caught([network.embedding], scale) as vectors:
        return Read(network.hidden(token_ids, None, trace)[0], tuple(vectors))


@torch.no_grad()
def _chances(model: Writer, hidden_D: Tensor) -> Tensor:
    """Return how probable each piece is as the next; those that are never written are left out."""
    chances_V = model.model.vocabulary(hidden_D[None])[0].double().softmax(dim=0)
    chances_V[list(never_said(model.tokenizer))] = 0.0
    return chances_V


@torch.no_grad()
def _bits(network: LanguageModel, seen: _Seen) -> Tensor:
    """Return (T,): how surprising each piece was after those before it; the first stands after nothing."""
    hidden_TD, bits = seen.read.said, [torch.zeros(1)]
    for first in range(0, len(hidden_TD) - 1, ROWS):
        next_N1 = seen.token_ids[0, first + 1 : first + 1 + ROWS, None]
        log_probs_NV = network.vocabulary(hidden_TD[first : first + len(next_N1)]).log_softmax(dim=-1)
        bits.append(-log_probs_NV.gather(1, next_N1).squeeze(1) / math.log(2))
    return torch.cat(bits)


def _choices(model: Writer, seen: _Seen) -> tuple[Choice, ...]:
    best = seen.chances_V.topk(min(CHOICES, len(seen.chances_V)))
    ranked = zip(best.values.tolist(), best.indices.tolist(), strict=True)
    return tuple(Choice(label_of(piece, model.tokenizer), chance) for chance, piece in ranked)


def _heads(model: Writer, seen: _Seen, looked: Sequence[Looked]) -> tuple[HeadOff, ...]:
    def say() -> Said:
        chances_V = _chances(model, model.model.hidden(seen.token_ids)[0, -1])
        return Said(float(chances_V[seen.best]), label_of(int(chances_V.argmax()), model.tokenizer))

    whole = Said(float(seen.chances_V[seen.best]), label_of(seen.best, model.tokenizer))
    return rank_heads(places_in(model.model), looked, whole, say)
