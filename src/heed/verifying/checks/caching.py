"""Cached = uncached: writing step by step, beams that change places included, gives what one pass gives."""

from typing import cast

import torch
from torch import Tensor, nn

from heed.decoding.steps import StepModel
from heed.tasks.caption import CaptionBatch
from heed.tasks.translate import TranslationBatch
from heed.tasks.write import WriteBatch
from heed.verifying.checking import IN_64_BITS, Check
from heed.verifying.checks.causality import WrittenBatch, with_other_tokens
from heed.verifying.examples import in_precision_of, read
from heed.verifying.findings import Difference, Measured, Unfit, apart
from heed.verifying.subject import Subject

BEAMS = 2
STEPS = 48  # of a text at most; a step costs as much as a short pass


def compare(subject: Subject) -> Measured | Unfit:
    """Compare two beams that write different texts, and swap places at every step, with a pass over each text."""
    if not subject.learns_in_steps or not isinstance(subject.examples[0].batch, WrittenBatch):
        return Unfit("the model writes no text: it keeps nothing from one step to the next")
    pieces = subject.tokenizers[-1].size
    differences = []
    for example in subject.examples:
        batch = in_precision_of(subject.exact, example.batch)
        assert isinstance(batch, WrittenBatch)
        other = with_other_tokens(batch, 1, pieces)
        assert isinstance(other, WrittenBatch)
        whole_WTV = torch.stack([read(subject.exact, each)[0][:STEPS] for each in (batch, other)])
        stepped_WTV = step_by_step(subject.exact, batch, torch.cat([ids_of(batch), ids_of(other)])[:, :STEPS])
        differences.append(Difference(example.place, apart(stepped_WTV, whole_WTV)))
    return Measured(differences, IN_64_BITS)


def ids_of(batch: WrittenBatch) -> Tensor:
    """Return the tokens that a model is fed while it writes."""
    return batch.windows.token_ids if isinstance(batch, WriteBatch) else batch.target_ids


@torch.inference_mode()
def step_by_step(model: nn.Module, batch: WrittenBatch, ids_WT: Tensor) -> Tensor:
    """Return the logits (W, T, V) of beams that each write one of the texts; all begin with the same token."""
    steps = cast(StepModel[object], model)  # each model is given back only the states that it made
    logits_11V, state = steps.step(ids_WT[:1, :1], _start(model, batch))
    said = [logits_11V[0].expand(BEAMS, -1)]
    # Beam w of the search writes text order[w]; the two change places at every step.
    order, came_from = [0, 1], [0, 0]
    for place in range(1, ids_WT.shape[1]):
        state = steps.reorder(state, torch.tensor([0]), torch.tensor([came_from]))
        logits_1WV, state = steps.step(ids_WT[order, place][None], state)
        said.append(logits_1WV[0][order])
        order, came_from = order[::-1], [1, 0]
    return torch.stack(said, dim=1)


def _start(model: nn.Module, batch: WrittenBatch) -> object:
    assert callable(model.start), "a model that writes can start"
    match batch:
        case TranslationBatch():
            return model.start(batch.source_ids, batch.source_keep)
        case CaptionBatch():
            return model.start(batch.images)
        case WriteBatch():
            # The first step gives what follows the prompt, whatever its ids.
            return model.start(batch.windows.token_ids[:, :1])


CHECK = Check(
    "caching", "written step by step from a cache = read in one pass", compare, needs=("determinism", "causality")
)
