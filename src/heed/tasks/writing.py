"""Prompts in, what a language model writes after them out: the searches run over prompts of one length at a time."""

from collections.abc import Sequence
from dataclasses import dataclass

import torch

from heed.decoding.hypotheses import Hypothesis
from heed.decoding.limits import Limits
from heed.errors import UsageError
from heed.models.language import LanguageModel
from heed.tasks.side_by_side import one_for_each_thread, side_by_side
from heed.tasks.text_ids import decode_text, has_line_ends
from heed.tasks.translating import Search, never_said, run_search, steps_of
from heed.tokens.tokenizer import Tokenizer

PROMPTS_PER_BATCH = 64  # larger gains nothing on a CPU
NEVER = -1  # no piece has this id: what ends there ends never


@dataclass(frozen=True)
class Extent:
    """How far to write."""

    length: int = 200  # tokens, at most
    line: bool = False  # to the end of the line, if that comes earlier

    def __post_init__(self) -> None:
        if self.length < 1:
            raise UsageError(f"The length to write is {self.length} tokens. Give 1 or more.")


def write_on(
    model: LanguageModel,
    tokenizer: Tokenizer,
    prompts: Sequence[Sequence[int]],
    extent: Extent,
    search: Search,
    done: int = 0,
) -> list[list[Hypothesis]]:
    """Return for each prompt what may follow it, best first. The model must be in evaluation mode.

    `done` is how many prompts came before these: sampling draws differently for each prompt of the whole input.
    """
    batches = one_for_each_thread(_batches(prompts))

    @torch.inference_mode()
    def write(chosen: list[int]) -> list[list[Hypothesis]]:
        state: object = model.start(torch.tensor([list(prompts[index]) for index in chosen]))
        limits = _limits(tokenizer, [extent.length] * len(chosen), extent.line)
        return run_search(steps_of(model), state, limits, search, [done + index for index in chosen])

    results: list[list[Hypothesis]] = [[] for _ in prompts]
    for chosen, found in zip(batches, side_by_side(write, batches), strict=True):
        for index, hypotheses in zip(chosen, found, strict=True):
            results[index] = hypotheses
    return results


def continuation(prompt: Sequence[int], written: Sequence[int], tokenizer: Tokenizer) -> str:
    """Return what was written as it reads after its prompt: whether a space stands between them, only both tell."""
    before, whole = decode_text(prompt, tokenizer), decode_text([*prompt, *written], tokenizer)
    return whole.removeprefix(before) if whole.startswith(before) else decode_text(written, tokenizer)


def _batches(prompts: Sequence[Sequence[int]]) -> list[list[int]]:
    """Return the places of the prompts, those of one length together."""
    places: dict[int, list[int]] = {}
    for place, prompt in enumerate(prompts):
        places.setdefault(len(prompt), []).append(place)
    return [
        alike[first : first + PROMPTS_PER_BATCH]
        for alike in places.values()
        for first in range(0, len(alike), PROMPTS_PER_BATCH)
    ]


def _limits(tokenizer: Tokenizer, longest: list[int], line: bool) -> Limits:
    """Return where writing ends: at the end of a text, which only some vocabularies know, or of a line if asked."""
    end = tokenizer.end if line or has_line_ends(tokenizer) else NEVER
    # The prompt stands where the start would: a language model's first step does not look at it.
    return Limits(start=tokenizer.start, end=end, longest=longest, forbidden=never_said(tokenizer))
