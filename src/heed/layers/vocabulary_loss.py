"""Cross-entropy straight from hidden vectors, chunk by chunk: projection, softmax and gradient, never all logits.

With a vocabulary of 8,000 the logits of one batch are larger than the model. Made at once they are written and read
half a dozen times over; in chunks that stay in the cache, loss and gradient cost little more than the products.
"""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn

LOGITS = 2**22  # that exist at a time, 16 MB: 512 rows with a vocabulary of 8,000; half and double are equally fast


def vocabulary_loss(hidden_ND: Tensor, vocabulary: nn.Linear, next_N: Tensor, label_smoothing: float) -> Tensor:
    """Return the summed cross-entropy of `vocabulary(hidden_ND)` against the next ids (Szegedy et al. 2016, section 7).

    Equal to `functional.cross_entropy(..., reduction="sum", label_smoothing=...)` in value and gradient.
    """
    weight_VD = vocabulary.weight
    bias_V = weight_VD.new_zeros(len(weight_VD)) if vocabulary.bias is None else vocabulary.bias
    inputs = (hidden_ND.to(weight_VD.dtype), weight_VD, bias_V, next_N, label_smoothing)
    return _summed_loss(*inputs)


def stay_outside_graphs() -> None:
    """Let `torch.compile` leave this loss as it stands: chunk by chunk it is as fast as a graph, whatever the length.

    Not by a decorator, since that loads torch's compiler (a second, 70 MB), which most processes never use.
    """
    global _summed_loss
    _summed_loss = torch.compiler.disable(_VocabularyLoss.apply)  # type: ignore[no-untyped-call]


class _VocabularyLoss(torch.autograd.Function):
    """The gradient is made on the way forward, while a chunk's probabilities are at hand."""

    @staticmethod
    def forward(
        ctx: Any, hidden_ND: Tensor, weight_VD: Tensor, bias_V: Tensor, next_N: Tensor, smoothing: float
    ) -> Tensor:
        total = hidden_ND.new_zeros((), dtype=torch.float64)
        digits = torch.promote_types(weight_VD.dtype, torch.float32)
        learning = any(ctx.needs_input_grad)
        gradients = (torch.empty_like(hidden_ND), torch.zeros_like(weight_VD), torch.zeros_like(bias_V))
        chunk = max(1, LOGITS // len(weight_VD))
        for first in range(0, len(hidden_ND), chunk):
            rows = slice(first, first + chunk)
            # The product may be bfloat16, but sums over a vocabulary need more digits.
            logits_CV = torch.addmm(bias_V, hidden_ND[rows], weight_VD.T).to(digits)
            log_probs_CV = logits_CV.log_softmax(dim=-1)
            chosen_C1 = next_N[rows, None]
            even = smoothing / len(weight_VD)
            total -= (1 - smoothing) * log_probs_CV.gather(1, chosen_C1).sum(dtype=torch.float64)
            if smoothing:
                total -= even * log_probs_CV.sum(dtype=torch.float64)
            if learning:
                # d loss / d logits = softmax - the smoothed target
                change_CV = log_probs_CV.exp_().sub_(even)
                change_CV.scatter_add_(1, chosen_C1, change_CV.new_full(chosen_C1.shape, smoothing - 1))
                _add_gradients(gradients, change_CV.to(weight_VD.dtype), hidden_ND, weight_VD, rows)
        ctx.gradients = gradients
        return total.to(digits)

    @staticmethod
    def backward(ctx: Any, scale: Tensor) -> tuple[Tensor, Tensor, Tensor, None, None]:
        # In place: now training holds the most of all, and the gradient of the weight is as large as the weight.
        hidden_ND, weight_VD, bias_V = (gradient.mul_(scale) for gradient in ctx.gradients)
        ctx.gradients = ()  # a second time would scale them again
        return hidden_ND, weight_VD, bias_V, None, None


def _add_gradients(
    gradients: tuple[Tensor, Tensor, Tensor], change_CV: Tensor, hidden_ND: Tensor, weight_VD: Tensor, rows: slice
) -> None:
    hidden_gradient_ND, weight_gradient_VD, bias_gradient_V = gradients
    torch.mm(change_CV, weight_VD, out=hidden_gradient_ND[rows])
    weight_gradient_VD.addmm_(change_CV.T, hidden_ND[rows])
    bias_gradient_V.add_(change_CV.sum(dim=0))


_summed_loss: Callable[..., Tensor] = _VocabularyLoss.apply
