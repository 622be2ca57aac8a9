"""Source sequences in, hypotheses out: the searches run over batches of like length, the results in the order given."""

from dataclasses import dataclass
from typing import cast

import torch

from heed.data.order import valid_batches
from heed.decoding.beam import BeamSettings, beam_search
from heed.decoding.greedy import greedy
from heed.decoding.hypotheses import Hypothesis
from heed.decoding.limits import Limits
from heed.decoding.sampling import SamplingSettings, sample
from heed.decoding.steps import State, StepModel
from heed.decoding.tree import BeamTree, TreeRecorder
from heed.models.captioner import Captioner
from heed.models.language import LanguageModel
from heed.models.seq2seq import Seq2Seq
from heed.tasks.rows import Rows, pad_rows
from heed.tasks.side_by_side import one_for_each_thread, side_by_side
from heed.tokens.tokenizer import Tokenizer


@dataclass(frozen=True)
class GreedySettings:
    """Take the most probable token at each step."""


Search = BeamSettings | SamplingSettings | GreedySettings

POSITIONS_PER_BATCH = 6000  # source and longest possible target; larger gains nothing on a CPU


def decode_rows(
    model: Seq2Seq, sources: Rows, target: Tokenizer, search: Search, done: int = 0
) -> list[list[Hypothesis]]:
    """Return for each source its hypotheses, best first. The model must be in evaluation mode.

    `done` is how many sources came before these: sampling draws differently for each source of the whole input.
    """
    lengths = [(length, _limit(model, length)) for length in sources.lengths.tolist()]
    # The longest first: if memory is short, that shows at once and not at the end; and workers end together.
    batches = one_for_each_thread(valid_batches(lengths, POSITIONS_PER_BATCH))[::-1]

    @torch.inference_mode()
    def decode(chosen: list[int]) -> list[list[Hypothesis]]:
        limits = limits_of(target, [lengths[index][1] for index in chosen])
        state = model.start(*pad_rows(sources, chosen))
        return run_search(steps_of(model), state, limits, search, [done + index for index in chosen])

    results: list[list[Hypothesis]] = [[] for _ in range(len(sources))]
    for chosen, found in zip(batches, side_by_side(decode, batches), strict=True):
        for index, hypotheses in zip(chosen, found, strict=True):
            results[index] = hypotheses
    return results


@torch.inference_mode()
def decode_with_tree(
    model: Seq2Seq, source: Rows, target: Tokenizer, search: BeamSettings
) -> tuple[list[Hypothesis], BeamTree]:
    """Return the hypotheses of one source and every expansion that the beam considered."""
    assert len(source) == 1, "a tree is recorded for one source at a time"
    limits = limits_of(target, [_limit(model, int(source.lengths[0]))])
    return search_with_tree(steps_of(model), model.start(*pad_rows(source, [0])), limits, search)


def run_search(
    model: StepModel[State], state: State, limits: Limits, search: Search, places: list[int]
) -> list[list[Hypothesis]]:
    """Return for each source of a state its hypotheses, best first; `places` are those of the sources in the input."""
    match search:
        case GreedySettings():
            return [[hypothesis] for hypothesis in greedy(model, state, limits)]
        case SamplingSettings():
            return [[hypothesis] for hypothesis in sample(model, state, limits, search, places)]
        case BeamSettings():
            return beam_search(model, state, limits, search)


def search_with_tree(
    model: StepModel[State], state: State, limits: Limits, search: BeamSettings
) -> tuple[list[Hypothesis], BeamTree]:
    """Return the hypotheses of a state's only source, and every expansion that the beam considered."""
    recorder = TreeRecorder()
    (found,) = beam_search(model, state, limits, search, recorder)
    return found, recorder.tree(0)


def steps_of(model: Seq2Seq | Captioner | LanguageModel) -> StepModel[object]:
    """Return the model as what a search steps through."""
    # Each model is given back only the states that it made, which a union of models cannot tell the type checker.
    return cast(StepModel[object], model)


def _limit(model: Seq2Seq, source_length: int) -> int:
    """Return how long a translation may become: from its own source alone, so that companions do not matter."""
    return min(model.settings.longest, 2 * source_length + 10)


def limits_of(target: Tokenizer, longest: list[int]) -> Limits:
    """Return where hypotheses begin and end, how long each may become, and what they may not hold."""
    return Limits(start=target.start, end=target.end, longest=longest, forbidden=never_said(target))


def never_said(tokenizer: Tokenizer) -> tuple[int, ...]:
    """Return the ids of pieces that no text may hold; some vocabularies end a text with one of them, which may be."""
    # An unknown piece in the output would be a sign that nobody can read; the next best piece is better.
    return tuple(sorted({tokenizer.pad, tokenizer.start, tokenizer.unknown} - {tokenizer.end}))
