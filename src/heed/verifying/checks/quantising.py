"""int8 drift: how much the loss moves when every matrix is rounded to 8 bits, as small machines would hold it.

Each row of a matrix has a scale of its own, its largest number being 127, as torch's and ONNX's dynamic kernels have
it; what multiplies it stays as it is, so this is the rounding of the weights alone.
"""

import copy

import torch
from torch import Tensor, nn

from heed.verifying.checking import Check
from heed.verifying.examples import Example, read
from heed.verifying.findings import Difference, Measured, Tolerance, Unfit
from heed.verifying.subject import Subject

TOLERANCE = Tolerance(0.05, "nats (or squared units) per target: less than another seed changes")
LARGEST = 127  # of the whole numbers that 8 bits hold, both signs alike


def compare(subject: Subject) -> Measured | Unfit:
    """Compare the mean loss over the examples with that of a copy whose matrices have 8 bits."""
    if not subject.learns_in_steps:
        return Unfit("the model has no matrices to round")
    plain = subject.calm_task.objective.eval()
    rounded = copy.deepcopy(plain)
    round_matrices(rounded)
    drift = loss_of(rounded, subject.examples) - loss_of(plain, subject.examples)
    share = agreement(subject, rounded)
    note = f"the loss changes by {drift:+.4f}; {share:.1%} of the decisions stay"
    return Measured([Difference(f"{len(subject.examples)} examples", abs(drift))], TOLERANCE, note)


@torch.no_grad()
def round_matrices(model: nn.Module) -> None:
    """Round the matrices of products and of recurrent cells, in place; tables of single rows are left."""
    for module in model.modules():
        if isinstance(module, nn.Linear | nn.RNNBase):
            for parameter in module.parameters(recurse=False):
                if parameter.ndim == 2:
                    parameter.copy_(rounded(parameter))


def rounded(matrix_OI: Tensor) -> Tensor:
    """Return the matrix as 8-bit numbers with a scale for each row would hold it."""
    scale_O1 = matrix_OI.abs().amax(dim=1, keepdim=True).clamp(min=1e-12) / LARGEST
    return (matrix_OI / scale_O1).round() * scale_O1


@torch.inference_mode()
def loss_of(objective: nn.Module, examples: list[Example]) -> float:
    """Return the mean loss of a target."""
    total = sum(float(objective(example.batch)) for example in examples)
    return total / sum(example.batch.targets for example in examples)


def agreement(subject: Subject, objective: nn.Module) -> float:
    """Return the share of decisions, the largest output of each position, that are the same in 8 bits."""
    same, count = 0, 0
    model = objective.model
    assert isinstance(model, nn.Module)
    for example in subject.examples:
        (before,), (after,) = read(subject.calm_task.model, example.batch), read(model, example.batch)
        chosen, kept = before.argmax(dim=-1), after.argmax(dim=-1)
        same, count = same + int((chosen == kept).sum()), count + chosen.numel()
    return same / max(1, count)


CHECK = Check("quantising", "with matrices of 8 bits the loss stays", compare, needs=("determinism",))
