"""One path per source: the loop that greedy decoding and sampling share."""

import math
from collections.abc import Callable

import torch
from torch import Tensor

from heed.decoding.history import History
from heed.decoding.hypotheses import Hypothesis
from heed.decoding.limits import Limits
from heed.decoding.probabilities import refuse_broken_numbers, refuse_dead_ends, to_log_probs
from heed.decoding.steps import State, StepModel

# (log_probs_B1V with -inf at forbidden ids, original positions of the sources, step from 1) -> ids_B1
Choice = Callable[[Tensor, Tensor, int], Tensor]


def follow(model: StepModel[State], state: State, limits: Limits, choose: Choice) -> list[Hypothesis]:
    """Return one hypothesis per source, each next token taken by `choose`; the score is the mean log probability."""
    history = History(len(limits.longest))
    forbidden, longest_B, last_ids_B1 = limits.forbidden_ids(), limits.longest_per_source(), limits.start_ids()
    sources_B = torch.arange(len(longest_B), device=limits.device)
    totals_B1 = torch.zeros(len(longest_B), 1, dtype=torch.float64, device=limits.device)
    step = 0
    with torch.inference_mode():
        while len(sources_B):
            step += 1
            logits_B1V, state = model.step(last_ids_B1, state)
            last_ids_B1, log_probs_B1 = _chosen(logits_B1V, forbidden, sources_B, step, choose)
            totals_B1 = totals_B1 + log_probs_B1
            history.append(sources_B, last_ids_B1, torch.zeros_like(last_ids_B1), log_probs_B1)
            ended_B1 = last_ids_B1 == limits.end
            complete_B1 = ended_B1 | (longest_B <= step)[:, None]
            if not bool(complete_B1.any()):
                continue
            history.finish(complete_B1, ended_B1, totals_B1, totals_B1 / step)
            stay = (~complete_B1[:, 0]).nonzero().flatten()
            sources_B, longest_B = sources_B[stay], longest_B[stay]
            totals_B1, last_ids_B1 = totals_B1[stay], last_ids_B1[stay]
            if len(stay):
                state = model.reorder(state, stay, torch.zeros_like(last_ids_B1))
    return [best for (best,) in history.hypotheses(results=1)]


def _chosen(
    logits_B1V: Tensor, forbidden: Tensor, sources_B: Tensor, step: int, choose: Choice
) -> tuple[Tensor, Tensor]:
    """Return the chosen ids_B1 and their log_probs_B1."""
    log_probs_B1V = to_log_probs(logits_B1V)
    refuse_broken_numbers(log_probs_B1V, torch.zeros_like(sources_B)[:, None], sources_B, step)
    log_probs_B1V.index_fill_(-1, forbidden, -math.inf)
    ids_B1 = choose(log_probs_B1V, sources_B, step)
    chosen_B1 = log_probs_B1V.gather(-1, ids_B1[..., None]).squeeze(-1)
    refuse_dead_ends(chosen_B1[:, 0] > -math.inf, sources_B, step)
    return ids_B1, chosen_B1.clamp_(max=0.0)
